import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Files } from "../base/ports.ts";

/** A notebook may name any file at all, `/dev/zero` among them. */
const maxBytes = 64 * 1024 * 1024;

/** Reads `file:` URIs from this machine's disk: regular files up to 64 MiB. */
export const files: Files = {
  async read(uri) {
    try {
      const path = fileURLToPath(uri);
      const found = await stat(path);
      return found.isFile() && found.size <= maxBytes ? await readFile(path) : undefined;
    } catch {
      return undefined;
    }
  },
};
