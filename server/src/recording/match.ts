import { isArray, type JsonValue } from "../base/json.ts";
import type { RecordedExchange } from "./recording.ts";
import { groupedBy, requestKey } from "./requestKey.ts";
import type { WrittenRequest } from "./wireMessages.ts";

/**
 * How requests find their recorded answers.
 *
 * - `strict`: each recorded answer is given once, in the order of the recording.
 * - `lenient`: answers are given again from the first, and a request that was recorded at another block tag gets that answer.
 */
export type Matching = "strict" | "lenient";

/** Finds the recorded exchange for a request. */
export interface Matcher {
  next(request: WrittenRequest): RecordedExchange | undefined;
}

interface Sequence {
  readonly all: readonly RecordedExchange[];
  used: number;
}

export function openMatcher(exchanges: readonly RecordedExchange[], matching: Matching): Matcher {
  const exact = sequencesBy(exchanges, ({ method, params }) => requestKey(method, params));
  const atAnyTag =
    matching === "strict" ? undefined : sequencesBy(exchanges, ({ method, params }) => keyAtAnyTag(method, params));
  const take = (sequence: Sequence | undefined): RecordedExchange | undefined => {
    if (!sequence) return undefined;
    const at = sequence.used++;
    return sequence.all[matching === "strict" ? at : at % sequence.all.length];
  };
  return {
    next: ({ method, params }) =>
      take(exact.get(requestKey(method, params))) ?? take(atAnyTag?.get(keyAtAnyTag(method, params))),
  };
}

function sequencesBy(
  exchanges: readonly RecordedExchange[],
  keyOf: (one: RecordedExchange) => string,
): ReadonlyMap<string, Sequence> {
  const groups = groupedBy(exchanges, keyOf);
  return new Map([...groups].map(([key, all]) => [key, { all, used: 0 }]));
}

/** Tags of recent blocks. Which block each names moves, so an answer at one serves for another. */
const recentTags: ReadonlySet<string> = new Set(["pending", "latest", "safe", "finalized"]);

function keyAtAnyTag(method: string, params: JsonValue | undefined): string {
  const isTag = (value: JsonValue): boolean => typeof value === "string" && recentTags.has(value);
  return requestKey(method, isArray(params) ? params.map((one) => (isTag(one) ? "latest" : one)) : params);
}
