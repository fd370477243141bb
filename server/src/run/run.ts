import { type AbiScope, withFunctions, withPlaces } from "../abi/abiScope.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import { unreadableDirective } from "../analysis/directives.ts";
import { declarations } from "../analysis/references.ts";
import { converterContext, type NamesInScope } from "../analysis/storage.ts";
import type { JsonValue } from "../base/json.ts";
import type { Clock, Moment } from "../base/ports.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ValueOf } from "../endpoints/hostValue.ts";
import type { AssumeContext } from "../evaluate/assume/assumption.ts";
import { questionKey, type StateQuestion } from "../evaluate/assume/stateQuestion.ts";
import { type EvaluatedRequest, type EvaluationProblem, evaluateRequest } from "../evaluate/evaluateRequest.ts";
import type { Values } from "../evaluate/fill.ts";
import type { OutcomeHandler } from "../gate/endpointQueue.ts";
import type { UnsentReason } from "../gate/unsentReason.ts";
import { type Cell, strayItem } from "../notebook/cell.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Answer, CellRun } from "./cellRun.ts";
import { judge } from "./judge/judge.ts";
import { poll } from "./judge/within.ts";
import type { Observations } from "./observe/observe.ts";
import type { Step } from "./plan.ts";
import { type Expected, filledExpectations, pollWindowOf } from "./prepare/expectations.ts";
import { valuesFrom } from "./prepare/values.ts";
import type { Dispatcher } from "./send/dispatcher.ts";

export interface RunHost {
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, "refusalOf" | "permissionFor" | "heads" | "head" | "pollIntervalMs">;
  readonly send: Dispatcher["send"];
  readonly assumptions: {
    /** Returns what `assume` of a cell is read with. */
    contextOf(cell: Cell): AssumeContext;
    /** Asks the chain for facts that it lacks. Returns why one is missing. */
    find(cell: Cell, questions: readonly StateQuestion[]): Promise<UnsentReason | undefined>;
  };
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Values of `{{$env.NAME}}` and the like. */
  readonly hostValue: ValueOf;
  readonly catalog: Catalog;
  /** The declarations of the project. */
  readonly project: NamesInScope;
  readonly observations: Observations;
  started(step: Step): void;
  /** Called with the reason why the step is still open, in a sentence. */
  waiting(step: Step, why: string): void;
  finished(run: CellRun): void;
}

/**
 * Runs the steps: each when those that it needs have ended, independent ones at once. One that fails stops only those
 * that need its value. Reports each to the host.
 *
 * @returns Resolves when all have ended. Rejects for bugs only.
 */
export function run(steps: readonly Step[], host: RunHost, signal: AbortSignal): Promise<void> {
  const deferredRuns = new Map<number, Deferred>();
  for (const { needs } of steps) for (const index of needs) deferredRuns.set(index, deferred());
  return new Promise((resolve, fail) => {
    if (steps.length === 0) resolve();
    beginAll(steps, {
      host,
      signal,
      deferredRuns,
      lastId: 0,
      expected: new Map(),
      waiting: new Map(),
      open: steps.length,
      resolve,
      fail,
    });
  });
}

/** The state of one run. */
interface RunContext {
  readonly host: RunHost;
  readonly signal: AbortSignal;
  /** Runs of the steps that others wait for. */
  readonly deferredRuns: ReadonlyMap<number, Deferred>;
  lastId: number;
  /** Expectations with placeholders, filled in. */
  readonly expected: Map<Step, Expected>;
  /** What waits for the same, by what it waits for. */
  readonly waiting: Map<Promise<unknown>, (() => void)[]>;
  /** Steps that have not ended. */
  open: number;
  resolve(): void;
  /** Rejects the run because of a bug. */
  fail(bug: unknown): void;
}

function beginAll(steps: readonly Step[], context: RunContext): void {
  const { clock } = context.host;
  const start = momentOf(clock);
  for (const step of steps) {
    // Cells in a circle wait for none: they are not sent. So every wait ends.
    const waitsFor = step.cycle ? none : step.needs;
    if (waitsFor.length === 0) beginStep(step, none, start, context);
    else
      allOf(waitsFor, context.deferredRuns)
        .then((earlier) => beginStep(step, earlier, momentOf(clock), context))
        .catch(context.fail);
  }
}

const none: readonly never[] = [];

async function allOf(
  needs: readonly number[],
  deferredRuns: ReadonlyMap<number, Deferred>,
): Promise<readonly CellRun[]> {
  return Promise.all(needs.flatMap((index) => deferredRuns.get(index)?.run ?? []));
}

function momentOf(clock: Clock): Moment {
  return { date: clock.date(), now: clock.now() };
}

function beginStep(step: Step, earlier: readonly CellRun[], start: Moment, context: RunContext): void {
  const ready = requestsOf(step, earlier, context);
  if (ready instanceof Promise) ready.then((requests) => sendStep(step, requests, start, context)).catch(context.fail);
  else sendStep(step, ready, start, context);
}

function sendStep(
  step: Step,
  requests: readonly EvaluatedRequest[] | UnsentReason,
  start: Moment,
  context: RunContext,
): void {
  const { host } = context;
  if ("kind" in requests) endStep(judge(step, [], requests, start.date, host.clock.now() - start.now), context);
  else {
    host.started(step);
    host.send(step.cell, requests, new PendingStep(step, requests, start, context));
  }
}

/** A step whose requests are in flight. */
class PendingStep implements OutcomeHandler {
  readonly #step: Step;
  readonly #requests: readonly EvaluatedRequest[];
  readonly #start: Moment;
  readonly #context: RunContext;

  constructor(step: Step, requests: readonly EvaluatedRequest[], start: Moment, context: RunContext) {
    this.#step = step;
    this.#requests = requests;
    this.#start = start;
    this.#context = context;
  }

  settle(outcomes: readonly Outcome[]): void {
    const known = this.#context.host.observations.answered(this.#step.cell, this.#requests, outcomes);
    if (known) after(known, () => this.#judge(outcomes), this.#context);
    else this.#judge(outcomes);
  }
  fail(bug: unknown): void {
    this.#context.fail(bug);
  }
  #judge(outcomes: readonly Outcome[]): void {
    const first = runOf(this.#step, this.#requests, outcomes, this.#start, this.#context);
    const within = first.ok ? undefined : pollWindowOf(this.#step.cell);
    const { host, signal, fail } = this.#context;
    if (!within) endStep(first, this.#context);
    else
      poll(first, within, () => this.#again(), host, signal)
        .then((last) => endStep(last, this.#context))
        .catch(fail);
  }
  async #again(): Promise<CellRun> {
    const { host } = this.#context;
    const { cell } = this.#step;
    const outcomes = await new Promise<readonly Outcome[]>((settle, fail) =>
      host.send(cell, this.#requests, { settle, fail }),
    );
    await host.observations.answered(cell, this.#requests, outcomes);
    return runOf(this.#step, this.#requests, outcomes, this.#start, this.#context);
  }
}

function endStep(run: CellRun, context: RunContext): void {
  context.deferredRuns.get(run.step.index)?.resolve(run);
  // what is only shown: cells that need this one do not wait for it
  const wait = run.answers.length === 0 ? undefined : context.host.observations.showing(run.step.cell, run.answers);
  if (wait) after(wait, () => finishStep(run, context), context);
  else finishStep(run, context);
}

function finishStep(run: CellRun, context: RunContext): void {
  context.host.finished(run);
  if (--context.open === 0) context.resolve();
}

/** Continues after a wait. Cells that wait for the same promise share one callback. */
function after(wait: Promise<unknown>, goOn: () => void, { waiting, fail }: RunContext): void {
  const others = waiting.get(wait);
  if (others) {
    others.push(goOn);
    return;
  }
  const all = [goOn];
  waiting.set(wait, all);
  wait
    .then(() => {
      waiting.delete(wait);
      for (const one of all) one();
    })
    .catch(fail);
}

/** A promise for the run of a cell that others wait for. */
interface Deferred {
  readonly run: Promise<CellRun>;
  resolve(run: CellRun): void;
}

function deferred(): Deferred {
  let resolve: Deferred["resolve"] = () => {};
  const run = new Promise<CellRun>((settle) => {
    resolve = settle;
  });
  return { run, resolve: (ended) => resolve(ended) };
}

/** Returns the requests of a cell, or why it has none; a promise if the chain has to be asked first. */
function requestsOf(step: Step, earlier: readonly CellRun[], context: RunContext): ReadyRequests {
  const { host, signal } = context;
  if (signal.aborted) return { kind: "cancelled" };
  const requests = prepare(step, earlier, context, noHeads);
  const facts = missingFacts(requests);
  if ("kind" in requests && !facts) return requests;
  const admitted = (refusal: UnsentReason | undefined): ReadyRequests => {
    if (signal.aborted) return { kind: "cancelled" };
    return refusal ?? (facts ? withFacts(step, earlier, facts, context) : permitted(step, requests, context));
  };
  const refusal = host.dispatcher.refusalOf(step.cell);
  return refusal instanceof Promise ? refusal.then(admitted) : admitted(refusal);
}

/** The requests of a cell, or why it has none. */
type ReadyRequests = readonly EvaluatedRequest[] | UnsentReason | Promise<readonly EvaluatedRequest[] | UnsentReason>;

/** Facts that only the chain has: the numbers of blocks, and what assumptions need to know. */
interface MissingFacts {
  readonly tags: readonly string[];
  readonly questions: readonly StateQuestion[];
}

/** Asks the chain for facts, and prepares the requests again. An assumption may need the number of a block first. */
async function withFacts(
  step: Step,
  earlier: readonly CellRun[],
  first: MissingFacts,
  context: RunContext,
): Promise<readonly EvaluatedRequest[] | UnsentReason> {
  const { host, signal } = context;
  let heads = noHeads;
  let requests: readonly EvaluatedRequest[] | UnsentReason = [];
  let missing: MissingFacts | undefined = first;
  for (let round = 0; missing && round < maxFactRounds; round++) {
    const { tags, questions }: MissingFacts = missing;
    const [numbers, failure] = await Promise.all([
      tags.length > 0 ? host.dispatcher.heads(step.cell, tags) : heads,
      questions.length > 0 ? host.assumptions.find(step.cell, questions) : undefined,
    ]);
    if (signal.aborted) return { kind: "cancelled" };
    if (failure) return failure;
    if ("kind" in numbers) return numbers;
    heads = numbers;
    requests = prepare(step, earlier, context, heads);
    missing = missingFacts(requests);
  }
  return permitted(step, requests, context);
}

/** Rounds of questions before a request. */
const maxFactRounds = 3;

/** Waits for a person if the requests may change something. */
function permitted(
  step: Step,
  requests: readonly EvaluatedRequest[] | UnsentReason,
  { host }: RunContext,
): ReadyRequests {
  if ("kind" in requests) return requests;
  const permission = host.dispatcher.permissionFor(step.cell, requests);
  return permission ? permission.then((refusal) => refusal ?? requests) : requests;
}

function runOf(
  step: Step,
  requests: readonly EvaluatedRequest[],
  outcomes: readonly Outcome[],
  start: Moment,
  { host, expected }: RunContext,
): CellRun {
  const scope = abiScope(step.cell, host.project);
  const [request, outcome] = [requests[0], outcomes[0]];
  const answers =
    requests.length === 1 && request && outcome
      ? [answerOf(request, outcome, scope)] // flatMap would allocate more
      : requests.flatMap((each, at) => (outcomes[at] ? [answerOf(each, outcomes[at], scope)] : []));
  return judge(step, answers, undefined, start.date, host.clock.now() - start.now, expected.get(step));
}

function answerOf(request: EvaluatedRequest, outcome: Outcome, scope: AbiScope): Answer {
  const own = request.called ? withFunctions(scope, request.called) : scope;
  return { request, outcome, scope: withPlaces(own, request.places) };
}

/** Evaluates the requests of a cell, or returns why they cannot be sent. */
function prepare(
  step: Step,
  earlier: readonly CellRun[],
  context: RunContext,
  heads: ReadonlyMap<string, bigint>,
): readonly EvaluatedRequest[] | UnsentReason {
  const { host } = context;
  const { cell, cycle, made: before } = step;
  const { catalog } = host;
  const abi = abiItems(cell, host.project);
  const freshId = context.lastId + 1;
  if (before?.freshId === freshId && before.catalog === catalog && before.abi === abi) {
    context.lastId += before.requests.length;
    return before.requests;
  }
  if (cycle) return { kind: "cycle", names: cycle };
  if (cell.faults.length > 0 || cell.requests.length === 0 || strayItem(cell)) return { kind: "broken", cell };
  const unreadable = unreadableDirective(cell);
  if (unreadable) return { kind: "directive", ...unreadable };
  const project = { catalog, ...converterContext(cell, host.project, heads) };
  const given = cell.text.includes("{{") ? valuesFrom(host.variables, earlier) : undefined;
  const values = given ? { of: (name: string) => given.get(name), ofHost: host.hostValue } : noValues;
  const assume = cell.directives.has("assume") ? host.assumptions.contextOf(cell) : undefined;
  const requests: EvaluatedRequest[] = [];
  const problems: EvaluationProblem[] = [];
  for (const request of cell.requests) {
    const made = evaluateRequest(cell.text, request, values, ++context.lastId, { ...project, assume });
    if (made.request) requests.push(made.request);
    else problems.push(...made.problems);
  }
  const expected = given ? filledExpectations(cell, values) : undefined;
  if (expected) problems.push(...expected.problems);
  if (problems.length > 0) return whyUnresolved(problems, earlier, cell);
  if (expected && expected.values.size > 0) context.expected.set(step, expected.values);
  if (cell.literal && heads.size === 0 && !assume && !requests.some(({ places }) => places))
    step.made = { requests, freshId, catalog, abi };
  return requests;
}

const noValues: Values = { of: () => undefined, ofHost: () => undefined };
const noHeads: ReadonlyMap<string, bigint> = new Map();

/** Returns the facts that requests still need; `undefined` if they need none, or have other problems too. */
function missingFacts(requests: readonly EvaluatedRequest[] | UnsentReason): MissingFacts | undefined {
  const problems = "kind" in requests && requests.kind === "unresolved" ? requests.problems : [];
  const tags = problems.flatMap((problem) => (problem.code === "unknown-head" ? problem.tag : []));
  const open = problems.flatMap((problem) => (problem.code === "unknown-layout" ? problem.question : []));
  if (problems.length === 0 || tags.length + open.length < problems.length) return undefined;
  const questions = new Map(open.map((question) => [questionKey(question), question]));
  return { tags: [...new Set(tags)], questions: [...questions.values()] };
}

/** Explains missing values; if the cell that they refer to failed, that is the reason. */
function whyUnresolved(problems: readonly EvaluationProblem[], earlier: readonly CellRun[], cell: Cell): UnsentReason {
  for (const problem of problems) {
    if (problem.code !== "unresolved-placeholder") continue;
    const name = /^[^.[]+/.exec(problem.path)?.[0] ?? problem.path;
    const failed = earlier.find((run) => !run.ok && declarations(run.step.cell).some((one) => one.name === name));
    if (failed) return { kind: "needs", name, sent: failed.notSent === undefined, span: problem.span };
  }
  const rank = ({ code }: EvaluationProblem): number => Number(code === "unknown-layout" || code === "unknown-head");
  return { kind: "unresolved", problems: problems.toSorted((a, b) => rank(a) - rank(b)), cell };
}
