import type { LastResult } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Span } from "../base/span.ts";
import type { FileRange } from "../base/text.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellRef } from "../notebook/cellRef.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Tokens } from "../report/tokens.ts";
import type { AssertionFailure } from "./assertions.ts";
import { type CellRun, titleOf } from "./cellRun.ts";
import type { FailedCheck } from "./failedCheck.ts";
import { failedExpectation, snapshotCheck } from "./failedChecks.ts";
import { expectNodes, failurePlaces } from "./failurePlaces.ts";
import type { AnswerState } from "./headTracker.ts";
import { maskedRun } from "./maskRun.ts";
import { answersOf, type Naming, outputOf } from "./output.ts";
import type { Step } from "./plan.ts";
import { recordOf, type SnapshotVerdict } from "./snapshot.ts";
import type { Recorded } from "./snapshotFile.ts";
import { mayHaveBeenExecuted } from "./uncertainWrites.ts";
import { explainUnsent, type UnsentExplanation } from "./unsentReason.ts";
import { valuesOf } from "./values.ts";

/** What a run knows of its cells, for whoever looks at one that has ended. */
export interface Ending {
  /** Hides values of the host, in whatever is shown or kept. */
  readonly mask: Mask;
  /** Of addresses, by address as written. */
  readonly labels: ReadonlyMap<string, string>;
  /** Every name that a placeholder may take. */
  readonly names: () => Iterable<string>;
  /** How the client knows a cell. */
  refOf(step: Step): CellRef;
  keyOf(step: Step): string;
  /** Which state answered a request of a cell; `undefined` where that is not known. */
  stateOf(cell: Cell, request: EvaluatedRequest): AnswerState | undefined;
  /** What the data of a request would cost on layer 1, in wei. */
  dataFeeOf(request: EvaluatedRequest): bigint | undefined;
  /** A span of a cell as a place for the editor. */
  rangeOf(cell: Cell, at: Span): FileRange | undefined;
  /** A span of a cell as one of its document. */
  toDocument(cell: Cell, at: Span): Span;
  /**
   * What becomes of an output that somebody looks at.
   *
   * @param size - Bytes of the answers behind it.
   */
  keep(step: Step, output: CellOutput, size: number): CellOutput;
}

/** A cell at the end of its run. A class, as a run of a thousand cells makes as many and most is never asked for. */
export class CellResult {
  readonly ok: boolean;
  /** What a snapshot says of it; `undefined` where it was not compared. */
  readonly snapshot: SnapshotVerdict | undefined;
  readonly #run: CellRun;
  readonly #tokens: Tokens;
  readonly #ending: Ending;
  #output: CellOutput | undefined;
  #masked: CellRun | undefined;

  constructor(run: CellRun, tokens: Tokens, snapshot: SnapshotVerdict | undefined, ending: Ending) {
    this.ok = run.ok && snapshot?.fails !== true;
    this.snapshot = snapshot;
    this.#run = run;
    this.#tokens = tokens;
    this.#ending = ending;
  }

  get durationMs(): number {
    return this.#run.durationMs;
  }
  /** Bytes of the answers as they came, about. */
  get answerSize(): number {
    return sizeOf(this.#run);
  }
  /** Made when it is first looked at. */
  get output(): CellOutput {
    this.#output ??= this.#ending.keep(this.#run.step, outputOf(this.#shown, this.#naming), this.answerSize);
    return this.#output;
  }
  /** The run without values of the host. */
  get #shown(): CellRun {
    this.#masked ??= maskedRun(this.#run, this.#ending.mask);
    return this.#masked;
  }
  get #naming(): Naming {
    const { labels, names, dataFeeOf } = this.#ending;
    const stateOf = (request: EvaluatedRequest) => this.#ending.stateOf(this.#run.step.cell, request);
    return { labels, names, stateOf, dataFeeOf, tokens: this.#tokens, snapshot: this.snapshot };
  }
  get cell(): CellRef {
    return this.#ending.refOf(this.#run.step);
  }
  /** Ordinal among the notebook's cells, from 0. */
  get index(): number {
    return this.#run.step.index;
  }
  get key(): string {
    return this.#ending.keyOf(this.#run.step);
  }
  /** Name and method, or what a batch holds. */
  get title(): string {
    return this.#ending.mask.text(titleOf(this.#run.step));
  }
  /** The run was cancelled before its answer came, and nothing can have come of it. */
  get cancelled(): boolean {
    return isCancelled(this.#run) && !this.uncertain;
  }
  /** A request of it may have been executed although no answer says so. */
  get uncertain(): boolean {
    return this.#run.answers.some(({ request, outcome }) => mayHaveBeenExecuted(request, outcome));
  }
  /** A part of an answer came, and the rest did not. */
  get isPartial(): boolean {
    return this.#run.answers.some(({ outcome }) => outcome.exchange.parts?.soFar !== undefined);
  }
  /** Where the cell stands, or what kept it from being sent; in the cell's document. */
  get span(): Span {
    return this.#toDocument(placeOf(this.#run));
  }
  get notSent(): UnsentExplanation | undefined {
    const { mask, names } = this.#ending;
    return this.#run.notSent && mask.value(explainUnsent(this.#run.notSent, names));
  }
  get misses(): readonly AssertionFailure[] {
    const { batch, verdicts } = this.#shown;
    return this.#ending.mask.value([...(batch?.misses ?? []), ...verdicts.flatMap(({ misses }) => misses)]);
  }
  /** Where the member of `expect` stands that was missed, for each of the misses; in the cell's document. */
  get missSpans(): readonly Span[] {
    return failurePlaces(this.#run).map((span) => this.#toDocument(span));
  }
  /** The same, and a snapshot that is missed, for a face that sets them side by side. */
  get failures(): readonly FailedCheck[] {
    const { misses, snapshot } = this;
    const cell = placeOf(this.#run);
    const rangeOf = (at: Span) => this.#ending.rangeOf(this.#run.step.cell, at);
    if (snapshot?.fails) return [snapshotCheck(snapshot, rangeOf(cell))];
    const places = failurePlaces(this.#run);
    return misses.map((miss, at) => failedExpectation(miss, rangeOf(places[at] ?? cell)));
  }
  /** Names of those that its requests went to. */
  get endpoints(): readonly string[] {
    return this.#run.answers.map(({ outcome }) => outcome.exchange.endpoint);
  }
  /** A request of it had no whole answer, which is why what is expected did not come. */
  get unreached(): boolean {
    return this.#run.answers.some(({ outcome }) => outcome.kind === "unreachable");
  }
  /** The cell says what must hold. */
  get expects(): boolean {
    return expectNodes(this.#run.step.cell).length > 0;
  }
  /** What a snapshot is to hold of it; `undefined` where there is nothing to record. */
  record(): Recorded | undefined {
    return recordOf(this.#run, this.#ending.mask);
  }
  /** For machines: what was sent, and `result` or `error`. */
  answers(): readonly JsonValue[] {
    return this.#ending.mask.value(answersOf(this.#shown, this.#naming));
  }
  /** What stays of it when its run is over: one line, and an answer of usual size. */
  last(): LastResult {
    return new LastCellResult(this.#run, this, this.#ending.mask);
  }
  #toDocument(at: Span): Span {
    return this.#ending.toDocument(this.#run.step.cell, at);
  }
}

/** Bytes of the answers of a cell, up to which they are kept for placeholders. */
const keptSize = 1_000_000;

class LastCellResult implements LastResult {
  readonly ok: boolean;
  readonly #snapshot: SnapshotVerdict["kind"] | undefined;
  readonly #run: CellRun | undefined;
  /** Until its line is made. */
  #cell: CellResult | undefined;
  #line = "";
  readonly #mask: Mask;

  constructor(run: CellRun, cell: CellResult, mask: Mask) {
    this.ok = cell.ok;
    this.#snapshot = cell.snapshot?.kind;
    this.#mask = mask;
    this.#run = isLarge(run) ? undefined : run;
    this.#cell = cell;
  }

  get differs(): boolean {
    return this.#snapshot === "differs" || this.#snapshot === "stale";
  }
  get summary(): string {
    this.#line = this.#cell?.output.reports.map(({ summary }) => summary).join(" · ") ?? this.#line;
    this.#cell = undefined;
    return this.#line;
  }
  values(): ReadonlyMap<string, JsonValue> {
    const values = this.#run ? valuesOf(this.#run) : noValues;
    return this.#mask.isEmpty ? values : new Map([...values].map(([name, value]) => [name, this.#mask.value(value)]));
  }
}

const noValues: ReadonlyMap<string, JsonValue> = new Map();

function isLarge(run: CellRun): boolean {
  for (const { outcome } of run.answers) if (outcome.exchange.bytes > keptSize) return sizeOf(run) > keptSize;
  return false;
}

/** A batch is shared out evenly. */
function sizeOf({ answers }: CellRun): number {
  let size = 0;
  for (const { outcome } of answers) size += outcome.exchange.bytes / outcome.exchange.batch;
  return Math.ceil(size);
}

function isCancelled({ notSent, answers, polled }: CellRun): boolean {
  if (notSent) return notSent.kind === "cancelled";
  if (polled?.end === "cancelled") return true;
  return answers.some(({ outcome }) => outcome.kind === "unreachable" && outcome.reason === "cancelled");
}

function placeOf({ notSent, step: { cell } }: CellRun): Span {
  const problem = notSent?.kind === "unresolved" ? notSent.problems[0] : undefined;
  const start = cell.root?.offset ?? 0;
  const needed = notSent?.kind === "needs" ? notSent.span : undefined;
  return problem?.span ?? needed ?? cell.faults[0]?.span ?? { start, end: start };
}
