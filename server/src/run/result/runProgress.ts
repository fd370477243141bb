import { withWritten } from "../../abi/abiScope.ts";
import { abiScope } from "../../analysis/abi.ts";
import { formatDuration } from "../../base/units.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { LogSink, PartProgress, SendProgress } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { CellOutput } from "../../report/report.ts";
import type { Retry } from "../../rpc/retry.ts";
import { statedTokens } from "../observe/runTokens.ts";
import type { Step } from "../plan.ts";
import { maskedOutput } from "./maskRun.ts";
import type { RunWithEvents } from "./runEvents.ts";
import { unfinishedOutput } from "./unfinished.ts";

/** Milliseconds between two events about an answer that comes in parts. */
const partIntervalMs = 400;

/** Tells why cells are still waiting, and shows the part of their answers that has come. */
export class RunProgress implements SendProgress {
  readonly #run: RunWithEvents;
  /** When the last event about its answer was sent, by cell. */
  readonly #shownAt = new Map<Cell, number>();

  constructor(run: RunWithEvents) {
    this.#run = run;
  }

  onRetry(retry: Retry, cells: readonly Cell[]): void {
    this.#run.routes.logRetry(retry);
    this.#waiting(cells, `${retry.reason} Trying again in ${formatDuration(retry.waitMs)}.`);
  }
  onDelay(what: string, waitMs: number | undefined, cells: readonly Cell[]): void {
    this.#waiting(cells, waitMs === undefined ? what : `${what} Sending in ${formatDuration(waitMs)}.`);
  }
  onQuestion(what: string, cells: readonly Cell[]): void {
    this.#waiting(cells, `Waiting for you: ${what}.`);
  }
  onPart(cell: Cell, progress: PartProgress): void {
    const { locator, events } = this.#run;
    const step = locator.stepOf(cell);
    if (!step || !this.#isDue(cell)) return;
    const soFar = (): CellOutput["reports"] => this.#partialReports(step, progress);
    events.waiting?.({ cell: locator.refOf(step), why: `${progress.text}.`, soFar });
  }

  logSinkOf(cell: Cell, { save: path }: EvaluatedRequest): LogSink | undefined {
    const { document, signal, support } = this.#run;
    if (path === undefined) return undefined;
    const onProgress = (text: string): void => {
      if (this.#isDue(cell)) this.#waiting([cell], `${text}.`);
    };
    return support.saveLogs({ document, cell, path, signal, onProgress });
  }

  #isDue(cell: Cell): boolean {
    const now = this.#run.support.clock.now();
    if (now - (this.#shownAt.get(cell) ?? 0) < partIntervalMs) return false;
    this.#shownAt.set(cell, now);
    return true;
  }
  #waiting(cells: readonly Cell[], text: string): void {
    const { locator, events, support } = this.#run;
    const why = support.mask.text(text);
    for (const step of new Set(cells.map((cell) => locator.stepOf(cell))))
      if (step) events.waiting?.({ cell: locator.refOf(step), why });
  }
  #partialReports(step: Step, { soFar }: PartProgress): CellOutput["reports"] {
    const { document, header, support } = this.#run;
    const { clock, contracts } = support;
    const scope = abiScope(step.cell, { header: document.header, abis: contracts.declared(document) });
    const answers = soFar().map((one) => ({
      ...one,
      scope: withWritten(scope, one.request.called ?? []),
      ...(one.request.row && { row: one.request.row }),
    }));
    const part = { step, answers, startedAt: clock.date(), durationMs: 0 };
    return maskedOutput(unfinishedOutput(this.#run, part, statedTokens(header)), support.mask).reports;
  }
}
