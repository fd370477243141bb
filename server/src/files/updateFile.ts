import type { Explanation } from "../base/error.ts";
import type { Files, Replacement, Written } from "../base/ports.ts";
import { fileName, parentFolder } from "../base/uri.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { explainWriteFault } from "./writeFaults.ts";

/** The new text of a file, or why it cannot be changed. */
export type Update = { readonly text: string } | "unchanged" | Explanation;

export interface UpdatedFile {
  readonly uri: string;
  /** Safe to show. */
  readonly name: string;
  /** URI of the folder that links must not lead out of. */
  readonly within: string;
  /** Whether to create the folder of the file, and those above it. */
  readonly createsFolders?: boolean;
}

/** Attempts. Another one is needed each time that another writer was faster. */
const maxAttempts = 200;

/**
 * Changes a file that others may change at the same time: makes the new text from the current one, and starts again if
 * the file has changed by the time it would be written.
 *
 * @param change - Takes the text of the file, `undefined` if there is none. Called again for each attempt.
 * @returns An explanation if the file could not be changed.
 */
export async function updateFile(
  files: Files,
  { uri, name, within, createsFolders = false }: UpdatedFile,
  change: (before: string | undefined) => Update,
): Promise<"written" | "unchanged" | Explanation> {
  let unseen = 0;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const bytes = await files.read(uri, "replace");
    const decoded = bytes && decodeFile(bytes);
    if (decoded && "fault" in decoded) return notText(name, decoded.fault.what);
    const before = decoded?.text;
    const next = change(before);
    if (next === "unchanged" || !("text" in next)) return next;
    const written = await replaceFile(files, uri, { before, text: next.text, within, createsFolders });
    if (written.kind === "written") return "written";
    if (written.kind === "failed") return explainWriteFault(written, name, before === undefined);
    unseen = before === undefined ? unseen + 1 : 0;
    if (unseen > 2) return notRead(name);
  }
  return explainWriteFault({ reason: "busy", detail: "" }, name, false);
}

/** Gives a file a new text, whatever its old one was. @returns Why it was not written. */
export async function saveText(files: Files, uri: string, text: string): Promise<string | undefined> {
  const file = { uri, name: fileName(uri), within: parentFolder(uri) };
  const written = await updateFile(files, file, () => ({ text }));
  return typeof written === "object" ? `${written.what} ${written.todo}` : undefined;
}

/** Says why a file that is not text is not replaced. @param what - Says what is in it. */
export function notText(name: string, what: string): Explanation {
  return unreadable(`${name}: ${what}.`);
}

/** Says why a file that cannot be read is not replaced. */
export function notRead(name: string): Explanation {
  return unreadable(`${name} exists, but cannot be read.`);
}

function unreadable(what: string): Explanation {
  return { what: `${what} It was not changed.`, todo: "Check its encoding, its permissions and its size." };
}

/** Calls {@link Files.write}, which a host that writes no files does not have. */
export async function replaceFile(files: Files, uri: string, replacement: Replacement): Promise<Written> {
  return files.write?.(uri, replacement) ?? { kind: "failed", reason: "unsupported", detail: "" };
}

/** The same files; writes are refused unless the workspace is trusted at that time. */
export function writingIf(isTrusted: () => boolean, files: Files): Files {
  const { write, grow, remove } = files;
  if (!write) return files;
  const refused = { kind: "failed", reason: "untrusted", detail: "" } as const;
  return {
    ...files,
    write: async (uri, replacement) => (isTrusted() ? write(uri, replacement) : refused),
    ...(grow && { grow: async (uri: string, within: string) => (isTrusted() ? grow(uri, within) : refused) }),
    ...(remove && { remove: async (uri, content) => (isTrusted() ? remove(uri, content) : refused) }),
  };
}
