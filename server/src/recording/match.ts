import type { RecordedExchange } from "./recording.ts";
import { groupedBy, looseKey, requestKey } from "./requestKey.ts";
import type { WrittenRequest } from "./wireMessages.ts";

/**
 * How requests find their recorded answers.
 *
 * - `strict`: each recorded answer is given once, in the order of the recording.
 * - `lenient`: answers are given again from the first, and a request that was recorded at another block tag, or written in another
 *   way, gets that answer.
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
  /** Made at the first request that was not recorded as it is. */
  let similar: ReadonlyMap<string, Sequence> | undefined;
  const nextSimilar = ({ method, params }: WrittenRequest): RecordedExchange | undefined => {
    similar ??= sequencesBy(exchanges, (one) => looseKey(one.method, one.params));
    return take(similar.get(looseKey(method, params)));
  };
  const take = (sequence: Sequence | undefined): RecordedExchange | undefined => {
    if (!sequence) return undefined;
    const at = sequence.used++;
    return sequence.all[matching === "strict" ? at : at % sequence.all.length];
  };
  return {
    next: (request) =>
      take(exact.get(requestKey(request.method, request.params))) ??
      (matching === "strict" ? undefined : nextSimilar(request)),
  };
}

function sequencesBy(
  exchanges: readonly RecordedExchange[],
  keyOf: (one: RecordedExchange) => string,
): ReadonlyMap<string, Sequence> {
  const groups = groupedBy(exchanges, keyOf);
  return new Map([...groups].map(([key, all]) => [key, { all, used: 0 }]));
}
