import { homedir } from "node:os";
import path from "node:path";

/**
 * Returns the folder of this user and this program for what can be made again.
 *
 * @throws If the environment does not name it, and the user has no home folder.
 * @see https://specifications.freedesktop.org/basedir/latest/
 */
export function cacheFolder(): string {
  return path.join(baseFolder(), "rpc-notebook");
}

function baseFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (process.platform === "darwin") return path.join(homedir(), "Library/Caches");
  if (process.platform === "win32") return local || path.join(homedir(), "AppData/Local");
  return xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir(), ".cache");
}
