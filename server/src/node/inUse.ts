import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "./processes.ts";

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
