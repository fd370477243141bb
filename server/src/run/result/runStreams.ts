import { needsSignatures } from "../../abi/needsSignatures.ts";
import { abiScope } from "../../analysis/abi.ts";
import type { NamesInScope } from "../../analysis/scope.ts";
import type { Flow } from "../../base/flow.ts";
import type { JsonValue } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { StreamBounds } from "../../protocol/runs.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer, Answered, Ready } from "../cellRun.ts";
import type { RunTokens } from "../observe/runTokens.ts";
import type { Step } from "../plan.ts";
import { maskedOutput } from "./maskRun.ts";
import type { RunWithEvents } from "./runEvents.ts";
import { type StreamingCell, type StreamResult, streamCell } from "./streamView.ts";
import { unfinishedReport } from "./unfinished.ts";

/** The subscription cells of a run. */
export class RunStreams {
  readonly #run: RunWithEvents;
  readonly #abis: NamesInScope;
  readonly #tokens: RunTokens;
  readonly #bounds: StreamBounds;
  readonly #results = new Map<Cell, StreamResult>();

  constructor(run: RunWithEvents, abis: NamesInScope, tokens: RunTokens, bounds: StreamBounds) {
    this.#run = run;
    this.#abis = abis;
    this.#tokens = tokens;
    this.#bounds = bounds;
  }

  /** Streams a subscription cell until it is stopped. */
  async stream(ready: Ready): Promise<Flow<Answered>> {
    const { step, requests } = ready;
    const [request] = requests;
    if (!request) throw new RangeError("A subscription without a request."); // isStream() was asked
    const { support, routes, signal } = this.#run;
    const result = await streamCell(this.#streamingCell(step, request), support.streamControls, routes, signal);
    this.#results.set(step.cell, result);
    return { now: [{ ready, outcomes: [result.outcome] }], later: [] };
  }
  /** Returns the end of a subscription cell; `undefined` for other cells. */
  resultOf(cell: Cell): StreamResult | undefined {
    return this.#results.get(cell);
  }

  #streamingCell(step: Step, request: EvaluatedRequest): StreamingCell {
    const run = this.#run;
    const { document, locator, support, events } = run;
    const { mask, rowStore } = support;
    const { cell, index } = step;
    const key = locator.keyOf(step);
    const answerOf = (items: readonly JsonValue[], outcome: Outcome): Answer => {
      return { request, outcome: withItems(items, outcome), scope: abiScope(cell, this.#abis) };
    };
    let tokens = this.#tokens.stated;
    return {
      cell,
      request,
      uri: document.uri,
      key,
      ref: locator.refOf(step),
      index,
      bounds: this.#bounds,
      report(items, outcome) {
        const { startedAt, durationMs } = outcome.exchange;
        return unfinishedReport(run, { step, answers: [answerOf(items, outcome)], startedAt, durationMs }, tokens);
      },
      learn: async (items, outcome, signal) => {
        await support.signatures.loadIf(() => items.some(needsSignatures));
        const found = await this.#tokens.in(cell, [answerOf(items, outcome)], signal);
        tokens = new Map([...tokens, ...found]);
      },
      keep: (output) => maskedOutput(rowStore.keep(document.uri, key, output, 0), mask),
      changed: (event) =>
        events.streamed?.({
          ...event,
          rows: mask.own(event.rows),
          connectionMessages: mask.value(event.connectionMessages),
        }),
    };
  }
}

/** Returns the answer of a stream with other items in it. */
function withItems(items: readonly JsonValue[], outcome: Outcome): Outcome {
  return outcome.kind === "answered" ? { ...outcome, result: { value: items, text: "" } } : outcome;
}
