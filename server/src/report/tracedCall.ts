import type { JsonObject } from "../base/json.ts";

/** The calls inside a call, and where they come from. */
export type TracedCallFacts = {
  readonly host: string;
  readonly addedGas?: bigint | undefined;
  /** Why the trace that the endpoint serves is not used, as a clause. */
  readonly unusable?: string | undefined;
} & (
  | {
      readonly kind: "served";
      readonly calls: readonly JsonObject[];
      readonly block: bigint | undefined;
      /** What the receipt of a transaction says otherwise, as a sentence. */
      readonly contradiction?: string | undefined;
      /** Whether there was no receipt to compare the trace of a transaction with. */
      readonly lacksReceipt?: boolean;
    }
  | (ComputedCalls & {
      readonly kind: "computed";
      /** The state was that of `pending`, which may have changed while it was read. */
      readonly isPending: boolean;
      /** What the endpoint says of the call, and is equal; empty if it says nothing. */
      readonly equal: readonly string[];
    })
  | (ComputedCalls & {
      /** A transaction, in a replay of its block. */
      readonly kind: "replayed";
      /** Transactions of the block, all of whose receipts are equal. */
      readonly transactions: number;
      /** Values that the block read or wrote, all of which are equal. */
      readonly values: number;
      /** Whether what the end of the block does not show was read a second time, and is equal. */
      readonly isReadTwice: boolean;
    })
  | { readonly kind: "differs"; readonly what: string; readonly here: string; readonly there: string }
  | { readonly kind: "failed"; readonly why: string }
);

/** Calls that this machine computed. */
export interface ComputedCalls {
  readonly calls: readonly JsonObject[];
  readonly block: bigint;
  readonly fork: string;
  readonly changes: readonly StorageChange[];
  /** What failed calls read from storage. */
  readonly reads: readonly FailedReads[];
  /** Words that may be keys of mappings. */
  readonly hashed: readonly string[];
  /** Hex, by the address of a contract that was called. */
  readonly codes: ReadonlyMap<string, string>;
  readonly rounds: number;
  readonly requests: number;
}

/** What a failed call read from storage, with the calls inside it. */
interface FailedReads {
  /** Its place among all calls, in the order in which they began. */
  readonly frame: number;
  readonly words: readonly StoredWord[];
}

export interface StoredWord {
  readonly address: string;
  readonly slot: string;
  readonly word: string;
}

export interface StorageChange {
  readonly address: string;
  readonly slot: string;
  readonly before: string;
  readonly after: string;
}
