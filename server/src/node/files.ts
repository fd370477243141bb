import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path, { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ReadCode } from "../abi/guessedAbi.ts";
import type { Cache, Files, FolderEntry, ReadTable } from "../base/ports.ts";
import { folderUri, meansGit } from "../base/uri.ts";
import type { OpenTracer } from "../trace/task.ts";
import { cacheFolder } from "./cacheFolder.ts";

/** Bytes of a file that is read or written. A notebook can name any file, `/dev/zero` among them. */
const maxBytes = 64 * 1024 * 1024;

/** A file of more bytes is read at once: in the parts of an asynchronous read it takes three times as long. */
const largeBytes = 8_000_000;

/**
 * Reads and writes `file:` URIs: regular files up to 64 MiB. Whether a file exists is checked synchronously, and so are the names
 * in one folder. Most files that are looked for do not exist, and asking another thread takes ten times as long as the check.
 */
export const files: Files = {
  get ignoresCase() {
    return process.platform === "win32" || process.platform === "darwin";
  },
  async read(uri) {
    try {
      const path = fileURLToPath(uri);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile() || found.size > maxBytes) return undefined;
      return found.size > largeBytes ? readFileSync(path) : await readFile(path);
    } catch {
      return undefined;
    }
  },
  async leadsOut(uri, folders) {
    const real = realPath(uri);
    return real !== undefined && folders.every((folder) => isOutside(real, realPath(folderUri(folder))));
  },
  async write(uri, replacement) {
    const { writeFile } = await import("./writer.ts");
    return writeFile(uri, replacement, maxBytes);
  },
  async remove(uri, { before, within }) {
    const { removeFile } = await import("./writer.ts");
    return removeFile(uri, before, within);
  },
  async writeFault(uri, within) {
    const { writeFault } = await import("./writer.ts");
    return writeFault(uri, within);
  },
  async grow(uri, within) {
    const { growFile } = await import("./growingFile.ts");
    return growFile(uri, within);
  },
  async part(uri, start, end) {
    const { filePart } = await import("./growingFile.ts");
    return filePart(uri, start, end);
  },
  async sizeOf(uri) {
    const found = await stat(fileURLToPath(uri)).catch(() => undefined);
    return found?.isFile() ? found.size : undefined;
  },
  async list(uri, versions = true) {
    try {
      const folder = fileURLToPath(folderUri(uri));
      const found = versions
        ? await readdir(folder, { withFileTypes: true })
        : readdirSync(folder, { withFileTypes: true });
      const entries = found.map(async (entry): Promise<readonly FolderEntry[]> => {
        const { name } = entry;
        if (entry.isDirectory()) return [{ name, kind: "folder" }];
        if (!entry.isFile()) return [];
        if (!versions) return [{ name, kind: "file" }];
        const found = await stat(join(folder, name)).catch(() => undefined); // deleted meanwhile
        return found ? [{ name, kind: "file", version: `${found.mtimeMs} ${found.ctimeMs} ${found.size}` }] : [];
      });
      return (await Promise.all(entries)).flat();
    } catch {
      return undefined;
    }
  },
};

/** @returns `undefined` if there is nothing, or nothing that can be read. */
function realPath(uri: string): string | undefined {
  try {
    const named = fileURLToPath(uri);
    if (!statSync(named, { throwIfNoEntry: false })) return undefined; // most files; an error takes ten times as long
    return realpathSync.native(named);
  } catch {
    return undefined;
  }
}

/** Whether a path without links is not in a folder, or is among the files of git in it. */
function isOutside(real: string, folder: string | undefined): boolean {
  if (folder === undefined) return true;
  const inner = path.relative(folder, real);
  const parts = inner.split(path.sep);
  return parts[0] === ".." || path.isAbsolute(inner) || parts.some(meansGit);
}

/**
 * The same for a command, which must not replace what it reads.
 *
 * @param paths - Files that it reads by other means.
 */
export function commandFiles(paths: readonly string[]): Files {
  const read = new Set(paths.map(fileId));
  return {
    ...files,
    async read(uri, use) {
      const bytes = await files.read(uri);
      if (bytes && use !== "replace") read.add(fileId(fileURLToPath(uri)));
      return bytes;
    },
    markRead(uri) {
      read.add(fileId(fileURLToPath(uri)));
    },
    wasRead(uri) {
      const id = fileId(fileURLToPath(uri));
      return id !== undefined && read.has(id);
    },
  };
}

/** Returns the same text for all paths of a file; `undefined` if there is none. */
function fileId(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined; // it cannot be read either
  }
}

/** Loads the table of signatures with a module of its own, so that a start reads nothing of it. */
export const signatures: ReadTable = async () => {
  const { readTable } = await import("./tables.ts");
  return readTable("signatures");
};

/** Starts a thread that computes traces, by a module of its own: a start reads nothing of it. */
export const openTracer: OpenTracer = async (signal) => {
  const { startTracer } = await import("./tracer.ts");
  return startTracer(signal);
};

/** Reads code in a thread of its own, by a module of its own: a start reads nothing of it. */
export const readCode: ReadCode = async (code, signal) => {
  const { readInThread } = await import("./codeReader.ts");
  return readInThread(code, signal);
};

/** Keeps files in the user's cache folder, where a system may delete them at any time. */
export const cache: Cache = {
  async read(key) {
    const bytes = await files.read(uriOf(key));
    return bytes && new TextDecoder().decode(bytes);
  },
  async write(key, text) {
    const within = pathToFileURL(cacheFolder()).href;
    const wasThere = statSync(fileURLToPath(uriOf(key)), { throwIfNoEntry: false }) !== undefined;
    const bytes = wasThere ? await files.read(uriOf(key)) : undefined;
    const known = bytes && new TextDecoder().decode(bytes);
    const before = known !== undefined && bytes && Buffer.from(known).equals(bytes) ? known : undefined;
    // one that is too large, or no text, can be neither read nor compared
    if (wasThere && before === undefined) await (await import("./writer.ts")).discardFile(uriOf(key), within);
    const written = await files.write?.(uriOf(key), { before, text, within, createsFolders: true });
    if (written?.kind === "failed") throw new Error(written.detail || written.reason);
  },
};

function uriOf(key: string): string {
  return pathToFileURL(path.join(cacheFolder(), key)).href;
}
