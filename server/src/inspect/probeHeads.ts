import { toQuantity } from "../base/hex.ts";
import type { Clock } from "../base/ports.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { blockFacts, findBlock, questionOf } from "../rpc/head.ts";
import { resultOf } from "../rpc/outcome.ts";

/** Numbers of the newest blocks over which the time between two is measured: more are more exact. */
const spans = [10, 25, 50, 100];
/** Timestamps count seconds, mostly. */
const resolutionMs = 1000;

/**
 * Returns the milliseconds between two of the newest blocks: over the last hundred, as far as they came at the rate of the
 * last ones. The first block of a chain has no time of its own.
 *
 * @returns `undefined` if blocks have no timestamps.
 */
export async function blockTime(
  client: BackgroundClient,
  head: bigint,
  signal: AbortSignal,
): Promise<number | undefined> {
  const blocks = head - 1n < BigInt(Math.max(...spans)) ? Number(head - 1n) : Math.max(...spans);
  if (blocks < 5) return undefined;
  const timeAt = async (block: bigint): Promise<number | undefined> => {
    const ask = (questions: readonly Question[]) => client.ask(questions, signal);
    return (await findBlock(ask, client.memory, toQuantity(block))).facts?.timeMs;
  };
  const counts = [...spans.filter((count) => count < blocks), blocks];
  const [now, ...times] = await Promise.all([0, ...counts].map((count) => timeAt(head - BigInt(count))));
  let measured: { readonly count: number; readonly ms: number } | undefined;
  for (const [at, count] of counts.entries()) {
    const time = times[at];
    if (now === undefined || time === undefined || now <= time) continue;
    const ms = now - time;
    if (measured && !isSameRate(measured, ms / count)) break;
    measured = { count, ms };
  }
  return measured && measured.ms / measured.count;
}

/** Whether blocks came as often before as the newest ones, as exactly as their timestamps tell. */
function isSameRate({ count, ms }: { readonly count: number; readonly ms: number }, before: number): boolean {
  return Math.abs(before * count - ms) <= Math.max(resolutionMs, ms / 4);
}

/** Answers to tags that were asked several times: one URL may lead to several nodes. */
export interface HeadConsistency {
  /** The most blocks by which `latest` went back; 0 if it never did. */
  readonly back: bigint;
  /** Tags of final blocks that went back, and by how many blocks. */
  readonly unfinal: readonly { readonly tag: string; readonly by: bigint }[];
}

const tags = ["latest", "safe", "finalized"] as const;
const maxRounds = 8;
const pauseMs = 40;

/** Asks for several tags several times. Returns `undefined` if none was answered. */
export async function compareHeads(
  client: BackgroundClient,
  clock: Clock,
  signal: AbortSignal,
): Promise<HeadConsistency | undefined> {
  const questions = tags.map((tag): Question => questionOf(tag, client.memory));
  const highest = new Map<string, bigint>();
  const back = new Map<string, bigint>();
  for (let round = 0; round < maxRounds && !signal.aborted; round++) {
    if (round > 0) await clock.sleep(pauseMs, signal);
    const outcomes = await client.ask(questions, signal);
    for (const [at, tag] of tags.entries()) {
      const number = blockFacts(resultOf(outcomes[at]))?.number;
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
