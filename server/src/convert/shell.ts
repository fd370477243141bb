import type { JsonValue } from "../base/json.ts";
import { isJson } from "../notebook/json.ts";
import { readCast } from "./cast.ts";
import { isWindows, windowsCommand } from "./cmdWords.ts";
import { type CommandStart, commandAt } from "./commandStart.ts";
import { readCurl } from "./curl.ts";
import type { Entry, Imported, Note, Quoted } from "./imported.ts";
import { joinedBy, placeIn, quoted } from "./imported.ts";
import { type Command, posixCommand } from "./shellWords.ts";

/** What one command says. */
export interface CommandReading {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
}

/**
 * Reads `curl` and `cast` commands in a text: a script, a page of documentation, or just one. Comments become
 * Markdown; other lines are named.
 */
export function readShell(written: string): Imported {
  const text = withoutPrompts(written);
  const reader: ShellReader = { text, variables: new Map(), isWindows: isWindows(text) };
  const entries: Entry[] = [];
  const notes: Note[] = [];
  const others = otherLines(entries, notes);
  for (let at = 0; at < text.length; ) {
    const lineEnd = nextLine(text, at);
    const { variable, fed, found, inner } = lineStart(reader, at, lineEnd);
    if (variable) {
      others.end();
      reader.variables.set(variable.name, variable.value);
      at = lineEnd;
      continue;
    }
    if (inner) {
      others.end();
      entries.push(...inner.entries);
      notes.push(...inner.notes);
      at = nextLine(text, inner.end);
      continue;
    }
    if (!found) {
      others.line(text.slice(at, lineEnd), at);
      at = lineEnd;
      continue;
    }
    others.end();
    const { command, ...read } = found.isValue ? valueAt(reader, found) : commandFrom(reader, found, fed?.stdin);
    entries.push(...read.entries);
    notes.push(...read.notes);
    const end = Math.max(command.end, fed?.end ?? 0, at);
    at = command.next ?? nextLine(text, end);
  }
  others.end();
  return { entries, variables: new Map<string, JsonValue>(), secrets: reader.variables, notes };
}

interface ShellReader {
  readonly text: string;
  readonly variables: Map<string, string>;
  readonly isWindows: boolean;
}

/** What is printed into a command. */
interface Fed {
  readonly stdin: Quoted | undefined;
  /** Where the text of it ends. */
  readonly end: number;
}

interface LineStart {
  readonly inner?: CommandReading & { readonly end: number };
  readonly variable?: { readonly name: string; readonly value: string };
  readonly fed?: Fed;
  readonly found?: CommandStart | undefined;
}

function lineStart({ text, variables }: ShellReader, at: number, lineEnd: number): LineStart {
  const line = text.slice(at, lineEnd);
  const [, quote, name = "", value = ""] = /^[ \t]*@?set[ \t]+("?)([A-Za-z_]\w*)=([^\r\n]*)/i.exec(line) ?? [];
  if (name !== "") return { variable: { name, value: quote ? value.replace(/"[ \t]*$/, "") : value.trim() } };
  if (
    /^[ \t]*(?:[$>%][ \t]+)?(?:sudo[ \t]+)?(?:watch|ssh|eval|cmd|powershell|pwsh|(?:ba|z|da)?sh[ \t]+-\w*c)\b[^\r\n]*["'][ \t]*curl(?:\.exe)?[ \t]/.test(
      line,
    )
  )
    return { inner: innerOf(posixCommand(text, at, variables)) };
  const [feeder] = /^[ \t]*(?:[$>%][ \t]+)?(?=@?(?:echo|printf|cat)\b.*\|.*\bcurl)/.exec(line) ?? [];
  if (feeder === undefined) return { found: commandAt(text, at, lineEnd) };
  const command = posixCommand(text, at + feeder.length, variables);
  if (command.next === undefined) return {};
  const fed = { stdin: printed(command, text.slice(at + feeder.length, command.next)), end: command.end };
  return { fed, found: commandAt(text, command.next, lineEnd) };
}

/** Commands that are an argument of another: `ssh host "curl …"`. */
function innerOf({ words, end }: Command): CommandReading & { readonly end: number } {
  const read = words
    .filter(({ text }) => /^\s*curl(?:\.exe)?\s/.test(text))
    .map((word) => ({ word, ...readShell(word.text) }));
  return {
    end,
    entries: read.flatMap(({ entries, word }) =>
      entries.map((entry) =>
        entry.kind === "request" && entry.target
          ? { ...entry, target: { ...entry.target, at: placeIn(word, entry.target.at) } }
          : entry,
      ),
    ),
    notes: read.flatMap(({ notes, word }) => notes.map((note) => ({ ...note, at: placeIn(word, note.at) }))),
  };
}

/** @param written - The command and the `|` behind it: `cmd` prints its arguments with their quotes. */
function printed({ words: [program, ...words], stdin }: Command, written: string): Quoted | undefined {
  if (program?.text === "cat") return stdin;
  const args = words.filter(({ text }) => !/^-[neE]+$/.test(text));
  const said = program?.text === "printf" ? args.slice(-1) : args;
  const [first] = said;
  if (!first) return undefined;
  const joined = said.reduce<Quoted>((a, b) => (a === b ? a : joinedBy(a, b, " ")), first);
  const raw = written.replace(/^@?\w+[ \t]+/, "").replace(/[ \t]*\|[ \t]*$/, "");
  return isJson(joined.text) || !isJson(raw) ? joined : quoted(raw, first.span.start);
}

type Found = CommandReading & { readonly command: Command };

/** A variable; nothing is known of one that a command prints. */
function valueAt({ text, variables }: ShellReader, { start, name = "" }: CommandStart): Found {
  const command = posixCommand(text, start, variables);
  const isKnown = !command.notes.some(({ severity }) => severity === "error");
  if (isKnown) variables.set(name, command.words[0]?.text ?? "");
  const what = `What \`${name}\` is set to is not known here, so it goes by {{$env.${name}}}.`;
  return { command, entries: [], notes: isKnown ? command.notes : [{ at: start, severity: "note", what }] };
}

/** Reads a command as the shell does whose signs it has, or else as the other one. */
function commandFrom(reader: ShellReader, { start, name }: CommandStart, fed: Quoted | undefined): Found {
  const shells = reader.isWindows
    ? ([windowsCommand, posixCommand] as const)
    : ([posixCommand, windowsCommand] as const);
  const readAs = (shell: typeof posixCommand): Found => {
    const command = shell(reader.text, start, reader.variables);
    const { entries, notes } = readCommand(command.stdin ? command : { ...command, stdin: fed }, start, name);
    return { command, entries, notes: [...command.notes, ...notes] };
  };
  const first = readAs(shells[0]);
  if (isReadable(first)) return first;
  const second = readAs(shells[1]);
  return isReadable(second) ? second : first;
}

function isReadable({ entries }: Found): boolean {
  return entries.length > 0 && entries.every((entry) => entry.kind === "request" && isJson(entry.body));
}

/** What `curl` or `cast` says; `FOO=1 curl …` sets a variable of the command alone. */
function readCommand(command: Command, start: number, name: string | undefined): CommandReading {
  const words = command.words.slice(command.words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text)));
  const [program, ...args] = words;
  if (program && /curl(?:\.exe|:[\w.-]+)?$/.test(program.text)) return readCurl(program, args, command.stdin, name);
  if (program && /cast$/.test(program.text)) return readCast(program, args, name);
  return {
    entries: [],
    notes: [{ at: start, severity: "error", what: "This is not a `curl` or `cast` command, so it is left out." }],
  };
}

/** The marks in front of the further lines of a command, as spaces: places stay as they are. */
function withoutPrompts(text: string): string {
  if (!/^[ \t]*(?:[$%#]|PS[^>\r\n]*>|[A-Za-z]:\\[^>\r\n]*>)[ \t]*\S/m.test(text)) return text;
  return text.replace(
    /([\\`^][ \t]*\r?\n)(>{1,2})(?=[ \t])/g,
    (_, before: string, marks: string) => before + " ".repeat(marks.length),
  );
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Lines that hold no command: comments are kept as Markdown, the first of others that follow each other is named. */
function otherLines(entries: Entry[], notes: Note[]): { line(text: string, at: number): void; end(): void } {
  let comments: string[] = [];
  let told = false;
  const end = (): void => {
    if (comments.length > 0) entries.push({ kind: "markdown", text: comments.join("\n") });
    comments = [];
    told = false;
  };
  return {
    line(written, at) {
      const line = written.trim();
      const comment = /^(?:#(?!!)|::|@?rem\b|\/\/)[ \t]?(.*)$/i.exec(line)?.[1];
      if (comment !== undefined) comments.push(comment);
      else if (!/^(?:#!.*|```.*|)$/.test(line) && !told) {
        told = true;
        notes.push({
          at,
          severity: "note",
          what: "This is not a `curl` or `cast` command, so it is left out.",
        });
      }
    },
    end,
  };
}
