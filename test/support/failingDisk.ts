import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Call = "linkSync" | "renameSync" | "rmSync" | "writeSync";

/** Calls of `node:fs` that failed, and how many there were in all. */
export interface FailingDisk {
  readonly failed: number;
  readonly calls: number;
  repair(): void;
}

/**
 * Makes calls of `node:fs` fail, as the disks of other systems do.
 *
 * @param codes - One for each call that fails; later calls succeed.
 * @param isMeant - Whether a call with these arguments fails.
 */
export function failingDisk(
  name: Call,
  codes: readonly string[],
  isMeant: (args: readonly unknown[]) => boolean = () => true,
): FailingDisk {
  const left = [...codes];
  const real = fs[name] as (...args: readonly unknown[]) => unknown; // only passed on
  let calls = 0;
  const failing = (...args: readonly unknown[]): unknown => {
    if (!isMeant(args)) return real(...args);
    calls++;
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${name}`), { code });
    return real(...args);
  };
  Object.assign(fs, { [name]: failing });
  syncBuiltinESMExports();
  return {
    get failed() {
      return codes.length - left.length;
    },
    get calls() {
      return calls;
    },
    repair() {
      Object.assign(fs, { [name]: real });
      syncBuiltinESMExports();
    },
  };
}
