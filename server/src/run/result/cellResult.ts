import { keptAnswerBytes, type LastResult, type ScopedEndpoint } from "../../analysis/scope.ts";
import { isObject, type JsonValue } from "../../base/json.ts";
import { joined, type Markdown } from "../../base/markdown.ts";
import type { Mask } from "../../base/mask.ts";
import type { Span } from "../../base/span.ts";
import { explainUnsent, type UnsentExplanation } from "../../gate/unsentReason.ts";
import type { CellRef } from "../../notebook/cell.ts";
import type { Verdict } from "../../protocol/runs.ts";
import { type AmountsBefore, amountsOf } from "../../report/additions.ts";
import { callsMarkdown } from "../../report/callsMarkdown.ts";
import type { CellOutput, FailedCheck } from "../../report/report.ts";
import type { Tokens } from "../../report/tokens.ts";
import { type CellRun, titleOf } from "../cellRun.ts";
import { type DocumentRun, placeholderNames } from "../documentRun.ts";
import type { AssertionFailure } from "../judge/checkExpectation.ts";
import { expectNodes, failedExpectation, failurePlaces, snapshotCheck } from "../judge/failedChecks.ts";
import { recordOf, type SnapshotVerdict } from "../judge/snapshot.ts";
import type { Recorded } from "../judge/snapshotFile.ts";
import type { LookupQuestions, WantedContract } from "../observe/lookupQuestions.ts";
import type { Observations } from "../observe/observe.ts";
import type { NamedRun, RunContracts } from "../observe/runContracts.ts";
import type { RunTokens } from "../observe/runTokens.ts";
import type { CellLocator, Step } from "../plan.ts";
import { valuesOf } from "../prepare/values.ts";
import { mayHaveBeenExecuted } from "./advice.ts";
import { maskedRun } from "./maskRun.ts";
import { answersOf, type Naming, outputOf } from "./output.ts";
import { maxRedrawnBytes } from "./resultNames.ts";
import type { KeptRows } from "./rowStore.ts";

/** What the results of a run have in common. */
export interface RunOfResults {
  readonly run: DocumentRun;
  readonly observations: Observations;
  readonly tokens: RunTokens;
  /** Absent if contracts are not looked up. */
  readonly contracts?: RunContracts | undefined;
  /** The endpoint of the document. */
  readonly endpoint: ScopedEndpoint | undefined;
  /** Keeps an output that is shown. */
  keep(step: Step, output: CellOutput, kept: KeptRows): CellOutput;
}

/** The result of a cell. A class with lazy members, since a run can have a thousand and most are never looked at. */
export class CellResult {
  readonly ok: boolean;
  /** The comparison with the snapshot; `undefined` if there was none. */
  readonly snapshot: SnapshotVerdict | undefined;
  readonly #run: CellRun;
  readonly #all: RunOfResults;
  #before: Naming["before"];
  #output: CellOutput | undefined;
  #named: NamedRun | undefined;

  constructor(run: CellRun, snapshot: SnapshotVerdict | undefined, all: RunOfResults, before: Naming["before"]) {
    this.#before = before;
    this.ok = run.ok && snapshot?.fails !== true;
    this.snapshot = snapshot;
    this.#run = run;
    this.#all = all;
  }

  /** Lets go of the result before it: the numbers of this one do not need it. */
  forgetBefore(): void {
    this.#before = undefined;
  }
  get durationMs(): number {
    return this.#run.durationMs;
  }
  /** About how many bytes the answers have. */
  get answerSize(): number {
    return sizeOf(this.#run);
  }
  /** Made at the first access. */
  get output(): CellOutput {
    this.#output ??= this.#all.keep(this.#run.step, outputOf(this.#shown, this.#naming), {
      size: this.answerSize,
      isPartial: this.isPartial,
    });
    return this.#output;
  }
  /** Learns about the contracts that the result shows without names. */
  async learn(questions: LookupQuestions | undefined): Promise<readonly WantedContract[]> {
    return (await this.#all.contracts?.learn(this.#run.step.cell, this.missing, questions)) ?? [];
  }
  /** Returns the output with what is known now; `undefined` if no contract was missing that is known now. */
  drawnAgain(): CellOutput | undefined {
    const { contracts } = this.#all;
    if (!contracts?.hasNews(this.#run.step.cell, this.#withNames)) return undefined;
    [this.#output, this.#named] = [undefined, undefined];
    return this.output;
  }
  /** Contracts that the result shows without names. */
  get missing(): ReadonlySet<string> {
    void this.output.reports; // makes them
    return this.#withNames.missing;
  }
  /** The run with values of the host masked, and with the contracts that are known. */
  get #shown(): CellRun {
    return this.#withNames.run;
  }
  get #withNames(): NamedRun {
    const { contracts, run } = this.#all;
    const make = (): NamedRun => {
      const masked = maskedRun(this.#run, this.#mask);
      return contracts?.named(masked) ?? { run: masked, labels: run.names, missing: nothingMissing };
    };
    this.#named ??= make();
    return this.#named;
  }
  get #naming(): Naming {
    const { run, endpoint, observations, tokens } = this.#all;
    const [answer] = this.#run.answers;
    return {
      labels: this.#withNames.labels,
      names: () => placeholderNames(run),
      about: endpoint && aboutEndpoint(endpoint),
      additionsOf: (shown) => observations.additions(shown, run.support.mask),
      before: this.#before,
      tokens: answer ? tokens.of(this.#run.step.cell, answer.request) : noTokens,
      snapshot: this.snapshot,
      offer: () =>
        this.answerSize > maxRedrawnBytes
          ? undefined
          : this.#all.contracts?.offer(this.#run.step.cell, this.#withNames),
    };
  }
  get #mask(): Mask {
    return this.#all.run.support.mask;
  }
  get #locator(): CellLocator {
    return this.#all.run.locator;
  }
  get cell(): CellRef {
    return this.#locator.refOf(this.#run.step);
  }
  /** Index among the notebook's cells, from 0. */
  get index(): number {
    return this.#run.step.index;
  }
  get key(): string {
    return this.#locator.keyOf(this.#run.step);
  }
  /** Identifies what the result comes from. */
  get origin(): string {
    const { run, endpoint } = this.#all;
    return run.support.results.identify(run.document, this.#run.step.cell, endpoint);
  }
  /** Name and method, or what a batch holds. */
  get title(): string {
    const { number, cell } = this.#run.step;
    return this.#mask.text(titleOf(number, cell));
  }
  /** The run was cancelled before the answer came, and the request cannot have been executed. */
  get cancelled(): boolean {
    return isCancelled(this.#run) && !this.uncertain;
  }
  /** A request may have been executed although its answer is missing. */
  get uncertain(): boolean {
    return this.#run.answers.some(({ request, outcome }) => mayHaveBeenExecuted(request, outcome));
  }
  /** Only a part of an answer, or of the rows, arrived, here or in a file. */
  get isPartial(): boolean {
    const { answers } = this.#run;
    const hasRows = answers.some(({ outcome, row }) => row && outcome.kind !== "unreachable");
    const hasPart = answers.some(({ outcome: { kind, exchange } }) => {
      return exchange.parts?.soFar !== undefined || (kind !== "answered" && exchange.parts?.saved !== undefined);
    });
    return (hasRows && this.cancelled) || hasPart;
  }
  /** The cell, or the reason why it was not sent, as a span of the cell's document. */
  get span(): Span {
    return this.#toDocument(placeOf(this.#run));
  }
  get notSent(): UnsentExplanation | undefined {
    const { notSent } = this.#run;
    return notSent && this.#mask.own(explainUnsent(notSent, () => placeholderNames(this.#all.run)));
  }
  get misses(): readonly AssertionFailure[] {
    const { batch, verdicts } = this.#shown;
    return this.#mask.value([...(batch?.misses ?? []), ...verdicts.flatMap(({ misses }) => misses)]);
  }
  /** The member of `expect` that failed, for each failure, as a span of the cell's document. */
  get missSpans(): readonly Span[] {
    return failurePlaces(this.#run).map((span) => this.#toDocument(span));
  }
  /** The failures, or a snapshot that differs, with both values for a comparison side by side. */
  get failures(): readonly FailedCheck[] {
    const { misses, snapshot } = this;
    const cell = placeOf(this.#run);
    const rangeOf = (at: Span) => this.#locator.rangeOf(this.#run.step.cell, at);
    if (snapshot?.fails) return [snapshotCheck(snapshot, rangeOf(cell))];
    const places = failurePlaces(this.#run);
    return misses.slice(0, maxFailures).map((miss, at) => failedExpectation(miss, rangeOf(places[at] ?? cell)));
  }
  get verdict(): Verdict {
    if (this.ok) return "passed";
    if (this.cancelled) return "skipped";
    return !this.unreached && (this.misses.length > 0 || this.snapshot?.fails) ? "failed" : "errored";
  }
  /** Names of the endpoints that the requests were sent to. */
  get endpoints(): readonly string[] {
    return this.#run.answers.map(({ outcome }) => outcome.exchange.endpoint);
  }
  /** A request had no complete answer, so the expectations could not hold. */
  get unreached(): boolean {
    return this.#run.answers.some(({ outcome }) => outcome.kind === "unreachable");
  }
  /** The endpoint does not know what the cell asks for: the answer is `null`. */
  get isUnknown(): boolean {
    const [answer] = this.answers();
    return isObject(answer) && answer.result === null;
  }
  /** A request has an answer, or a part of one. */
  get isAnswered(): boolean {
    return this.isPartial || this.#run.answers.some(({ outcome }) => outcome.kind !== "unreachable");
  }
  /** The cell has expectations. */
  get expects(): boolean {
    return expectNodes(this.#run.step.cell).length > 0;
  }
  /** Returns the entry for a snapshot; `undefined` if there is nothing to record. */
  record(): Recorded | undefined {
    return recordOf(this.#run, this.#mask);
  }
  /** Returns the request as sent, and `result` or `error`, as JSON. */
  answers(): readonly JsonValue[] {
    return this.#mask.value(answersOf(this.#shown, this.#naming));
  }
  /** Returns what is kept after the run: one line, and an answer of usual size. */
  last(): LastResult {
    return new LastCellResult(this.#run, this, this.#mask);
  }
  #toDocument(at: Span): Span {
    return this.#locator.toDocument(this.#run.step.cell, at);
  }
}

class LastCellResult implements LastResult, AmountsBefore {
  readonly ok: boolean;
  readonly #snapshot: SnapshotVerdict["kind"] | undefined;
  readonly #run: CellRun | undefined;
  /** Kept until the line is made. */
  #cell: CellResult | undefined;
  #line = "";
  #calls: Markdown | undefined;
  #amounts: AmountsBefore["amounts"] = noAmounts;
  readonly #mask: Mask;

  constructor(run: CellRun, cell: CellResult, mask: Mask) {
    this.ok = cell.ok;
    this.#snapshot = cell.snapshot?.kind;
    this.#mask = mask;
    this.#run = isLarge(run) ? undefined : run;
    this.#cell = cell;
  }

  amountsForLater(): AmountsBefore | undefined {
    if (this.#cell && !this.#run) return undefined; // a large answer would stay until the later one is shown
    this.#cell?.forgetBefore();
    return this;
  }
  get amounts(): AmountsBefore["amounts"] {
    this.#read();
    return this.#amounts;
  }
  /** Takes from the reports what stays when they are gone. */
  #read(): void {
    const reports = this.#cell?.output.reports;
    if (!reports) return;
    this.#line = reports.map(({ summary }) => summary).join(" · ");
    this.#calls = joinedOrNone(reports.map(({ sections }) => callsMarkdown(sections)));
    this.#amounts = amountsOf(reports);
    this.#cell = undefined;
  }
  get differs(): boolean {
    return this.#snapshot === "differs" || this.#snapshot === "stale";
  }
  get summary(): string {
    this.#read();
    return this.#line;
  }
  get calls(): Markdown | undefined {
    this.#read();
    return this.#calls;
  }
  values(): ReadonlyMap<string, JsonValue> {
    const values = this.#run ? valuesOf(this.#run) : noValues;
    return this.#mask.isEmpty ? values : new Map([...values].map(([name, value]) => [name, this.#mask.value(value)]));
  }
}

/** Requests of a batch whose calls are shown. */
const maxWithCalls = 2;

function joinedOrNone(parts: readonly (Markdown | undefined)[]): Markdown | undefined {
  const some = parts.filter((part) => part !== undefined).slice(0, maxWithCalls);
  return some.length > 0 ? joined(some, "\n\n") : undefined;
}

/** Failures that an editor lists: each row of a table can have some. */
const maxFailures = 50;

const noValues: ReadonlyMap<string, JsonValue> = new Map();
const nothingMissing: ReadonlySet<string> = new Set();
const noTokens: Tokens = new Map();
const noAmounts: readonly never[] = [];

function isLarge(run: CellRun): boolean {
  for (const { outcome } of run.answers)
    if (outcome.exchange.bytes > keptAnswerBytes) return sizeOf(run) > keptAnswerBytes;
  return false;
}

/** Returns the bytes of a run's answers; the bytes of a batch are divided evenly. */
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
  const [problem] =
    notSent?.kind === "unresolved" ? notSent.problems : notSent?.kind === "directive" ? [notSent.problem] : [];
  const start = cell.root?.offset ?? 0;
  const needed = notSent?.kind === "needs" ? notSent.span : undefined;
  return problem?.span ?? needed ?? cell.faults[0]?.span ?? { start, end: start };
}

/** Facts about an endpoint for every report. */
function aboutEndpoint({ explorer, cadence }: ScopedEndpoint): Naming["about"] {
  const { blockMs } = cadence ?? {};
  return { ...(explorer !== undefined && { explorer }), ...(blockMs !== undefined && { blockMs }) };
}
