import type { JsonValue } from "../base/json.ts";
import { readCast } from "./cast.ts";
import { readCurl } from "./curl.ts";
import type { Entry, Imported, Note } from "./imported.ts";
import { type Command, isWindows, posixCommand, windowsCommand } from "./shellWords.ts";

/** What one command says. */
export interface CommandReading {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
}

/** The beginning of a command that is read: behind a prompt, an assignment to a variable, or nothing. */
const beginning =
  /[ \t]*(?:(?:[$>%]|PS[^>\r\n]{0,200}>|[\w.~@:/\\-]{1,200}[$%>])[ \t]*)?(?:time[ \t]+)?(?:(?:export[ \t]+|set[ \t]+|local[ \t]+)?([A-Za-z_]\w*)=("?\$\([ \t]*|(?=\S*[ \t]*(?:;|$)|["']))|(?=(?:[A-Za-z_]\w*=\S*[ \t]+)*(?:curl(?:\.exe)?|cast)(?=[ \t\\^`])))/my;

/**
 * Reads `curl` and `cast` commands in a text: a script, a page of documentation, or just one. Comments become
 * Markdown; other lines are named.
 */
export function readShell(text: string): Imported {
  const windows = isWindows(text);
  const variables = new Map<string, string>();
  const entries: Entry[] = [];
  const notes: Note[] = [];
  const others = otherLines(entries, notes);
  for (let at = 0; at < text.length; ) {
    beginning.lastIndex = at;
    const found = beginning.exec(text);
    const lineEnd = nextLine(text, at);
    if (!found) {
      others.line(text.slice(at, lineEnd), at);
      at = lineEnd;
      continue;
    }
    others.end();
    const [all, assigned, substitution] = found;
    const isValue = assigned !== undefined && substitution === "";
    const start = at + all.length;
    const command = windows ? windowsCommand(text, start, variables) : posixCommand(text, start, variables);
    notes.push(...command.notes);
    if (isValue) variables.set(assigned, command.words[0]?.text ?? "");
    else {
      const read = readCommand(command, start, assigned);
      entries.push(...read.entries);
      notes.push(...read.notes);
    }
    at =
      command.next ?? (command.end > lineEnd ? nextLine(text, command.end) : nextLine(text, Math.max(at, command.end)));
  }
  others.end();
  return { entries, variables: new Map<string, JsonValue>(), secrets: variables, notes };
}

/** What `curl` or `cast` says; `FOO=1 curl …` sets a variable of the command alone. */
function readCommand(command: Command, start: number, name: string | undefined): CommandReading {
  const words = command.words.slice(command.words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text)));
  const [program, ...args] = words;
  if (program && /^curl(?:\.exe)?$/.test(program.text)) return readCurl(program, args, command.stdin, name);
  if (program?.text === "cast") return readCast(program, args, name);
  return {
    entries: [],
    notes: [{ at: start, severity: "error", what: "This is no `curl` or `cast` command, so it is left out." }],
  };
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
      const comment = /^#(?!!)[ \t]?(.*)$/.exec(line)?.[1];
      if (comment !== undefined) comments.push(comment);
      else if (!/^(?:#!.*|```.*|)$/.test(line) && !told) {
        told = true;
        notes.push({
          at,
          severity: "note",
          what: "What stands here is no `curl` or `cast` command, so it is left out.",
        });
      }
    },
    end,
  };
}
