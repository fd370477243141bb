import { readBody } from "./body.ts";
import {
  type Entry,
  failedImport,
  type Header,
  type Imported,
  type ImportPart,
  isOwnHeader,
  joinedParts,
  type Note,
} from "./importModel.ts";
import { filled, rewritten, valuesOf } from "./placeholders.ts";
import { readShell } from "./shell.ts";
import { type Quoted, quoted } from "./words.ts";

/** Tells a file of HTTP requests by its separators, variables or request lines. */
export function looksLikeHttp(text: string): boolean {
  return /^(?:###|@[\w.-]+\s*=|(?:GET|POST)\s+\S|https?:\/\/\S+\s*$|\{\{)/im.test(text);
}

/** `POST {{host}}/rpc HTTP/1.1`, in any case; an address by itself is a POST. */
function requestLine(line: string): { readonly method: string; readonly address: string } | undefined {
  const [, named = "", rest = line] =
    /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|GRAPHQL|GRPC|WEBSOCKET|WS)\s+(.+)$/i.exec(line) ?? [];
  const address = rest.replace(/\s+HTTP\/[\d.]+$/i, "").replace(/^"(.*)"$/, "$1");
  if (!/^(?:\{\{[^{}]*\}\}|[^\s{}])+$/.test(address)) return undefined;
  if (named === "" && !/^(?:https?:\/\/|wss?:\/\/|\{\{|[\w.-]+:\d)/i.test(address)) return undefined;
  const method = named.toUpperCase() || "POST";
  return { method: /^(?:WS|WEBSOCKET)$/.test(method) ? "POST" : method, address };
}

interface Line {
  readonly text: string;
  readonly start: number;
}

/** The lines from one `###` to the next. */
interface Block {
  name: string | undefined;
  readonly comments: string[];
  readonly lines: readonly Line[];
}

/**
 * Reads a file of HTTP requests, as editors run them.
 *
 * @see https://www.jetbrains.com/help/idea/exploring-http-syntax.html
 * @see https://github.com/Huachao/vscode-restclient#usage
 */
export function readHttp(text: string): Imported {
  const written = new Map<string, string>();
  const entries: Entry[] = [];
  const notes: Note[] = [];
  for (const block of blocksOf(text)) {
    const read = readBlock(block, written, text);
    entries.push(...read.entries);
    notes.push(...read.notes);
  }
  const variables = valuesOf(written, [text]);
  return { entries: entries.map((entry) => filledTarget(entry, written)), variables, notes };
}

function* blocksOf(text: string): Generator<Block> {
  let lines: Line[] = [];
  let name: string | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const separator = /^###+(.*)$/.exec(line.trim());
    if (!separator) {
      if (line !== "") lines.push({ text: line, start: index });
      continue;
    }
    yield { name, comments: [], lines };
    lines = [];
    name = separator[1]?.trim() || undefined;
  }
  yield { name, comments: [], lines };
}

function readBlock(block: Block, variables: Map<string, string>, file: string): ImportPart {
  const notes: Note[] = [];
  const lines = readHead(block, variables, notes);
  const entries: readonly Entry[] =
    block.comments.length > 0 ? [{ kind: "markdown", text: block.comments.join("\n") }] : [];
  const [first] = lines;
  return joinedParts([{ entries, notes }, ...(first ? [readRequest(first, lines, block.name, file)] : [])]);
}

function readRequest(first: Line, lines: readonly Line[], name: string | undefined, file: string): ImportPart {
  if (/^\s*(?:[$>]\s*)?curl(?:\.exe)?\s/.test(first.text)) return readCommand(first, lines, name, file);
  const line = requestLine(first.text.trim());
  if (line?.method !== "POST") {
    const what = line
      ? `A JSON-RPC request is a POST, and this is a ${line.method}, so it is left out.`
      : "This is not the method and address of a request, so it is left out.";
    return failedImport(what, first.start);
  }
  const notes: Note[] = [];
  const { url, headers, body } = readMessage(line.address, lines.slice(1), notes);
  if (!body) {
    const hasError = notes.some(({ severity }) => severity === "error");
    return joinedParts([
      { entries: [], notes },
      ...(hasError ? [] : [failedImport("The request has no body.", first.start)]),
    ]);
  }
  const read = readBody(body);
  const { text, notes: renamed } = rewritten(read.text, first.start);
  const target = { url: rewritten(url, first.start).text, headers, at: first.start };
  return { entries: [{ kind: "request", body: text, name, target }], notes: [...notes, ...read.notes, ...renamed] };
}

/** Reads a block that is a `curl` command; spaces before it keep the places right. */
function readCommand(first: Line, lines: readonly Line[], name: string | undefined, file: string): ImportPart {
  const end = (lines.at(-1)?.start ?? 0) + (lines.at(-1)?.text.length ?? 0);
  const { entries, notes } = readShell(" ".repeat(first.start) + file.slice(first.start, end));
  return { entries: entries.map((entry) => (entry.kind === "request" ? { ...entry, name } : entry)), notes };
}

/** Reads variables, names and comments before a request. */
function readHead(block: Block, variables: Map<string, string>, notes: Note[]): readonly Line[] {
  let at = 0;
  for (; at < block.lines.length; at++) {
    const line = block.lines[at];
    const text = line?.text.trim() ?? "";
    const comment = /^(?:\*\/|#|\/\/|\/\*+|\*(?=\s|$))\s?(.*?)(?:\s*\*\/)?$/.exec(text)?.[1];
    const [, name, value = ""] = /^@([^\s=]+)\s*=\s*(.*)$/.exec(text) ?? [];
    if (name !== undefined) variables.set(name, value);
    else if (comment !== undefined) readComment(block, comment);
    else if (/^(?:< \{%|\{\{$)/.test(text) && line) {
      notes.push({ at: line.start, severity: "note", what: "The script in front of the request is left out." });
      const end = text === "{{" ? "}}" : "%}";
      while (at < block.lines.length - 1 && !block.lines[at]?.text.includes(end)) at++;
    } else if (text !== "") break;
  }
  return block.lines.slice(at);
}

function readComment(block: Block, comment: string): void {
  const name = /^@name[\s=]+(\S+)/.exec(comment)?.[1];
  if (name !== undefined) block.name = name;
  else if (comment.trim() !== "" && !/^@(?:no-|note\b|prompt\b|timeout|connection-timeout)/.test(comment))
    block.comments.push(comment);
}

interface Message {
  readonly url: string;
  readonly headers: readonly Header[];
  /** `undefined` if it is in another file, or missing. */
  readonly body: Quoted | undefined;
}

function readMessage(address: string, lines: readonly Line[], notes: Note[]): Message {
  let url = address;
  const headers: Header[] = [];
  let at = 0;
  for (; at < lines.length; at++) {
    const { text: line = "", start = 0 } = lines[at] ?? {};
    const text = line.trim();
    if (text === "") break;
    if (/^(?:#|\/\/)/.test(text)) continue;
    const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/.exec(text) ?? [];
    if (headers.length === 0 && /^(?:[?&]|\s+\/)/.test(line.replace(/^\s+(?=[?&])/, ""))) url += text;
    else if (name === undefined)
      break; // the empty line before the body is missing
    else if (/^host$/i.test(name) && url.startsWith("/")) url = `http://${value}${url}`;
    else if (!isOwnHeader(name)) headers.push({ name, value: rewritten(value, start).text });
  }
  return { url, headers, body: bodyOf(lines.slice(at), notes) };
}

function bodyOf(lines: readonly Line[], notes: Note[]): Quoted | undefined {
  const handler = lines.findIndex(({ text }) => /^(?:>\s|>\{|>>|<>|\?\?\s|HTTP\/\d)/.test(text));
  const answered = lines[handler];
  if (answered) notes.push({ at: answered.start, severity: "note", what: "The handler of the response is left out." });
  const own = (handler < 0 ? lines : lines.slice(0, handler)).filter(({ text }) => !/^(?:#|\/\/)/.test(text.trim()));
  const first = own.find(({ text }) => text.trim() !== "");
  if (!first) return undefined;
  if (/^<@?\s/.test(first.text)) {
    notes.push({
      at: first.start,
      severity: "error",
      what: "The body is in another file. Import that file instead of the request.",
    });
    return undefined;
  }
  const last = own.at(-1) ?? first;
  return {
    text: own.map(({ text }) => text).join(""),
    places: [
      ...own.flatMap(({ text, start }) => quoted(text, start).places.slice(0, -1)),
      last.start + last.text.length,
    ],
  };
}

/** Writes out the variables in an address: endpoints do not know those of a notebook. */
function filledTarget(entry: Entry, variables: ReadonlyMap<string, string>): Entry {
  if (entry.kind !== "request" || !entry.target) return entry;
  const { url, headers, at } = entry.target;
  const fill = (text: string): string => filled(text, variables);
  return {
    ...entry,
    target: { url: fill(url), headers: headers.map(({ name, value }) => ({ name, value: fill(value) })), at },
  };
}
