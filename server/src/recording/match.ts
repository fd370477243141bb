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
  /** Returns whether `next` would find one. */
  has(request: WrittenRequest): boolean;
}

interface Sequence {
  readonly all: readonly RecordedExchange[];
  used: number;
}

export function openMatcher(exchanges: readonly RecordedExchange[], matching: Matching): Matcher {
  const byMethod = groupedBy(exchanges, ({ method }) => method);
  const [exact, similar] = [sequencesBy(byMethod, requestKey), sequencesBy(byMethod, looseKey)];
  const hasNext = (sequence: Sequence | undefined): boolean =>
    sequence !== undefined && (matching !== "strict" || sequence.used < sequence.all.length);
  const take = (sequence: Sequence | undefined): RecordedExchange | undefined => {
    if (!sequence) return undefined;
    const at = sequence.used++;
    return sequence.all[matching === "strict" ? at : at % sequence.all.length];
  };
  return {
    has: (request) => [exact(request), matching === "strict" ? undefined : similar(request)].some(hasNext),
    next: (request) => take(exact(request)) ?? (matching === "strict" ? undefined : take(similar(request))),
  };
}

/** Groups the exchanges of a method at its first request: a recording can have a million. */
function sequencesBy(
  byMethod: ReadonlyMap<string, readonly RecordedExchange[]>,
  keyOf: typeof requestKey,
): (request: WrittenRequest) => Sequence | undefined {
  const open = new Map<string, ReadonlyMap<string, Sequence>>();
  return ({ method, params }) => {
    const exchanges = byMethod.get(method);
    if (!exchanges) return undefined;
    let sequences = open.get(method);
    if (!sequences) {
      const groups = groupedBy(exchanges, (one) => keyOf(method, one.params));
      sequences = new Map([...groups].map(([key, all]) => [key, { all, used: 0 }]));
      open.set(method, sequences);
    }
    return sequences.get(keyOf(method, params));
  };
}
