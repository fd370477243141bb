import type { JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { fastMs, noteHead } from "../rpc/cadence.ts";
import { headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";
import { headFrom } from "./headFrom.ts";
import type { HeadTicker } from "./headTicker.ts";
import { measureAhead } from "./measureAhead.ts";

/** Something that is looked at again and again. */
export interface Watch {
  readonly id: string;
  readonly questions: readonly Question[];
  /** Asked instead where `pending` is not ahead of `latest`. */
  readonly sealed?: readonly Question[];
  /** @param outcomes - Of the questions, in order. */
  read(outcomes: readonly Outcome[]): WatchReading;
}

/** What a watch says at one moment. */
export interface WatchReading {
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
  /** The kind of subscription that stayed silent while blocks came, so that a timer took its place. */
  readonly silent: string | undefined;
  /** Those that say something else than the last time. */
  readonly changed: readonly { readonly id: string; readonly reading: WatchReading }[];
}

/** Looks at everything that is watched at one endpoint, while there is something: one batch a tick, whatever its number. */
export interface PollScheduler {
  add(watch: Watch): void;
  remove(id: string): void;
  readonly size: number;
}

/**
 * @param ticked - After each round.
 * @param openBeats - What tells when to look, for as long as the signal says; absent where only a timer does.
 */
export function openPollScheduler(
  asker: BackgroundClient,
  clock: Clock,
  ticked: (tick: Tick) => void,
  openBeats?: (signal: AbortSignal) => HeadTicker,
): PollScheduler {
  const watches = new Map<string, WatchState>();
  let all: readonly WatchState[] = [];
  let going: AbortController | undefined;
  let last: number | undefined;
  const takeTurns = turnsOf(asker);
  const check = openCheck(asker, clock);

  const round = async (
    { asked, questions }: PollRound,
    beats: HeadTicker | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const [head, ...outcomes] = await asker.ask(questions, signal);
    if (signal.aborted) return;
    const [at, now] = [clock.date(), clock.now()];
    const changed: { id: string; reading: WatchReading }[] = [];
    let from = 0;
    for (const { one, count } of asked) {
      const reading = news(one, outcomes.slice(from, from + count));
      from += count;
      if (reading && watches.get(one.watch.id) === one) changed.push({ id: one.watch.id, reading });
    }
    const number = await headFrom(head, asker, signal);
    if (signal.aborted) return;
    if (number !== undefined) noteHead(asker.memory, number, now);
    beats?.seen(number);
    const sinceLast = last === undefined ? undefined : now - last;
    ticked({ at, head: number, sinceLast, silent: beats?.silent, changed });
    last = now;
  };
  const loop = async (signal: AbortSignal): Promise<void> => {
    const beats = openBeats?.(signal);
    while (!signal.aborted) {
      const startedAt = clock.now();
      const turn = takeTurns(all);
      await round(turn, beats, signal);
      if (signal.aborted) return;
      check(beats?.silent, signal);
      // an endpoint that is slower than the cadence is asked again when it has answered, and not twice at once
      const left = (ms: number): number => ms - (clock.now() - startedAt);
      const { periodMs } = asker.cadence();
      const pause = Math.max(beats?.standing ? minBeatMs : periodMs, turn.costMs);
      await clock.sleep(Math.max(minPauseMs, left(pause)), signal);
      if (beats?.standing) await beats.next(left(pause + beats.patienceMs), signal);
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
interface WatchState {
  readonly watch: Watch;
  results: readonly (JsonValue | undefined)[];
  said: string | undefined;
}

const minPauseMs = 20;
/** Milliseconds between two rounds, however fast the beats come. */
const minBeatMs = 100;

/** What a watch says, where that is something else than the last time. Equal answers are not read again. */
function news(one: WatchState, outcomes: readonly Outcome[]): WatchReading | undefined {
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

/** Milliseconds after which it is found out anew whether `pending` is ahead. */
const checkEveryMs = 5000;

/**
 * Finds out now and then whether `pending` is ahead: the first time, when a subscription falls silent, when blocks come too
 * fast for pre-confirmed state, and every few seconds. Not where an entry says it, nor where few requests are allowed.
 */
function openCheck(asker: BackgroundClient, clock: Clock): (silent: string | undefined, signal: AbortSignal) => void {
  const { preconfirmed, rate } = asker.endpoint;
  if (preconfirmed !== undefined || (rate !== undefined && rate < leastRate)) return () => {};
  let checkedAt: number | undefined;
  let reason: string | undefined;
  let isBusy = false;
  return (silent, signal) => {
    const { kind, blockMs } = asker.cadence();
    const isDoubtful = kind === "pre-confirmed" && blockMs !== undefined && blockMs <= fastMs;
    const now = `${silent} ${isDoubtful}`;
    const isDue = checkedAt === undefined || now !== reason || clock.now() - checkedAt >= checkEveryMs;
    if (isBusy || !isDue) return;
    [checkedAt, reason, isBusy] = [clock.now(), now, true];
    void measureAhead(asker, clock, signal).finally(() => {
      isBusy = false;
    });
  };
}

/** Requests a second, below which none is spent on what is not watched. */
const leastRate = 10;

/**
 * What is asked in a round: everything, in a list that stays the same while the watches do. Where requests are counted,
 * half of what is allowed is left to people, and the watches take turns.
 */
function turnsOf({ endpoint: { rate }, cadence, memory }: BackgroundClient): (all: readonly WatchState[]) => PollRound {
  let last: { readonly all: readonly WatchState[]; readonly isAhead: boolean; readonly round: PollRound } | undefined;
  let from = 0;
  return (all) => {
    const { kind, periodMs } = cadence();
    const isAhead = kind === "pre-confirmed";
    const isWhole = last?.round.asked.length === all.length;
    const head = headQuestion(memory);
    if (last?.all === all && last.isAhead === isAhead && isWhole && last.round.questions[0] === head) return last.round;
    const most = rate === undefined ? Number.POSITIVE_INFINITY : (rate * periodMs) / 2000;
    const asked: PolledQuestion[] = [];
    const questions: Question[] = [head];
    for (; asked.length < all.length; from++) {
      const one = all[from % all.length];
      if (!one) break;
      const its = (isAhead ? undefined : one.watch.sealed) ?? one.watch.questions;
      if (asked.length > 0 && questions.length + its.length > most) break;
      asked.push({ one, count: its.length });
      questions.push(...its);
    }
    from %= Math.max(all.length, 1);
    const round = { asked, questions, costMs: rate === undefined ? 0 : (questions.length * 2000) / rate };
    last = { all, isAhead, round };
    return round;
  };
}

interface PolledQuestion {
  readonly one: WatchState;
  /** How many questions are its. */
  readonly count: number;
}

interface PollRound {
  readonly asked: readonly PolledQuestion[];
  readonly questions: readonly Question[];
  /** Milliseconds in which half of the rate allows for as many. */
  readonly costMs: number;
}
