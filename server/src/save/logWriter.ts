import type { LogReader } from "../abi/decodeLog.ts";
import type { Explanation } from "../base/error.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { plural } from "../base/text.ts";
import { formatBytes, formatDuration, grouped } from "../base/units.ts";
import { homeFolder, parentFolder } from "../base/uri.ts";
import type { LogFileForm } from "../catalog/logFiles.ts";
import type { LogReading, LogSink, TakenLogs } from "../gate/endpointQueue.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import { resultOf } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/wire.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { criteriaOf } from "./logCheck.ts";
import { type LogFile, type LogFilePlace, openLogFile } from "./logFile.ts";
import type { LogFormat } from "./logFormat.ts";
import { openLogLines } from "./logLines.ts";
import { contentsText, endOf, type LogManifest, nextBlock, rowsIn } from "./logManifest.ts";
import { inPlace } from "./logOrder.ts";
import { type LogRow, rowsOf } from "./logRows.ts";

/** A file that logs go to. */
export interface LogTarget {
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  readonly form: LogFileForm;
  readonly force: LogFilePlace["force"];
  readonly signal: AbortSignal;
  /** Called with how far it is, in words. */
  onProgress(text: string): void;
}

/** Bytes of answers after which a piece ends: they are in memory. */
const maxPieceBytes = 6_000_000;

/** Requests that are so few that one answer is enough of a sample. */
const fewRequests = 50;
/** Requests, and bytes of their answers, about which nobody is asked. */
const [manyRequests, manyBytes] = [500, 1_000_000_000];

/** Blocks that were read and are not in the file yet, and their logs, answer by answer. */
interface ReadBlocks {
  readonly to: number;
  readonly lists: readonly (readonly JsonValue[])[];
  /** The endpoint failed at the blocks that follow. */
  readonly isLast: boolean;
  /** Says what it sent, if that was not what was asked for. */
  readonly fault?: Explanation;
}

/** Reads the logs of a range and writes them to a file. */
export class LogWriter implements LogSink {
  readonly #target: LogTarget;
  readonly #reader: () => Promise<LogReader>;
  readonly #support: RunSupport;
  readonly #notes: string[] = [];
  readonly #began: number;
  #host = "";
  /** The first answer, by which the cost was estimated. */
  #sample: LogPiece | undefined;
  /** Of this run. */
  readonly #counts = { rows: 0, strays: 0, repeated: 0, nulls: 0 };
  /** Rows that were last said to be read. */
  #shown = 0;
  /** Says what of the file is whole; `undefined` without a file. */
  #manifest: LogManifest | undefined;

  /** @param reader - Reads logs with the declarations of the project. */
  constructor(target: LogTarget, reader: () => Promise<LogReader>, support: RunSupport) {
    this.#target = target;
    this.#reader = reader;
    this.#support = support;
    this.#began = support.clock.now();
  }

  get #allNotes(): readonly string[] {
    const { strays, repeated, nulls } = this.#counts;
    const counted = [
      strays > 0 && `also sent ${plural(strays, "log")} of other blocks; they were left out.`,
      repeated > 0 && `sent ${plural(repeated, "log")} twice; each was written once.`,
      nulls > 0 && `answered ${plural(nulls, "part")} with null, which counts as no logs.`,
    ];
    return [...this.#notes, ...counted.flatMap((text) => (text ? [`${this.#host} ${text}`] : []))];
  }

  async take(reading: LogReading): Promise<TakenLogs> {
    const fault = await this.#write(reading);
    const [manifest, { name }, { mask }] = [this.#manifest, this.#target, this.#support];
    const notes = this.#allNotes.map(mask.text);
    const contents = manifest && `${contentsText(manifest, "log")} (${formatBytes(endOf(manifest))})`;
    if (!manifest) return { notes, fault: fault && mask.own(fault) };
    const [last, rows] = [nextBlock(manifest) - 1, rowsIn(manifest.pieces)];
    const blocks = manifest.pieces.length > 0 && { blocks: { from: BigInt(manifest.from), to: BigInt(last) } };
    const saved = { path: mask.text(name), rows, ...blocks };
    if (!fault && last >= manifest.to) return { done: `Saved ${contents} in ${name}.`, saved, notes };
    const lost = this.#shown - rows;
    const kept = [
      blocks && `${name} has ${contents}. Run it again to go on from there.`,
      lost > 0 &&
        `${plural(lost, "log")} of a piece that was not whole ${lost === 1 ? "is" : "are"} not in ${name}, and will be read again.`,
    ];
    return { saved, notes: [...notes, ...kept.filter((text) => text !== false)], fault: fault && mask.own(fault) };
  }
  async #write(reading: LogReading): Promise<Explanation | undefined> {
    const { host, range } = reading;
    this.#host = host;
    const chain = await reading.ask(ownRequest("eth_chainId", []));
    if (chain.kind === "unreachable") return undefined; // the cell says why
    const chainId = Number(resultOf(chain) ?? Number.NaN);
    if (!Number.isSafeInteger(chainId)) {
      const todo = "Rows hold the number of their chain. Check the endpoint.";
      return { what: `${host} does not say which chain it is.`, todo };
    }
    if (range.to > BigInt(Number.MAX_SAFE_INTEGER))
      return { what: `There is no block ${grouped(range.to)}.`, todo: "End the range with `latest`." };
    const criteria = criteriaOf(reading);
    const { uri, name, form, force } = this.#target;
    const { files, mask, roots } = this.#support;
    const place = { uri, name, force, files, within: homeFolder(uri, roots, files) ?? parentFolder(uri) };
    const reader = await this.#reader();
    const format = await openLogFormat(form, criteria, reader, mask);
    const file = await openLogFile(place, this.#wanted(reading, criteria, chainId, format), format);
    if ("what" in file) return file;
    let fault: Explanation | undefined;
    try {
      fault = await this.#fill(file, format, reading, reader);
    } finally {
      const unfinished = await file.close();
      fault ??= unfinished;
      this.#manifest = file.manifest;
    }
    return fault;
  }

  #wanted({ range, host }: LogReading, criteria: JsonValue, chainId: number, format: LogFormat): LogManifest {
    const { mask, version } = this.#support;
    return {
      programs: [version === undefined ? "rpc-notebook" : `rpc-notebook ${version}`],
      host: mask.text(host),
      chainId,
      request: printJson(mask.value({ method: "eth_getLogs", params: [criteria] } as JsonValue)),
      columns: format.columns,
      from: Number(range.from),
      to: Number(range.to),
      isOpen: true,
      head: new TextEncoder().encode(format.head).length,
      pieces: [],
    };
  }
  /**
   * Reads pieces until the file is complete. The hash of the end of the range is asked for after each: if it is still the
   * same, so are all blocks of the range, and all logs and hashes of the piece are of one chain.
   */
  async #fill(
    file: LogFile,
    format: LogFormat,
    reading: LogReading,
    reader: LogReader,
  ): Promise<Explanation | undefined> {
    const { to, chainId } = file.manifest;
    const hashOf = (block: number): Promise<string | undefined> => knownHash(reading, block);
    let end = await hashOf(to);
    let fault = await this.#cutReplaced(file, nextBlock(file.manifest) - 1, hashOf);
    const first = nextBlock(file.manifest);
    fault ??= await this.#allowed(first, to, reading);
    let isLast = false;
    while (!fault && !isLast && nextBlock(file.manifest) <= to) {
      const from = nextBlock(file.manifest);
      const read = await this.#read(file, first, reading, format);
      if (read.to < from) return read.fault;
      const [firstHash, lastHash] = await Promise.all([hashOf(from), hashOf(read.to)]);
      const endNow = await hashOf(to);
      if (this.#target.signal.aborted) return undefined;
      isLast = read.isLast;
      if (isOther(endNow, end)) fault = await this.#cutReplaced(file, read.to, hashOf);
      else {
        const rows = read.lists.reduce((sum, { length }) => sum + length, 0);
        const blocks = { from, to: read.to, rows, first: firstHash ?? null, last: lastHash ?? null };
        fault = await file.append(blocks, allRows(read.lists, reader, chainId));
      }
      fault ??= read.fault;
      end = endNow ?? end;
    }
    return fault;
  }
  /** Asks a person if there is much to read: by the first answer, and by two others if it is one of many. */
  async #allowed(first: number, to: number, reading: LogReading): Promise<Explanation | undefined> {
    const { clock } = this.#support;
    const left = to - first + 1;
    const began = clock.now();
    const samples: LogPiece[] = [];
    for (const place of left > 0 ? [0, 0.5, 0.99] : []) {
      const sample = await reading.read(BigInt(first + Math.floor(left * place)));
      if (sample) samples.push(sample);
      [this.#sample] = samples;
      if (!this.#sample || left <= fewRequests * blocksOf(this.#sample)) return undefined;
    }
    const blocks = samples.reduce((sum, sample) => sum + blocksOf(sample), 0);
    const requests = Math.ceil((left * samples.length) / Math.max(blocks, 1));
    const bytes = Math.ceil((left * samples.reduce((sum, sample) => sum + sample.bytes, 0)) / Math.max(blocks, 1));
    const seconds = ((clock.now() - began) / 1000) * (requests / Math.max(samples.length, 1));
    return requests > manyRequests || bytes > manyBytes ? reading.allow({ requests, bytes, seconds }) : undefined;
  }
  /** Reads blocks, unless they were the sample. */
  async #next(from: bigint, reading: LogReading): Promise<LogPiece | undefined> {
    const sample = this.#sample;
    this.#sample = undefined;
    return sample?.from === from ? sample : reading.read(from);
  }
  /** Reads the blocks of the next piece. */
  async #read(file: LogFile, first: number, reading: LogReading, format: LogFormat): Promise<ReadBlocks> {
    const { clock } = this.#support;
    const criteria = criteriaOf(reading);
    const { to: end, pieces } = file.manifest;
    const began = clock.now();
    const lists: (readonly JsonValue[])[] = [];
    let to = nextBlock(file.manifest) - 1;
    for (let [bytes, rows] = [0, rowsIn(pieces)]; to < end && bytes < maxPieceBytes; ) {
      const piece = await this.#next(BigInt(to + 1), reading);
      if (!piece) return { to, lists, isLast: true };
      const ordered = inPlace(piece.logs, criteria);
      if ("fault" in ordered) return { to, lists, isLast: true, fault: badLogs(this.#host, ordered.fault) };
      lists.push(ordered.logs);
      to = Number(piece.to);
      bytes += piece.bytes;
      rows += ordered.logs.length;
      this.#counts.rows += ordered.logs.length;
      this.#counts.strays += piece.strays;
      this.#counts.repeated += ordered.repeated;
      if (piece.isNull) this.#counts.nulls++;
      this.#report(file.manifest, { first, to, rows });
      const now = clock.now();
      if (now - began >= format.pieceMs(now - this.#began)) break;
    }
    return { to, lists, isLast: false };
  }
  /** Cuts pieces from the end whose last blocks are others now, and says so if blocks up to `to` have to be read again. */
  async #cutReplaced(
    file: LogFile,
    to: number,
    hashOf: (block: number) => Promise<string | undefined>,
  ): Promise<Explanation | undefined> {
    const { pieces } = file.manifest;
    let kept = pieces.length;
    for (let last = pieces[kept - 1]; last?.last; last = pieces[kept - 1]) {
      if (!isOther(await hashOf(last.to), last.last)) break;
      kept--;
    }
    const fault = kept < pieces.length ? await file.keep(kept) : undefined;
    const from = nextBlock(file.manifest);
    const blocks = `blocks ${grouped(from)} to ${grouped(to)}`;
    if (from <= to)
      this.#notes.push(`The chain has changed (a reorganization), so the logs of the ${blocks} were read again.`);
    return fault;
  }
  /** @param now - The first block of this run, the last one that was read, and the rows up to there. */
  #report(
    { from, to }: LogManifest,
    now: { readonly first: number; readonly to: number; readonly rows: number },
  ): void {
    const [{ clock }, { onProgress }] = [this.#support, this.#target];
    this.#shown = now.rows;
    const ms = Math.max(clock.now() - this.#began, 1);
    const share = Math.floor((100 * (now.to - from + 1)) / (to - from + 1));
    const rate = grouped(Math.round((this.#counts.rows * 1000) / ms));
    const left = formatDuration((ms / Math.max(now.to - now.first + 1, 1)) * (to - now.to));
    onProgress(`${share}%, ${plural(now.rows, "log")}, ${rate} per second, ${left} left`);
  }
}

async function openLogFormat(form: LogFileForm, filter: JsonValue, reader: LogReader, mask: Mask): Promise<LogFormat> {
  if (form !== "parquet") return openLogLines(form, filter, reader, mask);
  const { openParquet } = await import("./parquet.ts");
  return openParquet(filter, reader, mask);
}

function* allRows(lists: ReadBlocks["lists"], reader: LogReader, chainId: number): Iterable<LogRow> {
  for (const logs of lists) {
    const rowAt = rowsOf(logs, reader, chainId);
    for (let index = 0; index < logs.length; index++) yield rowAt(index);
  }
}

function blocksOf({ from, to }: LogPiece): number {
  return Number(to - from) + 1;
}

async function knownHash(reading: LogReading, block: number): Promise<string | undefined> {
  const hash = await reading.hashOf(BigInt(block));
  return hash !== undefined && /^0x[0-9a-f]{64}$/i.test(hash) ? hash : undefined;
}

function isOther(now: string | undefined, before: string | undefined): boolean {
  return now !== undefined && before !== undefined && now !== before;
}

function badLogs(host: string, fault: string): Explanation {
  return { what: `${host} sent ${fault}.`, todo: "Check the endpoint, or use another one." };
}
