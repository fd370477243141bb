import { toQuantity } from "../base/hex.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { answerOf, blockNumber } from "./answer.ts";
import type { Asker, Question } from "./asker.ts";

/** Blocks over which the time of one is taken. */
const span = 100n;

/** Milliseconds between two blocks, as the last hundred came. `undefined` where blocks do not tell their time. */
export async function blockTime(asker: Asker, head: bigint, signal: AbortSignal): Promise<number | undefined> {
  const blocks = head < span ? head : span;
  if (blocks < 5n) return undefined;
  const question = (number: bigint): Question => ({
    method: "eth_getBlockByNumber",
    params: [toQuantity(number), false],
  });
  const outcomes = await asker.ask([question(head - blocks), question(head)], signal);
  const [from, to] = outcomes.map((outcome) => timeOf(answerOf(outcome)));
  if (from === undefined || to === undefined || to <= from) return undefined;
  return Number(to - from) / Number(blocks);
}

/** Milliseconds since 1970. */
function timeOf(block: JsonValue | undefined): bigint | undefined {
  if (!isObject(block)) return undefined;
  const seconds = blockNumber(block.timestamp);
  return blockNumber(block.timestampMs) ?? (seconds === undefined ? undefined : seconds * 1000n);
}

/** What tags said when they were asked several times: one URL may lead to several nodes. */
export interface Heads {
  /** Blocks by which `latest` went back at most; 0 where it never did. */
  readonly back: bigint;
  /** Tags of final blocks that went back, and by how many blocks. */
  readonly unfinal: readonly { readonly tag: string; readonly by: bigint }[];
}

const tags = ["latest", "safe", "finalized"] as const;
const mostLooks = 8;
const pauseMs = 40;
const questions = tags.map((tag): Question => ({ method: "eth_getBlockByNumber", params: [tag, false] }));

/** Asks cheap tags again and again. `undefined` where nothing came. */
export async function lookAtHeads(asker: Asker, clock: Clock, signal: AbortSignal): Promise<Heads | undefined> {
  const highest = new Map<string, bigint>();
  const back = new Map<string, bigint>();
  for (let looks = 0; looks < mostLooks && !signal.aborted; looks++) {
    if (looks > 0) await clock.sleep(pauseMs, signal);
    const outcomes = await asker.ask(questions, signal);
    for (const [at, tag] of tags.entries()) {
      const block = answerOf(outcomes[at]);
      const number = isObject(block) ? blockNumber(block.number) : undefined;
      if (number === undefined) continue;
      const before = highest.get(tag) ?? number;
      highest.set(tag, max(number, before));
      if (before > number) back.set(tag, max(before - number, back.get(tag) ?? 0n));
    }
    if (highest.size === 0) return undefined;
  }
  const unfinal = tags.slice(1).flatMap((tag) => {
    const by = back.get(tag);
    return by === undefined ? [] : [{ tag, by }];
  });
  return { back: back.get("latest") ?? 0n, unfinal };
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
