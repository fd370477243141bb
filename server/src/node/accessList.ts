import { execFile } from "node:child_process";
import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Milliseconds for a program that reads one file's access list. */
const maxMs = 5_000;

/**
 * Whether a file of Windows has an access list of its own: a new file in its place would only have that of the folder.
 *
 * @returns `true` if Windows does not say.
 */
export async function hasOwnAccessList(path: string): Promise<boolean> {
  if (process.platform !== "win32") return false;
  // by its whole path: a program of this name in the working folder is not started
  const program = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "icacls.exe");
  const listed = await run(program, [path], { windowsHide: true, timeout: maxMs }).catch(() => undefined);
  const entries = listed?.stdout.match(/:(?:\([^()]*\))+\s*$/gm) ?? [];
  return entries.length === 0 || entries.some((entry) => !entry.includes("(I)"));
}

/** Writes over the content of a file. If that fails, writes the old content back. */
export function overwrite(path: string, content: Buffer, old: Buffer): void {
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
