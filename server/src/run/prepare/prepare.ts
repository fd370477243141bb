import { abiItems } from "../../analysis/abi.ts";
import { unreadableDirective } from "../../analysis/directives.ts";
import { declarations } from "../../analysis/references.ts";
import { checkRowValues } from "../../analysis/rowValues.ts";
import type { NamesInScope } from "../../analysis/scope.ts";
import { converterContext } from "../../analysis/storage.ts";
import type { Flow } from "../../base/flow.ts";
import type { Clock, Moment } from "../../base/ports.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { questionKey, type StateQuestion } from "../../evaluate/assume/stateQuestion.ts";
import { evaluateCell } from "../../evaluate/evaluateCell.ts";
import type { EvaluationProblem } from "../../evaluate/evaluateRequest.ts";
import type { Values } from "../../evaluate/fill.ts";
import type { EndpointQueues } from "../../gate/endpointQueues.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import { type Cell, strayItem } from "../../notebook/cell.ts";
import type { CellRun, Evaluated, Ready, Unsent } from "../cellRun.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { Step } from "../plan.ts";
import type { Assumptions } from "./assumptions.ts";
import { filledExpectations } from "./expectations.ts";
import { valuesFrom } from "./values.ts";

/** What cells are prepared with, beside their run. */
interface Given {
  readonly clock: Clock;
  readonly catalog: Catalog;
  /** The declarations of the project. */
  readonly project: NamesInScope;
  readonly queues: EndpointQueues;
  readonly assumptions: Assumptions;
}

/** Makes the requests of cells, and finds out whether they may be sent. */
export class Preparation {
  readonly #run: DocumentRun;
  readonly #given: Given;
  #lastId = 0;

  constructor(run: DocumentRun, given: Given) {
    this.#run = run;
    this.#given = given;
  }

  /** @param ended - Runs of the cells that these ones need, by index. */
  of(steps: readonly Step[], ended: ReadonlyMap<number, CellRun>): Flow<Ready | Unsent> {
    const { clock } = this.#given;
    const begun: Moment = { date: clock.date(), now: clock.now() };
    const now: (Ready | Unsent)[] = [];
    const later: Promise<Flow<Ready | Unsent>>[] = [];
    for (const step of steps) {
      const made = this.#requestsOf(step, earlierOf(step, ended));
      if (made instanceof Promise) later.push(made.then((one) => ({ now: [prepared(step, one, begun)], later: [] })));
      else now.push(prepared(step, made, begun));
    }
    return { now, later };
  }

  /** Returns the requests of a cell, or why it has none; a promise if the chain or a person has to be asked first. */
  #requestsOf(step: Step, earlier: readonly CellRun[]): Evaluated | UnsentReason | Promise<Evaluated | UnsentReason> {
    if (this.#run.signal.aborted) return cancelled;
    const made = this.#evaluated(step, earlier, noHeads);
    const facts = missingFacts(made);
    if ("kind" in made && !facts) return made;
    const refusal = this.#given.queues.refusalOf(step.cell);
    if (!refusal) return facts ? this.#withFacts(step, earlier, facts) : this.#permitted(step, made);
    if (!(refusal instanceof Promise)) return refusal;
    return refusal.then((why) => {
      if (this.#run.signal.aborted) return cancelled;
      return why ?? (facts ? this.#withFacts(step, earlier, facts) : this.#permitted(step, made));
    });
  }
  /** Asks the chain for facts, and evaluates again. An assumption may need the number of a block first. */
  async #withFacts(step: Step, earlier: readonly CellRun[], first: MissingFacts): Promise<Evaluated | UnsentReason> {
    const { queues, assumptions } = this.#given;
    let heads = noHeads;
    let made: Evaluated | UnsentReason = cancelled;
    let missing: MissingFacts | undefined = first;
    for (let round = 0; missing && round < maxFactRounds; round++) {
      const { tags, questions }: MissingFacts = missing;
      const [numbers, failure] = await Promise.all([
        tags.length > 0 ? queues.heads(step.cell, tags) : heads,
        questions.length > 0 ? assumptions.find(step.cell, questions) : undefined,
      ]);
      if (this.#run.signal.aborted) return cancelled;
      if (failure) return failure;
      if ("kind" in numbers) return numbers;
      heads = numbers;
      made = this.#evaluated(step, earlier, heads);
      missing = missingFacts(made);
    }
    return this.#permitted(step, made);
  }
  /** Waits for a person if the requests may change something. */
  #permitted(
    { cell }: Step,
    made: Evaluated | UnsentReason,
  ): Evaluated | UnsentReason | Promise<Evaluated | UnsentReason> {
    if ("kind" in made) return made;
    const permission = this.#given.queues.permissionFor(cell, made.requests);
    return permission ? permission.then((refusal) => refusal ?? made) : made;
  }
  #evaluated(step: Step, earlier: readonly CellRun[], heads: ReadonlyMap<string, bigint>): Evaluated | UnsentReason {
    const { catalog, project, assumptions } = this.#given;
    const { cell, cycle, made: before } = step;
    const abi = abiItems(cell, project);
    const freshId = this.#lastId + 1;
    if (before?.freshId === freshId && before.catalog === catalog && before.abi === abi) {
      this.#lastId += before.requests.length;
      return before;
    }
    const fault = faultOf(cell, cycle);
    if (fault) return fault;
    const context = { catalog, rowFiles: this.#run.rowFiles, ...converterContext(cell, project, heads) };
    const given = cell.text.includes("{{") ? valuesFrom(this.#run.variables, earlier) : undefined;
    const values = given ? { of: (name: string) => given.get(name), ofHost: this.#run.routes.hostValue } : noValues;
    const badValues = checkRowValues(cell, values, catalog, abi);
    if (badValues.length > 0) return whyUnresolved(badValues, earlier, cell, undefined);
    const assume = cell.directives.has("assume") ? assumptions.contextOf(cell) : undefined;
    const made = evaluateCell(cell, values, () => ++this.#lastId, { ...context, assume });
    const { requests } = made;
    const expected = given ? filledExpectations(cell, values) : undefined;
    const problems = [...made.problems, ...(expected?.problems ?? none)];
    if (problems.length > 0) return whyUnresolved(problems, earlier, cell, made.badRow);
    if (cell.literal && heads.size === 0 && !assume && !requests.some(({ places }) => places))
      step.made = { requests, expected: undefined, freshId, catalog, abi };
    return { requests, expected: expected?.values };
  }
}

const cancelled: UnsentReason = { kind: "cancelled" };
const none: readonly never[] = [];
const noValues: Values = { of: () => undefined, ofHost: () => undefined };
const noHeads: ReadonlyMap<string, bigint> = new Map();
/** Rounds of questions before a request. */
const maxFactRounds = 3;

function earlierOf({ needs, cycle }: Step, ended: ReadonlyMap<number, CellRun>): readonly CellRun[] {
  return needs.length === 0 || cycle ? none : needs.flatMap((index) => ended.get(index) ?? none);
}

function prepared(step: Step, made: Evaluated | UnsentReason, begun: Moment): Ready | Unsent {
  if ("kind" in made) return { step, notSent: made, begun };
  return { step, requests: made.requests, expected: made.expected, begun };
}

function faultOf(cell: Cell, cycle: Step["cycle"]): UnsentReason | undefined {
  if (cycle) return { kind: "cycle", names: cycle };
  if (cell.faults.length > 0 || cell.requests.length === 0 || strayItem(cell)) return { kind: "broken", cell };
  const unreadable = unreadableDirective(cell);
  return unreadable && { kind: "directive", ...unreadable };
}

/** Facts that only the chain has: the numbers of blocks, and what assumptions need to know. */
interface MissingFacts {
  readonly tags: readonly string[];
  readonly questions: readonly StateQuestion[];
}

/** Returns the facts that requests still need; `undefined` if they need none, or have other problems too. */
function missingFacts(made: Evaluated | UnsentReason): MissingFacts | undefined {
  if (!("kind" in made) || made.kind !== "unresolved") return undefined;
  const { problems } = made;
  const tags = problems.flatMap((problem) => (problem.code === "unknown-head" ? problem.tag : none));
  const open = problems.flatMap((problem) => (problem.code === "unknown-layout" ? problem.question : none));
  if (tags.length + open.length < problems.length) return undefined;
  const questions = new Map(open.map((question) => [questionKey(question), question]));
  return { tags: [...new Set(tags)], questions: [...questions.values()] };
}

/** Explains missing values; if the cell that they refer to failed, that is the reason. */
function whyUnresolved(
  problems: readonly EvaluationProblem[],
  earlier: readonly CellRun[],
  cell: Cell,
  row: number | undefined,
): UnsentReason {
  for (const problem of problems) {
    if (problem.code !== "unresolved-placeholder") continue;
    const name = /^[^.[]+/.exec(problem.path)?.[0] ?? problem.path;
    const failed = earlier.find((run) => !run.ok && declarations(run.step.cell).some((one) => one.name === name));
    if (failed) return { kind: "needs", name, sent: failed.notSent === undefined, span: problem.span };
  }
  const rank = ({ code }: EvaluationProblem): number => Number(code === "unknown-layout" || code === "unknown-head");
  return { kind: "unresolved", problems: problems.toSorted((a, b) => rank(a) - rank(b)), cell, row };
}
