import type { LogReader } from "../abi/decodeLog.ts";
import type { Explanation } from "../base/error.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock, Files, GrowingFile, WriteFault } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { replaceFile } from "../files/updateFile.ts";
import { explainWriteFault, writeFaultText } from "../files/writeFaults.ts";
import type { LogReading, LogSink } from "../gate/endpointQueue.ts";
import { decodeFile } from "../notebook/bytes.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import { resultOf } from "../rpc/outcome.ts";
import { ownRequest } from "../rpc/wire.ts";
import { type LogFileForm, type LogRows, openLogRows } from "./logColumns.ts";
import {
  differenceOf,
  endOf,
  type LogManifest,
  manifestSuffix,
  nextBlock,
  printManifest,
  readManifest,
  rowsIn,
  type SavedPiece,
  taken,
} from "./logManifest.ts";
import { inPlace } from "./logOrder.ts";

/** How far a file is. */
export interface SaveProgress {
  /** From 0 to 1, by blocks. */
  readonly share: number;
  readonly rows: number;
  /** Of this run. */
  readonly rowsPerSecond: number;
  /** Milliseconds. */
  readonly left: number;
}

export interface LogFileOptions {
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  /** URI of the folder that links must not lead out of. */
  readonly within: string;
  readonly form: LogFileForm;
  /** Whether it may replace a file that is not the same query's. */
  readonly force: boolean;
  readonly files: Files;
  readonly clock: Clock;
  readonly mask: Mask;
  readonly program: string;
  readonly signal: AbortSignal;
  /** Reads logs with the declarations of the project. */
  reader(): LogReader | Promise<LogReader>;
  onProgress(progress: SaveProgress): void;
}

/** Milliseconds of work that may be lost to a kill, at least; else a fiftieth of the time of the run. */
const leastPieceMs = 250;
/** Bytes of rows after which a piece ends: a check reads a piece at a time. */
const maxPieceBytes = 64_000_000;
/** Characters of rows that are written at once. */
const batchLength = 1_000_000;

/**
 * Writes logs to the end of a file, and what is whole to the manifest beside it. Each piece of the manifest is flushed
 * before it is named there; what comes after the last of them is cut when the next run begins.
 */
export class LogFile implements LogSink {
  readonly #options: LogFileOptions;
  readonly #notes: string[] = [];
  #fault: Explanation | undefined;
  /** Something else changed the file, so nothing more is written to it. */
  #isLost = false;
  #file: GrowingFile | undefined;
  #reading: LogReading | undefined;
  #rows: LogRows | undefined;
  #manifest: LogManifest | undefined;
  #manifestText: string | undefined;
  /** The hash of the last block of the range. If it has not changed, no block of the range has. */
  #anchor: string | undefined;
  /** Blocks and rows that are in the file, and not in the manifest yet. */
  #open: { readonly to: number; readonly rows: number } | undefined;
  #pieceBegan = 0;
  readonly #began: number;
  /** The first block of this run, and its rows. */
  #first = 0;
  #rowsRead = 0;
  #strays = 0;
  #repeated = 0;
  #nulls = 0;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#began = options.clock.now();
  }

  get fault(): Explanation | undefined {
    return this.#fault;
  }
  get notes(): readonly string[] {
    const { host = "" } = this.#reading ?? {};
    return [
      ...this.#notes,
      ...(this.#strays > 0
        ? [`${host} also sent ${plural(this.#strays, "log")} of other blocks; they were left out.`]
        : []),
      ...(this.#repeated > 0 ? [`${host} sent ${plural(this.#repeated, "log")} twice; each was written once.`] : []),
      ...(this.#nulls > 0
        ? [`${host} answered ${plural(this.#nulls, "part")} with null, which counts as no logs.`]
        : []),
    ];
  }
  /** Says what of the file is whole; `undefined` without a file. */
  get manifest(): LogManifest | undefined {
    return this.#manifest;
  }

  refuse(why: Explanation): void {
    this.#fault ??= why;
  }
  async begin(reading: LogReading): Promise<bigint | undefined> {
    const { range, host } = reading;
    this.#reading = reading;
    const chainId = Number(resultOf(await reading.ask(ownRequest("eth_chainId", []))) ?? Number.NaN);
    if (!Number.isSafeInteger(chainId)) {
      const todo = "Rows hold the number of their chain. Check the endpoint.";
      return this.#stop({ what: `${host} does not say which chain it is.`, todo });
    }
    if (range.to > BigInt(Number.MAX_SAFE_INTEGER))
      return this.#stop({ what: `There is no block ${grouped(range.to)}.`, todo: "End the range with `latest`." });
    const wanted = await this.#wanted(reading, chainId);
    const { uri, within, files } = this.#options;
    const file = (await files.grow?.(uri, within)) ?? ({ reason: "unsupported", detail: "" } as const);
    if ("reason" in file) return this.#failed(file);
    this.#file = file;
    const pieces = await this.#kept(wanted, file);
    if (!pieces || !(await this.#write({ ...wanted, pieces })) || !(await this.#prepare(file))) return undefined;
    this.#anchor = await this.#hashOf(wanted.to);
    await this.#cutChanged();
    this.#first = nextBlock(this.#manifest ?? wanted);
    this.#pieceBegan = this.#options.clock.now();
    return this.#next();
  }
  async take(piece: LogPiece): Promise<bigint | undefined> {
    const [file, rows, reading] = [this.#file, this.#rows, this.#reading];
    const ordered = inPlace(piece.logs);
    if (!file || !rows || !reading) return undefined;
    if (!ordered) return this.#stop(badLogs(reading.host));
    const texts = this.#texts(ordered.logs, rows);
    const fault = await file.append(texts);
    if (fault) return this.#failed(fault);
    if (this.#fault) return undefined;
    this.#strays += piece.strays;
    this.#repeated += ordered.repeated;
    this.#nulls += piece.isNull ? 1 : 0;
    this.#rowsRead += ordered.logs.length;
    this.#open = { to: Number(piece.to), rows: (this.#open?.rows ?? 0) + ordered.logs.length };
    this.#report();
    return this.#isDue(file) || piece.to === reading.range.to ? this.#seal() : piece.to + 1n;
  }
  /** Keeps what is whole, and closes the file. */
  async end(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    if (this.#open && !this.#fault && !this.#options.signal.aborted) await this.#seal();
    const manifest = this.#manifest;
    const isCut = manifest && !this.#isLost && !(await file.cut(endOf(manifest)));
    if (isCut) await this.#write({ ...manifest, isOpen: false });
    await file.close();
  }

  async #wanted({ range, key, host }: LogReading, chainId: number): Promise<LogManifest> {
    const { form, mask, program, reader } = this.#options;
    const params = parseJson(key);
    const filter = isArray(params) ? params[0] : undefined;
    const { fromBlock: _from, toBlock: _to, ...criteria } = isObject(filter) ? filter : {};
    const rows = openLogRows(form, criteria, await reader(), chainId);
    this.#rows = rows;
    return {
      programs: [program],
      host: mask.text(host),
      chainId,
      request: printJson(mask.value({ method: "eth_getLogs", params: [criteria] } as JsonValue)),
      columns: rows.columns,
      from: Number(range.from),
      to: Number(range.to),
      isOpen: true,
      head: new TextEncoder().encode(rows.head).length,
      pieces: [],
    };
  }
  /** Returns the pieces of an earlier run that are whole. @returns `undefined` if the file is not replaced. */
  async #kept(wanted: LogManifest, file: GrowingFile): Promise<readonly SavedPiece[] | undefined> {
    const { name, files, force } = this.#options;
    const bytes = await files.read(this.#manifestUri, "replace");
    const decodedText = bytes && decodeFile(bytes);
    this.#manifestText = decodedText && "text" in decodedText ? decodedText.text : undefined;
    const found = this.#manifestText === undefined ? undefined : readManifest(this.#manifestText);
    const objection = await this.#objection(found, bytes !== undefined, wanted, file);
    if (objection !== undefined && !force) {
      this.#stop(taken(objection.of ?? name, objection.why));
      return undefined;
    }
    const pieces = objection === undefined && found ? found.pieces.filter(({ end }) => end <= file.size) : [];
    const lost = (found?.pieces.length ?? 0) - pieces.length;
    if (lost > 0) this.#notes.push(`${name} is shorter than its manifest says, so the rest is read again.`);
    return pieces;
  }
  async #objection(
    found: LogManifest | undefined,
    hasManifest: boolean,
    wanted: LogManifest,
    { size }: GrowingFile,
  ): Promise<{ readonly why: string; readonly of?: string } | undefined> {
    const { name, uri, files } = this.#options;
    if (!found && hasManifest) return { why: "exists, and is not a manifest of logs", of: `${name}${manifestSuffix}` };
    if (!found) return size > 0 ? { why: "exists, and there is no manifest beside it" } : undefined;
    const difference = differenceOf(found, wanted);
    if (difference !== undefined) return { why: difference };
    const changed = { why: "was changed by something else since it was written" };
    if (size === 0) return undefined; // it was deleted
    if (!found.isOpen && size !== endOf(found)) return changed;
    const whole = found.pieces.filter(({ end }) => end <= size);
    const [last, before] = [whole.at(-1), whole.at(-2)];
    const part = last && (await files.part?.(uri, before?.end ?? found.head, last.end));
    return !last || part?.sha256 === last.sha256 ? undefined : changed;
  }
  /** Cuts what is not whole. */
  async #prepare(file: GrowingFile): Promise<boolean> {
    const manifest = this.#manifest;
    if (!manifest) return false;
    const isNew = manifest.pieces.length === 0;
    const fault = await file.cut(isNew ? 0 : endOf(manifest));
    const notBegun = fault ?? (isNew ? await file.append([this.#rows?.head ?? ""]) : undefined);
    const sealed = notBegun ?? (await file.seal());
    if (typeof sealed !== "string") this.#failed(sealed);
    return typeof sealed === "string";
  }

  #texts(logs: readonly JsonValue[], rows: LogRows): Iterable<string> {
    const { mask } = this.#options;
    const stop = (): void => void this.#stop(badLogs(this.#reading?.host ?? ""));
    return (function* () {
      let text = "";
      const rowAt = rows.of(logs);
      for (let index = 0; index < logs.length; index++) {
        const row = rowAt(index);
        if (row === undefined) return stop();
        text += mask.isEmpty ? row : mask.text(row);
        if (text.length < batchLength) continue;
        yield text;
        text = "";
      }
      yield text;
    })();
  }
  #isDue({ size }: GrowingFile): boolean {
    const now = this.#options.clock.now();
    const due = Math.max(leastPieceMs, (now - this.#began) / 50);
    return now - this.#pieceBegan >= due || size - (this.#manifest ? endOf(this.#manifest) : 0) >= maxPieceBytes;
  }
  /**
   * Makes a piece of what was written since the last one. The hash of the end of the range is asked for last: if it is
   * still the same, all logs and hashes of the piece are of one chain.
   */
  async #seal(): Promise<bigint | undefined> {
    const [file, manifest, open] = [this.#file, this.#manifest, this.#open];
    if (!file || !manifest || !open) return undefined;
    const from = nextBlock(manifest);
    const [first, last] = await Promise.all([this.#hashOf(from), this.#hashOf(open.to)]);
    const anchor = await this.#hashOf(manifest.to);
    if (this.#options.signal.aborted) return undefined;
    this.#open = undefined;
    if (isOther(anchor, this.#anchor)) {
      this.#anchor = anchor;
      await this.#cutTo(manifest.pieces, { from, to: open.to });
      await this.#cutChanged();
      return this.#next();
    }
    this.#anchor ??= anchor;
    const sha256 = await file.seal();
    if (typeof sha256 !== "string") return this.#failed(sha256);
    const piece = {
      from,
      to: open.to,
      rows: open.rows,
      end: file.size,
      sha256,
      first: first ?? null,
      last: last ?? null,
    };
    if (!(await this.#write({ ...manifest, pieces: [...manifest.pieces, piece] }))) return undefined;
    this.#pieceBegan = this.#options.clock.now();
    return this.#next();
  }
  /** Cuts pieces from the end whose last block is another one now. */
  async #cutChanged(): Promise<void> {
    const { pieces = [] } = this.#manifest ?? {};
    let kept = pieces.length;
    for (let last = pieces[kept - 1]; last?.last; last = pieces[kept - 1]) {
      if (!isOther(await this.#hashOf(last.to), last.last)) break;
      kept--;
    }
    const [cut, end] = [pieces[kept], pieces.at(-1)];
    if (cut && end) await this.#cutTo(pieces.slice(0, kept), { from: cut.from, to: end.to });
  }
  async #cutTo(
    pieces: readonly SavedPiece[],
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const [file, manifest] = [this.#file, this.#manifest];
    if (!file || !manifest) return;
    const range = `blocks ${grouped(from)} to ${grouped(to)}`;
    this.#notes.push(`The chain has changed (a reorganization), so the logs of the ${range} were read again.`);
    const next = { ...manifest, pieces };
    if (pieces.length < manifest.pieces.length && !(await this.#write(next))) return;
    const fault = await file.cut(endOf(next));
    if (fault) this.#failed(fault);
  }
  #next(): bigint | undefined {
    return this.#manifest && !this.#fault ? BigInt(nextBlock(this.#manifest)) : undefined;
  }
  async #hashOf(block: number): Promise<string | undefined> {
    const hash = await this.#reading?.hashOf(BigInt(block));
    return hash !== undefined && /^0x[0-9a-f]{64}$/i.test(hash) ? hash : undefined;
  }

  get #manifestUri(): string {
    return `${this.#options.uri}${manifestSuffix}`;
  }
  /** Replaces the manifest, unless another process has. */
  async #write(manifest: LogManifest): Promise<boolean> {
    const { files, within, name } = this.#options;
    const text = printManifest(manifest);
    const written = await replaceFile(files, this.#manifestUri, { before: this.#manifestText, text, within });
    const fault: WriteFault | undefined =
      written.kind === "changed" ? { reason: "busy", detail: "" } : written.kind === "failed" ? written : undefined;
    if (fault) this.#failed(fault, `${name}${manifestSuffix}`, this.#manifestText === undefined);
    else [this.#manifest, this.#manifestText] = [manifest, text];
    return !fault;
  }
  #failed(fault: WriteFault, name = this.#options.name, isNew = false): undefined {
    this.#isLost ||= fault.reason === "busy";
    const { why, todo } = writeFaultText(fault);
    const isBegun = this.#manifest !== undefined;
    return this.#stop(
      isBegun ? { what: `Writing ${name} stopped: ${why}.`, todo } : explainWriteFault(fault, name, isNew),
    );
  }
  #stop(why: Explanation): undefined {
    this.#fault ??= why;
  }
  #report(): void {
    const { clock, onProgress } = this.#options;
    const [manifest, open] = [this.#manifest, this.#open];
    if (!manifest || !open) return;
    const seconds = Math.max(clock.now() - this.#began, 1) / 1000;
    const perBlock = (seconds * 1000) / Math.max(open.to - this.#first + 1, 1);
    onProgress({
      share: (open.to - manifest.from + 1) / (manifest.to - manifest.from + 1),
      rows: rowsIn(manifest.pieces) + open.rows,
      rowsPerSecond: this.#rowsRead / seconds,
      left: perBlock * (manifest.to - open.to),
    });
  }
}

function isOther(now: string | undefined, before: string | undefined): boolean {
  return now !== undefined && before !== undefined && now !== before;
}

function badLogs(host: string): Explanation {
  const what = `${host} sent something other than logs with a place in the chain, or two logs in one place.`;
  return { what, todo: "Check the endpoint, or use another one." };
}
