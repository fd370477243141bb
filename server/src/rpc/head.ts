import { shortQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type Outcome, resultOf, seemsUnserved } from "./outcome.ts";

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

/** A block, and the outcome of the last request for it. */
export interface FoundBlock {
  readonly facts: BlockFacts | undefined;
  readonly outcome: Outcome | undefined;
}

/** How to read the newest block of an endpoint. */
export interface HeadMemory {
  /** The method that shows it at an endpoint that does not support `eth_blockNumber`. */
  headBy?: keyof typeof paramsFor;
}

/** Parameters of the methods that show a block by its tag. */
const paramsFor = {
  eth_getBlockByNumber: (block: string): readonly JsonValue[] => [block, false],
  eth_simulateV1: (block: string): readonly JsonValue[] => [{ blockStateCalls: [{ calls: [] }] }, block],
  eth_getBlockReceipts: (block: string): readonly JsonValue[] => [block],
  eth_getLogs: (block: string): readonly JsonValue[] => [{ fromBlock: block, toBlock: block }],
};

/** Methods for an endpoint that refuses blocks; the one with the smallest answers first. */
const otherMethods = ["eth_simulateV1", "eth_getBlockReceipts", "eth_getLogs"] as const;

/** Methods whose answers contain the number of their block. */
export const blockMethods: ReadonlySet<string> = new Set(["eth_blockNumber", ...Object.keys(paramsFor)]);

/** Sends questions to one endpoint; returns one outcome for each, in order. */
export type AskAll = (questions: readonly BlockQuestion[]) => Promise<readonly Outcome[]>;

const numberQuestion: BlockQuestion = { method: "eth_blockNumber", params: [] };
const latestQuestions = new Map(
  [...otherMethods, "eth_getBlockByNumber" as const].map((headBy) => [headBy, questionOf("latest", { headBy })]),
);

/** Returns the question for the newest block: always the same object for one method. */
export function headQuestion({ headBy }: HeadMemory): BlockQuestion {
  return (headBy && latestQuestions.get(headBy)) ?? numberQuestion;
}

/**
 * Returns the question for the block that a tag means.
 *
 * @param block - A tag, or a number as a quantity.
 */
export function questionOf(block: string, { headBy: method = "eth_getBlockByNumber" }: HeadMemory): BlockQuestion {
  return { method, params: paramsFor[method](block) };
}

/**
 * Reads the number of the newest block: by `eth_blockNumber`, or by another method that the endpoint supports.
 *
 * @returns The last outcome, and the facts if there are any.
 */
export async function findHead(ask: AskAll, memory: HeadMemory): Promise<FoundBlock> {
  const number = memory.headBy === undefined ? await askOne(ask, numberQuestion) : undefined;
  if (number && isFinal(number)) return number;
  const byTag = await findBlock(ask, memory, "latest");
  if (number && byTag.facts) memory.headBy ??= "eth_getBlockByNumber";
  return byTag.facts ? byTag : (number ?? byTag);
}

/**
 * Reads which block a tag means, or the hash of a block. An endpoint that refuses blocks shows them by their logs,
 * their receipts, or a simulation on top of them.
 *
 * @param block - A tag, or a number as a quantity.
 */
export async function findBlock(ask: AskAll, memory: HeadMemory, block: string): Promise<FoundBlock> {
  if (memory.headBy === undefined || memory.headBy === "eth_getBlockByNumber") {
    const asked = await askOne(ask, questionOf(block, memory));
    if (isFinal(asked)) return asked;
  }
  // a simulation on `pending` belongs to the block that is sealed next, whatever is pending
  const methods = block === "pending" ? otherMethods.slice(1) : otherMethods;
  const outcomes = await ask(methods.map((headBy) => questionOf(block, { headBy })));
  const found = outcomes.map((one) => blockFacts(resultOf(one)));
  const first = methods[found.findIndex(Boolean)];
  if (first) memory.headBy = first;
  // an answer without facts means that there is no such block yet; a refusal counts if all refuse
  const outcome = outcomes.find(({ kind }) => kind !== "refused") ?? outcomes[0];
  return { facts: found.reduce(merged), outcome };
}

async function askOne(ask: AskAll, question: BlockQuestion): Promise<FoundBlock> {
  const [outcome] = await ask([question]);
  return { facts: blockFacts(resultOf(outcome)), outcome };
}

/** Whether no other method may do better. */
function isFinal({ facts, outcome }: FoundBlock): boolean {
  return facts !== undefined || !seemsUnserved(outcome);
}

/** Merges facts: the later ones have more details; the others count if they are of the same block. */
function merged(one: BlockFacts | undefined, other: BlockFacts | undefined): BlockFacts | undefined {
  if (!one || !other) return one ?? other;
  const same = one.number === other.number ? one : undefined;
  return { number: other.number, timeMs: other.timeMs ?? same?.timeMs, hash: other.hash ?? same?.hash };
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
