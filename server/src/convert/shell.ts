import type { JsonValue } from "../base/json.ts";
import { isJson } from "../notebook/json.ts";
import { readCast } from "./cast.ts";
import {
  assignment,
  assignmentsIn,
  type Command,
  type CommandLine,
  printed,
  readLine,
  type Shell,
} from "./commandLine.ts";
import { readCurl } from "./curl.ts";
import { isBatchFile, isForCmd } from "./dialects.ts";
import { type Imported, type ImportPart, joinedParts, type Note } from "./importModel.ts";
import { readScript } from "./script.ts";
import { placeIn, type Quoted, type Word } from "./words.ts";

/**
 * Reads `curl` and `cast` commands of a text: a script, a page of documentation, or one command. Comments become
 * Markdown; other lines are named in a note.
 *
 * @param file - The name of the file, if there is one: that of a batch file says how `%%` is read.
 */
export function readShell(written: string, file = ""): Imported {
  const text = withoutPrompts(written);
  const isBatch = /\.(?:bat|cmd)$/i.test(file) || isBatchFile(text);
  const cmd: Shell = isBatch ? "batch" : "cmd";
  const shells: readonly [Shell, Shell] = isBatch || isForCmd(text) ? [cmd, "posix"] : ["posix", cmd];
  const variables = new Map(changing(text).map((name): [string, string | undefined] => [name, undefined]));
  const read = readScript(
    text,
    { comment: /^(?:#(?!!)|::|@?rem\b|\/\/)[ \t]?(.*)$/i, namesOthers: true },
    (at, end) => {
      const line = text.slice(at, end);
      const [, quote, name, value = ""] = /^[ \t]*@?set[ \t]+("?)([A-Za-z_]\w*)=([^\r\n]*)/i.exec(line) ?? [];
      if (name !== undefined) {
        variables.set(name, quote ? value.replace(/"[ \t]*$/, "") : value.trim());
        return { entries: [], notes: [], end: at };
      }
      if (!mayBeRead.test(line)) return undefined;
      const start = at + (prompt.exec(line)?.[0].length ?? 0);
      const readAs = (shell: Shell) => readCommands(text, readLine(text, start, shell, variables), shell);
      const first = readAs(shells[0]);
      const readings = isSendable(first) ? [first] : [readAs(shells[1]), first];
      const best = readings.find(isSendable) ?? readings.reverse().find(({ isRead }) => isRead);
      for (const [variable, content] of best?.variables ?? []) {
        if (content === undefined) variables.delete(variable);
        else variables.set(variable, content);
      }
      return best;
    },
  );
  return {
    ...read,
    variables: new Map<string, JsonValue>(),
    secrets: new Map([...variables].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** Returns the variables that loops and `read` set. */
function changing(text: string): readonly string[] {
  const loops =
    /\bfor[ \t]+(?:\/\w[ \t]+(?:"[^"\r\n]*"[ \t]+)?)?(?:\(\([ \t]*|%%?)?([A-Za-z_]\w*)(?=[ \t]+in\b|[ \t]*=)|\bread((?:[ \t]+-?\w+)+)/g;
  return [...text.matchAll(loops)].flatMap(([, name, names = ""]) => [name ?? [], ...names.split(/[ \t]+/)].flat());
}

/** A line that is looked at: it has a program whose commands are read, or sets a variable. */
const mayBeRead = /curl|cast|^[ \t]*(?:(?:export|local|readonly|declare)[ \t]+)?[A-Za-z_]\w*=/;
const prompt =
  /^[ \t]*(?:(?:[$>%]|PS[^>\r\n]{0,200}>|[A-Za-z]:\\[^>\r\n]{0,200}>|[\w.~@:/\\-]{1,200}[$%>])[ \t]*)?[@!]?/;

/** The result of reading the commands of a line. */
interface LineParts extends ImportPart {
  /** Whether any of them was one that is read. */
  readonly isRead: boolean;
  readonly variables: CommandLine["variables"];
  readonly end: number;
}

function isSendable({ entries }: LineParts): boolean {
  return entries.length > 0 && entries.every((entry) => entry.kind === "request" && isJson(entry.body));
}

function readCommands(text: string, { commands, variables, notes, end }: CommandLine, shell: Shell): LineParts {
  const parts = commands.map((command, at) => {
    const before = commands[at - 1];
    const isPiped = before?.operator === "|";
    const stdin = command.stdin ?? (isPiped ? printed(before, text.slice(before.start, before.end)) : undefined);
    return (
      readProgram(text, command, stdin, undefined) ??
      (shell === "posix" ? readAssignments(text, command) : undefined) ??
      readInner(command)
    );
  });
  const rest = commands.flatMap((command, at): readonly Note[] => {
    const next = commands[at + 1];
    const isFollowed = next && next.words.length > 0 && !parts[at + 1];
    const from = command.redirectedAt ?? (isFollowed ? command.end : undefined);
    if (from === undefined || !parts[at]?.entries.length) return [];
    return [{ at: from, severity: "note", what: "What the shell does with the response is left out." }];
  });
  const read = joinedParts(parts.filter((part) => part !== undefined));
  return {
    entries: read.entries,
    notes: [...notes, ...read.notes, ...rest],
    isRead: parts.some((part) => part !== undefined),
    variables,
    end,
  };
}

/** Programs and keywords that run the command after them. */
const wrapper =
  /^(?:[!{]|sudo|time|timeout|watch|docker|podman|kubectl|ssh|env|nohup|exec|command|xargs|call|cmd|start|do|then|else|if|while|until|for)$/;

/** Reads `curl` and `cast`, by themselves, with variables of their own, or behind a wrapper. */
function readProgram(
  text: string,
  { words, substitutions, end }: Command,
  stdin: Quoted | undefined,
  name: string | undefined,
): ImportPart | undefined {
  const commands = words.slice(words.findIndex((word) => !assignment.test(word.text)));
  const at = wrapper.test(commands[0]?.text ?? "") ? commands.findIndex(isProgram) : 0;
  const [program, ...args] = commands.slice(Math.max(at, 0));
  if (!program || !isProgram(program)) return undefined;
  const isCurl = !/cast$/.test(program.text);
  // a sentence that begins with the name of the program has no argument that it takes
  if (args.length === 0 || (isCurl && !/[ \t]-|["'$%\\^`/:]/.test(text.slice(program.span.end, end)))) return undefined;
  const { entries, notes } = isCurl ? readCurl(program, args, stdin, name) : readCast(program, args, stdin, name);
  const what = "This value is not known here. Write it instead.";
  const own = substitutions.filter(({ at: place }) => place > program.span.start);
  return { entries, notes: [...notes, ...own.map(({ at: place }): Note => ({ at: place, severity: "error", what }))] };
}

function isProgram({ text }: Word): boolean {
  return /^(?:.*[\\/])?(?:curl(?:\.exe|:[\w.-]+)?|cast)$/.test(text);
}

/** Reads `NAME=$(command)`. */
function readAssignments(text: string, command: Command): ImportPart | undefined {
  const parts = assignmentsIn(command)?.flatMap(({ name, at, substitutions }): readonly ImportPart[] => {
    const inner = substitutions.flatMap(({ commands }) => commands);
    const read = inner.flatMap((one) => readProgram(text, one, one.stdin, name) ?? []);
    const what = `The value of \`${name}\` is not known here, so {{$env.${name}}} replaces it.`;
    const isUnknown = substitutions.length > 0 && read.length === 0;
    return isUnknown ? [{ entries: [], notes: [{ at, severity: "note", what }] }] : read;
  });
  return parts && joinedParts(parts);
}

/** Reads commands that are an argument of another: `ssh host "curl …"`. */
function readInner({ words }: Command): ImportPart | undefined {
  if (!/^(?:sudo|watch|ssh|eval|cmd|powershell|pwsh|(?:ba|z|da)?sh)$/.test(words[0]?.text ?? "")) return undefined;
  const scripts = words.filter(({ text }) => /^\s*curl(?:\.exe)?\s/.test(text));
  const read = scripts.map((word) => {
    const { entries, notes } = readShell(word.text);
    const at = (place: number): number => placeIn(word, place);
    return {
      entries: entries.map((entry) =>
        entry.kind === "request" && entry.target
          ? { ...entry, target: { ...entry.target, at: at(entry.target.at) } }
          : entry,
      ),
      notes: notes.map((note) => ({ ...note, at: at(note.at) })),
    };
  });
  return read.length === 0 ? undefined : joinedParts(read);
}

/** Replaces the marks before the further lines of a command by spaces, so that places stay as they are. */
function withoutPrompts(text: string): string {
  if (!/^[ \t]*(?:[$%#]|PS[^>\r\n]*>|[A-Za-z]:\\[^>\r\n]*>)[ \t]*\S/m.test(text)) return text;
  return text.replace(
    /([\\`^][ \t]*\r?\n)(>{1,2})(?=[ \t])/g,
    (_, before: string, marks: string) => before + " ".repeat(marks.length),
  );
}
