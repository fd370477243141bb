import type { RecordedExchange } from "./recording.ts";
import { groupedBy, looseKey, requestKey } from "./requestKey.ts";
import type { AroundId, WrittenRequest } from "./wireMessages.ts";

/**
 * How requests find their recorded answers.
 *
 * - `strict`: each recorded answer is given once, in the order of the recording.
 * - `lenient`: answers are given again from the first, and a request that was recorded at another block tag, or written in another
 *   way, gets that answer.
 */
export type Matching = "strict" | "lenient";

/** Finds the recorded exchanges that answer a request. */
export type Matcher = (request: WrittenRequest) => Sequence | undefined;

/** A recorded exchange in a sequence. */
export interface Recorded {
  readonly exchange: RecordedExchange;
  /** Set when it has answered, if its text is short. */
  around?: AroundId;
}

/** The recorded exchanges of equal requests, in the order of the recording. */
export class Sequence {
  readonly #all: readonly Recorded[];
  readonly #repeats: boolean;
  #at = 0;

  /** @param repeats - Begins again after the last one. */
  constructor(all: readonly RecordedExchange[], repeats: boolean) {
    this.#all = all.map((exchange) => ({ exchange }));
    this.#repeats = repeats;
  }

  get hasNext(): boolean {
    return this.#at < this.#all.length;
  }
  next(): Recorded | undefined {
    const recorded = this.#all[this.#at++];
    if (this.#repeats && !this.hasNext) this.#at = 0;
    return recorded;
  }
}

export function openMatcher(exchanges: readonly RecordedExchange[], matching: Matching): Matcher {
  const byMethod = groupedBy(exchanges, ({ method }) => method);
  const isLenient = matching === "lenient";
  const exact = sequencesBy(byMethod, requestKey, isLenient);
  const similar = sequencesBy(byMethod, looseKey, isLenient);
  return (request) => exact(request) ?? (isLenient ? similar(request) : undefined);
}

/** Groups the exchanges of a method at its first request: a recording can have a million. */
function sequencesBy(
  byMethod: ReadonlyMap<string, readonly RecordedExchange[]>,
  keyOf: typeof requestKey,
  repeats: boolean,
): Matcher {
  const open = new Map<string, ReadonlyMap<string, Sequence>>();
  return ({ method, params }) => {
    const exchanges = byMethod.get(method);
    if (!exchanges) return undefined;
    let sequences = open.get(method);
    if (!sequences) {
      const groups = groupedBy(exchanges, (one) => keyOf(method, one.params));
      sequences = new Map([...groups].map(([key, all]) => [key, new Sequence(all, repeats)]));
      open.set(method, sequences);
    }
    return sequences.get(keyOf(method, params));
  };
}
