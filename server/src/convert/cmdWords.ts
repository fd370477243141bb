import { commandBehind } from "./commandStart.ts";
import type { Note } from "./imported.ts";
import type { Word } from "./quoted.ts";
import type { Command, ShellVariables } from "./shellWords.ts";
import { WordBuilder } from "./wordBuilder.ts";

/** Lines that `cmd` continues with a caret, quotes that it escapes with one, and its variables. */
export function isWindows(text: string): boolean {
  return /\^[ \t]*(?:\r?\n|")|%(?![0-9A-Fa-f]{2}%)[A-Za-z_]\w*%/.test(text);
}

/**
 * Splits one command into words, as `cmd` and the programs that it starts do.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export function windowsCommand(text: string, start: number, variables: ShellVariables): Command {
  const { line, places, escaped, end } = windowsLine(text, start);
  const words: Word[] = [];
  const notes: Note[] = [];
  const word = new WordBuilder();
  const finish = (at: number): void => {
    const made = word.end(at);
    if (made) words.push(made);
  };
  let inQuotes = false;
  let open = start;
  let next: number | undefined;
  for (let i = 0; i < line.length; i++) {
    const [mark, at] = [line.charAt(i), places[i] ?? end];
    const name = /^%([A-Za-z_]\w*)%/.exec(line.slice(i, i + 100))?.[1];
    if (mark === "\\") {
      const run = backslashes(line, i);
      const isBeforeQuote = line[i + run] === '"';
      word.add("\\".repeat(isBeforeQuote ? run >> 1 : run), at);
      i += run - 1;
      if (isBeforeQuote && run % 2 === 1) word.add(line.charAt(++i), places[i] ?? end);
    } else if (mark === '"') {
      word.begin(at);
      if (inQuotes && line[i + 1] === '"') word.add('"', places[i++] ?? end);
      else inQuotes = !inQuotes;
      open = at;
    } else if (name !== undefined) {
      word.add(variables.get(name) ?? `{{$env.${name}}}`, at);
      i += name.length + 1;
    } else if (!inQuotes && (mark === " " || mark === "\t")) finish(at);
    else if (!inQuotes && /[|&<>]/.test(mark) && !escaped.has(i)) {
      const again = commandBehind(line.slice(i), false);
      next = again === undefined ? undefined : places[i + again];
      if (/[^&|\s]/.test(line.slice(i, again === undefined ? undefined : i + again)))
        notes.push({ at, severity: "note", what: "What the shell does with the answer is left out." });
      break;
    } else word.add(mark, at);
  }
  if (inQuotes) notes.push({ at: open, severity: "error", what: "This quote is never closed." });
  finish(end);
  return { words, stdin: undefined, end: next ?? end, next, notes };
}

/** How many stand there in a row. */
function backslashes(line: string, at: number): number {
  let end = at;
  while (line[end] === "\\") end++;
  return end - at;
}

interface WindowsLine {
  readonly line: string;
  readonly places: readonly number[];
  /** Offsets in the line of characters that a caret stood before. */
  readonly escaped: ReadonlySet<number>;
  readonly end: number;
}

/** The command with its carets taken away: they continue lines and take special meanings off. */
function windowsLine(text: string, start: number): WindowsLine {
  const places: number[] = [];
  const escaped = new Set<number>();
  const isCopied = text.slice(start, start + 100_000).includes('^\\^"'); // browsers escape within quotes as well
  let line = "";
  let at = start;
  let inQuotes = false;
  for (; at < text.length; at++) {
    const mark = text.charAt(at);
    if (mark === "^" && !inQuotes) {
      const [, space = "", again = ""] = /^\^([ \t]*\r?\n)(\r?\n)?/.exec(text.slice(at, at + 20)) ?? [];
      at += space.length + again.length;
      if (again !== "") {
        line += "\n";
        places.push(at);
      }
      if (space !== "") continue;
      escaped.add(line.length);
      line += text.charAt(++at);
      places.push(at);
    } else if ((mark === "\n" || mark === "\r") && !inQuotes)
      break; // within quotes is a slip of those that make commands
    else {
      if (mark === '"' && text[at - 1] !== "\\" && !isCopied) inQuotes = !inQuotes;
      line += mark;
      places.push(at);
    }
  }
  return { line, places, escaped, end: at };
}
