import { toQuantity } from "../base/hex.ts";
import type { Clock } from "../base/ports.ts";
import { blockFacts, findBlock, questionOf } from "../rpc/head.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";

/** Blocks over which the time of one is taken. */
const span = 100n;

/** Milliseconds between two blocks, as the last hundred came. `undefined` where blocks do not tell their time. */
export async function blockTime(
  asker: BackgroundClient,
  head: bigint,
  signal: AbortSignal,
): Promise<number | undefined> {
  const blocks = head < span ? head : span;
  if (blocks < 5n) return undefined;
  const timeAt = async (block: bigint): Promise<number | undefined> => {
    const ask = (questions: readonly Question[]) => asker.ask(questions, signal);
    return (await findBlock(ask, asker.memory, toQuantity(block))).facts?.timeMs;
  };
  const [from, to] = await Promise.all([timeAt(head - blocks), timeAt(head)]);
  if (from === undefined || to === undefined || to <= from) return undefined;
  return (to - from) / Number(blocks);
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

/** Asks cheap tags again and again. `undefined` where nothing came. */
export async function lookAtHeads(
  asker: BackgroundClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<Heads | undefined> {
  const questions = tags.map((tag): Question => questionOf(tag, asker.memory));
  const highest = new Map<string, bigint>();
  const back = new Map<string, bigint>();
  for (let looks = 0; looks < mostLooks && !signal.aborted; looks++) {
    if (looks > 0) await clock.sleep(pauseMs, signal);
    const outcomes = await asker.ask(questions, signal);
    for (const [at, tag] of tags.entries()) {
      const number = blockFacts(answerOf(outcomes[at]))?.number;
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
