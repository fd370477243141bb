import { type AbiScope, withFunctions } from "../abi/abiScope.ts";
import type { AbiItem } from "../abi/item.ts";
import { declarations } from "../analysis/references.ts";
import type { JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ValueOf } from "../endpoints/hostValue.ts";
import type { Values } from "../evaluate/fill.ts";
import { type EvaluationProblem, type WireRequest, wireRequest } from "../evaluate/wire.ts";
import type { Cell } from "../notebook/cell.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Answer, CellRun } from "./cellRun.ts";
import type { Courier } from "./courier.ts";
import { judged } from "./judged.ts";
import { type NotSent, strayItem } from "./notSent.ts";
import type { Step } from "./plan.ts";
import { poll, withinOf } from "./poll.ts";
import { valuesFrom } from "./values.ts";

export interface RunHost {
  readonly clock: Clock;
  readonly courier: Courier;
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** What `{{$env.NAME}}` and the like stand for. */
  readonly hostValue: ValueOf;
  readonly catalog: Catalog;
  /** What the project declares for a cell. */
  abiOf(cell: Cell): readonly AbiItem[];
  /** The same, for decoding. */
  scopeOf(cell: Cell): AbiScope;
  /** What the tokens in the answers of a cell are called; at once where nothing is to be asked. Never rejects. */
  tokensOf(run: CellRun): Tokens | Promise<Tokens>;
  /** What must be known before outcomes can be decoded, which cannot wait then; a promise where it has to be read. */
  know(requests: readonly WireRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined;
  started(step: Step): void;
  /** Why the step is still open, in a sentence. */
  waiting(step: Step, why: string): void;
  finished(run: CellRun, tokens: Tokens): void;
}

/**
 * Runs the steps: each as soon as what it needs has ended, independent ones at once. One that fails stops only those
 * that need what it did not give.
 *
 * @returns One entry a step, in their order. It never rejects; what went wrong is in the entries.
 */
export function run(steps: readonly Step[], host: RunHost, signal: AbortSignal): Promise<readonly CellRun[]> {
  const promises = new Map<number, Promised>();
  for (const { needs } of steps) for (const index of needs) promises.set(index, promised());
  let nextId = 1;
  const freshId = (): number => nextId++;
  // One promise a cell where nothing has to be waited for: a run may have thousands.
  const going = steps.map(async (step) => {
    // Cells in a ring wait for none: they are not sent. So every wait ends.
    const waitsFor = step.cycle ? none : step.needs;
    const earlier = waitsFor.length === 0 ? none : await allOf(waitsFor, promises);
    const startedAt = host.clock.now();
    const ready = requestsOf(step, earlier, freshId, host, signal);
    const requests = ready instanceof Promise ? await ready : ready;
    let ended: CellRun;
    if ("kind" in requests) ended = judged(step, [], requests, startedAt, host.clock.now() - startedAt);
    else {
      host.started(step);
      const outcomes = await host.courier.carry(step.cell, requests);
      const known = host.know(requests, outcomes);
      if (known) await known;
      ended = asked(step, requests, outcomes, startedAt, host);
      if (!ended.ok) ended = await waited(ended, requests, host, signal);
    }
    promises.get(step.index)?.keep(ended);
    // names are for people: cells that need this one do not wait for them
    const tokens = ended.answers.length === 0 ? noTokens : host.tokensOf(ended);
    host.finished(ended, tokens instanceof Promise ? await tokens : tokens);
    return ended;
  });
  return Promise.all(going);
}

const none: readonly never[] = [];

async function allOf(needs: readonly number[], promises: ReadonlyMap<number, Promised>): Promise<readonly CellRun[]> {
  return Promise.all(needs.flatMap((index) => promises.get(index)?.run ?? []));
}

/** Asks again where the cell says so by `within`. */
async function waited(
  first: CellRun,
  requests: readonly WireRequest[],
  host: RunHost,
  signal: AbortSignal,
): Promise<CellRun> {
  const { step, startedAt } = first;
  const within = withinOf(step.cell);
  if (!within) return first;
  const again = async (): Promise<CellRun> => {
    const outcomes = await host.courier.carry(step.cell, requests);
    await host.know(requests, outcomes);
    return asked(step, requests, outcomes, startedAt, host);
  };
  return poll(first, within, again, host, signal);
}

const noTokens: Tokens = new Map();

/** The run of a cell that others may wait for before it begins; a chain of such cells may be as long as the notebook. */
interface Promised {
  readonly run: Promise<CellRun>;
  keep(run: CellRun): void;
}

function promised(): Promised {
  let keep: Promised["keep"] = () => {};
  const run = new Promise<CellRun>((resolve) => {
    keep = resolve;
  });
  return { run, keep: (ended) => keep(ended) };
}

/** What a cell sends, or why it sends nothing; a promise where the numbers of blocks have to be asked for first. */
function requestsOf(
  step: Step,
  earlier: readonly CellRun[],
  freshId: () => number,
  host: RunHost,
  signal: AbortSignal,
): readonly WireRequest[] | NotSent | Promise<readonly WireRequest[] | NotSent> {
  if (signal.aborted) return { kind: "cancelled" };
  const requests = prepare(step, earlier, freshId, host, noHeads);
  const tags = "kind" in requests && requests.kind === "unresolved" ? tagsIn(requests.problems) : [];
  if ("kind" in requests && tags.length === 0) return requests;
  const refusal = host.courier.refuses(step.cell);
  if (refusal) return refusal;
  if (tags.length === 0) return requests;
  return host.courier.heads(step.cell, tags).then((heads) => {
    if (signal.aborted) return { kind: "cancelled" };
    return "kind" in heads ? heads : prepare(step, earlier, freshId, host, heads);
  });
}

function asked(
  step: Step,
  requests: readonly WireRequest[],
  outcomes: readonly Outcome[],
  startedAt: number,
  host: RunHost,
): CellRun {
  const scope = host.scopeOf(step.cell);
  const answers: Answer[] = [];
  for (let at = 0; at < requests.length; at++) {
    const [request, outcome] = [requests[at], outcomes[at]];
    if (request && outcome) answers.push({ request, outcome, scope: withFunctions(scope, request.called ?? []) });
  }
  return judged(step, answers, undefined, startedAt, host.clock.now() - startedAt);
}

/** Makes the wire requests of a cell, or says why it has none that could be sent. */
function prepare(
  { cell, cycle }: Step,
  earlier: readonly CellRun[],
  freshId: () => number,
  host: RunHost,
  heads: ReadonlyMap<string, bigint>,
): readonly WireRequest[] | NotSent {
  if (cycle) return { kind: "cycle", names: cycle };
  if (cell.faults.length > 0 || cell.requests.length === 0 || strayItem(cell)) return { kind: "broken", cell };
  const given = cell.text.includes("{{") ? valuesFrom(host.variables, earlier) : undefined;
  const values = given ? { of: (name: string) => given.get(name), ofHost: host.hostValue } : noValues;
  const around = { catalog: host.catalog, abi: host.abiOf(cell), heads };
  const requests: WireRequest[] = [];
  const problems: EvaluationProblem[] = [];
  for (const request of cell.requests) {
    const made = wireRequest(cell.text, request, values, freshId(), around);
    if (made.request) requests.push(made.request);
    else problems.push(...made.problems);
  }
  return problems.length > 0 ? whyUnresolved(problems, earlier, cell) : requests;
}

const noValues: Values = { of: () => undefined, ofHost: () => undefined };
const noHeads: ReadonlyMap<string, bigint> = new Map();

/** The tags whose blocks must be known first; none where something else is wrong, which that would not mend. */
function tagsIn(problems: readonly EvaluationProblem[]): readonly string[] {
  const tags = problems.flatMap((problem) => (problem.code === "unknown-head" ? problem.tag : []));
  return tags.length === problems.length ? [...new Set(tags)] : [];
}

/** A placeholder into a cell that failed is that cell's fault, and is said so. */
function whyUnresolved(problems: readonly EvaluationProblem[], earlier: readonly CellRun[], cell: Cell): NotSent {
  for (const problem of problems) {
    if (problem.code !== "unresolved-placeholder") continue;
    const name = /^[^.[]+/.exec(problem.path)?.[0] ?? problem.path;
    const failed = earlier.find((run) => !run.ok && declarations(run.step.cell).some((one) => one.name === name));
    if (failed) return { kind: "needs", name, sent: failed.notSent === undefined, span: problem.span };
  }
  return { kind: "unresolved", problems, cell };
}
