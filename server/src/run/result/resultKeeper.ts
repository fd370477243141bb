import type { Mask } from "../../base/mask.ts";
import type { RunResult } from "../../protocol/runs.ts";
import type { CellOutput } from "../../report/report.ts";
import { paceText } from "../../rpc/rateLimiter.ts";
import type { OpenrpcCatalogs } from "../../workspace/openrpcCatalogs.ts";
import type { Answer, CellRun } from "../cellRun.ts";
import { LookupQuestions } from "../observe/lookupQuestions.ts";
import type { Observations } from "../observe/observe.ts";
import type { RunContracts } from "../observe/runContracts.ts";
import type { RunTokens } from "../observe/runTokens.ts";
import type { Step } from "../plan.ts";
import { CellResult, type RunOfResults } from "./cellResult.ts";
import { maskedOutput } from "./maskRun.ts";
import { originOf, type RecordedRun } from "./results.ts";
import type { KeptRows } from "./rowStore.ts";
import type { RunWithEvents } from "./runEvents.ts";
import type { SnapshotRun } from "./snapshots.ts";
import { outputWithHistory, type RunStreams } from "./streamView.ts";

interface KeeperParts {
  readonly streams: RunStreams;
  readonly observations: Observations;
  readonly tokens: RunTokens;
  /** Absent if contracts are not looked up. */
  readonly contracts: RunContracts | undefined;
  /** Absent if the run goes without one. */
  readonly snapshot: SnapshotRun | undefined;
  /** The mark of this run among the results. */
  readonly mark: RecordedRun;
}

/** Reports the cells of a run, and keeps their results: among the results, in the snapshot, and in the counts of the run. */
export class ResultKeeper {
  readonly #run: RunWithEvents;
  readonly #parts: KeeperParts;
  readonly #all: RunOfResults;
  /** Absent if the lookup host is not asked before results are shown. */
  readonly #questions: LookupQuestions | undefined;
  #okCount = 0;
  #endedCount = 0;

  constructor(run: RunWithEvents, parts: KeeperParts) {
    this.#run = run;
    this.#parts = parts;
    const { observations, tokens, contracts, mark } = parts;
    const keep: RunOfResults["keep"] = (step, output, kept) => this.#keepRows(step, output, kept);
    const { clock, knownContracts } = run.support;
    if (contracts?.isOffered === false)
      this.#questions = new LookupQuestions(({ verdict }) => verdict === "always", knownContracts, clock, run.signal);
    this.#all = { run, observations, tokens, contracts, endpoint: mark.endpoint, keep };
  }

  started(step: Step): void {
    this.#run.events.started({ cell: this.#run.locator.refOf(step) });
  }
  /**
   * Looks up the contracts that a result would show without names.
   *
   * @param others - What else the result waits for.
   */
  lookUp(ended: CellRun, others: Promise<unknown> | undefined): Promise<unknown> | undefined {
    const { contracts } = this.#parts;
    const questions = this.#questions;
    if (!contracts || !questions || ended.answers.length === 0) return others;
    return Promise.resolve(others).then(() => new CellResult(ended, undefined, this.#all, undefined).learn(questions));
  }
  keep(ended: CellRun): void {
    const { locator, support, events } = this.#run;
    const { snapshot, mark } = this.#parts;
    const { step } = ended;
    const key = locator.keyOf(step);
    const isLast = ++this.#endedCount === locator.steps.length;
    const run = this.#withoutAnswersIfUnsent(isLast ? { ...ended, ...this.#pace() } : ended);
    const origin = originOf(step.cell, this.#run.document);
    const before = support.results.amountsBefore(mark, step.cell, key, origin);
    const result = new CellResult(run, snapshot?.verdictOn(run, key), this.#all, before);
    support.results.keep(mark, step.cell, key, origin, result.last());
    for (const answer of run.answers) learnMethods(answer, support.catalogs, support.mask);
    if (locator.isRequested(step)) snapshot?.ended(result);
    if (result.ok) this.#okCount++;
    events.finished(result);
    const isOffered = this.#parts.contracts?.isOffered && "uri" in result.cell;
    if (isOffered) support.resultNames?.keep(this.#run.document.uri, key, result);
  }
  /** Finishes the snapshot and returns the result of the run. */
  async finish(): Promise<RunResult> {
    const { document, locator, signal, support } = this.#run;
    const snapshot = await this.#parts.snapshot?.finish();
    const lookupNotes = this.#questions?.notes ?? [];
    support.resultNames?.runEnded(document.uri);
    const failed = locator.steps.length - this.#okCount;
    return {
      ok: this.#okCount,
      failed,
      cancelled: signal.aborted,
      ...(lookupNotes.length > 0 && { lookupNotes }),
      ...(snapshot && { snapshot }),
    };
  }

  /** A subscription whose WebSocket was not approved has outcomes, although nothing was sent. */
  #withoutAnswersIfUnsent(run: CellRun): CellRun {
    const notSent = this.#parts.streams.resultOf(run.step.cell)?.notSent;
    return notSent ? { ...run, answers: [], verdicts: [], batch: undefined, ok: false, notSent } : run;
  }
  #pace(): Pick<CellRun, "paced"> {
    const { locator, routes } = this.#run;
    const endpoints = new Set(locator.cells.map((cell) => routes.endpointOf(cell)));
    const texts = [...endpoints].flatMap((resolved) => {
      if (!("endpoint" in resolved)) return [];
      const { pace } = routes.memoryOf(resolved.endpoint).rateLimiter ?? {};
      return pace ? `${paceText(pace)}, because ${resolved.endpoint.host} refused more` : [];
    });
    return texts.length > 0 ? { paced: [...new Set(texts)].join("; ") } : {};
  }
  #keepRows(step: Step, output: CellOutput, kept: KeptRows): CellOutput {
    const { document, locator, support } = this.#run;
    const stream = this.#parts.streams.resultOf(step.cell);
    const whole = stream ? outputWithHistory(output, stream) : output;
    return maskedOutput(support.rowStore.keep(document.uri, locator.keyOf(step), whole, kept), support.mask);
  }
}

/** Adds the methods that an endpoint lists in an answer to `rpc.discover`. */
function learnMethods({ request, outcome }: Answer, catalogs: OpenrpcCatalogs, mask: Mask): void {
  if (request.method !== "rpc.discover" || outcome.kind !== "answered") return;
  const { endpoint, host } = outcome.exchange;
  catalogs.discover({ name: endpoint, host }, mask.value(outcome.result.value));
}
