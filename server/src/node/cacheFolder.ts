import { homedir } from "node:os";
import path from "node:path";

/**
 * The folder of this person and this program for what can be made again.
 *
 * @see https://specifications.freedesktop.org/basedir/latest/
 */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  const home = {
    darwin: path.join(homedir(), "Library/Caches"),
    win32: local || path.join(homedir(), "AppData/Local"),
  }[process.platform as string];
  const base = home ?? (xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), ".cache"));
  return path.join(base, "rpc-notebook");
}
