import type { Explanation } from "../base/explanation.ts";
import { writeFaultText } from "../files/writeFaults.ts";
import { systemFault } from "./systemFault.ts";

/** Says why standard output, a file on a full disk for example, takes no more. */
export function brokenOutput(error: unknown): Explanation {
  const { why, todo } = writeFaultText(systemFault(error));
  return { what: `The output is not complete: ${why}.`, todo };
}
