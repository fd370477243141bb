import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiItem } from "../abi/item.ts";
import { declarations } from "../analysis/references.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { listed } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type EvaluationProblem, type WireRequest, wireRequest } from "../evaluate/wire.ts";
import type { Cell } from "../notebook/cell.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import { decodedValue } from "../report/decoded.ts";
import type { Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Courier } from "./courier.ts";
import { expectsError, type Miss, missesOf } from "./expect.ts";
import { type NotSent, strayItem } from "./notSent.ts";
import { nameOf, type Step } from "./plan.ts";

/** What became of one cell. */
export interface CellRun {
  readonly step: Step;
  /** One for each request that went out, in the order of the cell. */
  readonly answers: readonly Answer[];
  /** Why nothing went out. */
  readonly notSent: NotSent | undefined;
  /** One for each answer. */
  readonly verdicts: readonly Verdict[];
  /** On the `expect` of a batch as a whole; `undefined` where nothing went out. */
  readonly batch: Verdict | undefined;
  /** Every answer is right: a result, or the failure that `expect` asks for; and nothing is missed. */
  readonly ok: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface Verdict {
  /** The cell says what must hold. */
  readonly expected: boolean;
  readonly misses: readonly Miss[];
  readonly ok: boolean;
}

export interface Answer {
  readonly request: WireRequest;
  readonly outcome: Outcome;
  /** The project's ABIs, as they were when it came. */
  readonly scope: AbiScope;
}

export interface RunHost {
  readonly clock: Clock;
  readonly courier: Courier;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly catalog: Catalog;
  /** What the project declares for a cell. */
  abiOf(cell: Cell): readonly AbiItem[];
  /** The same, for decoding. */
  scopeOf(cell: Cell): AbiScope;
  /** What the tokens in the answers of a cell are called; at once where nothing is to be asked. Never rejects. */
  tokensOf(run: CellRun): Tokens | Promise<Tokens>;
  started(step: Step): void;
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
  const going = steps.map(async (step) => {
    // Cells in a ring wait for none: they are not sent. So every wait ends.
    const needs = step.cycle ? [] : step.needs.flatMap((index) => promises.get(index)?.run ?? []);
    const earlier = needs.length === 0 ? none : await Promise.all(needs);
    const ended = await runStep(step, earlier, freshId, host, signal);
    promises.get(step.index)?.keep(ended);
    // names are for people: cells that need this one do not wait for them
    const tokens = ended.answers.length === 0 ? noTokens : host.tokensOf(ended);
    host.finished(ended, tokens instanceof Promise ? await tokens : tokens);
    return ended;
  });
  return Promise.all(going);
}

const none: readonly CellRun[] = [];
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

async function runStep(
  step: Step,
  earlier: readonly CellRun[],
  freshId: () => number,
  host: RunHost,
  signal: AbortSignal,
): Promise<CellRun> {
  const startedAt = host.clock.now();
  const end = (answers: readonly Answer[], notSent?: NotSent): CellRun =>
    judged(step, answers, notSent, startedAt, host.clock.now() - startedAt);
  if (signal.aborted) return end([], { kind: "cancelled" });
  let requests = prepare(step, earlier, freshId, host, new Map());
  const tags = "kind" in requests && requests.kind === "unresolved" ? tagsIn(requests.problems) : [];
  if ("kind" in requests && tags.length === 0) return end([], requests);
  const refusal = host.courier.refuses(step.cell);
  if (refusal) return end([], refusal);
  if (tags.length > 0) {
    const heads = await host.courier.heads(step.cell, tags);
    if (signal.aborted) return end([], { kind: "cancelled" });
    requests = "kind" in heads ? heads : prepare(step, earlier, freshId, host, heads);
  }
  if ("kind" in requests) return end([], requests);
  host.started(step);
  const outcomes = await host.courier.carry(step.cell, requests);
  const scope = host.scopeOf(step.cell);
  const answers: Answer[] = [];
  for (const [at, request] of requests.entries()) {
    const outcome = outcomes[at];
    if (outcome) answers.push({ request, outcome, scope });
  }
  return end(answers);
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
  const values = cell.text.includes("{{") ? valuesFrom(host.variables, earlier) : noValues;
  const around = { catalog: host.catalog, abi: host.abiOf(cell), heads };
  const evaluated = cell.requests.map((request) =>
    wireRequest(cell.text, request, { of: (name) => values.get(name) }, freshId(), around),
  );
  const problems = evaluated.flatMap((one) => one.problems ?? []);
  if (problems.length > 0) return whyUnresolved(problems, earlier, cell);
  return evaluated.flatMap((one) => one.request ?? []);
}

const noValues: ReadonlyMap<string, JsonValue> = new Map();

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
    if (failed) return { kind: "needs", name, sent: failed.notSent === undefined };
  }
  return { kind: "unresolved", problems, cell };
}

/** Under each name that an earlier cell gives, what came of it; variables of the same name win, as in the checks. */
function valuesFrom(
  variables: ReadonlyMap<string, JsonValue>,
  earlier: readonly CellRun[],
): ReadonlyMap<string, JsonValue> {
  const values = new Map(variables);
  const add = (name: unknown, value: () => JsonValue): void => {
    if (typeof name === "string" && !values.has(name)) values.set(name, value());
  };
  for (const { step, answers } of earlier) {
    if (answers.length === 0) continue;
    add(batchMember(step.cell, "name")?.value, () => batchValue(answers));
    for (const [at, request] of step.cell.requests.entries()) {
      const answer = answers[at];
      if (answer) add(request.name, () => outcomeValue(answer));
    }
  }
  return values;
}

/** What the names of one cell stand for. */
export function valuesOf(run: CellRun): ReadonlyMap<string, JsonValue> {
  return valuesFrom(new Map(), [run]);
}

function batchMember({ kind, root }: Cell, key: string): JsonNode | undefined {
  return kind === "batch" ? member(root, key) : undefined;
}

/** As {@link outcomeValue}, with a list for each: `null` where an item has none. */
function batchValue(answers: readonly Answer[]): JsonObject {
  const all = answers.map(outcomeValue);
  const failed = all.some(({ error }) => error !== undefined);
  return {
    result: all.map(({ result = null }) => result),
    get decoded() {
      return all.map(({ decoded = null }) => decoded);
    },
    ...(failed && { error: all.map(({ error = null }) => error) }),
  };
}

/** What references and expectations look into: `result` and `decoded`, or `error`. Decoding waits until it is asked for. */
function outcomeValue({ request, outcome, scope }: Answer): JsonObject {
  switch (outcome.kind) {
    case "answered":
      return {
        result: outcome.result.value,
        get decoded() {
          return decodedValue(request, outcome, scope) ?? null;
        },
      };
    case "refused":
      return {
        error: {
          code: outcome.code ?? null,
          message: outcome.message,
          data: outcome.data ?? null,
          reason: outcome.reason,
          get decoded() {
            return decodedValue(request, outcome, scope) ?? null;
          },
        },
      };
    case "unreachable":
      return { error: { code: null, message: outcome.message, reason: outcome.reason } };
  }
}

function judged(
  step: Step,
  answers: readonly Answer[],
  notSent: NotSent | undefined,
  startedAt: number,
  durationMs: number,
): CellRun {
  const { cell } = step;
  const ofBatch = written(cell, batchMember(cell, "expect"));
  const verdicts = answers.map((answer, at) => {
    const expect = written(cell, cell.requests[at]?.members.get("expect")?.value);
    const fine = answer.outcome.kind === "answered" || expectsError(expect) || expectsError(ofBatch);
    return verdictOn(expect, () => outcomeValue(answer), fine);
  });
  const batch = answers.length === 0 ? undefined : verdictOn(ofBatch, () => batchValue(answers), true);
  const ok = notSent === undefined && answers.length > 0 && batch?.ok === true && verdicts.every((one) => one.ok);
  return { step, answers, notSent, verdicts, batch, ok, startedAt, durationMs };
}

function verdictOn(expect: JsonValue | undefined, value: () => JsonObject, fine: boolean): Verdict {
  if (expect === undefined) return fine ? unexpectedAndFine : unexpectedAndFailed;
  const misses = missesOf(expect, value());
  return { expected: true, misses, ok: misses.length === 0 && fine };
}

const unexpectedAndFine: Verdict = { expected: false, misses: [], ok: true };
const unexpectedAndFailed: Verdict = { ...unexpectedAndFine, ok: false };

function written({ text }: Cell, node: JsonNode | undefined): JsonValue | undefined {
  return node && exactValue(text, node);
}

/** @example titleOf(step) //=> "balance: eth_getBalance" */
export function titleOf({ index, cell }: Step): string {
  const methods = cell.requests.map(({ method }) => method ?? "no method");
  const name = nameOf(cell);
  const what =
    cell.kind === "batch" ? `batch of ${listed(methods.slice(0, 3))}${methods.length > 3 ? ", …" : ""}` : methods[0];
  return [name ?? `cell ${index + 1}`, what ?? cell.kind].join(": ");
}
