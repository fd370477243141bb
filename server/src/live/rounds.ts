import type { JsonValue } from "../base/json.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { Watch, WatchValue } from "./watch.ts";

/** A watch, with its last answers and its last reading as text. */
export interface WatchState {
  readonly watch: Watch;
  results: readonly (JsonValue | undefined)[];
  lastText: string | undefined;
}

/** The questions of one round. The one for the head comes first. */
export interface PollRound<State extends WatchState> {
  readonly watches: readonly RoundWatch<State>[];
  readonly questions: readonly Question[];
  /** Milliseconds in which half of the rate allows for as many. */
  readonly costMs: number;
}

interface RoundWatch<State> {
  readonly state: State;
  /** How many of the questions are those of this watch. */
  readonly count: number;
}

/**
 * Returns a function that plans the next round: all watches, in a list that stays the same while the watches do. If the
 * endpoint has a rate, half of it is left for runs, and the watches take turns.
 */
export function roundPlanner<State extends WatchState>({
  endpoint: { rate },
  cadence,
  memory,
}: BackgroundClient): (all: readonly State[]) => PollRound<State> {
  let last: { readonly all: readonly State[]; readonly isAhead: boolean; readonly round: PollRound<State> } | undefined;
  let next = 0;
  return (all) => {
    const { kind, periodMs } = cadence();
    const isAhead = kind === "pre-confirmed";
    const hasAll = last?.round.watches.length === all.length;
    const head = headQuestion(memory);
    if (last?.all === all && last.isAhead === isAhead && hasAll && last.round.questions[0] === head) return last.round;
    const maxQuestions = rate === undefined ? Number.POSITIVE_INFINITY : (rate * periodMs) / 2000;
    const watches: RoundWatch<State>[] = [];
    const questions: Question[] = [head];
    for (; watches.length < all.length; next++) {
      const state = all[next % all.length];
      if (!state) break;
      const own = (isAhead ? undefined : state.watch.sealed) ?? state.watch.questions;
      if (watches.length > 0 && questions.length + own.length > maxQuestions) break;
      watches.push({ state, count: own.length });
      questions.push(...own);
    }
    next %= Math.max(all.length, 1);
    const round = { watches, questions, costMs: rate === undefined ? 0 : (questions.length * 2000) / rate };
    last = { all, isAhead, round };
    return round;
  };
}

/** A watch whose reading differs from its last one. */
interface ChangedWatch<State> {
  readonly state: State;
  readonly reading: WatchValue;
}

/** @param outcomes - Of the questions of a round, without the one for the head. */
export function changedIn<State extends WatchState>(
  { watches }: PollRound<State>,
  outcomes: readonly Outcome[],
): readonly ChangedWatch<State>[] {
  const changed: ChangedWatch<State>[] = [];
  let from = 0;
  for (const { state, count } of watches) {
    const reading = newReading(state, outcomes.slice(from, from + count));
    from += count;
    if (reading) changed.push({ state, reading });
  }
  return changed;
}

/** Returns the reading if it differs from the last one. Equal answers are not read again. */
function newReading(state: WatchState, outcomes: readonly Outcome[]): WatchValue | undefined {
  const results = outcomes.map(resultOf);
  const isSame = results.every((value, at) => typeof value === "string" && value === state.results[at]);
  if (state.lastText !== undefined && isSame) return undefined;
  state.results = results;
  const reading = state.watch.read(outcomes);
  const text = `${reading.ok} ${reading.exact ?? reading.value} ${reading.detail ?? ""}`;
  if (text === state.lastText) return undefined;
  state.lastText = text;
  return reading;
}
