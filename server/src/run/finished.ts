import type { LastResult } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import type { Span } from "../base/span.ts";
import type { CellOutput, CellRef } from "../protocol.ts";
import type { Miss } from "./expect.ts";
import { type Explanation, explainNotSent } from "./notSent.ts";
import { answersOf, type Naming, outputOf } from "./output.ts";
import { type CellRun, titleOf, valuesOf } from "./run.ts";

/** A cell at the end of its run. */
export interface FinishedCell {
  readonly cell: CellRef;
  /** Ordinal among the notebook's cells, from 0. */
  readonly index: number;
  readonly key: string;
  /** Name and method, or what a batch holds. */
  readonly title: string;
  readonly ok: boolean;
  /** The run was cancelled before its answer came. */
  readonly cancelled: boolean;
  readonly durationMs: number;
  /** Made when it is first looked at. */
  readonly output: CellOutput;
  /** Where the cell stands, or what kept it from being sent; in the cell's document. */
  readonly span: Span;
  readonly notSent: Explanation | undefined;
  readonly misses: readonly Miss[];
  /** Bytes of the answers as they came, about. */
  readonly answerSize: number;
  /** For machines: what was sent, and `result` or `error`. */
  answers(): readonly JsonValue[];
  /** What the names of the cell stand for in placeholders: `{ result, decoded, error }`. */
  values(): ReadonlyMap<string, JsonValue>;
}

/** How the client knows a cell, and what things in it are called. */
export interface CellPlacing extends Naming {
  readonly ref: CellRef;
  readonly key: string;
  /** A span of the cell as one of its document. */
  toDocument(at: Span): Span;
}

export function finishedCell(run: CellRun, { ref, key, toDocument, ...naming }: CellPlacing): FinishedCell {
  const { step, notSent, verdicts, batch } = run;
  return {
    cell: ref,
    index: step.index,
    key,
    title: titleOf(step),
    ok: run.ok,
    cancelled: isCancelled(run),
    durationMs: run.durationMs,
    output: outputOf(run, naming),
    span: toDocument(placeOf(run)),
    notSent: notSent && explainNotSent(notSent),
    misses: [...(batch?.misses ?? []), ...verdicts.flatMap(({ misses }) => misses)],
    answerSize: run.answers.reduce((size, { outcome: { exchange } }) => size + exchange.bytes / exchange.batch, 0),
    answers: () => answersOf(run),
    values: () => valuesOf(run),
  };
}

function isCancelled({ notSent, answers }: CellRun): boolean {
  if (notSent) return notSent.kind === "cancelled";
  return answers.some(({ outcome }) => outcome.kind === "unreachable" && outcome.reason === "cancelled");
}

function placeOf({ notSent, step: { cell } }: CellRun): Span {
  const problem = notSent?.kind === "unresolved" ? notSent.problems[0] : undefined;
  const start = cell.root?.offset ?? 0;
  return problem?.span ?? cell.faults[0]?.span ?? { start, end: start };
}

/** Bytes of the answers of a cell, up to which they are kept for placeholders. */
const keptSize = 1_000_000;

/** What stays of a cell when its run is over: one line, made when it is first looked at, and an answer of usual size. */
export function lastResult(finished: FinishedCell): LastResult {
  let output: CellOutput | undefined = finished.output;
  let line = "";
  const values = finished.answerSize <= keptSize ? finished.values : () => new Map();
  return {
    ok: finished.ok,
    values,
    get summary() {
      line = output?.reports.map(({ summary }) => summary).join(" · ") ?? line;
      output = undefined;
      return line;
    },
  };
}
