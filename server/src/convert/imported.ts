import type { JsonValue } from "../base/json.ts";

/** What one of the readers made of a text. Nothing of the text is lost without a note. */
export interface Imported extends ImportPart {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Values that went into the entries and are secrets, by the names that they had. */
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

/** Entries and notes, in the order of the text. */
export interface ImportPart {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
}

export function joinedParts(parts: readonly ImportPart[]): ImportPart {
  return { entries: parts.flatMap(({ entries }) => entries), notes: parts.flatMap(({ notes }) => notes) };
}
