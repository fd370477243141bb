import type { Markdown } from "../base/markdown.ts";
import type { Snippet } from "./snippet.ts";

export type CompletionKind =
  | "request"
  | "method"
  | "key"
  | "value"
  | "tag"
  | "address"
  | "reference"
  | "endpoint"
  | "function"
  | "event";

/** Something that can be written in a place, before it is fitted to the text there. */
export interface Suggestion extends Choice {
  /** JSON, with stops. */
  readonly insert: Snippet;
}

/** A suggestion, but for what it inserts. */
export interface Choice {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string | undefined;
  /** The parameters of a function or event, and where it is declared: every row of a list shows them. */
  readonly signature?: string | undefined;
  readonly source?: string | undefined;
  readonly documentation?: (() => Markdown) | undefined;
  /** The text to type to find it, without quotes; by default the label. */
  readonly typed?: string | undefined;
  /** Other words for it that people type, the likeliest first. */
  readonly words?: readonly string[] | undefined;
}
