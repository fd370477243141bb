import type { Explanation } from "../base/error.ts";
import type { WriteFault } from "../base/ports.ts";
import { brief } from "../base/text.ts";

/**
 * Says why a file was not written, and what to do.
 *
 * @param name - The file's, safe to show.
 * @param isNew - Whether the file did not exist before; `undefined` if that is not known.
 */
export function explainWriteFault(fault: WriteFault, name: string, isNew: boolean | undefined): Explanation {
  const { why, todo } = writeFaultText(fault);
  const left = { true: " Nothing was created.", false: " Its old content is unchanged.", undefined: "" };
  return { what: `${name} was not written: ${why}.${left[`${isNew}`]}`, todo };
}

/** `why` is a clause. */
export function writeFaultText({ reason, detail }: WriteFault): { readonly why: string; readonly todo: string } {
  const [why, todo] = reasons[reason](brief(detail, 200));
  return { why, todo };
}

export function isWriteFaultReason(reason: unknown): reason is WriteFault["reason"] {
  return typeof reason === "string" && Object.hasOwn(reasons, reason);
}

/** The reason, as a clause, and what to do. */
const reasons: Readonly<Record<WriteFault["reason"], (detail: string) => readonly [why: string, todo: string]>> = {
  busy: (lock) => [
    "another process is writing it",
    `Try again when that has ended.${lock === "" ? "" : ` If there is none, delete ${lock} beside the file.`}`,
  ],
  denied: () => ["you have no permission", "Check the permissions of the file and of its folder."],
  "disk-full": () => ["the disk is full", "Free some space, then try again."],
  git: () => ["it would be among the files of git", "Choose a folder outside of .git."],
  "in-use": () => [
    "another program has it open, or the system does not let it be replaced",
    "Close it in other programs, then try again.",
  ],
  "leads-out": (to) => [
    `a link leads out of the project, to ${to}`,
    "Replace the link by a file or folder of the project.",
  ],
  "name-too-long": () => ["the system allows no name of that length", "Choose a shorter name."],
  "no-folder": () => ["its folder does not exist", "Create the folder, then try again."],
  "not-a-file": () => ["it is not a regular file", "Move it away, then try again."],
  other: (code) => [`the system reports ${code}`, "Check the disk and the folder, then try again."],
  quota: () => ["your disk quota is used up", "Free some space, then try again."],
  "read-only": () => ["the disk is read-only", "Make it writable, or work on a copy of the project."],
  "reserved-name": () => ["Windows has another use for its name", "Choose another name."],
  "too-large": (limit) => [
    `it would be larger than ${/^\d/.test(limit) ? limit : "this system allows"}`, // else the code of the system
    "Make it smaller.",
  ],
  unsupported: () => [
    "this editor writes no files for the language server",
    "Use the command line, or another editor.",
  ],
  untrusted: () => ["the workspace is not trusted", "Trust the workspace first."],
};
