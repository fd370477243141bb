import type { Explanation } from "../base/error.ts";
import type { Files, GrowingFile, WriteFault } from "../base/ports.ts";
import { replaceFile } from "../files/updateFile.ts";
import { explainWriteFault, writeFaultText } from "../files/writeFaults.ts";
import { decodeFile } from "../notebook/bytes.ts";
import {
  differenceOf,
  endOf,
  type LogManifest,
  manifestSuffix,
  printManifest,
  readManifest,
  type SavedPiece,
} from "./logManifest.ts";

export interface LogFilePlace {
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  /** URI of the folder that links must not lead out of. */
  readonly within: string;
  /** Whether it may replace a file that is not the same query's. */
  readonly force: boolean;
  readonly files: Files;
}

/**
 * Opens the file of a query, and keeps the pieces of an earlier run that are whole.
 *
 * @param wanted - What the file is to hold, without pieces.
 * @param head - The text before the first piece.
 */
export async function openLogFile(
  place: LogFilePlace,
  wanted: LogManifest,
  head: string,
): Promise<LogFile | Explanation> {
  const { uri, name, within, files } = place;
  const opened = (await files.grow?.(uri, within)) ?? ({ reason: "unsupported", detail: "" } as const);
  if ("reason" in opened) return explainWriteFault(opened, name, false);
  const file = new LogFile(place, opened, wanted);
  const fault = await file.begin(head);
  if (fault) await file.close();
  return fault ?? file;
}

/**
 * Rows at the end of a file, and the manifest beside it that says which of them are whole. A piece is flushed before the
 * manifest names it. What comes after the last one is cut when the file is opened again.
 */
export class LogFile {
  readonly #place: LogFilePlace;
  readonly #file: GrowingFile;
  #manifest: LogManifest;
  #manifestText: string | undefined;
  /** The file is ours to change: this is its query, and nothing else has changed it since. */
  #isOurs = false;

  constructor(place: LogFilePlace, file: GrowingFile, wanted: LogManifest) {
    this.#place = place;
    this.#file = file;
    this.#manifest = wanted;
  }

  get manifest(): LogManifest {
    return this.#manifest;
  }

  async begin(head: string): Promise<Explanation | undefined> {
    const { name, files, force } = this.#place;
    const bytes = await files.read(this.#manifestUri, "replace");
    const decoded = bytes && decodeFile(bytes);
    this.#manifestText = decoded && "text" in decoded ? decoded.text : undefined;
    const found = this.#manifestText === undefined ? undefined : readManifest(this.#manifestText);
    const kept = found || !bytes ? await this.#kept(found) : `${name}${manifestSuffix} is not a manifest of logs`;
    const isKept = typeof kept !== "string";
    if (!isKept && !force)
      return {
        what: `${name} was not written: ${kept}.`,
        todo: "Give the new file another name, or add --force to replace it.",
      };
    const pieces = isKept ? kept : [];
    const programs =
      pieces.length > 0 ? [...(found?.programs ?? []), ...this.#manifest.programs] : this.#manifest.programs;
    const fault = await this.#write({ ...this.#manifest, programs: [...new Set(programs)], pieces });
    if (fault) return fault;
    this.#isOurs = true;
    const isNew = pieces.length === 0;
    const begun =
      (await this.#file.cut(isNew ? 0 : this.#end)) ?? (isNew ? await this.#file.append([head]) : undefined);
    return typeof begun === "object" ? this.#stopped(begun) : undefined;
  }
  /** Returns the pieces of an earlier run that are whole, or a clause that says why this may not be the same file. */
  async #kept(found: LogManifest | undefined): Promise<readonly SavedPiece[] | string> {
    const { uri, files } = this.#place;
    const { size } = this.#file;
    if (!found) return size > 0 ? "it exists, and there is no manifest beside it" : [];
    const difference = differenceOf(found, this.#manifest);
    if (difference !== undefined) return difference;
    if (size === 0) return []; // it was deleted
    const whole = found.pieces.filter(({ end }) => end <= size);
    const [last, before] = [whole.at(-1), whole.at(-2)];
    const part = last && (await files.part?.(uri, before?.end ?? found.head, last.end));
    const isSame = (found.isOpen || size === endOf(found)) && part?.sha256 === last?.sha256;
    return isSame ? whole : "it was changed by something else since it was written";
  }

  /** Adds the rows of the blocks after the last piece. */
  async append(blocks: Omit<SavedPiece, "end" | "sha256">, texts: Iterable<string>): Promise<Explanation | undefined> {
    const sha256 = await this.#file.append(texts);
    if (typeof sha256 !== "string") return this.#stopped(sha256);
    const piece = { ...blocks, end: this.#file.size, sha256 };
    return this.#write({ ...this.#manifest, pieces: [...this.#manifest.pieces, piece] });
  }
  /** Keeps only the first pieces. */
  async keep(count: number): Promise<Explanation | undefined> {
    const fault = await this.#write({ ...this.#manifest, pieces: this.#manifest.pieces.slice(0, count) });
    if (fault) return fault;
    const uncut = await this.#file.cut(this.#end);
    return uncut && this.#stopped(uncut);
  }
  async close(): Promise<void> {
    if (this.#isOurs && !(await this.#file.cut(this.#end))) await this.#write({ ...this.#manifest, isOpen: false });
    await this.#file.close();
  }

  get #end(): number {
    return endOf(this.#manifest);
  }
  get #manifestUri(): string {
    return `${this.#place.uri}${manifestSuffix}`;
  }
  /** Replaces the manifest, unless another process has. */
  async #write(manifest: LogManifest): Promise<Explanation | undefined> {
    const { files, within, name } = this.#place;
    const [before, text] = [this.#manifestText, printManifest(manifest)];
    const written = await replaceFile(files, this.#manifestUri, { before, text, within });
    if (written.kind === "written") {
      [this.#manifest, this.#manifestText] = [manifest, text];
      return undefined;
    }
    const fault = written.kind === "changed" ? ({ reason: "busy", detail: "" } as const) : written;
    return this.#stopped(fault, `${name}${manifestSuffix}`, before === undefined);
  }
  #stopped(fault: WriteFault, name = this.#place.name, isNew = false): Explanation {
    if (!this.#isOurs) return explainWriteFault(fault, name, isNew);
    this.#isOurs = fault.reason !== "busy";
    const { why, todo } = writeFaultText(fault);
    return { what: `Writing ${name} stopped: ${why}.`, todo };
  }
}
