import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import type { Cache } from "../base/ports.ts";

/** Keeps files in the user's cache folder, where a system may delete them at any time. */
export const cache: Cache = {
  read: (key) => readFile(path.join(cacheFolder(), key), "utf8"),
  async write(key, text) {
    const folder = cacheFolder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, key);
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, file);
  },
};

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
