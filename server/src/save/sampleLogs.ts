import { logReader } from "../abi/decodeLog.ts";
import { readCsv } from "../base/csv.ts";
import type { Explanation } from "../base/error.ts";
import { toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, parseJson, printJson } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import type { LogReading, LogSink } from "../gate/endpointQueue.ts";
import { readCell } from "../notebook/readCell.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { Document } from "../workspace/documents.ts";
import { criteriaOf } from "./logCheck.ts";
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
  report(finding: string): void;
}

/** Places of the pieces of which an answer is read again: the first, the last, and some between. */
const sampled = [0, 0.25, 0.5, 0.75, 1];
/** What an endpoint says of a log; the rest is decoded from it. */
const rawColumns = logColumns.slice(0, -1);

/**
 * Reads logs of some pieces again, as many of each as the endpoint sends at once, and compares them with the rows.
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
  const chosen = new Set(sampled.map((part) => Math.round(part * (pieces.length - 1))));
  let compared = 0;
  for (const at of chosen) {
    const rows = await savedRows(check, at);
    const piece = pieces[at];
    if (!rows || !piece || check.signal.aborted) continue; // its bytes are not those that were written
    const sink: LogSink = {
      async take(reading) {
        compared += await compareAnswer(check, piece, rows, reading, support);
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
async function compareAnswer(
  { report, manifest: { chainId } }: Check,
  { from, to }: SavedPiece,
  rows: readonly (readonly string[])[],
  reading: LogReading,
  { mask }: RunSupport,
): Promise<number> {
  const answer = await reading.read(BigInt(from));
  if (!answer) return 0;
  const last = Math.min(Number(answer.to), to);
  const where = blocksText(from, last);
  const ordered = inPlace(answer.logs, criteriaOf(reading));
  if ("fault" in ordered) {
    report(`${where}: the endpoint sends ${ordered.fault} now.`);
    return 0;
  }
  const written = rows.filter(([block]) => Number(block) <= last);
  const rowAt = rowsOf(ordered.logs, logReader(), chainId);
  const now = ordered.logs.map((_, index) =>
    rowAt(index)
      .texts.slice(0, rawColumns.length)
      .map((text) => mask.text(plain(text))),
  );
  const other = now.find((row, index) => row.join() !== written[index]?.join());
  if (now.length !== written.length)
    report(`${where}: the endpoint sends ${plural(now.length, "log")} now, ${grouped(written.length)} were written.`);
  else if (other) report(`${where}: the endpoint sends other logs now, first in block ${grouped(Number(other[0]))}.`);
  return now.length;
}

function plain(json: string): string {
  const value = valueIn(json);
  return value === null ? "" : typeof value === "string" ? value : printJson(value);
}

/** Reads the columns of a piece that are not decoded. @returns `undefined` if its bytes were changed. */
async function savedRows(check: Check, at: number): Promise<readonly (readonly string[])[] | undefined> {
  const { files, uri, name, manifest } = check;
  const { head, pieces } = manifest;
  const piece = pieces[at];
  const part = piece && (await files.part?.(uri, pieces[at - 1]?.end ?? head, piece.end));
  if (!part || part.sha256 !== piece.sha256) return undefined;
  const form = logFileForm(name);
  if (form === "parquet") {
    const { readParquetRows } = await import("./parquet.ts");
    const first = rowsIn(pieces.slice(0, at));
    const rows = await readParquetRows(check, [...rawColumns], [first, first + piece.rows]);
    return rows?.map((row) => rawColumns.map((column) => `${row[column] ?? ""}`));
  }
  const text = new TextDecoder().decode(part.bytes);
  if (form === "csv") return readCsv(text)?.map((fields) => fields.slice(0, rawColumns.length));
  const lines = text.split("\n").flatMap((line): readonly JsonObject[] => {
    const row = parseJson(line);
    return isObject(row) ? [row] : [];
  });
  return lines.map((row) => rawColumns.map((column) => `${row[column] ?? ""}`));
}
