import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { FilePart, GrowingFile, WriteFault } from "../base/ports.ts";
import { folderUri } from "../base/uri.ts";
import { type HeldLock, holdLock } from "./lock.ts";
import { codeOf } from "./processes.ts";
import { faultOf, flushFolder, followLinks, oldFile } from "./writer.ts";

/**
 * Opens a file that grows at its end, under a lock that lasts until it is closed.
 *
 * @param within - URI of a folder that the file must be in, once links are followed.
 */
export async function growFile(uri: string, within: string): Promise<GrowingFile | WriteFault> {
  let lock: HeldLock | undefined;
  try {
    const path = await followLinks(fileURLToPath(uri), fileURLToPath(folderUri(within)));
    await oldFile(path); // it must be a regular file
    lock = await holdLock(path);
    const old = await oldFile(path);
    return new OpenFile(path, lock, old?.size);
  } catch (error) {
    lock?.release();
    return faultOf(error);
  }
}

class OpenFile implements GrowingFile {
  readonly #path: string;
  readonly #lock: HeldLock;
  readonly #isNew: boolean;
  #handle: FileHandle | undefined;
  size: number;

  constructor(path: string, lock: HeldLock, size: number | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.#isNew = size === undefined;
    this.size = size ?? 0;
  }

  cut(size: number): Promise<WriteFault | undefined> {
    return this.#change(async (file) => {
      await file.truncate(size);
      this.size = size;
    }, false);
  }
  async append(parts: Iterable<string | Uint8Array>): Promise<string | WriteFault> {
    const hash = createHash("sha256");
    const fault = await this.#change(async (file) => {
      for (const part of parts) {
        const bytes = typeof part === "string" ? Buffer.from(part) : part;
        for (let at = 0; at < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.length - at, this.size + at);
          at += bytesWritten;
        }
        hash.update(bytes);
        this.size += bytes.length;
      }
      await file.datasync();
    });
    return fault ?? hash.digest("hex");
  }
  async close(): Promise<void> {
    await this.#handle?.close().catch(() => undefined); // what counts was flushed
    this.#lock.release();
  }

  /** @param isExact - Whether the file must have exactly the bytes that were written; a failed change leaves more. */
  async #change(work: (file: FileHandle) => Promise<void>, isExact = true): Promise<WriteFault | undefined> {
    try {
      const file = this.#handle ?? (await this.#open());
      if (!this.#lock.holds() || !(await this.#isStill(file, isExact))) return { reason: "busy", detail: "" };
      await work(file);
      return undefined;
    } catch (error) {
      if (codeOf(error) === "") throw error; // a bug of what makes the texts
      return faultOf(error);
    }
  }
  async #open(): Promise<FileHandle> {
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
    this.#handle = await open(this.#path, O_RDWR | O_NOFOLLOW | (this.#isNew ? O_CREAT | O_EXCL : 0), 0o666);
    if (this.#isNew) await flushFolder(dirname(this.#path));
    return this.#handle;
  }
  /** Whether the path still leads to the open file, and nothing else has written it. */
  async #isStill(file: FileHandle, isExact: boolean): Promise<boolean> {
    const [opened, named] = [await file.stat(), lstatSync(this.#path, { throwIfNoEntry: false })];
    return (
      opened.isFile() &&
      opened.ino === named?.ino &&
      opened.dev === named.dev &&
      (!isExact || opened.size === this.size)
    );
  }
}

/** Bytes of a part. */
const maxPartBytes = 1_000_000_000;

/** Reads a part of a file; `undefined` if the file is shorter or cannot be read. */
export async function filePart(uri: string, start: number, end: number): Promise<FilePart | undefined> {
  const file = await open(fileURLToPath(uri)).catch(() => undefined);
  try {
    const found = await file?.stat();
    if (!file || !found?.isFile() || found.size < end || start > end || end - start > maxPartBytes) return undefined;
    const bytes = Buffer.alloc(end - start);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
      if (bytesRead === 0) return undefined; // it was cut meanwhile
      at += bytesRead;
    }
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
