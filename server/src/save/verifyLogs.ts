import type { Explanation } from "../base/error.ts";
import { toQuantity } from "../base/hex.ts";
import { isObject } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Files } from "../base/ports.ts";
import { brief, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { explain } from "../rpc/explain.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import { csvLine } from "./csv.ts";
import { type LogManifest, manifestSuffix, nextBlock, readManifest, rowsIn, type SavedPiece } from "./logManifest.ts";
import { comparePlaces, type LogPlace } from "./logOrder.ts";

export interface VerifiedLogs {
  /** What is wrong, each with its place. */
  readonly findings: readonly string[];
  /** Findings that are not listed. */
  readonly more: number;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  /** Block hashes that were compared. */
  readonly hashes: number;
  readonly notes: readonly string[];
}

interface VerifySupport {
  readonly files: Files;
  readonly routes: Routes;
  readonly mask: Mask;
}

/** Findings that are listed. */
const maxFindings = 100;

class Findings {
  readonly listed: string[] = [];
  more = 0;

  add(what: string): void {
    if (this.listed.length < maxFindings) this.listed.push(what);
    else this.more++;
  }
}

/**
 * Checks a file of logs against its manifest, and the block hashes of the manifest against an endpoint.
 *
 * @param uri - Of the file.
 * @param endpoint - Absent if only the file is checked.
 */
export async function verifyLogs(
  document: Document,
  { uri, name, endpoint }: { readonly uri: string; readonly name: string; readonly endpoint: string | undefined },
  signal: AbortSignal,
  { files, routes, mask }: VerifySupport,
): Promise<VerifiedLogs | Explanation> {
  const bytes = await files.read(`${uri}${manifestSuffix}`);
  const decoded = bytes && decodeFile(bytes);
  const manifest = decoded && "text" in decoded ? readManifest(decoded.text) : undefined;
  const size = await files.sizeOf?.(uri);
  if (!manifest || size === undefined) {
    const missing = manifest ? name : `${name}${manifestSuffix}`;
    return { what: `${missing} cannot be read, or is not one.`, todo: "Name a file that `run --save` wrote." };
  }
  const findings = new Findings();
  checkRange(manifest, findings);
  await checkRows({ files, uri, size, name, manifest }, findings, signal);
  const checked = { hashes: 0, notes: [] as string[] };
  if (endpoint === undefined) checked.notes.push("Block hashes were not checked: that needs --endpoint.");
  else {
    const prober = await routes.prober(document, endpoint, signal);
    if ("kind" in prober) return explainUnsent(prober, () => []);
    const compared = await checkHashes(manifest, prober.asker, findings, signal);
    if (typeof compared !== "number") return compared;
    checked.hashes = compared;
    const unknown = manifest.pieces.filter(({ first, last }) => first === null || last === null).length;
    if (unknown > 0) checked.notes.push(`${plural(unknown, "piece")} without block hashes could not be checked.`);
  }
  const { pieces, from } = manifest;
  const { listed, more } = findings;
  return { findings: mask.own(listed), more, rows: rowsIn(pieces), from, to: nextBlock(manifest) - 1, ...checked };
}

function checkRange(manifest: LogManifest, findings: Findings): void {
  const next = nextBlock(manifest);
  if (next <= manifest.to)
    findings.add(`${blocks(next, manifest.to)}: missing. Run the command that wrote the file again.`);
  if (manifest.isOpen) findings.add("A process is writing the file, or was ended while it did.");
}

interface CheckedFile {
  readonly files: Files;
  readonly uri: string;
  readonly size: number;
  readonly name: string;
  readonly manifest: LogManifest;
}

/** Rows of a piece, as they are in the file. */
interface Found {
  readonly start: number;
  readonly line: number;
  rows: number;
}

/** Reads all rows. A row belongs to the piece of its block, wherever it is in the file: rows may be missing before it. */
async function checkRows(file: CheckedFile, findings: Findings, signal: AbortSignal): Promise<void> {
  const { name, manifest, size } = file;
  const { pieces, head } = manifest;
  let at = 0;
  let found: Found = { start: head, line: head > 0 ? 2 : 1, rows: 0 };
  let last: LogPlace | undefined;
  let line = 0;
  const endPiece = async (end: number): Promise<void> => {
    const piece = pieces[at];
    if (piece) await checkPiece(file, piece, found, end, findings);
    at++;
    found = { start: end, line, rows: 0 };
  };
  for await (const { start, text } of linesOf(file)) {
    if (signal.aborted) return;
    line++;
    if (start < head) {
      if (text !== csvLine(manifest.columns).slice(0, headLength)) findings.add(`${name}:1: other columns.`);
      continue;
    }
    const place = placeIn(text);
    while (place && at < pieces.length && place[0] > (pieces[at]?.to ?? 0)) await endPiece(start);
    if (!place) findings.add(`${name}:${line}: not a row.`);
    else if (at === pieces.length) findings.add(`${name}:${line}: block ${grouped(place[0])} is after the last piece.`);
    else if (last && comparePlaces(last, place) === 0) findings.add(`${name}:${line}: the row appears twice.`);
    else if (last && comparePlaces(last, place) > 0) findings.add(`${name}:${line}: not in the order of the chain.`);
    found.rows++;
    last = place ?? last;
  }
  line++;
  while (at < pieces.length) await endPiece(size);
}

/** Reports one finding for a piece: the number of its rows, else their content. */
async function checkPiece(
  { files, uri, name }: CheckedFile,
  { from, to, rows, sha256 }: SavedPiece,
  { start, line, rows: found }: Found,
  end: number,
  findings: Findings,
): Promise<void> {
  const where = `${blocks(from, to)} (${found > 0 ? `${name}:${line} to ${line + found - 1}` : `before ${name}:${line}`})`;
  if (found !== rows) return findings.add(`${where}: ${plural(found, "row")}, ${grouped(rows)} were written.`);
  if ((await files.part?.(uri, start, end))?.sha256 !== sha256) findings.add(`${where}: rows were changed.`);
}

/** Bytes that are read at once. */
const chunkBytes = 4_000_000;
/** Bytes of the first line, which may be that of the columns, and of others, which begin with their place. */
const [headLength, placeLength] = [100_000, 100];

/** The lines of a file, with the offset of the first byte of each. Of a long line only the beginning. */
async function* linesOf({ files, uri, size }: CheckedFile) {
  const decoder = new TextDecoder();
  let [start, kept] = [0, new Uint8Array()];
  for (let at = 0; at < size; at += chunkBytes) {
    const part = await files.part?.(uri, at, Math.min(at + chunkBytes, size));
    if (!part) return;
    const bytes = new Uint8Array(kept.length + part.bytes.length);
    bytes.set(kept);
    bytes.set(part.bytes, kept.length);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const length = start + from === 0 ? headLength : placeLength;
      const text = decoder.decode(bytes.subarray(from, Math.min(end, from + length)));
      yield { start: start + from, text };
      from = end + 1;
    }
    start += from;
    kept = bytes.slice(from);
  }
  if (kept.length > 0) yield { start, text: decoder.decode(kept.subarray(0, headLength)) };
}

function placeIn(line: string): LogPlace | undefined {
  const found =
    /^\{"block_number":(\d{1,16}),"transaction_index":(\d{1,16}|null),"log_index":(\d{1,16}),/.exec(line) ??
    /^(\d{1,16}),(\d{0,16}),(\d{1,16}),/.exec(line);
  if (!found) return undefined;
  const [, block, transaction, log] = found;
  return [Number(block), Number(transaction) || 0, Number(log)];
}

/** Questions in one message. */
const questionsAtOnce = 50;

/** @returns How many hashes were compared, or why none were. */
async function checkHashes(
  { pieces, chainId }: LogManifest,
  asker: BackgroundClient,
  findings: Findings,
  signal: AbortSignal,
): Promise<number | Explanation> {
  const [chain] = await asker.ask([{ method: "eth_chainId", params: [] }], signal);
  if (chain && chain.kind !== "answered") return explain(chain, "eth_chainId");
  const other = Number(resultOf(chain) ?? Number.NaN);
  if (other !== chainId) {
    const todo = "Choose an endpoint of that chain.";
    return { what: `The file holds logs of chain ${chainId}, and the endpoint is of chain ${other}.`, todo };
  }
  const hashes = new Map(pieces.flatMap(({ from, to, first, last }) => [[from, first] as const, [to, last] as const]));
  const known = [...hashes].filter(([, hash]) => hash !== null);
  for (let at = 0; at < known.length && !signal.aborted; at += questionsAtOnce) {
    const some = known.slice(at, at + questionsAtOnce);
    const questions = some.map(([block]) => ({
      method: "eth_getBlockByNumber",
      params: [toQuantity(BigInt(block)), false],
    }));
    const outcomes = await asker.ask(questions, signal);
    for (const [index, [block, hash]] of some.entries()) {
      const outcome = outcomes[index];
      if (outcome && outcome.kind !== "answered") return explain(outcome, "eth_getBlockByNumber");
      const now = resultOf(outcome);
      const found = isObject(now) ? now.hash : undefined;
      if (typeof found !== "string") findings.add(`block ${grouped(block)}: the endpoint does not have it.`);
      else if (found !== hash)
        findings.add(`block ${grouped(block)}: its hash is ${brief(found, 66)} now, and was ${brief(hash ?? "", 66)}.`);
    }
  }
  return known.length;
}

function blocks(from: number, to: number): string {
  return from === to ? `block ${grouped(from)}` : `blocks ${grouped(from)} to ${grouped(to)}`;
}
