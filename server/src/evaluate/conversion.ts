import type { AbiItem } from "../abi/item.ts";
import type { Span } from "../base/span.ts";
import type { Edit } from "./edit.ts";
import type { ReadableProblem } from "./readableProblem.ts";

/** What readable values are encoded with. */
export interface ConverterContext {
  /** The project's ABIs that are in scope, the nearer first. */
  readonly abi: readonly AbiItem[];
  /** Numbers of the blocks that tags name now, by tag. */
  readonly heads: ReadonlyMap<string, bigint>;
}

/** A value that is not in wire form but can be brought into it. */
export interface Readable {
  /** The value; of an event filter, its `event`. */
  readonly span: Span;
  /** What puts it into wire form; `undefined` where parts of it are not known yet. */
  readonly edits: readonly Edit[] | undefined;
  readonly form: "decimal" | "amount" | "block" | "call" | "event" | "topic" | "slot";
  /** The tag whose number it counts from, where that is what is not known yet. */
  readonly head?: string;
  /** The function that it calls. */
  readonly calls?: AbiItem;
}

/** Something readable at a node: what it becomes, or what is wrong with it. */
export type Conversion = Omit<Readable, "span"> | { readonly problems: readonly ReadableProblem[] };

/** Where readable values are looked for. */
export interface Context extends ConverterContext {
  readonly text: string;
  /** Whether a string stands for something that only the run knows. */
  isOpen(text: string): boolean;
}
