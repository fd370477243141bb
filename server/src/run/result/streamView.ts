import type { JsonValue } from "../../base/json.ts";
import { visible } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import { bySocket } from "../../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { SendRoutes } from "../../gate/endpointQueue.ts";
import type { UnsentReason } from "../../gate/unsentReason.ts";
import type { Cell, CellRef } from "../../notebook/cell.ts";
import type { StreamBounds, StreamChange } from "../../protocol/runs.ts";
import type { CellOutput, Report, Shown, TableSection } from "../../report/report.ts";
import { maxFilterLength, rowFilter, rowsBeyond } from "../../report/table.ts";
import { reportText } from "../../report/text.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import { emptyStream, type StreamState, stream } from "../send/stream.ts";

/** A subscription cell that has changed. */
export interface StreamUpdate {
  readonly cell: CellRef;
  /** Ordinal of the cell, from 0. */
  readonly index: number;
  readonly output: CellOutput;
  /** The rows that are new since the last change, the oldest first. */
  readonly rows: readonly (readonly Shown[])[];
  /** Changes of the connection since the last event, a sentence each. */
  readonly connectionMessages: readonly string[];
}

/** One subscription cell in its run. */
export interface StreamingCell {
  readonly cell: Cell;
  readonly request: EvaluatedRequest;
  readonly uri: string;
  readonly key: string;
  readonly ref: CellRef;
  readonly index: number;
  readonly bounds: StreamBounds;
  /** Finds symbol and decimals of the tokens in these items, for the next reports. Never rejects. */
  learn(items: readonly JsonValue[], outcome: Outcome, signal: AbortSignal): void | Promise<void>;
  /** Reports these items as the result of its request. */
  report(items: readonly JsonValue[], outcome: Outcome): Report;
  /** Keeps the rows that the output leaves out, and hides values of the host. */
  keep(output: CellOutput): CellOutput;
  changed(event: StreamUpdate): void;
}

/** Whether a cell is a subscription, which goes on until it is stopped. */
export function isStream(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
  return cell.kind !== "batch" && requests.length === 1 && requests[0]?.method === "eth_subscribe";
}

/** A subscription cell that has ended. */
export interface StreamResult extends StreamState {
  /** Set if its WebSocket was not approved. Its HTTP address was. */
  readonly notSent?: UnsentReason;
}

/** Streams a subscription cell until it is stopped. Never rejects. */
export async function streamCell(
  streaming: StreamingCell,
  controls: StreamControls,
  routes: SendRoutes,
  signal: AbortSignal,
): Promise<StreamResult> {
  const { cell, request, bounds } = streaming;
  const { clock, timeoutMs, maxBytes } = routes;
  const resolved = routes.endpointOf(cell);
  if (!("endpoint" in resolved)) throw new RangeError("A cell without an endpoint was sent."); // refusalOf() prevents it
  const permit = routes.approvals.permit(bySocket(resolved), "run");
  const { endpoint } = permit.resolved;
  const notSent = (await routes.refusalsOf(permit, [cell], signal)).get(cell);
  if (notSent) return { ...emptyStream(endpoint, request, clock), notSent };
  const stop = new AbortController();
  const view = new StreamView(streaming);
  const stopListening = controls.listen(streaming.uri, streaming.key, (control) => {
    if (control.stop) stop.abort();
    else view.control(control);
  });
  const changed = async (state: StreamState, changeSignal: AbortSignal): Promise<void> => {
    if (state.added > 0) await streaming.learn(state.items.slice(-state.added), state.outcome, changeSignal);
    view.show(state);
  };
  const options = { clock, timeoutMs, maxBytes, logRange: endpoint.logRange, ...bounds, changed };
  const state = await stream(routes.gate, permit, request, options, AbortSignal.any([signal, stop.signal]));
  stopListening();
  return state;
}

/** Shows a stream while it goes on, as a person controls it. */
class StreamView {
  readonly #streaming: StreamingCell;
  #control = { paused: false, filter: "" };
  #last: StreamState | undefined;

  constructor(streaming: StreamingCell) {
    this.#streaming = streaming;
  }

  show(state: StreamState): void {
    this.#last = state;
    if (!this.#control.paused) this.#draw(state, state.added, state.newEvents);
  }
  control({ paused = this.#control.paused, filter = this.#control.filter }: StreamChange): void {
    this.#control = { paused, filter: filter.slice(0, maxFilterLength).trim() };
    if (this.#last) this.#draw(this.#last, 0, 0);
  }

  /** @param added - Items, and entries of the connection's history, that are new. */
  #draw(state: StreamState, added: number, addedHistory: number): void {
    const { uri, ref, index } = this.#streaming;
    const all = this.#streaming.report(state.items, state.outcome);
    const report = withHistory(filtered(this.#streaming, state, all, this.#control.filter), state);
    const live = { uri, cell: ref, ...this.#control };
    const summary = `${report.summary}, ${this.#control.paused ? "paused" : "streaming"}`;
    const output = this.#streaming.keep(liveOutput({ ...report, live, summary }, state));
    const news = state.events.slice(0, addedHistory).map(({ what }) => what);
    this.#streaming.changed({
      cell: ref,
      index,
      output,
      rows: newestRows(all, added),
      connectionMessages: news.reverse(),
    });
  }
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

/** Keeps only items whose row contains the text, as it is shown or on the wire. */
function filtered(streaming: StreamingCell, { items, outcome }: StreamState, all: Report, filter: string): Report {
  const matches = rowFilter(filter);
  const table = tableOf(all);
  if (!matches || !table) return all;
  const rows = rowsOf(table);
  const matching = items.filter((_, at) => matches(rows(items.length - 1 - at))); // the newest row comes first
  const report = streaming.report(matching, outcome);
  return { ...report, summary: `${grouped(matching.length)} of ${all.summary} with this text` };
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

/** The subscription cells that are running, for a person who pauses, filters or stops one. */
export class StreamControls {
  readonly #listeners = new Map<string, (control: StreamChange) => void>();

  control(uri: string, key: string, control: StreamChange): void {
    this.#listeners.get(nameOf(uri, key))?.(control);
  }
  /** @returns Removes the listener. */
  listen(uri: string, key: string, listener: (control: StreamChange) => void): () => void {
    const name = nameOf(uri, key);
    this.#listeners.set(name, listener);
    return () => {
      if (this.#listeners.get(name) === listener) this.#listeners.delete(name);
    };
  }
}

function nameOf(uri: string, key: string): string {
  return `${uri}\n${key}`;
}
