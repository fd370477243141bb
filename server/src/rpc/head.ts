import { shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type Outcome, type RefusalReason, type Refused, resultOf } from "./outcome.ts";

/** A request about blocks that no cell makes. */
export interface BlockQuestion {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

/** Facts about a block, read from an answer. */
export interface BlockFacts {
  readonly number: bigint;
  /** Milliseconds since 1970; `undefined` if it is not in the answer. */
  readonly timeMs: number | undefined;
  /** `undefined` if it is not in the answer, or the block is not sealed. */
  readonly hash: string | undefined;
}

/** How to read the newest block of an endpoint. */
export interface HeadMemory {
  /** The method that shows it at an endpoint that does not support `eth_blockNumber`. */
  headBy?: "eth_getBlockByNumber" | OtherMethod;
}

/** Methods whose answers contain a block number; the one with the smallest answers first. */
const otherMethods = ["eth_simulateV1", "eth_getBlockReceipts", "eth_getLogs"] as const;
type OtherMethod = (typeof otherMethods)[number];

/** Sends questions to one endpoint; returns one outcome for each, in order. */
type AskAll = (questions: readonly BlockQuestion[]) => Promise<readonly Outcome[]>;

/** Returns whether an endpoint says that it does not support the method, now or later. */
export function isRefusedForGood(outcome: Outcome | undefined): outcome is Refused {
  if (outcome?.kind !== "refused") return false;
  return outcome.reason === "not-allowed" || outcome.reason === "unknown-method" || outcome.exchange.status === 403;
}

/** Reasons that can mean an unsupported method: endpoints use different words and codes for it. */
const maybeUnserved: ReadonlySet<RefusalReason> = new Set([
  "unknown-method",
  "not-recorded",
  "not-allowed",
  "plan-limit",
  "bad-request",
  "bad-params",
  "other",
]);

/** Returns whether the method may be unsupported, so that another method is worth trying. */
export function seemsUnserved(outcome: Outcome | undefined): outcome is Refused {
  if (outcome?.kind !== "refused") return false;
  return maybeUnserved.has(outcome.reason) || outcome.exchange.status === 403;
}

const headQuestions = {
  eth_blockNumber: { method: "eth_blockNumber", params: [] },
  eth_getBlockByNumber: blockQuestion("latest"),
  eth_simulateV1: otherQuestion("eth_simulateV1", "latest"),
  eth_getBlockReceipts: otherQuestion("eth_getBlockReceipts", "latest"),
  eth_getLogs: otherQuestion("eth_getLogs", "latest"),
} as const satisfies Readonly<Record<string, BlockQuestion>>;

/** Returns the question for the newest block: always the same object for one method. */
export function headQuestion({ headBy = undefined }: HeadMemory): BlockQuestion {
  return headQuestions[headBy ?? "eth_blockNumber"];
}

/**
 * Returns the question for the block that a tag means.
 *
 * @param block - A tag, or a number as a quantity.
 */
export function questionOf(block: string, { headBy = "eth_getBlockByNumber" }: HeadMemory): BlockQuestion {
  return headBy === "eth_getBlockByNumber" ? blockQuestion(block) : otherQuestion(headBy, block);
}

function blockQuestion(block: string): BlockQuestion {
  return { method: "eth_getBlockByNumber", params: [block, false] };
}

function otherQuestion(method: OtherMethod, block: string): BlockQuestion {
  switch (method) {
    case "eth_simulateV1":
      return { method, params: [{ blockStateCalls: [{ calls: [] }] }, block] };
    case "eth_getBlockReceipts":
      return { method, params: [block] };
    case "eth_getLogs":
      return { method, params: [{ fromBlock: block, toBlock: block }] };
  }
}

/**
 * Reads the number of the newest block: by `eth_blockNumber`, or by another method that the endpoint supports.
 *
 * @returns The last outcome, and the facts if there are any.
 */
export async function findHead(ask: AskAll, memory: HeadMemory): Promise<FoundBlock> {
  if (memory.headBy !== undefined) return findBlock(ask, memory, "latest");
  const [outcome] = await ask([headQuestions.eth_blockNumber]);
  const facts = blockFacts(resultOf(outcome));
  if (facts || !seemsUnserved(outcome)) return { facts, outcome };
  const byTag = await findBlock(ask, memory, "latest");
  if (byTag.facts) memory.headBy ??= "eth_getBlockByNumber";
  return byTag.facts ? byTag : { facts: undefined, outcome };
}

/** A block, and the outcome of the last request for it. */
export interface FoundBlock {
  readonly facts: BlockFacts | undefined;
  readonly outcome: Outcome | undefined;
}

/**
 * Reads which block a tag means, or the hash of a block. An endpoint that refuses blocks shows them by their logs,
 * their receipts, or a simulation on top of them.
 *
 * @param block - A tag, or a number as a quantity.
 */
export async function findBlock(ask: AskAll, memory: HeadMemory, block: string): Promise<FoundBlock> {
  if (memory.headBy === undefined || memory.headBy === "eth_getBlockByNumber") {
    const [outcome] = await ask([questionOf(block, memory)]);
    const facts = blockFacts(resultOf(outcome));
    if (facts || !seemsUnserved(outcome)) return { facts, outcome };
  }
  // a simulation on `pending` belongs to the block that is sealed next, whatever is pending
  const methods = block === "pending" ? otherMethods.slice(1) : otherMethods;
  const outcomes = await ask(methods.map((method) => otherQuestion(method, block)));
  const answers = methods.flatMap((method, at) => {
    const facts = blockFacts(resultOf(outcomes[at]));
    return facts ? [{ method, facts }] : [];
  });
  const [first] = answers;
  if (first) memory.headBy = first.method;
  // an answer without facts means that there is no such block yet; a refusal counts if all refuse
  const outcome = outcomes.find(({ kind }) => kind !== "refused") ?? outcomes[0];
  return { facts: first && answers.map(({ facts }) => facts).reduce(merged), outcome };
}

/** Merges facts: the later ones have more details; the others count if they are of the same block. */
function merged(one: BlockFacts, other: BlockFacts): BlockFacts {
  const isSame = one.number === other.number;
  return {
    number: other.number,
    timeMs: other.timeMs ?? (isSame ? one.timeMs : undefined),
    hash: other.hash ?? (isSame ? one.hash : undefined),
  };
}

/** Returns questions for the time of a block, for an endpoint that serves no blocks. */
export function timeQuestions(block: string): readonly [logs: BlockQuestion, simulation: BlockQuestion] {
  const logs: BlockQuestion =
    block.length === 66
      ? { method: "eth_getLogs", params: [{ blockHash: block }] }
      : otherQuestion("eth_getLogs", block);
  return [logs, otherQuestion("eth_simulateV1", block)];
}

/**
 * Reads the time of a block from the answers to {@link timeQuestions}.
 *
 * @returns Seconds since 1970. Without logs, the time of the block that a simulation puts on top of it.
 */
export function secondsIn([logs, simulated]: readonly (Outcome | undefined)[]): bigint | undefined {
  const timeMs = blockFacts(resultOf(logs))?.timeMs;
  if (timeMs !== undefined) return BigInt(Math.floor(timeMs / 1000));
  const result = resultOf(simulated);
  const [next] = isArray(result) ? result : [];
  return isObject(next) ? shortQuantity(next.timestamp) : undefined;
}

/**
 * Reads which block an answer is about: a number, a block, or a list of logs, receipts or simulated blocks.
 *
 * @example blockFacts([{ blockNumber: "0x10" }])?.number //=> 16n
 */
export function blockFacts(value: JsonValue | undefined): BlockFacts | undefined {
  const one = isArray(value) ? value[0] : value;
  if (!isObject(one)) {
    const number = isArray(value) ? undefined : shortQuantity(one);
    return number === undefined ? undefined : { number, timeMs: undefined, hash: undefined };
  }
  if (isArray(value) && isArray(one.calls)) return beneath(one);
  const number = shortQuantity(one.blockNumber ?? one.number);
  if (number === undefined) return undefined;
  return { number, timeMs: timeOf(one), hash: hashIn(one.blockHash ?? one.hash) };
}

/** Returns the parent of the first simulated block. anvil gives both the same number, and no parent hash. */
function beneath({ number, parentHash }: JsonObject): BlockFacts | undefined {
  const simulated = shortQuantity(number);
  if (simulated === undefined) return undefined;
  const hash = hashIn(parentHash);
  return { number: hash === undefined || simulated === 0n ? simulated : simulated - 1n, timeMs: undefined, hash };
}

/** Returns milliseconds since 1970. The node's own milliseconds count if they belong to its seconds. */
function timeOf({ timestampMs, blockTimestampMs, timestamp, blockTimestamp }: JsonObject): number | undefined {
  const [seconds, ms] = [shortQuantity(timestamp ?? blockTimestamp), shortQuantity(timestampMs ?? blockTimestampMs)];
  if (seconds === undefined) return undefined;
  return Number(ms !== undefined && ms / 1000n === seconds ? ms : seconds * 1000n);
}

function hashIn(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && !/^0x0*$/.test(value) ? value : undefined;
}
