import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Outcome, RefusalReason, Refused } from "./outcome.ts";

/** A request about blocks, beside those of cells. */
export interface BlockQuestion {
  readonly method: string;
  readonly params: readonly JsonValue[];
}

/** What an answer tells of the block it is about. */
export interface BlockFacts {
  readonly number: bigint;
  /** Milliseconds since 1970; `undefined` where the answer does not tell. */
  readonly timeMs: number | undefined;
  /** `undefined` where the answer does not tell, or the block is not sealed. */
  readonly hash: string | undefined;
}

/** How the newest block of an endpoint is learned. */
export interface HeadMemory {
  /** The method that tells it, for an endpoint that does not serve `eth_blockNumber`. */
  headBy?: "eth_getBlockByNumber" | OtherMethod;
}

/** Methods that tell the number of a block that they do not serve; the one with the smallest answers first. */
const otherMethods = ["eth_simulateV1", "eth_getBlockReceipts", "eth_getLogs"] as const;
type OtherMethod = (typeof otherMethods)[number];

/** Asks one endpoint; one outcome a question, in order. */
type AskAll = (questions: readonly BlockQuestion[]) => Promise<readonly Outcome[]>;

/** Whether an endpoint says that it does not serve the method; it will not the next time either. */
export function isRefusedForGood(outcome: Outcome | undefined): outcome is Refused {
  if (outcome?.kind !== "refused") return false;
  return outcome.reason === "not-allowed" || outcome.reason === "unknown-method" || outcome.exchange.status === 403;
}

/** Reasons that may stand for a method that is not served; words and codes for it are not agreed on. */
const maybeUnserved: ReadonlySet<RefusalReason> = new Set([
  "unknown-method",
  "not-allowed",
  "plan-limit",
  "bad-request",
  "bad-params",
  "other",
]);

/** Whether an endpoint may well not serve a question that it would else answer, so that another one is worth asking. */
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

/** The question whose answer tells the newest block, as far as is known: always the same object for one method. */
export function headQuestion({ headBy = undefined }: HeadMemory): BlockQuestion {
  return headQuestions[headBy ?? "eth_blockNumber"];
}

/**
 * The question whose answer tells which block a tag means, as far as is known.
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
 * Finds out the number of the newest block: by `eth_blockNumber`, or by what the endpoint serves instead.
 *
 * @returns The last outcome, and the facts where one tells them.
 */
export async function findHead(ask: AskAll, memory: HeadMemory): Promise<FoundBlock> {
  if (memory.headBy !== undefined) return findBlock(ask, memory, "latest");
  const [outcome] = await ask([headQuestions.eth_blockNumber]);
  const facts = blockFacts(answerOf(outcome));
  if (facts || !seemsUnserved(outcome)) return { facts, outcome };
  const found = await findBlock(ask, memory, "latest");
  if (found.facts) memory.headBy ??= "eth_getBlockByNumber";
  return found.facts ? found : { facts: undefined, outcome };
}

/** A block, and what came when it was asked for last. */
export interface FoundBlock {
  readonly facts: BlockFacts | undefined;
  readonly outcome: Outcome | undefined;
}

/**
 * Finds out which block a tag means, or the hash of a block. An endpoint that serves no blocks tells it by their logs,
 * their receipts, or a simulation on top of them.
 *
 * @param block - A tag, or a number as a quantity.
 */
export async function findBlock(ask: AskAll, memory: HeadMemory, block: string): Promise<FoundBlock> {
  if (memory.headBy === undefined || memory.headBy === "eth_getBlockByNumber") {
    const [outcome] = await ask([questionOf(block, memory)]);
    const facts = blockFacts(answerOf(outcome));
    if (facts || !seemsUnserved(outcome)) return { facts, outcome };
  }
  // what is simulated on `pending` is of the block that is sealed next, whatever is pending
  const methods = block === "pending" ? otherMethods.slice(1) : otherMethods;
  const outcomes = await ask(methods.map((method) => otherQuestion(method, block)));
  const told = methods.flatMap((method, at) => {
    const facts = blockFacts(answerOf(outcomes[at]));
    return facts ? [{ method, facts }] : [];
  });
  const [first] = told;
  if (first) memory.headBy = first.method;
  // one that answers tells of no block yet; a refusal counts if all refuse
  const outcome = outcomes.find(({ kind }) => kind !== "refused") ?? outcomes[0];
  return { facts: first && told.map(({ facts }) => facts).reduce(merged), outcome };
}

/** The later one knows more of its block; what the other one adds must be of the same block. */
function merged(one: BlockFacts, other: BlockFacts): BlockFacts {
  const isSame = one.number === other.number;
  return {
    number: other.number,
    timeMs: other.timeMs ?? (isSame ? one.timeMs : undefined),
    hash: other.hash ?? (isSame ? one.hash : undefined),
  };
}

function answerOf(outcome: Outcome | undefined): JsonValue | undefined {
  return outcome?.kind === "answered" ? outcome.result.value : undefined;
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

/** The block on which the first simulated block stands. anvil gives both the same number, and no parent. */
function beneath({ number, parentHash }: JsonObject): BlockFacts | undefined {
  const simulated = shortQuantity(number);
  if (simulated === undefined) return undefined;
  const hash = hashIn(parentHash);
  return { number: hash === undefined || simulated === 0n ? simulated : simulated - 1n, timeMs: undefined, hash };
}

/** Milliseconds since 1970. Those that a node gives count where they are of the second that it gives. */
function timeOf({ timestampMs, blockTimestampMs, timestamp, blockTimestamp }: JsonObject): number | undefined {
  const [seconds, ms] = [shortQuantity(timestamp ?? blockTimestamp), shortQuantity(timestampMs ?? blockTimestampMs)];
  if (seconds === undefined) return undefined;
  return Number(ms !== undefined && ms / 1000n === seconds ? ms : seconds * 1000n);
}

function hashIn(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && !/^0x0*$/.test(value) ? value : undefined;
}

function shortQuantity(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && value.length > 18 ? undefined : quantity(value);
}
