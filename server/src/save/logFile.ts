import type { Explanation } from "../base/error.ts";
import type { Files, GrowingFile, WriteFault } from "../base/ports.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import { replaceFile } from "../files/updateFile.ts";
import { explainWriteFault, writeFaultText } from "../files/writeFaults.ts";
import { decodeFile } from "../notebook/bytes.ts";
import type { LogFormat } from "./logFormat.ts";
import {
  differenceOf,
  endOf,
  type LogManifest,
  manifestSuffix,
  printManifest,
  readManifest,
  type SavedPiece,
} from "./logManifest.ts";
import type { LogRow } from "./logRows.ts";

export interface LogFilePlace {
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  /** URI of the folder that links must not lead out of. */
  readonly within: string;
  /** Whether it may replace a file that is not the same query's; `undefined` where nobody can allow that. */
  readonly force: boolean | undefined;
  readonly files: Files;
}

/**
 * Opens the file of a query, and keeps the pieces of an earlier run that are whole.
 *
 * @param wanted - What the file is to hold, without pieces.
 */
export async function openLogFile(
  place: LogFilePlace,
  wanted: LogManifest,
  format: LogFormat,
): Promise<LogFile | Explanation> {
  const { uri, name, within, files } = place;
  const opened = (await files.grow?.(uri, within)) ?? ({ reason: "unsupported", detail: "" } as const);
  if ("reason" in opened) return explainWriteFault(opened, name, undefined);
  const file = new LogFile(place, opened, wanted, format);
  const fault = await file.begin();
  if (fault) await file.close();
  return fault ?? file;
}

/** What is known of a file that exists. */
export interface StoredLogs {
  /** The text of the manifest beside the file, if there is one. */
  readonly text?: string | undefined;
  /** `undefined` if it is not one. */
  readonly manifest?: LogManifest | undefined;
  /** The file holds the pieces of the manifest and nothing else. */
  readonly isExact: boolean;
  /** It is of an earlier version, which wrote no hash of the end of a Parquet file. */
  readonly isUnhashed?: boolean;
}

/** Reads the manifest beside a file, or the one in it. */
export async function readStored(files: Files, uri: string, size: number): Promise<StoredLogs> {
  const bytes = await files.read(`${uri}${manifestSuffix}`, "replace");
  if (!bytes && logFileForm(uri) === "parquet") {
    const { readParquetManifest } = await import("./parquet.ts");
    return (await readParquetManifest(files, uri, size)) ?? { isExact: false };
  }
  const decoded = bytes && decodeFile(bytes);
  const text = decoded && ("text" in decoded ? decoded.text : "");
  const manifest = text === undefined ? undefined : readManifest(text);
  return { text, manifest, isExact: manifest !== undefined && size === endOf(manifest) };
}

/**
 * Rows at the end of a file, and the manifest beside it that says which of them are whole. A piece is flushed before the
 * manifest names it. What comes after the last one is cut when the file is opened again. A file that has an end of its own
 * holds the manifest there when it is closed, and has none beside it.
 */
export class LogFile {
  readonly #place: LogFilePlace;
  readonly #file: GrowingFile;
  readonly #format: LogFormat;
  #manifest: LogManifest;
  #manifestText: string | undefined;
  /** The file is ours to change: this is its query, and nothing else has changed it since. */
  #isOurs = false;

  constructor(place: LogFilePlace, file: GrowingFile, wanted: LogManifest, format: LogFormat) {
    this.#place = place;
    this.#file = file;
    this.#manifest = wanted;
    this.#format = format;
  }

  get manifest(): LogManifest {
    return this.#manifest;
  }

  async begin(): Promise<Explanation | undefined> {
    const { name, uri, files, force } = this.#place;
    const stored = await readStored(files, uri, this.#file.size);
    this.#manifestText = stored.text;
    const found = stored.manifest;
    const kept = await this.#kept(stored);
    if (typeof kept === "string" && !force)
      return {
        what: `${name} was not written: ${kept}.`,
        todo: `Give the new file another name, or ${force === undefined ? "delete the old one" : "add --force to replace it"}.`,
      };
    const pieces = typeof kept === "string" ? [] : kept;
    const isNew = pieces.length === 0;
    const programs = new Set([...(isNew ? [] : (found?.programs ?? [])), ...this.#manifest.programs]);
    const fault = await this.#write({ ...this.#manifest, programs: [...programs], pieces });
    if (fault) return fault;
    this.#isOurs = true;
    const head = isNew ? [this.#format.head] : [];
    const begun = (await this.#file.cut(isNew ? 0 : this.#end)) ?? (await this.#file.append(head));
    return typeof begun === "object" ? this.#stopped(begun) : undefined;
  }
  /** Returns the pieces of an earlier run that are whole, or a clause that says why this may not be the same file. */
  async #kept({ text, manifest: found, isExact }: StoredLogs): Promise<readonly SavedPiece[] | string> {
    const { uri, files, name } = this.#place;
    const { size } = this.#file;
    if (!found && text !== undefined) return `${name}${manifestSuffix} is not a manifest of logs`;
    if (!found) return size > 0 ? "it exists, and there is no manifest beside it" : [];
    const difference = differenceOf(found, this.#manifest);
    if (difference !== undefined) return difference;
    if (size === 0) return []; // it was deleted
    const whole = found.pieces.filter((piece) => piece.end <= size);
    const [last, before] = [whole.at(-1), whole.at(-2)];
    const part = last && (await files.part?.(uri, before?.end ?? found.head, last.end));
    const isSame = (found.isOpen || isExact) && part?.sha256 === last?.sha256;
    if (!isSame) return "it was changed by something else since it was written";
    return (await this.#readsAlike(found.head, whole)) ? whole : "its events were decoded by other declarations";
  }
  /** Whether the last rows would be the same by the declarations of now. */
  async #readsAlike(head: number, pieces: readonly SavedPiece[]): Promise<boolean> {
    const at = pieces.findLastIndex(({ rows }) => rows > 0);
    const last = pieces[at];
    if (!last || !this.#format.readsAlike) return true;
    const part = await this.#place.files.part?.(this.#place.uri, pieces[at - 1]?.end ?? head, last.end);
    return !part || this.#format.readsAlike(new TextDecoder("utf-8", { ignoreBOM: true }).decode(part.bytes));
  }

  /** Adds the rows of the blocks after the last piece. */
  async append(
    blocks: Omit<SavedPiece, "end" | "sha256" | "group">,
    rows: Iterable<LogRow>,
  ): Promise<Explanation | undefined> {
    const { parts, group } = this.#format.piece(rows, this.#file.size);
    const sha256 = await this.#file.append(parts);
    if (typeof sha256 !== "string") return this.#stopped(sha256);
    const piece = { ...blocks, end: this.#file.size, sha256, ...(group !== undefined && { group }) };
    return this.#write({ ...this.#manifest, pieces: [...this.#manifest.pieces, piece] });
  }
  /** Keeps only the first pieces. */
  async keep(count: number): Promise<Explanation | undefined> {
    const fault = await this.#write({ ...this.#manifest, pieces: this.#manifest.pieces.slice(0, count) });
    if (fault) return fault;
    const uncut = await this.#file.cut(this.#end);
    return uncut && this.#stopped(uncut);
  }
  /** @returns Why it is not finished, if it could be. */
  async close(): Promise<Explanation | undefined> {
    const fault = this.#isOurs ? await this.#finish() : undefined;
    await this.#file.close();
    return fault;
  }
  async #finish(): Promise<Explanation | undefined> {
    const { files, within } = this.#place;
    const uncut = await this.#file.cut(this.#end);
    if (uncut) return this.#stopped(uncut);
    if (!this.#format.end) return this.#write({ ...this.#manifest, isOpen: false });
    const ended = await this.#file.append([this.#format.end(this.#manifest)]);
    if (typeof ended !== "string") return this.#stopped(ended);
    const before = this.#manifestText ?? "";
    const removed = await files.remove?.(this.#manifestUri, { before, within });
    return removed?.kind === "failed" ? this.#stopped(removed, this.#manifestName) : undefined;
  }

  get #end(): number {
    return endOf(this.#manifest);
  }
  get #manifestName(): string {
    return `${this.#place.name}${manifestSuffix}`;
  }
  get #manifestUri(): string {
    return `${this.#place.uri}${manifestSuffix}`;
  }
  /** Replaces the manifest, unless another process has. */
  async #write(manifest: LogManifest): Promise<Explanation | undefined> {
    const { files, within } = this.#place;
    const [before, text] = [this.#manifestText, printManifest(manifest)];
    const written = await replaceFile(files, this.#manifestUri, { before, text, within });
    if (written.kind === "written") {
      [this.#manifest, this.#manifestText] = [manifest, text];
      return undefined;
    }
    const fault = written.kind === "changed" ? ({ reason: "busy", detail: "" } as const) : written;
    return this.#stopped(fault, this.#manifestName, before === undefined);
  }
  #stopped(fault: WriteFault, name = this.#place.name, isNew = false): Explanation {
    if (!this.#isOurs) return explainWriteFault(fault, name, isNew);
    this.#isOurs = fault.reason !== "busy";
    const { why, todo } = writeFaultText(fault);
    return { what: `Writing ${name} stopped: ${why}.`, todo };
  }
}
