import { quantity } from "../base/hex.ts";
import { isArray, type JsonObject } from "../base/json.ts";
import type { CadenceKind } from "../catalog/spec.ts";
import type { BlockFacts } from "../rpc/head.ts";
import { hasFailed } from "./callFrames.ts";
import type { TracedCallFacts } from "./tracedCall.ts";

/** The requests that a case is read from. */
export const caseMethods = {
  transaction: "eth_getTransactionByHash",
  receipt: "eth_getTransactionReceipt",
  trace: "debug_traceTransaction",
} as const;

/** Answers about one transaction, as the endpoint sent them: hostile text. */
interface Answers {
  /** `undefined`: the endpoint does not know it. */
  readonly transaction?: JsonObject | undefined;
  /** `undefined`: it is in no block, and not pre-confirmed. */
  readonly receipt: JsonObject | undefined;
  /** The outermost call, as `callTracer` writes it. */
  readonly trace?: JsonObject | undefined;
}

/** All that a run knows about one transaction. */
export interface CaseFacts extends Answers {
  readonly hash: string;
  /** The endpoint that was asked. */
  readonly place: CasePlace;
  readonly transaction: JsonObject | undefined;
  /** The method that showed the receipt, if it is not the usual one. */
  readonly receiptBy?: string | undefined;
  readonly block: BlockFacts | undefined;
  /** Numbers of the blocks that these tags name; `undefined` if that is not known. */
  readonly heads: Readonly<Record<HeadTag, bigint | undefined>>;
  /** The method that showed them, by default `eth_getBlockByNumber`. */
  readonly headBy?: string | undefined;
  /** How many transactions the sender has in blocks, and with those that wait. Only if this one is in no block. */
  readonly nonces: { readonly latest: bigint | undefined; readonly pending: bigint | undefined } | undefined;
  /** Another transaction took its nonce. */
  readonly replacement: Replacement | undefined;
  readonly trace: JsonObject | undefined;
  /** How the calls inside were found, or why they were not, if a person asked for them. */
  readonly traced?: TracedCallFacts | undefined;
  /** The reason of a failure, from a second call: only without a trace. */
  readonly reread: Reread | undefined;
  readonly gaps: readonly Gap[];
  readonly life: readonly Stage[];
}

/** Whether a transaction is in a block, also if its receipt does not come. */
export function isInBlock({ receipt, transaction }: Answers): boolean {
  return receipt !== undefined || quantity(transaction?.blockNumber) !== undefined;
}

/**
 * Returns whether a transaction did what it was to do; `undefined` if it is in no block, or if nothing tells: receipts before
 * Byzantium have no status.
 *
 * @see https://eips.ethereum.org/EIPS/eip-658
 */
export function hasSucceeded({ receipt, trace }: Answers): boolean | undefined {
  if (receipt?.status === "0x0" || receipt?.status === "0x1") return receipt.status === "0x1";
  if (receipt && isArray(receipt.logs) && receipt.logs.length > 0) return true; // a revert leaves none
  return receipt && trace && !hasFailed(trace);
}

/** What the calls inside are from. */
export function traceSource({ traced }: CaseFacts): string {
  return traced?.kind === "replayed" ? "the replay of its block" : caseMethods.trace;
}

export function receiptMethod({ receiptBy = caseMethods.receipt }: CaseFacts): string {
  return receiptBy;
}

export interface CasePlace {
  readonly endpoint: string;
  readonly host: string;
  readonly chainId: bigint | undefined;
  /** Names of other endpoints of the workspace, which were not asked. */
  readonly others: readonly string[];
  readonly kind: CadenceKind;
  /** Milliseconds between two blocks. */
  readonly blockMs: number | undefined;
}

export type HeadTag = "latest" | "safe" | "finalized";

export interface Replacement {
  /** `undefined`: it is older than the blocks that were searched. */
  readonly found: { readonly hash: string; readonly block: bigint } | undefined;
  readonly searched: number;
}

/** The same call at the block before: without the other transactions of the block. */
export interface Reread {
  readonly method: string;
  readonly block: bigint;
  /** The call did not fail there. */
  readonly succeeded: boolean;
  readonly revertData: string | undefined;
  readonly message: string;
}

/** Something that is missing, and why. */
export interface Gap {
  /** A noun: `the calls inside`. */
  readonly what: string;
  readonly method: string;
  /** A sentence, safe to show. */
  readonly why: string;
  /** A person can ask that it is computed, which takes many requests. */
  readonly canReplay?: boolean;
}

export type StageName = "pending" | "pre-confirmed" | "block" | "safe" | "finalized";

export interface Stage {
  readonly name: StageName;
  /**
   * - `block`: reached at the time of the block.
   * - `seen`: it changed between two of our questions; `at` is our time.
   * - `before`: it was so when we first asked; `at` is our time.
   * - `waiting`: not yet.
   * - `unknown`: the endpoint does not say.
   */
  readonly how: "block" | "seen" | "before" | "waiting" | "unknown";
  /** Milliseconds since 1970; `undefined` if it is not reached. */
  readonly at: number | undefined;
}
