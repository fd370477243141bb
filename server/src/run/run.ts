import type { NamesInScope, ProjectAbis } from "../analysis/scope.ts";
import { tickClock } from "../base/deadline.ts";
import type { Flow } from "../base/flow.ts";
import type { Clock } from "../base/ports.ts";
import type { EndpointQueues } from "../gate/endpointQueues.ts";
import type { RunOptions, RunResult } from "../protocol/runs.ts";
import type { Answered, CellRun, Ready, Unsent } from "./cellRun.ts";
import type { DocumentRun, RunSupport } from "./documentRun.ts";
import { judge, judgeUnsent } from "./judge/judge.ts";
import { Repetitions } from "./judge/within.ts";
import { openObservations } from "./observe/list.ts";
import { ObservationContext } from "./observe/observation.ts";
import { Observations } from "./observe/observe.ts";
import { RunContracts } from "./observe/runContracts.ts";
import type { Tracing } from "./observe/traceHost.ts";
import type { Step } from "./plan.ts";
import { Assumptions } from "./prepare/assumptions.ts";
import { Preparation } from "./prepare/prepare.ts";
import { CaseFollower } from "./result/caseFollower.ts";
import { ResultKeeper } from "./result/resultKeeper.ts";
import type { RunWithEvents } from "./result/runEvents.ts";
import type { SnapshotRun } from "./result/snapshots.ts";
import { isStream, RunStreams } from "./result/streamView.ts";
import { send } from "./send/send.ts";

/**
 * One run: its cells pass its stages, each when those that it needs have ended, independent ones at once. Cells that reach a
 * stage together go on together. One that fails stops only those that need its value.
 */
export class Run {
  /** Resolves when all cells have ended. Rejects for bugs only. */
  readonly ended: Promise<void>;
  readonly #steps: readonly Step[];
  readonly #clock: Clock;
  readonly #project: NamesInScope;
  readonly #queues: EndpointQueues;
  readonly #preparation: Preparation;
  readonly #assumptions: Assumptions;
  readonly #streams: RunStreams;
  readonly #observations: Observations;
  /** Absent if transactions are not followed. */
  readonly #follower: CaseFollower | undefined;
  readonly #repetitions: Repetitions;
  readonly #replacementFor: RunSupport["replacementFor"];
  readonly #keeper: ResultKeeper;
  /** Cells that wait for others, by the index of each of these. */
  readonly #dependents = new Map<number, Step[]>();
  /** How many others a cell waits for. */
  readonly #missing = new Map<Step, number>();
  /** Ended cells that others need. */
  readonly #needed = new Map<number, CellRun>();
  #open: number;
  #resolve: () => void = () => {};
  #reject: (bug: unknown) => void = () => {};
  /** Ended by a bug: nothing more is sent. */
  #isBroken = false;

  /** Begins. Everything about the document was read before. */
  constructor(run: RunWithEvents, params: RunOptions, queues: EndpointQueues, snapshot: SnapshotRun | undefined) {
    const { document, locator, support } = run;
    const { stream: bounds = {}, follow, record, trace = false, lookup } = params;
    const { endpoint } = support.routes.of(document);
    const { catalog } = support.catalogs.of(document, endpoint);
    const [clock, project] = [tickClock(support.clock), projectOf(run, support.contracts.declared(run.document))];
    const observed = openObservations(new ObservationContext(run, queues, clock), trace ? tracingIn(run) : undefined);
    const isAlone = locator.steps.filter((step) => locator.isRequested(step)).length === 1;
    const isFollowed = follow === true && record !== true && isAlone; // what comes in the background is not recorded
    this.#steps = locator.steps;
    this.#open = locator.steps.length;
    [this.#clock, this.#project, this.#queues] = [clock, project, queues];
    this.#assumptions = new Assumptions(run, queues);
    const known = projectOf(run, support.contracts.of(run.document));
    this.#preparation = new Preparation(run, {
      clock,
      catalog,
      project: known,
      queues,
      assumptions: this.#assumptions,
    });
    this.#observations = new Observations(observed.all);
    this.#streams = new RunStreams(run, project, observed.tokens, bounds);
    this.#follower = isFollowed ? new CaseFollower(run, project, observed, bounds) : undefined;
    this.#repetitions = new Repetitions({ clock, queues, signal: run.signal, waiting: waitingIn(run) });
    this.#replacementFor = support.replacementFor;
    const { tokens } = observed;
    const isLookedUp = lookup === "before" || (lookup === "after" && support.resultNames !== undefined);
    const contracts = isLookedUp ? new RunContracts(run, lookup === "after") : undefined;
    const shown = { streams: this.#streams, observations: this.#observations, tokens, contracts };
    this.#keeper = new ResultKeeper(run, { ...shown, snapshot, mark: support.results.begin(document, endpoint) });
    this.ended = new Promise((resolve, fail) => {
      [this.#resolve, this.#reject] = [resolve, fail];
      this.#begin();
    });
  }

  /** Returns the result when all cells have ended, and finishes the snapshot. */
  result(): Promise<RunResult> {
    return this.#keeper.finish();
  }

  #begin(): void {
    if (this.#open === 0) this.#resolve();
    this.#queues.bug.catch((bug: unknown) => this.#fail(bug));
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
    this.#whenThere(
      Promise.resolve().then(() => this.#preparation.of(steps, this.#needed)),
      (some) => this.#start(some),
    );
  }
  #start(prepared: readonly (Ready | Unsent)[]): void {
    const ready: Ready[] = [];
    for (const one of prepared) {
      if ("notSent" in one) this.#end([judgeUnsent(one, this.#clock.now())]);
      else {
        this.#keeper.started(one.step);
        ready.push(one);
      }
    }
    this.#send(ready);
  }
  #send(ready: readonly Ready[]): void {
    if (this.#isBroken) return;
    const plain: Ready[] = [];
    for (const one of ready) {
      if (isStream(one.step.cell, one.requests))
        this.#whenThere(this.#streams.stream(one), (some) => this.#observe(some));
      else plain.push(one);
    }
    const askBeside = ({ step, requests }: Ready): void => this.#observations.sent(step.cell, requests);
    this.#forEachIn(send(plain, this.#queues, this.#assumptions, askBeside), (some) => this.#observe(some));
  }
  #observe(answered: readonly Answered[]): void {
    const follower = this.#follower;
    const observed = ({ ready, outcomes }: Answered): Promise<unknown> | undefined =>
      this.#observations.answered(ready.step.cell, ready.requests, outcomes);
    const settled = (some: readonly Answered[]): void => this.#afterWait(some, observed, (known) => this.#judge(known));
    if (follower) this.#afterWait(answered, (one) => follower.follow(one, () => observed(one)), settled);
    else settled(answered);
  }
  #judge(answered: readonly Answered[]): void {
    const ended: CellRun[] = [];
    for (const one of answered) {
      const judged = judge(one, this.#project, this.#clock.now());
      const other = this.#replacementFor?.(judged, one.ready);
      if (other) this.#send([other]);
      if (other) continue;
      const next = this.#repetitions.after(judged, one.ready);
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
    const shown = (run: CellRun): Promise<unknown> | undefined => {
      const { step, answers } = run;
      return this.#keeper.lookUp(
        run,
        answers.length === 0 ? undefined : this.#observations.showing(step.cell, answers),
      );
    };
    this.#afterWait(ended, shown, (some) => this.#keep(some));
    const released = this.#dependents.size === 0 ? [] : this.#released(ended);
    if (released.length > 0) this.#prepareNext(released);
  }
  #released(ended: readonly CellRun[]): readonly Step[] {
    const released: Step[] = [];
    for (const run of ended) {
      const others = this.#dependents.get(run.step.index);
      if (!others) continue;
      this.#needed.set(run.step.index, run);
      for (const step of others) {
        const missing = (this.#missing.get(step) ?? 0) - 1;
        this.#missing.set(step, missing);
        if (missing === 0) released.push(step);
      }
    }
    return released;
  }
  #keep(ended: readonly CellRun[]): void {
    for (const run of ended) this.#keeper.keep(run);
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
    const waiting = new Map<Promise<unknown>, Item[]>();
    let now: Item[] | undefined; // all, mostly
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as Item; // counted
      const wait = waitOf(item);
      const same = wait && waiting.get(wait);
      if (wait) now ??= items.slice(0, at);
      else now?.push(item);
      if (same) same.push(item);
      else if (wait) waiting.set(wait, [item]);
    }
    const ready = now ?? items;
    if (ready.length > 0) next(ready);
    for (const [wait, some] of waiting) wait.then(() => next(some)).catch((bug: unknown) => this.#fail(bug));
  }
}

/** The declarations of the project of a document. */
function projectOf(
  { document, header: { labels }, variables, support }: DocumentRun,
  projectAbis: ProjectAbis,
): NamesInScope {
  return {
    header: document.header,
    labels,
    variables,
    get abis() {
      return support.signatures.with(projectAbis); // the table may be loaded during the run
    },
  };
}

function tracingIn({ events, locator, support: { openTracer, traceKeys, mask } }: RunWithEvents): Tracing | undefined {
  return (
    openTracer && {
      openTracer,
      keys: traceKeys,
      waiting(cell, why) {
        const step = locator.stepOf(cell);
        if (step) events.waiting?.({ cell: locator.refOf(step), why: mask.text(why) });
      },
    }
  );
}

/** Tells why a cell is still open. */
function waitingIn({ events, locator, support: { mask } }: RunWithEvents): (step: Step, why: string) => void {
  return (step, why) => events.waiting?.({ cell: locator.refOf(step), why: mask.text(why) });
}
