import { execFile } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { access, constants, lstat, mkdir, open, readFile, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Replacement, WriteFault, Written } from "../base/ports.ts";
import { formatBytes } from "../base/units.ts";
import { folderUri, isReservedOnWindows, meansGit } from "../base/uri.ts";
import { LockBusyError, underLock } from "./lock.ts";
import { codeOf, InUseError, systemFault, unlessMissing, untilFree } from "./processes.ts";
import { removeTemporary, writeTemporary } from "./temporary.ts";

/**
 * Replaces or creates a file as a whole: the content goes into a temporary file beside it, is flushed to the disk and
 * moved into place, under a lock and only if the file is still as expected.
 *
 * @param maxBytes - The limit for the new content.
 */
export async function writeFile(
  uri: string,
  { before, text, within, createsFolders = false }: Replacement,
  maxBytes: number,
): Promise<Written> {
  try {
    const content = Buffer.from(text);
    if (content.length > maxBytes) return { kind: "failed", reason: "too-large", detail: formatBytes(maxBytes) };
    const path = await followLinks(fileURLToPath(uri), fileURLToPath(folderUri(within)));
    if (createsFolders) await makeFolder(dirname(path));
    const expected = before === undefined ? undefined : Buffer.from(before);
    return { kind: (await replace(path, expected, content)) ? "written" : "changed" };
  } catch (error) {
    return { kind: "failed", ...faultOf(error) };
  }
}

/** Creates a folder and those above it. With `recursive`, Node never ends where folders cannot be created, as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const create = (): Promise<void> =>
    mkdir(path).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  try {
    await create();
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await create();
  }
}

/** Deletes a file that has this content. */
export async function removeFile(uri: string, before: string, within: string): Promise<Written> {
  try {
    const path = await followLinks(fileURLToPath(uri), fileURLToPath(folderUri(within)));
    const remove = (holds: () => boolean): boolean => {
      if (!isStill(path, Buffer.from(before)) || !holds()) return false;
      rmSync(path);
      return true;
    };
    return { kind: (await untilFree(() => underLock(path, remove))) ? "written" : "changed" };
  } catch (error) {
    return { kind: "failed", ...faultOf(error) };
  }
}

/** Deletes a file, if there is one, whatever it has in it. */
export async function discardFile(uri: string, within: string): Promise<void> {
  const path = await followLinks(fileURLToPath(uri), fileURLToPath(folderUri(within)));
  if (!(await oldFile(path))) return;
  await untilFree(() =>
    underLock(path, (holds) => {
      if (holds()) rmSync(path, { force: true });
      return true;
    }),
  );
}

/** Returns why a file cannot be written, before there is a text for it. */
export async function writeFault(uri: string, within: string): Promise<WriteFault | undefined> {
  try {
    const path = await followLinks(fileURLToPath(uri), fileURLToPath(folderUri(within)));
    if (await oldFile(path)) await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

export async function oldFile(path: string): Promise<Stats | undefined> {
  const old = await lstat(path).catch(unlessMissing);
  if (old && !old.isFile()) throw new NotAFileError();
  return old;
}

/** @returns Whether the file was as expected and has been replaced. */
async function replace(path: string, expected: Buffer | undefined, content: Buffer): Promise<boolean> {
  const old = await oldFile(path);
  // moving a file into place does not check permissions of the old one
  if (old && expected) await access(path, constants.R_OK | constants.W_OK);
  if (!(await untilFree(() => isExpected(path, old, expected)))) return false;
  const change = (work: () => boolean): Promise<boolean> =>
    untilFree(() => underLock(path, (holds) => isStill(path, expected) && holds() && work()));
  if (expected && (await hasOwnAccessList(path)))
    return change(() => {
      overwrite(path, content, expected);
      return true;
    });
  const temporary = await writeTemporary(path, content, old);
  try {
    const isMoved = await change(() => move(temporary, path, expected === undefined));
    if (isMoved) await flushFolder(dirname(path));
    return isMoved;
  } finally {
    await removeTemporary(temporary);
  }
}

class NotAFileError extends Error {}

async function isExpected(path: string, old: Stats | undefined, expected: Buffer | undefined): Promise<boolean> {
  if (!old || !expected) return !old && !expected;
  return old.size === expected.length && (await readFile(path)).equals(expected);
}

/** Whether a file has this content and no editor is writing it, which would change its time or its size. */
function isStill(path: string, expected: Buffer | undefined): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || !expected) return !found && !expected;
  if (!found.isFile() || found.size !== expected.length || !readFileSync(path).equals(expected)) return false;
  const now = lstatSync(path, { throwIfNoEntry: false });
  return now?.ino === found.ino && now.ctimeMs === found.ctimeMs && now.size === found.size;
}

function move(temporary: string, path: string, isNew: boolean): boolean {
  if (isNew) {
    try {
      linkSync(temporary, path); // unlike a rename, it replaces nothing
      return true;
    } catch {
      // there is such a file, or the disk has no hard links, which each system reports in other ways
    }
    if (lstatSync(path, { throwIfNoEntry: false })) return false;
  }
  renameSync(temporary, path); // the lock keeps our own processes apart
  return true;
}

/** Makes a new name survive a power cut, on systems that can do it. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder);
    await handle.sync().finally(() => handle.close());
  } catch {
    // the content is already on the disk
  }
}

/** Explains why a file was not written. */
export function faultOf(error: unknown): WriteFault {
  if (error instanceof AmongGitError) return { reason: "git", detail: "" };
  if (error instanceof LeadsOutError) return { reason: "leads-out", detail: error.to };
  if (error instanceof LockBusyError) return { reason: "busy", detail: error.lock };
  if (error instanceof InUseError) return { reason: "in-use", detail: "" };
  if (error instanceof ReservedNameError) return { reason: "reserved-name", detail: "" };
  if (error instanceof NotAFileError) return { reason: "not-a-file", detail: "" };
  return systemFault(error);
}

const run = promisify(execFile);

/** Milliseconds for a program that reads one file's access list. */
const maxMs = 5_000;

/**
 * Whether a file of Windows has an access list of its own: a new file in its place would only have that of the folder.
 *
 * @returns `true` if Windows does not say.
 */
async function hasOwnAccessList(path: string): Promise<boolean> {
  if (process.platform !== "win32") return false;
  // by its whole path: a program of this name in the working folder is not started
  const program = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "icacls.exe");
  const listed = await run(program, [path], { windowsHide: true, timeout: maxMs }).catch(() => undefined);
  const entries = listed?.stdout.match(/:(?:\([^()]*\))+\s*$/gm) ?? [];
  return entries.length === 0 || entries.some((entry) => !entry.includes("(I)"));
}

/** Writes over the content of a file. If that fails, writes the old content back. */
function overwrite(path: string, content: Buffer, old: Buffer): void {
  const file = openSync(path, "r+");
  const put = (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
  };
  try {
    put(content);
  } catch (error) {
    put(old); // there is room for it
    throw error;
  } finally {
    closeSync(file);
  }
}

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
  const found = await lstat(folder).catch(unlessMissing);
  if (found?.isSymbolicLink()) return realOf(resolve(await realOf(dirname(folder)), await readlink(folder)));
  if (found) return realpath(folder); // something else has created it meanwhile
  return join(await realOf(dirname(folder)), basename(folder));
}
