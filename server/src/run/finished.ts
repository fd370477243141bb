import type { LastResult } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Span } from "../base/span.ts";
import type { CellOutput, CellRef, FailedCheck, FileRange } from "../protocol.ts";
import { type CellRun, titleOf } from "./cellRun.ts";
import { missCheck, snapshotCheck } from "./checked.ts";
import type { Miss } from "./expect.ts";
import { expectNodes, missPlaces } from "./missPlaces.ts";
import { type Explanation, explainNotSent } from "./notSent.ts";
import { answersOf, type Naming, outputOf } from "./output.ts";
import { blockReceipts, isRefusedForGood } from "./receipts.ts";
import { recordOf, type SnapshotVerdict } from "./snapshot.ts";
import type { Recorded } from "./snapshotFile.ts";
import { valuesOf } from "./values.ts";

/** How the client knows a cell, and what things in it are called. */
export interface CellPlacing extends Naming {
  readonly ref: CellRef;
  readonly key: string;
  /** Hides values of the host, in whatever is shown or kept. */
  readonly mask: Mask;
  /** A span of the cell as a place for the editor. */
  rangeOf(at: Span): FileRange | undefined;
  /** A span of the cell as one of its document. */
  toDocument(at: Span): Span;
}

/** A cell at the end of its run. A class, as a run of a thousand cells makes as many and most is never asked for. */
export class FinishedCell {
  readonly ok: boolean;
  readonly durationMs: number;
  /** Bytes of the answers as they came, about. */
  readonly answerSize: number;
  /** Made when it is first looked at. */
  readonly output: CellOutput;
  readonly #run: CellRun;
  readonly #placing: CellPlacing;

  /** @param keep - What becomes of its output, given the bytes behind it. */
  constructor(run: CellRun, placing: CellPlacing, keep: (output: CellOutput, size: number) => CellOutput) {
    this.#run = run;
    this.#placing = placing;
    this.ok = run.ok && placing.snapshot?.fails !== true;
    this.durationMs = run.durationMs;
    this.answerSize = sizeOf(run);
    this.output = keep(outputOf(run, placing), this.answerSize);
  }

  get cell(): CellRef {
    return this.#placing.ref;
  }
  /** Ordinal among the notebook's cells, from 0. */
  get index(): number {
    return this.#run.step.index;
  }
  get key(): string {
    return this.#placing.key;
  }
  /** Name and method, or what a batch holds. */
  get title(): string {
    return this.#placing.mask.text(titleOf(this.#run.step));
  }
  /** The run was cancelled before its answer came. */
  get cancelled(): boolean {
    return isCancelled(this.#run);
  }
  /** Where the cell stands, or what kept it from being sent; in the cell's document. */
  get span(): Span {
    return this.#placing.toDocument(placeOf(this.#run));
  }
  get notSent(): Explanation | undefined {
    const { mask, names } = this.#placing;
    return this.#run.notSent && mask.value(explainNotSent(this.#run.notSent, names));
  }
  get misses(): readonly Miss[] {
    const { batch, verdicts } = this.#run;
    return this.#placing.mask.value([...(batch?.misses ?? []), ...verdicts.flatMap(({ misses }) => misses)]);
  }
  /** Where the member of `expect` stands that was missed, for each of the misses; in the cell's document. */
  get missSpans(): readonly Span[] {
    return missPlaces(this.#run).map((span) => this.#placing.toDocument(span));
  }
  /** The same, and a snapshot that is missed, for a face that sets them side by side. */
  get failures(): readonly FailedCheck[] {
    const { misses, snapshot } = this;
    const cell = placeOf(this.#run);
    if (snapshot?.fails) return [snapshotCheck(snapshot, this.#placing.rangeOf(cell))];
    const places = missPlaces(this.#run);
    return misses.map((miss, at) => missCheck(miss, this.#placing.rangeOf(places[at] ?? cell)));
  }
  /** A request of it had no whole answer, which is why what is expected did not come. */
  get unreached(): boolean {
    return this.#run.answers.some(({ outcome }) => outcome.kind === "unreachable");
  }
  /** The cell says what must hold. */
  get expects(): boolean {
    return expectNodes(this.#run.step.cell).length > 0;
  }
  /** What a snapshot says of it; `undefined` where it was not compared. */
  get snapshot(): SnapshotVerdict | undefined {
    return this.#placing.snapshot;
  }
  /** What a snapshot is to hold of it; `undefined` where there is nothing to record. */
  record(): Recorded | undefined {
    return recordOf(this.#run, this.#placing.mask);
  }
  /** For machines: what was sent, and `result` or `error`. */
  answers(): readonly JsonValue[] {
    return this.#placing.mask.value(answersOf(this.#run, this.#placing));
  }
  /** What stays of it when its run is over: one line, and an answer of usual size. */
  last(): LastResult {
    return new Last(this.#run, this, this.answerSize <= keptSize, this.#placing.mask);
  }
}

/** Bytes of the answers of a cell, up to which they are kept for placeholders. */
const keptSize = 1_000_000;

class Last implements LastResult {
  readonly ok: boolean;
  readonly differs: boolean;
  readonly offersReceipts: boolean;
  readonly #run: CellRun | undefined;
  #output: CellOutput | undefined;
  #line = "";

  readonly #mask: Mask;

  constructor(run: CellRun, { ok, output, snapshot }: FinishedCell, isKept: boolean, mask: Mask) {
    this.ok = ok;
    this.differs = snapshot?.kind === "differs" || snapshot?.kind === "stale";
    this.offersReceipts = run.answers.some(
      ({ request, outcome }) => request.method === blockReceipts && isRefusedForGood(outcome),
    );
    this.#mask = mask;
    this.#run = isKept ? run : undefined;
    this.#output = output;
  }

  get summary(): string {
    this.#line = this.#output?.reports.map(({ summary }) => summary).join(" · ") ?? this.#line;
    this.#output = undefined;
    return this.#line;
  }
  values(): ReadonlyMap<string, JsonValue> {
    const values = this.#run ? valuesOf(this.#run) : noValues;
    return this.#mask.isEmpty ? values : new Map([...values].map(([name, value]) => [name, this.#mask.value(value)]));
  }
}

const noValues: ReadonlyMap<string, JsonValue> = new Map();

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
