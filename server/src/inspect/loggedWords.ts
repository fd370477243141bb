import { toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { explain } from "../rpc/explain.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";

/** Words of a contract's newest logs, which may be keys of its mappings. */
export interface LoggedWords {
  /** Each once, the newest first. */
  readonly words: readonly string[];
  /** Blocks that were searched. */
  readonly blocks: bigint;
  /** Why logs could not be read: a clause. */
  readonly failure?: string | undefined;
}

/** A busy contract has enough logs in the first range, a quiet one needs the second. */
const ranges = [100n, 1_900n];
/** Requests to an endpoint that accepts fewer blocks. */
const maxNarrow = 5;
const maxWords = 64;
/** Words of a log's data that are looked at: the rest is rarely an account. */
const maxDataWords = 4;

/**
 * Reads the words in the topics and the data of a contract's newest logs.
 *
 * @param ask - Sends one question.
 * @param last - The newest block to look at.
 */
export async function loggedWords(
  ask: (question: Question) => Promise<Outcome | undefined>,
  address: string,
  last: bigint,
): Promise<LoggedWords> {
  const words = new Set<string>();
  let from = last + 1n;
  const left = [...ranges];
  for (let range = left.shift(); range !== undefined; range = left.shift()) {
    if (words.size >= maxWords || from === 0n) break;
    const end = from - 1n;
    const start = from > range ? from - range : 0n;
    const filter = { address, fromBlock: toQuantity(start), toBlock: toQuantity(end) };
    const outcome = await ask({ method: "eth_getLogs", params: [filter] });
    const logs = resultOf(outcome);
    const limit = outcome?.kind === "refused" ? outcome.rangeLimit : undefined;
    if (limit !== undefined && limit > 0n && limit < range) {
      left.splice(0, left.length, ...Array<bigint>(maxNarrow).fill(limit));
      continue;
    }
    if (!isArray(logs)) {
      const failure =
        outcome && outcome.kind !== "answered" ? explain(outcome, "eth_getLogs").what : "not a list of logs";
      return { words: [...words], blocks: last + 1n - from, failure };
    }
    for (const log of logs.toReversed()) for (const word of wordsOf(log)) if (words.size < maxWords) words.add(word);
    from = start;
  }
  return { words: [...words], blocks: last + 1n - from };
}

function wordsOf(log: JsonValue): readonly string[] {
  if (!isObject(log)) return [];
  const { topics, data } = log;
  const indexed = isArray(topics) ? topics.slice(1, 4) : [];
  const others = typeof data === "string" ? (data.slice(2, 2 + maxDataWords * 64).match(/.{64}/gs) ?? []) : [];
  return [...indexed, ...others.map((digits) => `0x${digits}`)]
    .map((word) => String(word).toLowerCase())
    .filter((word) => /^0x[0-9a-f]{64}$/.test(word));
}
