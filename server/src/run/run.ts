import { type AbiScope, withFunctions } from "../abi/abiScope.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import { declarations } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import type { Clock, Moment } from "../base/ports.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ValueOf } from "../endpoints/hostValue.ts";
import { type EvaluatedRequest, type EvaluationProblem, evaluateRequest } from "../evaluate/evaluateRequest.ts";
import type { Values } from "../evaluate/fill.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Answer, CellRun } from "./cellRun.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { OutcomeHandler } from "./endpointQueue.ts";
import { evaluateExpectations } from "./evaluateExpectations.ts";
import { type Expected, filledExpectations } from "./expectations.ts";
import type { Step } from "./plan.ts";
import { poll, pollWindowOf } from "./poll.ts";
import { strayItem, type UnsentReason } from "./unsentReason.ts";
import { valuesFrom } from "./values.ts";

export interface RunHost {
  readonly clock: Clock;
  readonly courier: Pick<Dispatcher, "refuses" | "heads" | "head" | "cadence">;
  readonly carry: Dispatcher["carry"];
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** What `{{$env.NAME}}` and the like stand for. */
  readonly hostValue: ValueOf;
  readonly catalog: Catalog;
  /** What the project declares for its cells. */
  readonly around: Pick<Scope, "header" | "abis">;
  /** What the tokens in the answers of a cell are called; at once where nothing is to be asked. Never rejects. */
  tokensOf(run: CellRun): Tokens | Promise<Tokens>;
  /** What must be known before outcomes can be shown, which cannot wait then; a promise where it has to be read. */
  know(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined;
  started(step: Step): void;
  /** Why the step is still open, in a sentence. */
  waiting(step: Step, why: string): void;
  finished(run: CellRun, tokens: Tokens): void;
}

/**
 * Runs the steps: each as soon as what it needs has ended, independent ones at once. One that fails stops only those
 * that need what it did not give. What becomes of each is told to the host.
 *
 * @returns Resolves when all have ended. It rejects for bugs only.
 */
export function run(steps: readonly Step[], host: RunHost, signal: AbortSignal): Promise<void> {
  const promises = new Map<number, Deferred>();
  for (const { needs } of steps) for (const index of needs) promises.set(index, deferred());
  return new Promise((resolve, fail) => {
    if (steps.length === 0) resolve();
    beginAll(steps, { host, signal, promises, lastId: 0, expected: new Map(), open: steps.length, resolve, fail });
  });
}

/** What the steps of one run share. */
interface RunContext {
  readonly host: RunHost;
  readonly signal: AbortSignal;
  /** Of the steps that others wait for. */
  readonly promises: ReadonlyMap<number, Deferred>;
  lastId: number;
  /** What cells expect where placeholders stand in it. */
  readonly expected: Map<Step, Expected>;
  /** Steps that have not ended. */
  open: number;
  resolve(): void;
  /** There is a bug: whoever waits for the run must hear of it. */
  fail(bug: unknown): void;
}

function beginAll(steps: readonly Step[], way: RunContext): void {
  const { clock } = way.host;
  const start = momentOf(clock);
  for (const step of steps) {
    // Cells in a ring wait for none: they are not sent. So every wait ends.
    const waitsFor = step.cycle ? none : step.needs;
    if (waitsFor.length === 0) beginStep(step, none, start, way);
    else
      allOf(waitsFor, way.promises)
        .then((earlier) => beginStep(step, earlier, momentOf(clock), way))
        .catch(way.fail);
  }
}

const none: readonly never[] = [];

async function allOf(needs: readonly number[], promises: ReadonlyMap<number, Deferred>): Promise<readonly CellRun[]> {
  return Promise.all(needs.flatMap((index) => promises.get(index)?.run ?? []));
}

function momentOf(clock: Clock): Moment {
  return { date: clock.date(), now: clock.now() };
}

function beginStep(step: Step, earlier: readonly CellRun[], start: Moment, way: RunContext): void {
  const ready = requestsOf(step, earlier, way);
  if (ready instanceof Promise) ready.then((requests) => sendStep(step, requests, start, way)).catch(way.fail);
  else sendStep(step, ready, start, way);
}

function sendStep(
  step: Step,
  requests: readonly EvaluatedRequest[] | UnsentReason,
  start: Moment,
  way: RunContext,
): void {
  const { host } = way;
  if ("kind" in requests)
    endStep(evaluateExpectations(step, [], requests, start.date, host.clock.now() - start.now), way);
  else {
    host.started(step);
    host.carry(step.cell, requests, new PendingStep(step, requests, start, way));
  }
}

/** A step whose requests are under way. */
class PendingStep implements OutcomeHandler {
  readonly #step: Step;
  readonly #requests: readonly EvaluatedRequest[];
  readonly #start: Moment;
  readonly #way: RunContext;

  constructor(step: Step, requests: readonly EvaluatedRequest[], start: Moment, way: RunContext) {
    this.#step = step;
    this.#requests = requests;
    this.#start = start;
    this.#way = way;
  }

  settle(outcomes: readonly Outcome[]): void {
    const known = this.#way.host.know(this.#step.cell, this.#requests, outcomes);
    if (known) known.then(() => this.#judge(outcomes)).catch(this.#way.fail);
    else this.#judge(outcomes);
  }
  fail(bug: unknown): void {
    this.#way.fail(bug);
  }
  #judge(outcomes: readonly Outcome[]): void {
    const first = runOf(this.#step, this.#requests, outcomes, this.#start, this.#way);
    const within = first.ok ? undefined : pollWindowOf(this.#step.cell);
    const { host, signal, fail } = this.#way;
    if (!within) endStep(first, this.#way);
    else
      poll(first, within, () => this.#again(), host, signal)
        .then((last) => endStep(last, this.#way))
        .catch(fail);
  }
  async #again(): Promise<CellRun> {
    const { host } = this.#way;
    const { cell } = this.#step;
    const outcomes = await new Promise<readonly Outcome[]>((settle, fail) =>
      host.carry(cell, this.#requests, { settle, fail }),
    );
    await host.know(cell, this.#requests, outcomes);
    return runOf(this.#step, this.#requests, outcomes, this.#start, this.#way);
  }
}

function endStep(run: CellRun, way: RunContext): void {
  way.promises.get(run.step.index)?.keep(run);
  // names are for people: cells that need this one do not wait for them
  const tokens = run.answers.length === 0 ? noTokens : way.host.tokensOf(run);
  if (tokens instanceof Promise) tokens.then((named) => finishStep(run, named, way)).catch(way.fail);
  else finishStep(run, tokens, way);
}

function finishStep(run: CellRun, tokens: Tokens, way: RunContext): void {
  way.host.finished(run, tokens);
  if (--way.open === 0) way.resolve();
}

const noTokens: Tokens = new Map();

/** The run of a cell that others may wait for before it begins; a chain of such cells may be as long as the notebook. */
interface Deferred {
  readonly run: Promise<CellRun>;
  keep(run: CellRun): void;
}

function deferred(): Deferred {
  let keep: Deferred["keep"] = () => {};
  const run = new Promise<CellRun>((resolve) => {
    keep = resolve;
  });
  return { run, keep: (ended) => keep(ended) };
}

/** What a cell sends, or why it sends nothing; a promise where the numbers of blocks have to be asked for first. */
function requestsOf(
  step: Step,
  earlier: readonly CellRun[],
  way: RunContext,
): readonly EvaluatedRequest[] | UnsentReason | Promise<readonly EvaluatedRequest[] | UnsentReason> {
  const { host, signal } = way;
  if (signal.aborted) return { kind: "cancelled" };
  const requests = prepare(step, earlier, way, noHeads);
  const tags = "kind" in requests && requests.kind === "unresolved" ? tagsIn(requests.problems) : [];
  if ("kind" in requests && tags.length === 0) return requests;
  const refusal = host.courier.refuses(step.cell);
  if (refusal) return refusal;
  if (tags.length === 0) return requests;
  return host.courier.heads(step.cell, tags).then((heads) => {
    if (signal.aborted) return { kind: "cancelled" };
    return "kind" in heads ? heads : prepare(step, earlier, way, heads);
  });
}

function runOf(
  step: Step,
  requests: readonly EvaluatedRequest[],
  outcomes: readonly Outcome[],
  start: Moment,
  { host, expected }: RunContext,
): CellRun {
  const scope = abiScope(step.cell, host.around);
  const [request, outcome] = [requests[0], outcomes[0]];
  const answers =
    requests.length === 1 && request && outcome
      ? [answerOf(request, outcome, scope)] // a list that grows takes room for more than one
      : requests.flatMap((each, at) => (outcomes[at] ? [answerOf(each, outcomes[at], scope)] : []));
  return evaluateExpectations(step, answers, undefined, start.date, host.clock.now() - start.now, expected.get(step));
}

function answerOf(request: EvaluatedRequest, outcome: Outcome, scope: AbiScope): Answer {
  return { request, outcome, scope: request.called ? withFunctions(scope, request.called) : scope };
}

/** Makes the wire requests of a cell, or says why it has none that could be sent. */
function prepare(
  step: Step,
  earlier: readonly CellRun[],
  way: RunContext,
  heads: ReadonlyMap<string, bigint>,
): readonly EvaluatedRequest[] | UnsentReason {
  const { host } = way;
  const { cell, cycle, made: before } = step;
  const { catalog } = host;
  const abi = abiItems(cell, host.around);
  const freshId = way.lastId + 1;
  if (before?.freshId === freshId && before.catalog === catalog && before.abi === abi) {
    way.lastId += before.requests.length;
    return before.requests;
  }
  if (cycle) return { kind: "cycle", names: cycle };
  if (cell.faults.length > 0 || cell.requests.length === 0 || strayItem(cell)) return { kind: "broken", cell };
  const given = cell.text.includes("{{") ? valuesFrom(host.variables, earlier) : undefined;
  const values = given ? { of: (name: string) => given.get(name), ofHost: host.hostValue } : noValues;
  const around = { catalog, abi, heads };
  const requests: EvaluatedRequest[] = [];
  const problems: EvaluationProblem[] = [];
  for (const request of cell.requests) {
    const made = evaluateRequest(cell.text, request, values, ++way.lastId, around);
    if (made.request) requests.push(made.request);
    else problems.push(...made.problems);
  }
  const expected = given ? filledExpectations(cell, values) : undefined;
  if (expected) problems.push(...expected.problems);
  if (problems.length > 0) return whyUnresolved(problems, earlier, cell);
  if (expected && expected.values.size > 0) way.expected.set(step, expected.values);
  if (cell.literal && heads.size === 0) step.made = { requests, freshId, catalog, abi };
  return requests;
}

const noValues: Values = { of: () => undefined, ofHost: () => undefined };
const noHeads: ReadonlyMap<string, bigint> = new Map();

/** The tags whose blocks must be known first; none where something else is wrong, which that would not mend. */
function tagsIn(problems: readonly EvaluationProblem[]): readonly string[] {
  const tags = problems.flatMap((problem) => (problem.code === "unknown-head" ? problem.tag : []));
  return tags.length === problems.length ? [...new Set(tags)] : [];
}

/** A placeholder into a cell that failed is that cell's fault, and is said so. */
function whyUnresolved(problems: readonly EvaluationProblem[], earlier: readonly CellRun[], cell: Cell): UnsentReason {
  for (const problem of problems) {
    if (problem.code !== "unresolved-placeholder") continue;
    const name = /^[^.[]+/.exec(problem.path)?.[0] ?? problem.path;
    const failed = earlier.find((run) => !run.ok && declarations(run.step.cell).some((one) => one.name === name));
    if (failed) return { kind: "needs", name, sent: failed.notSent === undefined, span: problem.span };
  }
  return { kind: "unresolved", problems, cell };
}
