import type { JsonValue } from "../base/json.ts";

/** What one of the readers made of a text. Nothing of the text is lost without a note. */
export interface Imported {
  /** In the order of the text. */
  readonly entries: readonly Entry[];
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Values that went into the entries and are secrets, by the names that they had. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Variables that the tool itself calls secret. Entries refer to them by name. */
  readonly hidden?: ReadonlyMap<string, string>;
  readonly notes: readonly Note[];
}

export type Entry = MarkdownEntry | RequestEntry;

interface MarkdownEntry {
  readonly kind: "markdown";
  readonly text: string;
}

export interface RequestEntry {
  readonly kind: "request";
  /** The body as it was written; text that is no JSON stays as it is. */
  readonly body: string;
  readonly name: string | undefined;
  /** Where it was sent; `undefined` where the text does not say. */
  readonly target: Target | undefined;
}

export interface Target {
  /** As written, keys and all: it goes through {@link withoutSecrets} before anybody sees it. */
  readonly url: string;
  /** `url` is the name of an endpoint, which stands elsewhere. */
  readonly isName?: boolean;
  readonly headers: readonly Header[];
  /** Where it stands in the text. */
  readonly at: number;
}

export interface Header {
  readonly name: string;
  readonly value: string;
  /** The tool says that it authorises, whatever its name. */
  readonly isSecret?: boolean;
}

/** Something to know of an import. It never quotes a value that may be secret. */
export interface Note {
  /** In the imported text, in UTF-16 code units. */
  readonly at: number;
  /** `error`: something could not be read. `note`: it was read, but not as it stands. */
  readonly severity: "error" | "note";
  /** One sentence or two. */
  readonly what: string;
}

/** Text that was taken out of quotes, and where each of its characters stands in the file. */
export interface Quoted {
  readonly text: string;
  /** One more than the text is long: the last is where it ends. */
  readonly places: readonly number[];
}

export function quoted(text: string, start: number): Quoted {
  return { text, places: Array.from({ length: text.length + 1 }, (_, at) => start + at) };
}

/** Two texts as one. */
export function joinedBy(a: Quoted, b: Quoted, between: string): Quoted {
  return {
    text: a.text + between + b.text,
    places: [...a.places.slice(0, a.text.length + between.length), ...b.places],
  };
}

export function trimmed({ text, places }: Quoted): Quoted {
  const from = text.length - text.trimStart().length;
  const to = text.trimEnd().length;
  return from > to
    ? { text: "", places: places.slice(from) }
    : { text: text.slice(from, to), places: places.slice(from, to + 1) };
}

export function placeIn({ places }: Quoted, offset: number): number {
  return places[offset] ?? places.at(-1) ?? 0;
}
