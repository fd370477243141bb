import type { Explanation } from "../base/error.ts";
import { writeFaultText } from "../files/writeFaults.ts";
import { systemFault } from "./systemFault.ts";

/** Explains why writing to standard output failed, which can be a file on a full disk. */
export function brokenOutput(error: unknown): Explanation {
  const { why, todo } = writeFaultText(systemFault(error));
  return { what: `The output is not complete: ${why}.`, todo };
}
