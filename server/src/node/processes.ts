import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { constants, hostname } from "node:os";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Explanation } from "../base/error.ts";
import type { WriteFault, WriteFaultReason } from "../base/ports.ts";
import { writeFaultText } from "../files/writeFaults.ts";

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

/** Another program has a file open, or the system does not let it be replaced. */
export class InUseError extends Error {}

/** What Windows reports while another program, such as a virus scanner, has a file open; also for its disks under WSL. */
const inUse: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds between tries. */
const pauses = [10, 20, 40, 80, 160, 320, 640, 1280];

/**
 * Does work with a file that another program may have open, and tries again while it fails for that.
 *
 * @param isAwaited - Whether the process stays alive for it.
 * @throws InUseError after the last try.
 */
export async function untilFree<T>(work: () => T | Promise<T>, isAwaited = true): Promise<T> {
  for (const pause of [...pauses, undefined]) {
    try {
      return await work();
    } catch (error) {
      if (!inUse.has(codeOf(error))) throw error;
      if (pause !== undefined) await sleep(pause, undefined, { ref: isAwaited });
    }
  }
  throw new InUseError();
}

const reasons: Readonly<Record<string, WriteFaultReason>> = {
  EACCES: "denied",
  EBUSY: "in-use",
  EDQUOT: "quota",
  EFBIG: "too-large",
  EISDIR: "not-a-file",
  ENAMETOOLONG: "name-too-long",
  ENOENT: "no-folder",
  ENOSPC: "disk-full",
  ENOTDIR: "no-folder",
  EPERM: "denied",
  EROFS: "read-only",
};

/** Explains why the system did not write. */
export function systemFault(error: unknown): WriteFault {
  const isQuota = error instanceof Error && "errno" in error && error.errno === -constants.errno.EDQUOT;
  const code = isQuota ? "EDQUOT" : codeOf(error); // Node has no name for this number
  return { reason: reasons[code] ?? "other", detail: code === "" ? String(error) : code };
}

/** Explains why writing to standard output failed, which can be a file on a full disk. */
export function brokenOutput(error: unknown): Explanation {
  const { why, todo } = writeFaultText(systemFault(error));
  return { what: `The output is not complete: ${why}.`, todo };
}
