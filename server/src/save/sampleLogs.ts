import { logReader } from "../abi/decodeLog.ts";
import { readCsv } from "../base/csv.ts";
import type { Explanation } from "../base/error.ts";
import { toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, parseJson, printJson } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import { valueOfSpreadsheetText } from "../base/tableValues.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import type { LogReading, LogSink } from "../gate/endpointQueue.ts";
import { readCell } from "../notebook/readCell.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { Document } from "../workspace/documents.ts";
import { criteriaOf } from "./logCheck.ts";
import { plainText } from "./logLines.ts";
import { blocksText, type LogManifest, rowsIn, type SavedPiece } from "./logManifest.ts";
import { inPlace } from "./logOrder.ts";
import { logColumns, rowsOf, valueIn } from "./logRows.ts";
import { takeLogs } from "./saveLogs.ts";

/** A file to check, and where to report what is wrong with it. */
export interface Check {
  readonly files: Files;
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  readonly size: number;
  readonly manifest: LogManifest;
  readonly signal: AbortSignal;
  /** Pieces with as many rows as were written, and not the same: by their index, where they are now. */
  readonly changed: Map<number, { readonly start: number; readonly end: number; readonly line: number }>;
  report(finding: string): void;
}

/** Places of the pieces of which an answer is read again: the first, the last, and some between. */
const sampled = [0, 0.25, 0.5, 0.75, 1];
/** What an endpoint says of a log; the rest is decoded from it. */
const rawColumns = logColumns.slice(0, -1);

/** Changed pieces that are read again as a whole, to find the row. */
const maxChanged = 5;

/**
 * Reads logs of some pieces again, as many of each as the endpoint sends at once, and compares them with the rows. Of pieces that
 * were changed, it reads until a row differs.
 *
 * @returns How many were compared, or why none were.
 */
export async function checkSample(
  document: Document,
  check: Check,
  endpoint: string,
  support: RunSupport,
): Promise<number | Explanation> {
  const { pieces } = check.manifest;
  const chosen = new Set([
    ...sampled.map((part) => Math.round(part * (pieces.length - 1))),
    ...[...check.changed.keys()].slice(0, maxChanged),
  ]);
  let compared = 0;
  for (const at of chosen) {
    const rows = await savedRows(check, at);
    const piece = pieces[at];
    if (!rows || !piece || check.signal.aborted) continue; // its bytes are not those that were written
    const sink: LogSink = {
      async take(reading) {
        compared += await comparePiece(check, at, rows, reading, support);
        return { notes: [] };
      },
    };
    const { signal } = check;
    const fault = await takeLogs(
      document,
      cellFor(check, piece),
      sink,
      { endpoint, variables: new Map(), signal },
      support,
    );
    if (fault) return support.mask.own(fault);
  }
  return compared;
}

function cellFor({ manifest }: Check, { from, to }: SavedPiece) {
  const request = parseJson(manifest.request);
  const { params = [] } = isObject(request) ? request : {};
  const [filter = {}] = isArray(params) ? params : [];
  const range = { fromBlock: toQuantity(BigInt(from)), toBlock: toQuantity(BigInt(to)) };
  const ranged = { ...(isObject(filter) ? filter : {}), ...range };
  return readCell(printJson({ method: "eth_getLogs", params: [ranged], save: "sample.ndjson" }));
}

/** @returns How many logs were compared. */
async function comparePiece(
  check: Check,
  at: number,
  rows: SavedRows,
  reading: LogReading,
  support: RunSupport,
): Promise<number> {
  const { from = 0, to = 0 } = check.manifest.pieces[at] ?? {};
  let compared = 0;
  for (let next = from; next <= to; ) {
    const answer = await reading.read(BigInt(next));
    const last = Math.min(Number(answer?.to), to);
    const found = answer && compareAnswer(check, { from: next, to: last }, answer.logs, rows, reading, support);
    if (!found) return compared;
    compared += found.logs;
    if (!found.isSame || !check.changed.has(at)) return compared;
    next = last + 1;
  }
  return compared;
}

function compareAnswer(
  { name, manifest: { chainId }, report }: Check,
  { from, to }: { readonly from: number; readonly to: number },
  logs: LogPiece["logs"],
  { rows, line }: SavedRows,
  reading: LogReading,
  { mask }: RunSupport,
): { readonly logs: number; readonly isSame: boolean } {
  const where = blocksText(from, to);
  const ordered = inPlace(logs, criteriaOf(reading));
  if ("fault" in ordered) {
    report(`${where}: the endpoint sends ${ordered.fault} now.`);
    return { logs: 0, isSame: false };
  }
  const isAsked = ([block]: readonly string[]): boolean => Number(block) >= from && Number(block) <= to;
  const first = rows.findIndex(isAsked);
  const written = rows.filter(isAsked).map((row) => row.map(asFileText));
  const rowAt = rowsOf(ordered.logs, logReader(), chainId);
  const now = ordered.logs.map((_, index) =>
    rowAt(index)
      .texts.slice(0, rawColumns.length)
      .map((text) => asFileText(mask.text(plainText(valueIn(text))))),
  );
  const other = now.findIndex((row, index) => printJson(row) !== printJson(written[index] ?? []));
  const place = line === undefined ? "" : `${name}:${line + first + other}: `;
  if (now.length !== written.length)
    report(`${where}: the endpoint sends ${plural(now.length, "log")} now, ${grouped(written.length)} were written.`);
  else if (other >= 0)
    report(`${place}${where}: the endpoint sends other logs now, first in block ${grouped(Number(now[other]?.[0]))}.`);
  return { logs: now.length, isSame: other < 0 && now.length === written.length };
}

/** Text as it comes back from a file: half of a surrogate pair is not in UTF-8. */
function asFileText(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** Rows of a piece: the columns that are not decoded. */
interface SavedRows {
  readonly rows: readonly (readonly string[])[];
  /** The line of the first of them, in a file of lines. */
  readonly line?: number;
}

/** @returns `undefined` if there are not as many as were written, or if they cannot be read. */
async function savedRows(check: Check, at: number): Promise<SavedRows | undefined> {
  const { files, uri, name, manifest, changed } = check;
  const { head, pieces } = manifest;
  const [piece, moved] = [pieces[at], changed.get(at)];
  const [start, end] = [moved?.start ?? pieces[at - 1]?.end ?? head, moved?.end ?? piece?.end ?? 0];
  const part = piece && (await files.part?.(uri, start, end));
  if (!part || (!moved && part.sha256 !== piece.sha256)) return undefined;
  const form = logFileForm(name);
  const first = rowsIn(pieces.slice(0, at));
  if (form === "parquet") {
    const { readParquetRows } = await import("./parquet.ts");
    const rows = await readParquetRows(check, [...rawColumns], [first, first + piece.rows]);
    return rows && { rows: rows.map((row) => rawColumns.map((column) => plainText(`${row[column] ?? ""}`))) };
  }
  const line = moved?.line ?? (head > 0 ? 2 : 1) + first;
  const text = new TextDecoder().decode(part.bytes);
  if (form === "csv") {
    const rows = readCsv(text)?.map((fields) => fields.slice(0, rawColumns.length).map(valueOfSpreadsheetText));
    return rows && { rows, line };
  }
  const rows = text.split("\n").flatMap((one): readonly JsonObject[] => {
    const row = parseJson(one);
    return isObject(row) ? [row] : [];
  });
  return { rows: rows.map((row) => rawColumns.map((column) => plainText(row[column] ?? null))), line };
}
