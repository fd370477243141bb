import { withWritten } from "../../abi/abiScope.ts";
import { needsSignatures } from "../../abi/needsSignatures.ts";
import { abiScope } from "../../analysis/abi.ts";
import type { NamesInScope } from "../../analysis/scope.ts";
import type { Flow } from "../../base/flow.ts";
import type { JsonValue } from "../../base/json.ts";
import { visible } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import { bySocket } from "../../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { StreamBounds, StreamChange } from "../../protocol/runs.ts";
import type { CellOutput, Report, Shown, TableSection } from "../../report/report.ts";
import { maxFilterLength, rowFilter, rowsBeyond } from "../../report/table.ts";
import { reportText } from "../../report/text.ts";
import type { Tokens } from "../../report/tokens.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { Answer, Answered, Ready } from "../cellRun.ts";
import type { RunTokens } from "../observe/runTokens.ts";
import type { Step } from "../plan.ts";
import { emptyStream, type StreamState, stream } from "../send/stream.ts";
import { maskedOutput } from "./maskRun.ts";
import type { RunWithEvents } from "./runEvents.ts";
import { unfinishedReport } from "./unfinished.ts";

/** Whether a cell is a subscription, which goes on until it is stopped. */
export function isStream(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
  return cell.kind !== "batch" && requests.length === 1 && requests[0]?.method === "eth_subscribe";
}

/** A subscription cell that has ended. */
export interface StreamResult extends StreamState {
  /** Set if its WebSocket was not approved. Its HTTP address was. */
  readonly notSent?: UnsentReason;
}

/** The subscription cells of a run. */
export class RunStreams {
  readonly #run: RunWithEvents;
  readonly #project: NamesInScope;
  readonly #tokens: RunTokens;
  readonly #bounds: StreamBounds;
  readonly #results = new Map<Cell, StreamResult>();

  constructor(run: RunWithEvents, project: NamesInScope, tokens: RunTokens, bounds: StreamBounds) {
    this.#run = run;
    this.#project = project;
    this.#tokens = tokens;
    this.#bounds = bounds;
  }

  /** Streams a subscription cell until it is stopped. */
  async stream(ready: Ready): Promise<Flow<Answered>> {
    const { step, requests } = ready;
    const [request] = requests;
    if (!request) throw new RangeError("A subscription without a request."); // isStream() was asked
    const view = new StreamView(this.#run, step, request, this.#project, this.#tokens);
    const result = await view.stream(this.#bounds);
    this.#results.set(step.cell, result);
    return { now: [{ ready, outcomes: [result.outcome] }], later: [] };
  }
  /** Returns the end of a subscription cell; `undefined` for other cells. */
  resultOf(cell: Cell): StreamResult | undefined {
    return this.#results.get(cell);
  }
}

/** A subscription cell of a run, shown while it goes on, as a person controls it. */
class StreamView {
  readonly #run: RunWithEvents;
  readonly #step: Step;
  readonly #request: EvaluatedRequest;
  /** The declarations of the project. */
  readonly #project: NamesInScope;
  readonly #runTokens: RunTokens;
  /** Those that are known so far. */
  #tokens: Tokens;
  #control = { paused: false, filter: "" };
  #last: StreamState | undefined;

  constructor(run: RunWithEvents, step: Step, request: EvaluatedRequest, project: NamesInScope, tokens: RunTokens) {
    this.#run = run;
    this.#step = step;
    this.#request = request;
    this.#project = project;
    this.#runTokens = tokens;
    this.#tokens = tokens.stated;
  }

  /** Streams until it is stopped. Never rejects. */
  async stream(bounds: StreamBounds): Promise<StreamResult> {
    const { routes, signal, support, document, locator } = this.#run;
    const { clock, timeoutMs, maxBytes } = routes;
    const { cell } = this.#step;
    const resolved = routes.endpointOf(cell);
    if (!("endpoint" in resolved)) throw new RangeError("A cell without an endpoint was sent."); // refusalOf() prevents it
    const permit = routes.approvals.permit(bySocket(resolved), "run");
    const { endpoint } = permit.resolved;
    const notSent = (await routes.refusalsOf(permit, [cell], signal)).get(cell);
    if (notSent) return { ...emptyStream(endpoint, clock), notSent };
    const stop = new AbortController();
    const stopListening = support.streamControls.listen(document.uri, locator.keyOf(this.#step), (control) => {
      if (control.stop) stop.abort();
      else this.#change(control);
    });
    const changed = async (state: StreamState, changeSignal: AbortSignal): Promise<void> => {
      if (state.added > 0) await this.#learn(state.items.slice(-state.added), state.outcome, changeSignal);
      this.#last = state;
      if (!this.#control.paused) this.#draw(state, state.added, state.newEvents);
    };
    const options = { clock, timeoutMs, maxBytes, logRange: endpoint.logRange, ...bounds, changed };
    const state = await stream(routes.gate, permit, this.#request, options, AbortSignal.any([signal, stop.signal]));
    stopListening();
    return state;
  }

  #change({ paused = this.#control.paused, filter = this.#control.filter }: StreamChange): void {
    this.#control = { paused, filter: filter.slice(0, maxFilterLength).trim() };
    if (this.#last) this.#draw(this.#last, 0, 0);
  }
  /** @param added - Items, and entries of the connection's history, that are new. */
  #draw(state: StreamState, added: number, addedHistory: number): void {
    const { document, locator, support, events } = this.#run;
    const { mask, rowStore } = support;
    const [uri, ref] = [document.uri, locator.refOf(this.#step)];
    const all = this.#report(state.items, state.outcome);
    const report = withHistory(this.#filtered(state, all), state);
    const live = { uri, cell: ref, ...this.#control };
    const summary = `${report.summary}, ${this.#control.paused ? "paused" : "streaming"}`;
    const output = rowStore.keep(uri, locator.keyOf(this.#step), liveOutput({ ...report, live, summary }, state), {
      size: 0,
    });
    const news = state.events.slice(0, addedHistory).map(({ what }) => what);
    events.streamed?.({
      cell: ref,
      index: this.#step.index,
      output: maskedOutput(output, mask),
      rows: mask.own(newestRows(all, added)),
      connectionMessages: mask.value(news.reverse()),
    });
  }
  /** Keeps only items whose row contains the text, as it is shown or on the wire. */
  #filtered({ items, outcome }: StreamState, all: Report): Report {
    const matches = rowFilter(this.#control.filter);
    const table = tableOf(all);
    if (!matches || !table) return all;
    const rows = rowsOf(table);
    const matching = items.filter((_, at) => matches(rows(items.length - 1 - at))); // the newest row comes first
    const report = this.#report(matching, outcome);
    return { ...report, summary: `${grouped(matching.length)} of ${all.summary} with this text` };
  }
  /** Reports items as the result of the request. */
  #report(items: readonly JsonValue[], outcome: Outcome): Report {
    const { startedAt, durationMs } = outcome.exchange;
    const part = { step: this.#step, answers: [this.#answerOf(items, outcome)], startedAt, durationMs };
    return unfinishedReport(this.#run, part, this.#tokens);
  }
  /** Finds symbol and decimals of the tokens in items, for the next reports. Never rejects. */
  async #learn(items: readonly JsonValue[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    await this.#run.support.signatures.loadIf(() => items.some(needsSignatures));
    const found = await this.#runTokens.in(this.#step.cell, [this.#answerOf(items, outcome)], signal);
    this.#tokens = new Map([...this.#tokens, ...found]);
  }
  #answerOf(items: readonly JsonValue[], outcome: Outcome): Answer {
    return {
      request: this.#request,
      outcome: withItems(items, outcome),
      scope: withWritten(abiScope(this.#step.cell, this.#project), this.#request.called ?? []),
    };
  }
}

/** Returns the answer of a stream with other items in it. */
function withItems(items: readonly JsonValue[], outcome: Outcome): Outcome {
  return outcome.kind === "answered" ? { ...outcome, result: { value: items, text: "" } } : outcome;
}

/** Adds how many items came in all, and the history of the connection. */
function withHistory(report: Report, { items, total, events }: StreamState): Report {
  const of = total > items.length ? ` of ${grouped(total)} that arrived` : "";
  const connection: TableSection = {
    kind: "table",
    title: "Connection",
    columns: [
      { name: "Time", align: "left" },
      { name: "What", align: "left" },
    ],
    rows: events.map(({ at, what }) => [{ text: timeOf(at), role: "time" }, { text: visible(what) }]),
    total: events.length,
  };
  const sections = events.length === 0 ? report.sections : [...report.sections, connection];
  return { ...report, summary: `${report.summary}${of}`, sections };
}

/** Adds the same to the output of a cell that has ended. */
export function outputWithHistory(output: CellOutput, state: StreamState): CellOutput {
  const { ok, startedAt, durationMs } = output;
  const reports = (): readonly Report[] => output.reports.map((report) => withHistory(report, state));
  return {
    ok,
    startedAt,
    durationMs,
    get reports() {
      return reports();
    },
    get text() {
      return reports()
        .map((report) => reportText(report))
        .join("\n\n");
    },
    get json() {
      return output.json;
    },
  };
}

/** @example timeOf(0) //=> "00:00:00 UTC" */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

function tableOf({ sections }: Report): TableSection | undefined {
  return sections.find((section) => section.kind === "table");
}

function rowsOf(table: TableSection): (index: number) => readonly Shown[] {
  const beyond = rowsBeyond(table);
  return (index) => table.rows[index] ?? beyond?.(index) ?? [];
}

/** Returns the newest rows of a table, the oldest of them first. */
function newestRows(report: Report, count: number): readonly (readonly Shown[])[] {
  const table = tableOf(report);
  const rows = table ? rowsOf(table) : () => [];
  return Array.from({ length: table ? count : 0 }, (_, at) => rows(count - 1 - at));
}

/** Makes the output of a stream that goes on. It is made five times a second, so the forms that are not shown stay short. */
function liveOutput(report: Report, { outcome }: StreamState): CellOutput {
  const { startedAt, durationMs } = outcome.exchange;
  return {
    ok: true,
    reports: [report],
    text: reportText({ ...report, sections: [] }),
    json: "",
    startedAt,
    durationMs,
  };
}
