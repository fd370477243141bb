import { constants } from "node:os";
import type { Explanation } from "../base/error.ts";
import type { WriteFault, WriteFaultReason } from "../base/ports.ts";
import { writeFaultText } from "../files/writeFaults.ts";
import { codeOf } from "./processes.ts";

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
