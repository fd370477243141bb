import type { NamesInScope } from "../analysis/scope.ts";
import type { Flow } from "../base/flow.ts";
import type { Clock } from "../base/ports.ts";
import type { EndpointQueues } from "../gate/endpointQueues.ts";
import type { Answered, CellRun, Ready, Unsent } from "./cellRun.ts";
import { judge, judgeUnsent } from "./judge/judge.ts";
import type { Repetitions } from "./judge/within.ts";
import type { Observations } from "./observe/observe.ts";
import type { Step } from "./plan.ts";
import type { Assumptions } from "./prepare/assumptions.ts";
import type { Preparation } from "./prepare/prepare.ts";
import type { CaseFollower } from "./result/caseFollower.ts";
import type { ResultKeeper } from "./result/resultKeeper.ts";
import type { RunStreams } from "./result/runStreams.ts";
import { isStream } from "./result/streamView.ts";
import { send } from "./send/send.ts";

/** What the stages of a run work with. */
export interface Stages {
  readonly clock: Clock;
  /** The declarations of the project. */
  readonly project: NamesInScope;
  readonly queues: EndpointQueues;
  readonly preparation: Preparation;
  readonly assumptions: Assumptions;
  readonly streams: RunStreams;
  readonly observations: Observations;
  /** Absent if transactions are not followed. */
  readonly follower: CaseFollower | undefined;
  readonly repetitions: Repetitions;
  readonly keeper: ResultKeeper;
}

/**
 * Runs cells stage by stage: each when those that it needs have ended, independent ones at once. One that fails stops only
 * those that need its value.
 *
 * @returns Resolves when all have ended. Rejects for bugs only.
 */
export function run(steps: readonly Step[], stages: Stages): Promise<void> {
  return new Promise((resolve, fail) => {
    if (steps.length === 0) resolve();
    else new Run(steps, stages, resolve, fail).begin();
  });
}

/** One run. Cells that reach a stage together go on together. */
class Run {
  readonly #steps: readonly Step[];
  readonly #stages: Stages;
  /** Cells that wait for others, by the index of each of these. */
  readonly #dependents = new Map<number, Step[]>();
  /** How many others a cell waits for. */
  readonly #missing = new Map<Step, number>();
  /** Ended cells that others need. */
  readonly #ended = new Map<number, CellRun>();
  #open: number;
  readonly #resolve: () => void;
  readonly #reject: (bug: unknown) => void;
  /** Ended by a bug: nothing more is sent. */
  #isBroken = false;

  constructor(steps: readonly Step[], stages: Stages, resolve: () => void, reject: (bug: unknown) => void) {
    this.#steps = steps;
    this.#stages = stages;
    this.#open = steps.length;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    this.#stages.queues.bug.catch((bug: unknown) => this.#fail(bug));
    const ready: Step[] = [];
    for (const step of this.#steps) {
      // Cells in a circle wait for none: they are not sent. So every wait ends.
      if (step.needs.length === 0 || step.cycle) ready.push(step);
      else this.#waitForOthers(step);
    }
    this.#prepareNext(ready);
  }

  #fail(bug: unknown): void {
    this.#isBroken = true;
    this.#reject(bug);
  }
  #waitForOthers(step: Step): void {
    const needs = new Set(step.needs);
    this.#missing.set(step, needs.size);
    for (const index of needs) {
      const others = this.#dependents.get(index);
      if (others) others.push(step);
      else this.#dependents.set(index, [step]);
    }
  }
  /** Not at once: a chain of cells that are not sent may be as long as the notebook. */
  #prepareNext(steps: readonly Step[]): void {
    const { preparation } = this.#stages;
    this.#whenThere(
      Promise.resolve().then(() => preparation.of(steps, this.#ended)),
      (some) => this.#start(some),
    );
  }
  #start(prepared: readonly (Ready | Unsent)[]): void {
    const ready: Ready[] = [];
    for (const one of prepared) {
      if ("notSent" in one) this.#end([judgeUnsent(one, this.#stages.clock.now())]);
      else {
        this.#stages.keeper.started(one.step);
        ready.push(one);
      }
    }
    this.#send(ready);
  }
  #send(ready: readonly Ready[]): void {
    if (this.#isBroken) return;
    const { queues, assumptions, streams, observations } = this.#stages;
    const plain: Ready[] = [];
    for (const one of ready) {
      if (isStream(one.step.cell, one.requests)) this.#whenThere(streams.stream(one), (some) => this.#observe(some));
      else plain.push(one);
    }
    const askBeside = ({ step, requests }: Ready): void => observations.sent(step.cell, requests);
    this.#forEachIn(send(plain, queues, assumptions, askBeside), (some) => this.#observe(some));
  }
  #observe(answered: readonly Answered[]): void {
    const { observations, follower } = this.#stages;
    const observed = ({ ready, outcomes }: Answered): Promise<unknown> | undefined =>
      observations.answered(ready.step.cell, ready.requests, outcomes);
    const settled = (some: readonly Answered[]): void => this.#afterWait(some, observed, (known) => this.#judge(known));
    if (follower) this.#afterWait(answered, (one) => follower.follow(one, () => observed(one)), settled);
    else settled(answered);
  }
  #judge(answered: readonly Answered[]): void {
    const { clock, project, repetitions } = this.#stages;
    const ended: CellRun[] = [];
    for (const one of answered) {
      const judged = judge(one, project, clock.now());
      const next = repetitions.after(judged, one.ready);
      if (next)
        next
          .then((then) => ("requests" in then ? this.#send([then]) : this.#end([then])))
          .catch((bug: unknown) => this.#fail(bug));
      else ended.push(judged);
    }
    this.#end(ended);
  }
  /** What is only shown is not waited for by the cells that need these ones. */
  #end(ended: readonly CellRun[]): void {
    const { observations } = this.#stages;
    const shown = ({ step, answers }: CellRun): Promise<unknown> | undefined =>
      answers.length === 0 ? undefined : observations.showing(step.cell, answers);
    this.#afterWait(ended, shown, (some) => this.#keep(some));
    const released = this.#dependents.size === 0 ? [] : this.#released(ended);
    if (released.length > 0) this.#prepareNext(released);
  }
  #released(ended: readonly CellRun[]): readonly Step[] {
    const released: Step[] = [];
    for (const run of ended) {
      const others = this.#dependents.get(run.step.index);
      if (!others) continue;
      this.#ended.set(run.step.index, run);
      for (const step of others) {
        const missing = (this.#missing.get(step) ?? 0) - 1;
        this.#missing.set(step, missing);
        if (missing === 0) released.push(step);
      }
    }
    return released;
  }
  #keep(ended: readonly CellRun[]): void {
    for (const run of ended) this.#stages.keeper.keep(run);
    this.#open -= ended.length;
    if (this.#open === 0) this.#resolve();
  }

  /** Calls `next` with the items of a flow, as they come. */
  #forEachIn<Item>({ now, later }: Flow<Item>, next: (items: readonly Item[]) => void): void {
    for (const more of later) this.#whenThere(more, next); // first: a bug in `now` must not leave them without a handler
    if (now.length > 0) next(now);
  }
  #whenThere<Item>(more: Promise<Flow<Item>>, next: (items: readonly Item[]) => void): void {
    more.then((flow) => this.#forEachIn(flow, next)).catch((bug: unknown) => this.#fail(bug));
  }
  /** Calls `next` with items as soon as their wait is over: those without one at once, those with the same one together. */
  #afterWait<Item>(
    items: readonly Item[],
    waitOf: (item: Item) => Promise<unknown> | undefined,
    next: (items: readonly Item[]) => void,
  ): void {
    const now: Item[] = [];
    const waiting = new Map<Promise<unknown>, Item[]>();
    for (const item of items) {
      const wait = waitOf(item);
      const same = wait && waiting.get(wait);
      if (!wait) now.push(item);
      else if (same) same.push(item);
      else waiting.set(wait, [item]);
    }
    if (now.length > 0) next(now);
    for (const [wait, some] of waiting) wait.then(() => next(some)).catch((bug: unknown) => this.#fail(bug));
  }
}
