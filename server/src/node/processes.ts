import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";

/** Identifies the machine, and on Linux the container. Process ids can be compared only within one. */
export const machine = digest(`${hostname()} ${namespace()}`);

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // other systems have none
  }
}

/** Whether a process of this {@link machine} runs. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // 0 would mean our own group
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM"; // the process belongs to another user
  }
}

/** The code of a system error, such as `ENOENT`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Handles an error in `catch`: returns `undefined` if the file is missing, and throws all else. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

/** Bytes of a name, with room for a suffix. Most file systems allow 255. */
const maxNameBytes = 160;

/** Returns the name of a hidden file beside a file, without its suffix. */
export function hiddenName(path: string): string {
  const name = basename(path);
  return Buffer.byteLength(name) <= maxNameBytes ? `.${name}` : `.${digest(name)}`;
}
