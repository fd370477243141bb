import { logReader } from "../abi/decodeLog.ts";
import { abiScope } from "../analysis/abi.ts";
import type { Explanation } from "../base/error.ts";
import { isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { homeFolder, parentFolder } from "../base/uri.ts";
import type { LogFileForm } from "../catalog/logFiles.ts";
import { readCell } from "../notebook/readCell.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import { Results } from "../run/result/results.ts";
import { runCells } from "../run/runCells.ts";
import type { Document } from "../workspace/documents.ts";
import { type LogManifest, nextBlock } from "./logManifest.ts";
import { LogWriter, type SaveProgress } from "./logWriter.ts";

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
  readonly endpoint?: string | undefined;
}

export interface SavedLogs {
  /** All blocks of the range are in the file. */
  readonly ok: boolean;
  /** Says what the file holds; `undefined` if nothing was written. */
  readonly manifest: LogManifest | undefined;
  readonly notes: readonly string[];
  /** Says why it is not complete. */
  readonly fault?: Explanation;
}

/** Runs the request of a cell, and writes its logs to a file while they arrive. An earlier reading goes on where it ended. */
export async function saveLogs(
  document: Document,
  params: SaveLogsParams,
  variables: ReadonlyMap<string, JsonValue>,
  signal: AbortSignal,
  onProgress: (progress: SaveProgress) => void,
  support: RunSupport,
): Promise<SavedLogs> {
  const cell = bareCell(document, params.index);
  if (!cell) return { ok: false, manifest: undefined, notes: [], fault: notLogs };
  const { clock, files, mask, signatures, contracts, roots, version } = support;
  const { to: uri, name, form, force, endpoint } = params;
  const writer = new LogWriter({
    ...{ uri, name, form, force, clock, files, mask, signal, onProgress },
    within: homeFolder(uri, roots, files) ?? parentFolder(uri),
    program: version === undefined ? "rpc-notebook" : `rpc-notebook ${version}`,
    async reader() {
      await signatures.loadIf(() => true);
      return logReader(abiScope(cell, { header: document.header, abis: signatures.with(contracts.of(document)) }));
    },
  });
  const added = { index: document.cells.length };
  const results: CellResult[] = [];
  await runCells(
    { ...document, cells: [...document.cells, cell], refs: [...document.refs, added] },
    { uri: document.uri, cells: [added], ...(endpoint !== undefined && { endpoint }) },
    variables,
    { started() {}, finished: (result) => void results.push(result) },
    signal,
    { ...support, results: new Results(), logSink: (one) => (one === cell ? writer : undefined) },
  );
  const { manifest, notes, fault } = writer;
  const why = fault ?? failureOf(results);
  const isWhole = manifest !== undefined && nextBlock(manifest) > manifest.to;
  return { ok: isWhole && !why, manifest, notes: notes.map(mask.text), ...(why && { fault: mask.own(why) }) };
}

/** Says why a cell failed, or the one that it needs. */
function failureOf(results: readonly CellResult[]): Explanation | undefined {
  const failed = results.find(({ ok }) => !ok);
  const sections = failed?.output.reports.flatMap((report) => report.sections) ?? [];
  return failed?.notSent ?? sections.find((section) => section.kind === "failure");
}

/** The request of a cell without what would be done with its answer. */
function bareCell({ cells }: Document, index: number) {
  const cell = cells[index];
  const value = cell?.kind === "request" ? parseJson(cell.text) : undefined;
  if (!isObject(value) || value.method !== "eth_getLogs" || value.each !== undefined) return undefined;
  const { name: _name, expect: _expect, within: _within, snapshot: _snapshot, ...request } = value;
  return readCell(printJson(request));
}

const notLogs: Explanation = {
  what: "Only the logs of a single `eth_getLogs` request can be saved.",
  todo: "Name a cell with such a request.",
};
