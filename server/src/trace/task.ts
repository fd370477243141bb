import type { Hex } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";

/** Forks whose rules are known, oldest first. */
export const forks = ["cancun", "prague", "osaka"] as const;
export type Fork = (typeof forks)[number];

/** The error of a call that gave back its gas; every other one used it up. */
export const reverted = "execution reverted";

/** Methods whose requests are calls. */
export const tracedMethods: ReadonlySet<string> = new Set(["eth_call", "eth_estimateGas", "eth_simulateV1"]);

/** Methods whose requests name a transaction. */
export const minedMethods: ReadonlySet<string> = new Set([
  "eth_getTransactionReceipt",
  "eth_getTransactionByHash",
  "debug_traceTransaction",
]);

/** The call that is traced. Addresses are in lower case, amounts are in wei, data is hex. */
export interface TracedCall {
  readonly from: string;
  /** `undefined` if it creates a contract. */
  readonly to: string | undefined;
  readonly data: string;
  readonly value: bigint;
  /** The gas that it may use. */
  readonly gas: bigint;
  /** For each unit of gas; 0 for a call that pays none. */
  readonly gasPrice: bigint;
  readonly accessList: readonly { readonly address: string; readonly slots: readonly string[] }[];
  /** If it is a transaction of a block. */
  readonly mined?: MinedFacts;
}

/** What a transaction of a block does besides its call. */
export interface MinedFacts {
  readonly nonce: bigint;
  /** Wei that the producer of the block gets for each unit of gas. */
  readonly tip: bigint;
  /** @see https://eips.ethereum.org/EIPS/eip-7702 */
  readonly authorizations: readonly Authorization[];
  /** Words that stand for its blobs. @see https://eips.ethereum.org/EIPS/eip-4844 */
  readonly blobs: readonly Hex[];
}

/** Signed permission to run the code of another account. The others are words. */
export interface Authorization extends Readonly<Record<"chainId" | "nonce" | "yParity" | "r" | "s", Hex>> {
  readonly address: Hex;
}

/** What a call can read about its block. */
export interface BlockFacts {
  readonly number: bigint;
  /** In seconds. */
  readonly time: bigint;
  readonly coinbase: string;
  /** A word. */
  readonly prevRandao: string;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
}

export interface AccountFacts {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: string;
  /** The nonce is one with which the account exists, or does not: it was not read. */
  readonly isNonceAssumed?: true;
}

/** State at the end of a block, as far as it was read. Plain data, since it goes to another thread. */
export interface KnownState {
  /** By address. */
  readonly accounts: ReadonlyMap<string, AccountFacts>;
  /** Words, by {@link slotKey}. */
  readonly slots: ReadonlyMap<string, string>;
  /** By number of the block. */
  readonly hashes: ReadonlyMap<bigint, string>;
}

/** State that a call needs and that was not read yet. */
export interface Needs {
  readonly accounts: readonly string[];
  readonly slots: readonly Slot[];
  readonly hashes: readonly bigint[];
}

export interface Slot {
  readonly address: string;
  /** A word. */
  readonly slot: string;
}

export function slotKey({ address, slot }: Slot): string {
  return `${address} ${slot}`;
}

/** Bounds of one run: hostile code may run for ever, and fill the memory. */
export interface Limits {
  /** Instructions. */
  readonly steps: number;
  /** Calls inside calls, logs, and changes. */
  readonly items: number;
  /** Bytes of input, output and data of logs. */
  readonly bytes: number;
  /** State that one run may ask for. */
  readonly needs: number;
}

export const usualLimits: Limits = { steps: 10_000_000, items: 20_000, bytes: 20_000_000, needs: 1000 };

/** Bounds of the replay of a block. */
export const blockLimits: Limits = { steps: 30_000_000, items: 20_000, bytes: 20_000_000, needs: 5000 };

/** Which block calls run in, and by which rules. */
export interface CallRules {
  readonly block: BlockFacts;
  readonly chainId: bigint;
  readonly fork: Fork;
}

/** One run of calls, each over the state that the one before left. */
export interface Task extends CallRules {
  readonly calls: readonly TracedCall[];
  /** The place of the only call that is traced: those around it only change the state. All are traced without it. */
  readonly target?: number;
  readonly limits: Limits;
}

export type Answer =
  | { readonly kind: "traced"; readonly trace: Trace }
  /** The run went on with zeros in place of what it needs, so that it needs more at once. */
  | { readonly kind: "missing"; readonly needs: Needs }
  /** It cannot be computed. `why` is a clause without a full stop. */
  | { readonly kind: "refused"; readonly why: string };

/** Calls as they were computed. */
export interface Trace {
  readonly calls: readonly CallTrace[];
  /** Of all calls together, or of the only one that is traced. */
  readonly changes: readonly Change[];
  /** Values that all calls together read or wrote, if only one of them is traced. */
  readonly touched: Touched;
  /** State that the calls read. */
  readonly used: Needs;
  /** Words that were hashed with another one: keys of mappings among them. */
  readonly hashed: readonly string[];
  /** Hex, by the address of a contract that was called. */
  readonly codes: ReadonlyMap<string, string>;
  readonly steps: number;
  /** They read something about their block: they may go another way in another one. */
  readonly readsBlock: boolean;
}

/** Values after all calls. */
export interface Touched {
  readonly accounts: readonly TouchedAccount[];
  readonly slots: readonly TouchedWord[];
}

export interface TouchedWord extends Slot {
  readonly word: string;
  /** The word before all calls, if it was read and is another one now. */
  readonly before: string | undefined;
}

export interface TouchedAccount {
  readonly address: string;
  readonly balance: bigint;
  /** `undefined` if it was not read. */
  readonly nonce: bigint | undefined;
  /** `undefined` if it is as it was before. */
  readonly code: string | undefined;
  /** Of the code before all calls, if a contract was there. */
  readonly codeHash: string | undefined;
}

export interface CallTrace {
  /** With the calls inside it, as `callTracer` with logs writes it; empty if the call is not traced. */
  readonly call: JsonObject;
  readonly succeeded: boolean;
  readonly output: string;
  readonly gasUsed: bigint;
  readonly logs: readonly TracedLog[];
  /** Storage that calls read which failed, with the calls inside them. */
  readonly reads: readonly FailedReads[];
}

/** Storage that a call read which failed. */
export interface FailedReads {
  /** The place of the call among all, in the order in which they began. */
  readonly frame: number;
  readonly words: readonly ReadWord[];
}

export interface ReadWord extends Slot {
  readonly word: string;
}

export interface TracedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A word of storage that is another one after the calls. */
export interface Change extends Slot {
  readonly before: string;
  readonly after: string;
}

/** A run goes on. */
export interface Running {
  readonly kind: "running";
  /** Instructions so far. */
  readonly steps: number;
}

/** A thread that runs one call again and again, with more state each time. */
export interface Tracer {
  /**
   * Never rejects. A signal that is aborted ends the thread at once.
   *
   * @param running - Called now and then with the instructions so far.
   */
  run(task: Task, more: KnownState, running?: (steps: number) => void): Promise<Answer>;
  /** Can be called again. */
  close(): void;
}

/** Starts a thread. */
export type OpenTracer = (signal: AbortSignal) => Promise<Tracer>;
