import type { JsonValue } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { bySocket } from "../endpoints/resolve.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { emptyStream, type StreamState, stream } from "../live/stream.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellRef } from "../notebook/cellRef.ts";
import type { StreamBounds, StreamControl } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Report, Shown, TableSection } from "../report/report.ts";
import { rowsBeyond } from "../report/table.ts";
import { reportText } from "../report/text.ts";
import type { Answered, Outcome } from "../rpc/outcome.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import type { DispatchHost } from "../run/endpointQueue.ts";
import type { UnsentReason } from "../run/unsentReason.ts";

/** A subscription cell that has changed. */
export interface StreamEvent {
  readonly cell: CellRef;
  /** Ordinal of the cell, from 0. */
  readonly index: number;
  readonly output: CellOutput;
  /** The rows that are new since the last change, the oldest first. */
  readonly rows: readonly (readonly Shown[])[];
  /** What has become of the connection since the last change. */
  readonly told: readonly string[];
}

/** The subscription cells that run now, for those who want to pause, filter or stop one. */
export interface Streams {
  control(uri: string, key: string, control: Omit<StreamControl, "uri" | "cell">): void;
  /** @returns Takes it out again. */
  enter(uri: string, key: string, listen: (control: Omit<StreamControl, "uri" | "cell">) => void): () => void;
}

export function openStreams(): Streams {
  const open = new Map<string, (control: Omit<StreamControl, "uri" | "cell">) => void>();
  const nameOf = (uri: string, key: string): string => `${uri}\n${key}`;
  return {
    control: (uri, key, control) => open.get(nameOf(uri, key))?.(control),
    enter(uri, key, listen) {
      const name = nameOf(uri, key);
      open.set(name, listen);
      return () => {
        if (open.get(name) === listen) open.delete(name);
      };
    },
  };
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
  /** Finds out what the tokens in these items are called, for the reports from then on. Never rejects. */
  learn(items: readonly JsonValue[], outcome: Outcome, signal: AbortSignal): void | Promise<void>;
  /** These items as the result of its request. */
  report(items: readonly JsonValue[], outcome: Outcome): Report;
  /** What becomes of its output, given the bytes behind it. */
  keep(output: CellOutput): CellOutput;
  changed(event: StreamEvent): void;
}

/** Whether a cell is followed instead of answered. */
export function isStream(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
  return cell.kind !== "batch" && requests.length === 1 && requests[0]?.method === "eth_subscribe";
}

/** A subscription cell that has ended. */
export interface StreamResult extends StreamState {
  /** Its address for WebSockets may not be used, that for HTTP may. */
  readonly notSent?: UnsentReason;
}

/** Follows a subscription cell until it is stopped. Never rejects. */
export async function streamCell(
  one: StreamingCell,
  lines: SocketPool,
  streams: Streams,
  courier: Pick<DispatchHost, "admits" | "clock" | "endpointOf" | "maxBytes" | "timeoutMs">,
  signal: AbortSignal,
): Promise<StreamResult> {
  const { cell, request, bounds } = one;
  const { clock, timeoutMs, maxBytes } = courier;
  const resolved = courier.endpointOf(cell);
  if (!("endpoint" in resolved)) throw new RangeError("A cell without an endpoint was sent."); // the courier has said so
  const socket = bySocket(resolved);
  const { endpoint } = socket;
  const { name, url, host, headers } = endpoint;
  const target = { name, url, host, headers };
  const closed = (await courier.admits(socket, [cell], signal)).get(cell);
  if (closed) return { ...emptyStream(target, request, clock), notSent: closed };
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const view = openView(one);
  const leave = streams.enter(one.uri, one.key, (control) => {
    if (control.stop) end();
    else view.control(control);
  });
  const changed = async (state: StreamState, signal: AbortSignal): Promise<void> => {
    if (state.added > 0) await one.learn(state.items.slice(-state.added), state.outcome, signal);
    view.show(state);
  };
  const options = { clock, timeoutMs, maxBytes, logRange: endpoint.logRange, ...bounds, changed };
  const state = await stream(lines, target, request, options, stop.signal);
  leave();
  signal.removeEventListener("abort", end);
  return state;
}

/** What is shown of a stream that goes on. */
interface StreamView {
  readonly show: (state: StreamState) => void;
  control(control: Omit<StreamControl, "uri" | "cell">): void;
}

function openView(one: StreamingCell): StreamView {
  let control = { paused: false, filter: "" };
  let last: StreamState | undefined;
  const draw = (state: StreamState, added: number, told: number): void => {
    const all = one.report(state.items, state.outcome);
    const live = { uri: one.uri, cell: one.ref, ...control };
    const report = outputWithControls(filtered(one, state, all, control.filter), state);
    const output = one.keep(
      liveOutput({ ...report, live, summary: `${report.summary}, ${liveState(control)}` }, state),
    );
    const news = state.events.slice(0, told).map(({ what }) => what);
    one.changed({ cell: one.ref, index: one.index, output, rows: newest(all, added), told: news.reverse() });
  };
  return {
    show(state) {
      last = state;
      if (!control.paused) draw(state, state.added, state.newEvents);
    },
    control({ paused = control.paused, filter = control.filter }) {
      control = { paused, filter: filter.slice(0, maxFilter).trim() };
      if (last) draw(last, 0, 0);
    },
  };
}

/** Characters of a filter that count. */
const maxFilter = 200;

function liveState({ paused }: { readonly paused: boolean }): string {
  return paused ? "paused" : "streaming";
}

/** A report with what a list of items does not say: how many came in all, and what the connection did. */
function outputWithControls(report: Report, { items, total, events }: StreamState): Report {
  const of = total > items.length ? ` of ${grouped(total)} that came` : "";
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

/** The same for the output of a cell that has ended. */
export function withLiveControls(output: CellOutput, state: StreamState): CellOutput {
  const { ok, startedAt, durationMs } = output;
  const reports = (): readonly Report[] => output.reports.map((report) => outputWithControls(report, state));
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

/** The answer of a stream with other items in it. */
export function answeredWith(items: readonly JsonValue[], outcome: Answered): Answered {
  return { ...outcome, result: { value: items, text: "" } };
}

/** @example timeOf(0) //=> "00:00:00 UTC" */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

/** Only items whose row holds the text, in what is shown or on the wire. */
function filtered(one: StreamingCell, { items, outcome }: StreamState, all: Report, filter: string): Report {
  const wanted = filter.toLowerCase();
  const table = tableOf(all);
  if (wanted === "" || !table) return all;
  const holds = (row: readonly Shown[]): boolean =>
    row.some(({ text, raw }) => text.toLowerCase().includes(wanted) || raw?.toLowerCase().includes(wanted) === true);
  const rows = rowsOf(table);
  // the newest stands first
  const kept = items.filter((_, at) => holds(rows(items.length - 1 - at)));
  const report = one.report(kept, outcome);
  return { ...report, summary: `${grouped(kept.length)} of ${all.summary} with this text` };
}

function tableOf({ sections }: Report): TableSection | undefined {
  return sections.find((section) => section.kind === "table");
}

function rowsOf(table: TableSection): (index: number) => readonly Shown[] {
  const beyond = rowsBeyond(table);
  return (index) => table.rows[index] ?? beyond?.(index) ?? [];
}

/** The newest rows of a table, the oldest of them first. */
function newest(report: Report, count: number): readonly (readonly Shown[])[] {
  const table = tableOf(report);
  const rows = table ? rowsOf(table) : () => [];
  return Array.from({ length: table ? count : 0 }, (_, at) => rows(count - 1 - at));
}

/** While it goes on it is drawn five times a second, so the forms that nobody reads stay short. */
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
