import type { Span } from "../base/span.ts";

/** A problem of a value that is to be encoded before it is sent. */
export type ReadableProblem = UnknownItem | AmbiguousItem | BadArgument | BadAmount | BeforeFirstBlock | BothForms;

interface At {
  readonly span: Span;
}

/** Unknown function or event. */
export interface UnknownItem extends At {
  readonly code: "unknown-function" | "unknown-event";
  readonly name: string;
  readonly nearest: readonly string[];
}

/** Several functions or events of this name accept these arguments. */
export interface AmbiguousItem extends At {
  readonly code: "ambiguous-function" | "ambiguous-event";
  readonly name: string;
  /** Suggested replacements. */
  readonly declarations: readonly string[];
}

export interface BadArgument extends At {
  readonly code: "bad-argument";
  /** The path of the value: `args[1]`. */
  readonly path: string;
  /** The declaration: `address to`. */
  readonly declared: string | undefined;
  /** A clause. */
  readonly what: string;
}

export interface BadAmount extends At {
  readonly code: "bad-amount";
  readonly text: string;
  readonly why: "unit" | "precision" | "negative" | "too-large";
}

/** `"latest - 100"` on a chain with fewer blocks. */
export interface BeforeFirstBlock extends At {
  readonly code: "before-first-block";
  readonly text: string;
  readonly head: bigint;
}

/** A readable member beside the wire member that it replaces. */
export interface BothForms extends At {
  readonly code: "exclusive-fields";
  readonly names: readonly string[];
  /** A sentence. */
  readonly why: string;
  readonly advice: false;
}
