import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isReservedOnWindows, meansGit } from "../base/uri.ts";
import { unlessMissing } from "./processes.ts";

/** The file to write is outside of the folder that must contain it. */
export class LeadsOutError extends Error {
  /** Where a link leads. */
  readonly to: string;

  constructor(to: string) {
    super("A link leads out of the folder.");
    this.to = to;
  }
}

/** The file to write is among the files of git, where a link of a repository must not lead. */
export class AmongGitError extends Error {}

/** The system would open something else under this name. */
export class ReservedNameError extends Error {}

/** The limit of Linux. */
const maxLinks = 40;

/**
 * Follows links to folders on the path and to the file itself, dangling ones too.
 *
 * @param within - A folder.
 * @returns A path without links. Its folder exists, the file may not.
 * @throws LeadsOutError if the path leads out of the folder; AmongGitError if it is among those of git; ReservedNameError; errors of the system otherwise.
 */
export async function followLinks(path: string, within: string): Promise<string> {
  const root = await realOf(within);
  let next = path;
  for (let links = 0; links <= maxLinks; links++) {
    const real = join(await realOf(dirname(next)), basename(next));
    const parts = relative(root, real).split(sep);
    if (parts[0] === ".." || isAbsolute(relative(root, real))) throw new LeadsOutError(real);
    if (parts.some(meansGit)) throw new AmongGitError();
    if (process.platform === "win32" && parts.some(isReservedOnWindows)) throw new ReservedNameError();
    const found = await lstat(real).catch(unlessMissing);
    if (!found?.isSymbolicLink()) return real;
    next = resolve(dirname(real), await readlink(real));
  }
  throw Object.assign(new Error("Too many links."), { code: "ELOOP" });
}

/** Returns the real path of a folder. Parts that do not exist yet are added as written. */
async function realOf(folder: string): Promise<string> {
  const real = await realpath(folder).catch(unlessMissing);
  if (real !== undefined) return real;
  const isLink = (await lstat(folder).catch(unlessMissing)) !== undefined;
  if (isLink) return realOf(resolve(await realOf(dirname(folder)), await readlink(folder)));
  return join(await realOf(dirname(folder)), basename(folder));
}
