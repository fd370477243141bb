import type { JsonValue } from "../base/json.ts";

/** The result of a reader. Nothing of the text is left out without a note. */
export interface Imported extends ImportPart {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Values of variables that the entries contain, by name; they may be secrets. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Variables that the tool itself calls secret. Entries refer to them by name. */
  readonly hidden?: ReadonlyMap<string, string>;
}

export type Entry = MarkdownEntry | RequestEntry;

interface MarkdownEntry {
  readonly kind: "markdown";
  readonly text: string;
}

export interface RequestEntry {
  readonly kind: "request";
  /** The body as it was written, JSON or not. */
  readonly body: string;
  readonly name: string | undefined;
  /** The program that sends it, if it is a command: `cast`. */
  readonly command?: string;
  /** Where it was sent; `undefined` if the text does not say. */
  readonly target: Target | undefined;
}

export interface Target {
  /** The address as written, with its keys: it goes through `secretRemover.ts` before it is shown. */
  readonly url: string;
  /** Whether `url` is the name of an endpoint. */
  readonly isName?: boolean;
  readonly headers: readonly Header[];
  /** Where it is in the text. */
  readonly at: number;
}

export interface Header {
  readonly name: string;
  readonly value: string;
  /** Whether the tool says that the value is a secret, whatever the name. */
  readonly isSecret?: boolean;
}

/** A remark on an import. It never quotes a value that may be secret. */
export interface Note {
  /** In the imported text, in UTF-16 code units. */
  readonly at: number;
  /** `error`: something could not be read. `note`: it was read, but changed or left out. */
  readonly severity: "error" | "note";
  /** One sentence or two. */
  readonly what: string;
  /** Whether it is about where a request was sent. */
  readonly isAboutTarget?: boolean;
}

/** Entries and notes, in the order of the text. */
export interface ImportPart {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
}

/** Tells headers that every request has: a notebook does not name them. */
export function isOwnHeader(name: string): boolean {
  return /^(?:content-type|content-length|accept|accept-encoding|connection|host|user-agent)$/i.test(name);
}

/** Returns the headers of an authorization; `undefined` if its type is not known. @param part - Reads one of its parts. */
export function authHeaders(
  type: string,
  part: (key: string) => string,
  prefix = "Bearer",
): readonly Header[] | undefined {
  if (type === "none" || type === "noauth") return [];
  if (type === "bearer") return [{ name: "Authorization", value: `${prefix} ${part("token")}` }];
  if (type === "apikey") return [{ name: part("key") || "X-Api-Key", value: part("value"), isSecret: true }];
  if (type === "basic") return [{ name: "Authorization", value: `Basic ${part("username")}:${part("password")}` }];
  return undefined;
}

/** Returns the name, or the name with the first number from 2 on that makes it free. */
export function freeName(name: string, separator: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let next = 2; isTaken(free); next++) free = `${name}${separator}${next}`;
  return free;
}

/** The import of a text that could not be read. */
export function failedImport(what: string, at = 0): Imported {
  return { entries: [], variables: new Map(), notes: [{ at, severity: "error", what }] };
}

export function joinedParts(parts: readonly ImportPart[]): ImportPart {
  return { entries: parts.flatMap(({ entries }) => entries), notes: parts.flatMap(({ notes }) => notes) };
}
