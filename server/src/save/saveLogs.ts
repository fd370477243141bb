import { withWritten } from "../abi/abiScope.ts";
import { logReader } from "../abi/decodeLog.ts";
import type { AbiItem } from "../abi/item.ts";
import { itemsCalled } from "../abi/wellKnownAbis.ts";
import { abiScope } from "../analysis/abi.ts";
import type { Explanation } from "../base/error.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { type LogFileForm, logFileForm } from "../catalog/logFiles.ts";
import type { LogReading, LogSink, TakenLogs } from "../gate/endpointQueue.ts";
import type { Cell } from "../notebook/cell.ts";
import { items, member } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import type { RunSupport, SavedCell } from "../run/documentRun.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import { Results } from "../run/result/results.ts";
import { runCells } from "../run/runs.ts";
import type { Document } from "../workspace/documents.ts";
import { pathFault, projectOf, projectPath } from "../workspace/projectFiles.ts";
import { type LogTarget, LogWriter } from "./logWriter.ts";

export interface SaveLogsParams {
  /** URI of the notebook. */
  readonly uri: string;
  /** The cell with the request. */
  readonly index: number;
  /** URI of the file to write. */
  readonly to: string;
  /** Its name, safe to show. */
  readonly name: string;
  readonly form: LogFileForm;
  readonly force: boolean;
  /** The first and the last block, in place of those of the request. */
  readonly range?: readonly [from: string, to: string] | undefined;
  readonly endpoint?: string | undefined;
}

/** Opens the file that a cell names: in the project of its notebook, and never in place of something else. */
export function openLogSink({ document, cell, path, signal, onProgress }: SavedCell, support: RunSupport): LogSink {
  const { roots, files } = support;
  const place = projectPath(path, document.uri, projectOf(document.uri, { roots, files }).tops, files);
  const [form, why] = [logFileForm(path), pathFault(place, "the notebook")];
  const name = oneLine(path);
  if (form && place.uri !== undefined && why === undefined)
    return openWriter(document, cell, { uri: place.uri, name, form, force: undefined, signal, onProgress }, support);
  const fault = { what: `${name} was not written: ${why}.`, todo: "Choose a file in the project." };
  return { take: async () => ({ notes: [], fault }) };
}

/** Runs the request of a cell, and writes its logs to a file while they arrive. An earlier reading goes on where it ended. */
export async function saveLogs(
  document: Document,
  params: SaveLogsParams,
  variables: ReadonlyMap<string, JsonValue>,
  signal: AbortSignal,
  onProgress: (text: string) => void,
  support: RunSupport,
): Promise<TakenLogs> {
  const { to: uri, name, form, force, endpoint } = params;
  const cell = bareCell(document, params);
  if (!cell) return { notes: [], fault: notLogs };
  const writer = openWriter(document, cell, { uri, name, form, force, signal, onProgress }, support);
  let taken: TakenLogs = { notes: [] };
  const take = async (reading: LogReading): Promise<TakenLogs> => {
    taken = await writer.take(reading);
    return taken;
  };
  const failure = await takeLogs(document, cell, { take }, { endpoint, variables, signal }, support);
  const fault = taken.fault ?? failure;
  return fault ? { notes: taken.notes, fault: support.mask.own(fault) } : taken;
}

interface TakenFrom {
  readonly endpoint: string | undefined;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly signal: AbortSignal;
}

/** Runs a cell with `save` beside those of a document, and lets a sink take its logs. @returns Why it failed, or a cell that it needs. */
export async function takeLogs(
  document: Document,
  cell: Cell,
  sink: LogSink,
  { endpoint, variables, signal }: TakenFrom,
  support: RunSupport,
): Promise<Explanation | undefined> {
  const added = { index: document.cells.length };
  const results: CellResult[] = [];
  await runCells(
    { ...document, cells: [...document.cells, cell], refs: [...document.refs, added] },
    { uri: document.uri, cells: [added], ...(endpoint !== undefined && { endpoint }) },
    variables,
    { started() {}, finished: (result) => void results.push(result) },
    signal,
    { ...support, results: new Results(), saveLogs: () => sink },
  );
  return failureOf(results);
}

function openWriter(document: Document, cell: Cell, target: LogTarget, support: RunSupport): LogWriter {
  const { signatures, contracts } = support;
  const reader = async () => {
    await signatures.loadIf(() => true);
    const scope = abiScope(cell, { header: document.header, abis: signatures.with(contracts.declared(document)) });
    return logReader(withWritten(scope, writtenEvents(cell)));
  };
  return new LogWriter(target, reader, support);
}

/** Returns the event that the filter of a cell writes out. */
function writtenEvents({ requests: [request] }: Cell): readonly AbiItem[] {
  const event = member(items(request?.members.get("params")?.value)[0], "event")?.value;
  return typeof event === "string" ? itemsCalled("event", event, []) : [];
}

/** Says why a cell failed, or the one that it needs. */
function failureOf(results: readonly CellResult[]): Explanation | undefined {
  const failed = results.find(({ ok }) => !ok);
  const sections = failed?.output.reports.flatMap((report) => report.sections) ?? [];
  return failed?.notSent ?? sections.find((section) => section.kind === "failure");
}

/** The request of a cell, with nothing that is done with its answer but to save it. */
function bareCell({ cells }: Document, { index, form, range }: SaveLogsParams): Cell | undefined {
  const cell = cells[index];
  const value = cell?.kind === "request" ? parseJson(cell.text) : undefined;
  if (!isObject(value) || value.method !== "eth_getLogs" || value.each !== undefined) return undefined;
  const { name: _name, expect: _expect, within: _within, snapshot: _snapshot, ...request } = value;
  const [filter = {}, ...more] = isArray(request.params) ? request.params : [];
  const ends = range && isObject(filter) ? { ...filter, fromBlock: range[0], toBlock: range[1] } : filter;
  return readCell(printJson({ ...request, params: [ends, ...more], save: `logs.${form}` }));
}

const notLogs: Explanation = {
  what: "Only the logs of a single `eth_getLogs` request can be saved.",
  todo: "Name a cell with such a request.",
};
