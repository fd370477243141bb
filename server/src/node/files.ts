import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Files, FolderEntry, ReadSignatures } from "../base/ports.ts";

/** A notebook may name any file at all, `/dev/zero` among them. What is written must be readable again. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads `file:` URIs from this machine's disk: regular files up to 64 MiB. Whether a file is there is looked up in place:
 * most that are asked for are not, and handing the question to another thread takes ten times as long as the answer.
 */
export const files: Files = {
  async read(uri) {
    try {
      const path = fileURLToPath(uri);
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() && found.size <= maxBytes ? await readFile(path) : undefined;
    } catch {
      return undefined;
    }
  },
  async write(uri, replacement) {
    const { writeFile } = await import("./writer.ts");
    return writeFile(uri, replacement, maxBytes);
  },
  async list(uri, versions = true) {
    try {
      const folder = fileURLToPath(uri);
      const entries = (await readdir(folder, { withFileTypes: true })).map(
        async (entry): Promise<readonly FolderEntry[]> => {
          const { name } = entry;
          if (entry.isDirectory()) return [{ name, kind: "folder" }];
          if (!entry.isFile()) return [];
          if (!versions) return [{ name, kind: "file" }];
          const found = await stat(join(folder, name)).catch(() => undefined); // gone meanwhile
          return found ? [{ name, kind: "file", version: `${found.mtimeMs} ${found.ctimeMs} ${found.size}` }] : [];
        },
      );
      return (await Promise.all(entries)).flat();
    } catch {
      return undefined;
    }
  },
};

/** The module of the table is loaded with it, so nothing of it is read at a start. */
export const signatures: ReadSignatures = async () => {
  const { readSignatures } = await import("./signatures.ts");
  return readSignatures();
};
