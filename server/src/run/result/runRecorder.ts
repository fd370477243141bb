import type { Mask } from "../../base/mask.ts";
import type { RunResult } from "../../protocol/runs.ts";
import type { CellOutput } from "../../report/cellOutput.ts";
import type { Tokens } from "../../report/tokens.ts";
import { paceText } from "../../rpc/waitReasons.ts";
import type { OpenrpcCatalogs } from "../../workspace/openrpcCatalogs.ts";
import type { Answer, CellRun } from "../cellRun.ts";
import { type DocumentRun, placeholderNames } from "../documentRun.ts";
import type { RunWords } from "../observe/runWords.ts";
import type { SideRequests } from "../observe/sideRequests.ts";
import type { Step } from "../plan.ts";
import { CellResult, type Ending } from "./cellResult.ts";
import { maskedFacts, maskedOutput, maskedPayment } from "./maskRun.ts";
import type { RecordedRun } from "./results.ts";
import type { RunStreams } from "./runStreams.ts";
import type { SnapshotRun } from "./snapshots.ts";
import { outputWithHistory } from "./streams.ts";

interface RecorderParts {
  readonly streams: RunStreams;
  readonly sideRequests: SideRequests;
  readonly words: RunWords;
  /** Absent if the run goes without one. */
  readonly snapshot: SnapshotRun | undefined;
  /** The mark of this run among the results. */
  readonly mark: RecordedRun;
}

/** Records the cells of a run as they end: among the results, in the snapshot, and in the counts of the run. */
export class RunRecorder {
  readonly #run: DocumentRun;
  readonly #parts: RecorderParts;
  readonly #ending: Ending;
  #okCount = 0;
  #endedCount = 0;

  constructor(run: DocumentRun, parts: RecorderParts) {
    this.#run = run;
    this.#parts = parts;
    this.#ending = this.#makeEnding();
  }

  record(ended: CellRun, tokens: Tokens): void {
    const { locator, support, events } = this.#run;
    const { snapshot, mark } = this.#parts;
    const { step } = ended;
    const key = locator.keyOf(step);
    const isLast = ++this.#endedCount === locator.steps.length;
    const run = this.#withoutAnswersIfUnsent(isLast ? { ...ended, ...this.#pace() } : ended);
    const before = support.results.amountsBefore(this.#run.document, mark, step.cell, key);
    const result = new CellResult(run, tokens, snapshot?.verdictOn(run, key), this.#ending, before);
    support.results.keep(this.#run.document, mark, step.cell, key, result.last());
    for (const answer of run.answers) learnMethods(answer, support.catalogs, support.mask);
    if (locator.isRequested(step)) snapshot?.ended(result);
    if (result.ok) this.#okCount++;
    events.finished(result);
  }
  /** Finishes the snapshot and returns the result of the run. */
  async finish(): Promise<RunResult> {
    const { locator, signal } = this.#run;
    const snapshot = await this.#parts.snapshot?.finish();
    const failed = locator.steps.length - this.#okCount;
    return { ok: this.#okCount, failed, cancelled: signal.aborted, ...(snapshot && { snapshot }) };
  }

  /** A subscription whose WebSocket was not approved has outcomes, although nothing was sent. */
  #withoutAnswersIfUnsent(run: CellRun): CellRun {
    const notSent = this.#parts.streams.resultOf(run.step.cell)?.notSent;
    return notSent ? { ...run, answers: [], verdicts: [], batch: undefined, ok: false, notSent } : run;
  }
  #pace(): Pick<CellRun, "paced"> {
    const { locator, routes } = this.#run;
    const endpoints = new Set(
      locator.cells.flatMap((cell) => {
        const resolved = routes.endpointOf(cell);
        return "endpoint" in resolved ? resolved.endpoint : [];
      }),
    );
    const texts = [...endpoints].flatMap((endpoint) => {
      const { pace } = routes.memoryOf(endpoint).rateLimiter ?? {};
      return pace ? `${paceText(pace)}, because ${endpoint.host} refused more` : [];
    });
    return texts.length > 0 ? { paced: texts.join("; ") } : {};
  }
  #makeEnding(): Ending {
    const { locator, support } = this.#run;
    const { sideRequests, words, mark } = this.#parts;
    return {
      about: aboutEndpoint(mark),
      mask: support.mask,
      labels: this.#run.names,
      names: () => placeholderNames(this.#run),
      refOf: (step) => locator.refOf(step),
      keyOf: (step) => locator.keyOf(step),
      originOf: ({ cell }) => support.results.identify(this.#run.document, cell, mark.endpoint),
      stateOf: (cell, request) => sideRequests.stateOf(cell, request),
      dataFeeOf: (request) => sideRequests.dataFeeOf(request),
      missingCodeOf: (request) => sideRequests.isCodeMissing(request),
      caseOf: (request) => {
        const facts = sideRequests.caseOf(request)?.facts;
        return facts && maskedFacts(facts, support.mask);
      },
      wordsOf: (request) => words.of(request),
      paymentsOf: (request) => sideRequests.paymentsOf(request).map((one) => maskedPayment(one, support.mask)),
      rangeOf: (cell, span) => locator.rangeOf(cell, span),
      toDocument: (cell, span) => locator.toDocument(cell, span),
      keep: (step, output, size) => this.#keepRows(step, output, size),
    };
  }
  #keepRows(step: Step, output: CellOutput, size: number): CellOutput {
    const { document, locator, support } = this.#run;
    const stream = this.#parts.streams.resultOf(step.cell);
    const whole = stream ? outputWithHistory(output, stream) : output;
    return maskedOutput(support.rowStore.keep(document.uri, locator.keyOf(step), whole, size), support.mask);
  }
}

function aboutEndpoint({ endpoint }: RecordedRun): Ending["about"] {
  const { explorer, cadence } = endpoint ?? {};
  const { blockMs } = cadence ?? {};
  return { ...(explorer !== undefined && { explorer }), ...(blockMs !== undefined && { blockMs }) };
}

/** Adds the methods that an endpoint lists in an answer to `rpc.discover`. */
function learnMethods({ request, outcome }: Answer, catalogs: OpenrpcCatalogs, mask: Mask): void {
  if (request.method !== "rpc.discover" || outcome.kind !== "answered") return;
  const { endpoint, host } = outcome.exchange;
  catalogs.discover({ name: endpoint, host }, mask.value(outcome.result.value));
}
