import { assumeScope } from "../analysis/assume.ts";
import { message } from "../analysis/message.ts";
import { referredTo } from "../analysis/order.ts";
import { keptAnswerBytes, type Scope } from "../analysis/scope.ts";
import { converterContext } from "../analysis/storage.ts";
import { type Span, slice } from "../base/span.ts";
import { brief, lineColumn } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import { labelOf } from "../endpoints/hostValue.ts";
import type { KnownState, StateQuestion } from "../evaluate/assume/stateQuestion.ts";
import { evaluateCell } from "../evaluate/evaluateCell.ts";
import type { EvaluatedRequest, EvaluationProblem } from "../evaluate/evaluateRequest.ts";
import type { Unresolved, Values } from "../evaluate/fill.ts";
import { type Cell, strayItem } from "../notebook/cell.ts";
import { bodyOf, defaultBatch, messages } from "../rpc/wire.ts";
import { placeholderValue } from "./placeholderValue.ts";

/** Rows of `each` whose requests are shown. */
const maxRows = 20;

/** The requests that a cell would send now. */
export type WireForm = { readonly text: string } | Unsent;

/** The reason why there is nothing to show. */
export interface Unsent {
  readonly unsent: string;
  /** A run finds out what is missing, and sends it then. */
  readonly inRun: boolean;
  /** What assumptions still need to know, if nothing else is missing. */
  readonly questions?: readonly StateQuestion[];
}

/**
 * Returns the exact text of a cell's requests, of the first ones if it has `each`, with placeholders filled from variables and last results, or in plain text why
 * there is none. Values of the host appear as `‹secret NAME›`. Requests of a batch with equal ids are sent as several
 * bodies, one a line.
 */
export function wireForm(cell: Cell, scope: Scope): WireForm {
  const requests = requestsOf(cell, scope);
  if ("unsent" in requests) return requests;
  const bodies = messages(requests, defaultBatch);
  return { text: bodies.map((body) => bodyOf(body.flatMap((at) => requests[at] ?? []))).join("\n") };
}

/**
 * The requests of a cell as {@link wireForm} has them.
 *
 * @param known - Facts about the cell's endpoint that assumptions need; those that the scope has, if absent.
 */
export function requestsOf(cell: Cell, scope: Scope, known?: KnownState): readonly EvaluatedRequest[] | Unsent {
  const fault = notReady(cell, scope);
  if (fault !== undefined) return { unsent: fault, inRun: false };
  const values = valuesOf(scope);
  const assume = cell.directives.has("assume") ? assumeScope(cell, scope, known) : undefined;
  const around = { catalog: scope.catalog, ...converterContext(cell, scope), assume };
  let id = 0;
  const { requests, problems } = evaluateCell(cell, values, () => ++id, around, maxRows);
  return problems.length > 0 ? why(problems, cell, scope) : requests;
}

function notReady(cell: Cell, { cells }: Scope): string | undefined {
  const [fault] = cell.faults;
  if (fault) return `${place(cell, fault.span)}the cell is not JSON yet: ${brief(fault.what)}.`;
  if (cell.kind === "opaque") return "The cell nests deeper than 512 levels.";
  const stray = strayItem(cell);
  if (stray !== undefined) return `Item ${stray} of the batch is not a request.`;
  if ((cell.kind !== "request" && cell.kind !== "batch") || cell.requests.length === 0)
    return "The cell has no request.";
  return isInRing(cell, cells) ? "The cell refers to itself, directly or through other cells." : undefined;
}

function isInRing(cell: Cell, cells: readonly Cell[]): boolean {
  const reached = new Set<Cell>();
  const next = [...referredTo(cell, cells)];
  for (let here = next.pop(); here; here = next.pop()) {
    if (here === cell) return true;
    if (reached.has(here)) continue;
    reached.add(here);
    next.push(...referredTo(here, cells));
  }
  return false;
}

/** The values of a run, except that those of the host are hidden. */
function valuesOf(scope: Scope): Values {
  return {
    ofHost: labelOf,
    of(name) {
      const found = placeholderValue([name], scope);
      return found.from === "variable" || found.from === "cell" ? found.value : undefined;
    },
  };
}

function why(problems: readonly EvaluationProblem[], cell: Cell, scope: Scope): Unsent {
  const questions = problems.flatMap((problem) => (problem.code === "unknown-layout" ? problem.question : []));
  const forGood = problems.find((problem) => !isKnownToRun(problem, cell, scope));
  const told = forGood ?? problems[0];
  return {
    unsent: told ? place(cell, told.span) + sentence(told, cell, scope) : "",
    inRun: forGood === undefined,
    ...(questions.length === problems.length && { questions }),
  };
}

function isKnownToRun(problem: EvaluationProblem, cell: Cell, scope: Scope): boolean {
  switch (problem.code) {
    case "unknown-head":
    case "unknown-layout":
      return true;
    case "unresolved-placeholder":
      return problem.why.kind === "unknown-name" && placeholderValue([problem.why.name], scope).from === "cell";
    case "not-a-request":
    case "duplicate-key":
      return false;
    default:
      return holdsHostValue(problem, cell);
  }
}

function holdsHostValue({ span }: EvaluationProblem, cell: Cell): boolean {
  return /\{\{\s*\$/.test(slice(cell.text, span));
}

function sentence(problem: EvaluationProblem, cell: Cell, scope: Scope): string {
  switch (problem.code) {
    case "unresolved-placeholder":
      return `{{${brief(problem.path)}}} has no value: ${because(problem, scope)}.`;
    case "not-a-request":
      return `the request has ${problem.what}.`;
    case "duplicate-key":
      return message(problem);
    case "unknown-layout":
      return `a run first asks the chain ${factName(problem.question)}.`;
    case "unknown-head":
      return `a run asks for the number of the block ${problem.tag} first, from which this one counts.`;
    default:
      return holdsHostValue(problem, cell)
        ? "this is encoded with a value of the host, which only a run has."
        : message(problem);
  }
}

function factName({ kind }: StateQuestion): string {
  switch (kind) {
    case "balance":
      return "where the token stores this balance";
    case "allowance":
      return "where the token stores this allowance";
    case "time":
      return "for the time of the block";
    case "word":
      return "what this word of storage holds now";
    case "overrides":
      return "whether it takes overrides";
  }
}

function because({ path, why }: Unresolved, scope: Scope): string {
  switch (why.kind) {
    case "unknown-name": {
      const found = placeholderValue([why.name], scope);
      if (found.from !== "cell") return "no variable or cell has this name";
      const kept = scope.lastResult(found.cell)
        ? `has more than ${formatBytes(keptAnswerBytes)}, so it was not kept`
        : "is not there yet, and it runs first";
      return `the result of the cell ${brief(why.name)} ${kept}`;
    }
    case "unset":
      return "it is not set";
    case "no-such-path":
      return `${brief(why.missing.until)} is ${brief(why.missing.found)}`;
    case "not-text":
      return `${brief(path)} is ${why.found}, which cannot be inside a string`;
  }
}

function place(cell: Cell, { start }: Span): string {
  const { line, column } = lineColumn(cell.text, start);
  return `Line ${line} of the cell, column ${column}: `;
}
