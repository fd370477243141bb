import { homedir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Cache } from "../base/ports.ts";
import { files } from "./files.ts";

/** Keeps files in the user's cache folder, where a system may delete them at any time. */
export const cache: Cache = {
  async read(key) {
    const bytes = await files.read(uriOf(key));
    return bytes && new TextDecoder().decode(bytes);
  },
  async write(key, text) {
    const before = await cache.read(key);
    const within = pathToFileURL(cacheFolder()).href;
    const written = await files.write?.(uriOf(key), { before, text, within, createsFolders: true });
    if (written?.kind === "failed") throw new Error(written.detail || written.reason);
  },
};

function uriOf(key: string): string {
  return pathToFileURL(path.join(cacheFolder(), key)).href;
}

/** @see https://specifications.freedesktop.org/basedir/latest/ */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  const home = {
    darwin: path.join(homedir(), "Library/Caches"),
    win32: local || path.join(homedir(), "AppData/Local"),
  }[process.platform as string];
  const base = home ?? (xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), ".cache"));
  return path.join(base, "rpc-notebook");
}
