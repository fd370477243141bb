import type { Explanation } from "../base/error.ts";
import { toQuantity } from "../base/hex.ts";
import { isObject } from "../base/json.ts";
import { brief, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { explainUnsent } from "../gate/unsentReason.ts";
import { explain } from "../rpc/explain.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { Document } from "../workspace/documents.ts";
import { csvLine } from "./csv.ts";
import { readStored } from "./logFile.ts";
import { blocksText, type LogManifest, manifestSuffix, nextBlock, type SavedPiece } from "./logManifest.ts";
import { comparePlaces, type LogPlace } from "./logOrder.ts";
import { type Check, checkSample } from "./sampleLogs.ts";

export interface VerifiedLogs {
  /** What is wrong, each with its place. */
  readonly findings: readonly string[];
  /** Findings that are not listed. */
  readonly more: number;
  /** Says what the file holds. */
  readonly manifest: LogManifest;
  /** Block hashes that were compared. */
  readonly hashes: number;
  /** Logs that the endpoint sent again, and that were compared. */
  readonly logs: number;
  readonly notes: readonly string[];
}

const unhashed =
  "An earlier version wrote the file, without a hash of its end, so the statistics there were not checked.";

/** Findings that are listed. */
const maxFindings = 100;

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
  support: RunSupport,
): Promise<VerifiedLogs | Explanation> {
  const { files, routes, mask } = support;
  const size = await files.sizeOf?.(uri);
  if (size === undefined)
    return { what: `${name} cannot be read, or does not exist.`, todo: "Name a file that `run --save` wrote." };
  const { manifest, isExact, isUnhashed, text } = await readStored(files, uri, size);
  if (!manifest) return withoutManifest(name, text !== undefined);
  const findings: string[] = [];
  let count = 0;
  const report = (finding: string): void => void (++count <= maxFindings && findings.push(finding));
  const check: Check = { files, uri, name, size, manifest, signal, report, changed: new Map() };
  if (nextBlock(manifest) <= manifest.to)
    report(`${blocksText(nextBlock(manifest), manifest.to)}: missing. Run the command that wrote the file again.`);
  if (manifest.isOpen) report("A process is writing the file, or was ended while it did.");
  if (logFileForm(name) === "parquet") await checkGroups(check, isExact);
  else await checkRows(check);
  const result = (hashes: number, logs: number, others: readonly string[]): VerifiedLogs => {
    const notes = [...(isUnhashed ? [unhashed] : []), ...others];
    return { findings: mask.own(findings), more: count - findings.length, manifest, hashes, logs, notes };
  };
  if (endpoint === undefined)
    return result(0, 0, ["Block hashes were not compared, and no logs read again: that needs --endpoint."]);
  const prober = await routes.prober(document, endpoint, signal);
  if ("kind" in prober) return explainUnsent(prober, () => []);
  const hashes = await checkHashes(check, prober.asker);
  if (typeof hashes !== "number") return hashes;
  const unknown = manifest.pieces.filter(({ first, last }) => first === null || last === null).length;
  const logs = await checkSample(document, check, endpoint, support);
  if (typeof logs !== "number") return logs;
  return result(
    hashes,
    logs,
    unknown > 0 ? [`${plural(unknown, "piece")} without block hashes could not be checked.`] : [],
  );
}

function withoutManifest(name: string, hasText: boolean): Explanation {
  const beside = `${name}${manifestSuffix}`;
  const again = "Save the logs again.";
  if (hasText) return { what: `${beside} is not a manifest, or was changed.`, todo: again };
  if (name.endsWith(manifestSuffix))
    return {
      what: `${name} is a manifest.`,
      todo: `Name the file that it belongs to: ${name.slice(0, -manifestSuffix.length)}.`,
    };
  if (logFileForm(name) === "parquet")
    return { what: `${name} has no manifest: RPC Notebook did not write it, or its end is missing.`, todo: again };
  const what = `There is no ${beside}, which says what ${name} holds.`;
  return logFileForm(name)
    ? { what, todo: `Keep the two files together, or save the logs again.` }
    : {
        what: `${name} is not a file of logs.`,
        todo: "Name a .parquet, .csv or .ndjson file that `run --save` wrote.",
      };
}

/** Reads all rows. A row belongs to the piece of its block, wherever it is in the file: rows may be missing before it. */
async function checkRows(check: Check): Promise<void> {
  const { name, manifest, size, report } = check;
  const { pieces, head, columns } = manifest;
  let [at, line] = [0, 0];
  let last: LogPlace | undefined;
  let rows = { start: head, line: head > 0 ? 2 : 1, count: 0 };
  const endPiece = async (end: number): Promise<void> => {
    const piece = pieces[at];
    if (piece && (await checkPiece(check, piece, rows, end))) check.changed.set(at, { ...rows, end });
    at++;
    rows = { start: end, line, count: 0 };
  };
  for await (const { start, text } of linesOf(check)) {
    line++;
    const where = `${name}:${line}`;
    if (start < head) {
      if (text !== csvLine(columns).slice(0, headLength)) report(`${where}: other columns.`);
      continue;
    }
    const place = placeIn(text);
    while (place && at < pieces.length && place[0] > (pieces[at]?.to ?? 0)) await endPiece(start);
    const order = place && last ? comparePlaces(last, place) : -1;
    if (!place) report(`${where}: not a row.`);
    else if (at === pieces.length) report(`${where}: block ${grouped(place[0])} is after the last piece.`);
    else if (order >= 0)
      report(`${where}: ${order === 0 ? "the row appears twice" : "not in the order of the chain"}.`);
    rows.count++;
    last = place ?? last;
  }
  line++;
  while (at < pieces.length && !check.signal.aborted) await endPiece(size);
}

/** Checks the bytes of each piece: rows cannot be found in others. */
async function checkGroups({ files, uri, name, manifest, signal, report }: Check, isExact: boolean): Promise<void> {
  if (!isExact && !manifest.isOpen) report(`${name}: its first bytes or its end were changed.`);
  let start = manifest.head;
  for (const { from, to, end, sha256 } of manifest.pieces) {
    if (signal.aborted) return;
    const where = `${blocksText(from, to)} (${name}, bytes ${grouped(start)} to ${grouped(end)})`;
    if ((await files.part?.(uri, start, end))?.sha256 !== sha256)
      report(`${where}: rows were changed, or are missing.`);
    start = end;
  }
}

/** Reports one finding for a piece: the number of its rows, else their content. @returns Whether it is their content. */
async function checkPiece(
  { files, uri, name, report }: Check,
  { from, to, rows, sha256 }: SavedPiece,
  { start, line, count }: { readonly start: number; readonly line: number; readonly count: number },
  end: number,
): Promise<boolean> {
  const where = `${blocksText(from, to)} (${count > 0 ? `${name}:${line} to ${line + count - 1}` : `before ${name}:${line}`})`;
  if (count !== rows) report(`${where}: ${plural(count, "row")}, ${grouped(rows)} were written.`);
  const isChanged = count === rows && (await files.part?.(uri, start, end))?.sha256 !== sha256;
  if (isChanged) report(`${where}: rows were changed.`);
  return isChanged;
}

/** Bytes that are read at once. */
const chunkBytes = 4_000_000;
/** Bytes of the first line, which may be that of the columns, and of others, which begin with their place. */
const [headLength, placeLength] = [100_000, 100];

/** The lines of a file, with the offset of the first byte of each. Of a long line only the beginning. */
async function* linesOf({ files, uri, size, signal }: Check) {
  const decoder = new TextDecoder();
  let [start, kept] = [0, new Uint8Array()];
  for (let at = 0; at < size && !signal.aborted; at += chunkBytes) {
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
  { manifest: { pieces, chainId }, signal, report }: Check,
  asker: BackgroundClient,
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
  const method = "eth_getBlockByNumber";
  for (let at = 0; at < known.length && !signal.aborted; at += questionsAtOnce) {
    const some = known.slice(at, at + questionsAtOnce);
    const questions = some.map(([block]) => ({ method, params: [toQuantity(BigInt(block)), false] }));
    const outcomes = await asker.ask(questions, signal);
    for (const [index, [block, hash]] of some.entries()) {
      const outcome = outcomes[index];
      if (outcome && outcome.kind !== "answered") return explain(outcome, method);
      const found = resultOf(outcome);
      const now = isObject(found) && typeof found.hash === "string" ? found.hash : undefined;
      if (now === undefined) report(`block ${grouped(block)}: the endpoint does not have it.`);
      else if (now !== hash)
        report(`block ${grouped(block)}: its hash is ${brief(now, 66)} now, and was ${brief(hash ?? "", 66)}.`);
    }
  }
  return known.length;
}
