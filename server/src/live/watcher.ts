import type { JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf, blockNumber } from "./answer.ts";
import type { Asker, Question } from "./asker.ts";
import type { Beats } from "./beats.ts";

/** Something that is looked at again and again. */
export interface Watch {
  readonly id: string;
  readonly questions: readonly Question[];
  /** @param outcomes - Of `questions`, in order. */
  read(outcomes: readonly Outcome[]): Reading;
}

/** What a watch says at one moment. */
export interface Reading {
  /** Plain text, safe to show. */
  readonly value: string;
  /** Beside the value: the difference to `latest`. */
  readonly detail?: string;
  readonly ok: boolean;
  /** For the line of values; absent where the value is no number. */
  readonly amount?: bigint;
}

/** What came of one round of questions. */
export interface Tick {
  /** Milliseconds since 1970, when the answers had come. */
  readonly at: number;
  /** Number of the latest block; `undefined` where that was not answered. */
  readonly head: bigint | undefined;
  /** Milliseconds between this round and the one before. */
  readonly sinceLast: number | undefined;
  /** Those that say something else than the last time. */
  readonly changed: readonly { readonly id: string; readonly reading: Reading }[];
}

/** Looks at everything that is watched at one endpoint, while there is something: one batch a tick, whatever its number. */
export interface Watcher {
  add(watch: Watch): void;
  remove(id: string): void;
  readonly size: number;
}

/**
 * @param ticked - After each round.
 * @param openBeats - What tells when to look, for as long as the signal says; absent where only a timer does.
 */
export function openWatcher(
  asker: Asker,
  clock: Clock,
  ticked: (tick: Tick) => void,
  openBeats?: (signal: AbortSignal) => Beats,
): Watcher {
  const watches = new Map<string, Watching>();
  let all: readonly Watching[] = [];
  let going: AbortController | undefined;
  let last: number | undefined;
  const takeTurns = turnsOf(asker);

  const round = async ({ asked, questions }: Round, signal: AbortSignal): Promise<void> => {
    const [head, ...outcomes] = await asker.ask(questions, signal);
    if (signal.aborted) return;
    const [at, now] = [clock.date(), clock.now()];
    const changed: { id: string; reading: Reading }[] = [];
    let from = 0;
    for (const one of asked) {
      const { id, questions } = one.watch;
      const reading = news(one, outcomes.slice(from, from + questions.length));
      from += questions.length;
      if (reading && watches.get(id) === one) changed.push({ id, reading });
    }
    ticked({ at, head: blockNumber(answerOf(head)), sinceLast: last === undefined ? undefined : now - last, changed });
    last = now;
  };
  const loop = async (signal: AbortSignal): Promise<void> => {
    const beats = openBeats?.(signal);
    while (!signal.aborted) {
      const startedAt = clock.now();
      const turn = takeTurns(all);
      await round(turn, signal);
      if (signal.aborted) return;
      // an endpoint that is slower than the cadence is asked again when it has answered, and not twice at once
      const left = (ms: number): number => ms - (clock.now() - startedAt);
      const pause = beats?.standing ? Math.max(minBeatMs, turn.costMs) : Math.max(asker.cadenceMs, turn.costMs);
      await clock.sleep(Math.max(minPauseMs, left(pause)), signal);
      if (beats?.standing) await beats.next(left(pause + asker.cadenceMs * beatsMissed), signal);
    }
  };
  return {
    add(watch) {
      watches.set(watch.id, { watch, results: [], said: undefined });
      all = [...watches.values()];
      if (going) return;
      going = new AbortController();
      void loop(going.signal);
    },
    remove(id) {
      watches.delete(id);
      all = [...watches.values()];
      if (watches.size > 0) return;
      going?.abort();
      going = undefined;
      last = undefined;
    },
    get size() {
      return watches.size;
    },
  };
}

/** A watch with what it said last, and of which answers. */
interface Watching {
  readonly watch: Watch;
  results: readonly (JsonValue | undefined)[];
  said: string | undefined;
}

const minPauseMs = 20;
/** Milliseconds between two rounds, however fast the beats come. */
const minBeatMs = 100;
/** Cadences after which a look is taken all the same. */
const beatsMissed = 5;
const headQuestion: Question = { method: "eth_blockNumber", params: [] };

/** What a watch says, where that is something else than the last time. Equal answers are not read again. */
function news(one: Watching, outcomes: readonly Outcome[]): Reading | undefined {
  const results = outcomes.map(answerOf);
  if (one.said !== undefined && results.every((value, at) => typeof value === "string" && value === one.results[at]))
    return undefined;
  one.results = results;
  const reading = one.watch.read(outcomes);
  const text = `${reading.ok} ${reading.value} ${reading.detail ?? ""}`;
  if (text === one.said) return undefined;
  one.said = text;
  return reading;
}

/**
 * What is asked in a round: everything, in a list that stays the same while the watches do. Where requests are counted,
 * half of what is allowed is left to people, and the watches take turns.
 */
function turnsOf({ endpoint: { rate }, cadenceMs }: Asker): (all: readonly Watching[]) => Round {
  const most = rate === undefined ? Number.POSITIVE_INFINITY : (rate * cadenceMs) / 2000;
  let last: { readonly all: readonly Watching[]; readonly round: Round } | undefined;
  let from = 0;
  return (all) => {
    const isWhole = last?.round.asked.length === all.length;
    if (last?.all === all && isWhole) return last.round;
    const asked: Watching[] = [];
    for (let count = 1; asked.length < all.length; from++) {
      const next = all[from % all.length];
      if (!next) break;
      count += next.watch.questions.length;
      if (asked.length > 0 && count > most) break;
      asked.push(next);
    }
    from %= Math.max(all.length, 1);
    const questions = [headQuestion, ...asked.flatMap(({ watch }) => watch.questions)];
    const round = { asked, questions, costMs: rate === undefined ? 0 : (questions.length * 2000) / rate };
    last = { all, round };
    return round;
  };
}

interface Round {
  readonly asked: readonly Watching[];
  readonly questions: readonly Question[];
  /** Milliseconds in which half of the rate allows for as many. */
  readonly costMs: number;
}
