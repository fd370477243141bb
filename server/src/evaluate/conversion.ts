import type { AbiItem } from "../abi/item.ts";
import type { StoragePlace } from "../abi/storagePlace.ts";
import type { StorageScope } from "../abi/storageScope.ts";
import type { Span } from "../base/span.ts";
import type { Edit } from "./edit.ts";
import type { ReadableProblem } from "./readableProblem.ts";

/** The context for encoding readable values. */
export interface ConverterContext {
  /** The project's ABIs in scope, the nearest first. */
  readonly abi: readonly AbiItem[];
  /** Block numbers by tag. */
  readonly heads: ReadonlyMap<string, bigint>;
  /** Returns the project's storage layouts; without it, places by the name of a variable stay open. */
  readonly storage?: () => StorageScope;
}

/** A value that is not in wire form but can be brought into it. */
export interface Readable {
  /** The value; of an event filter, its `event`. */
  readonly span: Span;
  /** The edits that bring it into wire form; `undefined` if parts of it are unknown yet. */
  readonly edits: readonly Edit[] | undefined;
  readonly form: "decimal" | "amount" | "block" | "call" | "event" | "topic" | "slot";
  /** The tag that it counts from, if its number is unknown yet. */
  readonly head?: string;
  /** The function that it calls. */
  readonly calls?: AbiItem;
  /** The stored value whose slot it is. */
  readonly place?: StoragePlace;
}

/** A readable value at a node, or the problem with it. */
export type Conversion = Omit<Readable, "span"> | { readonly problems: readonly ReadableProblem[] };

/** The text in which readable values are searched for. */
export interface Context extends ConverterContext {
  readonly text: string;
  /** Returns whether a string contains a value that only the run knows. */
  isOpen(text: string): boolean;
}
