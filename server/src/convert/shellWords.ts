import { type Span, span } from "../base/span.ts";
import type { Note, Quoted } from "./imported.ts";

/** A word of a command, without its quotes. */
export interface Word extends Quoted {
  readonly span: Span;
}

export interface Command {
  readonly words: readonly Word[];
  /** What is fed to it: `<<EOF` and `<<<`. */
  readonly stdin: Quoted | undefined;
  /** Where its last line ends. */
  readonly end: number;
  /** Where another one begins on that line. */
  readonly next?: number | undefined;
  readonly notes: readonly Note[];
}

/** Values that the shell would fill in, by name. */
export type ShellVariables = ReadonlyMap<string, string>;

/** Lines that `cmd` continues with a caret, and quotes that it escapes with one. */
export function isWindows(text: string): boolean {
  return /\^[ \t]*(?:\r?\n|")/.test(text);
}

/**
 * Splits one command into words, as a POSIX shell does. A variable that nobody has set becomes a placeholder for the
 * environment variable. Never throws.
 *
 * @param start - Of the command in the text.
 */
export function posixCommand(text: string, start: number, variables: ShellVariables): Command {
  return new PosixReader(text, start, variables).command();
}

/** Collects one word with the places of its characters. */
class WordBuilder {
  text = "";
  readonly places: number[] = [];
  start = -1;

  begin(at: number): void {
    if (this.start < 0) this.start = at;
  }

  add(characters: string, at: number): void {
    this.begin(at);
    for (let i = 0; i < characters.length; i++) this.places.push(at);
    this.text += characters;
  }

  /** @returns `undefined` between words. */
  end(at: number): Word | undefined {
    if (this.start < 0) return undefined;
    const word = { text: this.text, places: [...this.places, at], span: span(this.start, at) };
    this.text = "";
    this.places.length = 0;
    this.start = -1;
    return word;
  }
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
};

/**
 * @param rest - Of a line, from the first operator on.
 * @returns Where the next command that is read begins in it: behind `;`, `&&`, `||` or `&` that stand outside of quotes.
 */
function commandBehind(rest: string): number | undefined {
  const parts = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|(?:&&|\|\||;|(?<!>)&(?![>\d]))([ \t]*)|[\s\S]/gy;
  parts.lastIndex = /^\)?"?/.exec(rest)?.[0].length ?? 0; // the end of `"$(…)"`
  for (const { 0: part, 1: space, index } of rest.matchAll(parts)) {
    if (space === undefined) continue;
    const at = index + part.length;
    if (
      /^(?:time[ \t]+)?(?:(?:export[ \t]+|local[ \t]+)?[A-Za-z_]\w*="?\$\([ \t]*)?(?:curl(?:\.exe)?|cast)(?=[ \t\\])/.test(
        rest.slice(at, at + 200),
      )
    )
      return at;
  }
  return undefined;
}

class PosixReader {
  readonly #text: string;
  readonly #variables: ShellVariables;
  readonly #words: Word[] = [];
  readonly #notes: Note[] = [];
  readonly #word = new WordBuilder();
  #at: number;
  #stdin: Quoted | undefined;
  #heredoc: string | undefined;
  #next: number | undefined;

  constructor(text: string, start: number, variables: ShellVariables) {
    this.#text = text;
    this.#at = start;
    this.#variables = variables;
  }

  command(): Command {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord();
    if (this.#heredoc !== undefined) this.#readHeredoc(this.#heredoc);
    const next = this.#heredoc === undefined ? this.#next : undefined;
    return { words: this.#words, stdin: this.#stdin, end: this.#at, next, notes: this.#notes };
  }

  /** @returns Whether the command goes on. */
  #step(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    const mark = rest.charAt(0);
    const continued = this.#match(/[\\`][ \t]*(?:\r\n|\n|\r)/y);
    if (continued !== undefined) this.#at += continued.length;
    else if (mark === "\n" || mark === "\r") return false;
    else if (mark === " " || mark === "\t") this.#endWord(1);
    else if (mark === "'") this.#single();
    else if (rest === "$'") this.#ansi();
    else if (mark === '"' || rest === '$"') this.#double(rest === '$"' ? 2 : 1);
    else if (mark === "\\") this.#literal(this.#text.charAt(this.#at + 1), 2);
    else if (mark === "$" || mark === "`") this.#expansion();
    else if (mark === "#" && this.#word.start < 0) return this.#comment();
    else if ("|;&<>()".includes(mark)) return this.#operator();
    else this.#literal(mark, 1);
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #literal(characters: string, length: number): void {
    this.#word.add(characters, this.#at);
    this.#at += length;
  }

  #endWord(skip = 0): void {
    const word = this.#word.end(this.#at);
    if (word) this.#words.push(word);
    this.#at += skip;
  }

  #note(severity: Note["severity"], what: string, at = this.#at): void {
    this.#notes.push({ at, severity, what });
  }

  #single(): void {
    this.#word.begin(this.#at);
    const open = this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "'") this.#literal(this.#text.charAt(this.#at), 1);
    this.#close(open);
  }

  #close(open: number): void {
    if (this.#at >= this.#text.length) this.#note("error", "This quote is never closed.", open);
    this.#at++;
  }

  #ansi(): void {
    this.#word.begin(this.#at);
    const open = this.#at;
    this.#at += 2;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "'") {
      const [, hex, octal, letter] =
        /^\\(?:[xuU]([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/.exec(this.#text.slice(this.#at, this.#at + 10)) ?? [];
      const all = this.#match(/\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|[\s\S])/y);
      if (all === undefined) this.#literal(this.#text.charAt(this.#at), 1);
      else if (hex !== undefined || octal !== undefined) {
        const code = Number.parseInt(/^\\[xuU]/.test(all) ? all.slice(2) : all.slice(1), /^\\[xuU]/.test(all) ? 16 : 8);
        this.#literal(code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd", all.length);
      } else
        this.#literal(ansiEscapes[letter ?? ""] ?? (/['"\\?]/.test(letter ?? "") ? (letter ?? "") : all), all.length);
    }
    this.#close(open);
  }

  #double(length: number): void {
    this.#word.begin(this.#at);
    const open = this.#at;
    this.#at += length;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const mark = this.#text.charAt(this.#at);
      const next = this.#text.charAt(this.#at + 1);
      const continued = mark === "\\" ? this.#match(/\\(?:\r\n|\n|\r)/y) : undefined;
      if (continued !== undefined) this.#at += continued.length;
      else if (mark === "\\" && /["\\$`]/.test(next)) this.#literal(next, 2);
      else if (mark === "$" || mark === "`") this.#expansion();
      else this.#literal(mark, 1);
    }
    this.#close(open);
  }

  /** `$NAME`, `${NAME:-default}`; what a command prints is not known. */
  #expansion(): void {
    const found = this.#match(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*(?:\}|:?-[^{}\n]*\}))/y);
    if (found !== undefined) {
      const [, name = "", fallback] = /^\$\{?(\w+)(?::?-([^}]*))?/.exec(found) ?? [];
      this.#literal(this.#variables.get(name) ?? fallback ?? `{{$env.${name}}}`, found.length);
      return;
    }
    const command = this.#match(/\$\([^()\n]*\)|`[^`\n]*`/y);
    if (command !== undefined)
      this.#note("error", "What this command prints is not known here. Write its value in place of it.");
    const text = command ?? this.#text.charAt(this.#at);
    this.#literal(text, text.length);
  }

  #comment(): boolean {
    const comment = this.#match(/[^\r\n]*/y) ?? "";
    this.#note("note", "The comment behind the command is left out.");
    this.#at += comment.length;
    return false;
  }

  #operator(): boolean {
    const open = this.#match(/<<-?[ \t]*(?:'[\w.-]+'|"[\w.-]+"|\\?[\w.-]+)/y);
    const here = this.#match(/<<<[ \t]*/y);
    if (here !== undefined) return this.#hereString(here);
    this.#endWord();
    if (open !== undefined) {
      this.#heredoc = open.replace(/^<<-?[ \t]*/, "").replace(/['"\\]/g, "");
      this.#at += open.length;
      return true;
    }
    const line = this.#match(/[^\r\n]*/y) ?? "";
    const again = commandBehind(line);
    const rest = line.slice(0, again);
    this.#next = again === undefined ? undefined : this.#at + again;
    if (!/^[\s;)"'&|]*$/.test(rest)) this.#note("note", "What the shell does with the answer is left out.");
    this.#at += rest.length;
    return false;
  }

  #hereString(operator: string): boolean {
    this.#endWord(operator.length);
    const before = this.#words.length;
    while (this.#at < this.#text.length && !/[\s|;&<>()]/.test(this.#text.charAt(this.#at))) if (!this.#step()) break;
    this.#endWord();
    this.#stdin = this.#words.splice(before)[0];
    return true;
  }

  #readHeredoc(delimiter: string): void {
    const lineEnd = this.#match(/[^\n]*\n/y) ?? "";
    this.#at += lineEnd.length;
    const end = new RegExp(`^[ \\t]*${delimiter.replace(/[.-]/g, "\\$&")}[ \\t]*\\r?$`, "my");
    const from = this.#at;
    let to = from;
    for (end.lastIndex = to; to < this.#text.length && !end.test(this.#text); end.lastIndex = to) {
      const next = this.#text.indexOf("\n", to);
      to = next < 0 ? this.#text.length : next + 1;
    }
    const text = this.#text.slice(from, to);
    this.#stdin = { text, places: Array.from({ length: text.length + 1 }, (_, at) => from + at) };
    if (to >= this.#text.length) this.#note("error", `The text up to \`${delimiter}\` has no end.`, from);
    const line = /[^\n]*/y;
    line.lastIndex = to;
    this.#at = to + (line.exec(this.#text)?.[0].length ?? 0);
  }
}

/**
 * Splits one command into words, as `cmd` and the programs that it starts do.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
export function windowsCommand(text: string, start: number, variables: ShellVariables): Command {
  const { line, places, end } = windowsLine(text, start);
  const words: Word[] = [];
  const notes: Note[] = [];
  const word = new WordBuilder();
  const finish = (at: number): void => {
    const made = word.end(at);
    if (made) words.push(made);
  };
  let inQuotes = false;
  let open = start;
  for (let i = 0; i < line.length; i++) {
    const [mark, at] = [line.charAt(i), places[i] ?? end];
    const name = /^%([A-Za-z_]\w*)%/.exec(line.slice(i, i + 100))?.[1];
    if (mark === "\\" && /^\\+"/.test(line.slice(i))) {
      const run = /^\\+/.exec(line.slice(i))?.[0].length ?? 1;
      word.add("\\".repeat(run >> 1), at);
      i += run - 1;
      if (run % 2 === 1) word.add(line.charAt(++i), places[i] ?? end);
    } else if (mark === '"') {
      word.begin(at);
      if (inQuotes && line[i + 1] === '"') word.add('"', places[i++] ?? end);
      else inQuotes = !inQuotes;
      open = at;
    } else if (name !== undefined) {
      word.add(variables.get(name) ?? `{{$env.${name}}}`, at);
      i += name.length + 1;
    } else if (!inQuotes && (mark === " " || mark === "\t")) finish(at);
    else if (!inQuotes && /[|&<>]/.test(mark)) {
      if (/[^&|\s]/.test(line.slice(i)))
        notes.push({ at, severity: "note", what: "What the shell does with the answer is left out." });
      break;
    } else word.add(mark, at);
  }
  if (inQuotes) notes.push({ at: open, severity: "error", what: "This quote is never closed." });
  finish(end);
  return { words, stdin: undefined, end, notes };
}

/** The command with its carets taken away: they continue lines and take special meanings off. */
function windowsLine(
  text: string,
  start: number,
): { readonly line: string; readonly places: readonly number[]; readonly end: number } {
  const places: number[] = [];
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
      line += text.charAt(++at);
      places.push(at);
    } else if (mark === "\n" || mark === "\r") break;
    else {
      if (mark === '"' && text[at - 1] !== "\\") inQuotes = !inQuotes;
      line += mark;
      places.push(at);
    }
  }
  return { line, places, end: at };
}
