import { percentDecoded } from "./text.ts";

/**
 * URIs of files and folders, as editors write them. Folders have no slash at the end: `file://` is the root of a disk, and
 * `file:///c%3A` a drive.
 */

/** How a disk compares names. */
export interface NameRules {
  /** Whether names that differ only in case or in their Unicode form are one file, as on Windows and macOS. */
  readonly ignoresCase?: boolean | undefined;
}

/** Whether a document has no file yet: `untitled:Untitled-1` has no folder. */
export function isUntitled(uri: string): boolean {
  return !/^[a-z][\w+.-]*:\/\//i.test(uri);
}

/** Returns the folder of a file, or the folder above a folder. */
export function parentFolder(uri: string): string {
  return uri.slice(0, Math.max(uri.lastIndexOf("/"), 0));
}

/** @example fileName("file:///a/my%20notes.json") //=> "my notes.json" */
export function fileName(uri: string): string {
  return percentDecoded(uri.slice(uri.lastIndexOf("/") + 1));
}

/** Takes off the extension of a notebook: `payments.rpc.json`, or of another JSON file. */
export function notebookStem(name: string): string {
  return name.replace(/(?:\.rpc)?\.json$/, "");
}

export function withoutTrailingSlashes(uri: string): string {
  const start = /^[a-z][\w+.-]*:\/\//i.exec(uri)?.[0] ?? "";
  return start + uri.slice(start.length).replace(/\/+$/, "");
}

/** Returns the URI of a folder as systems take it. Without its slash, `c:` is the folder in which a program works on that drive. */
export function folderUri(folder: string): string {
  return /^[a-z][\w+.-]*:\/\/[^/]*(?:\/[a-z](?::|%3a))?$/i.test(folder) ? `${folder}/` : folder;
}

/** @param name - As the file system has it, not encoded. */
export function childUri(folder: string, name: string): string {
  return `${folder}/${encodeURIComponent(name)}`;
}

/**
 * Resolves a relative path.
 *
 * @param base - A file, whose folder counts, or a folder with a slash at its end.
 * @returns `undefined` for an absolute path or a URI, and if the base has no folder.
 */
export function resolvePath(path: string, base: string): string | undefined {
  if (/^[\\/]|^[a-z][\w+.-]*:/i.test(path) || path === "") return undefined;
  const encoded = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return !isUntitled(base) && URL.canParse(encoded, base) ? new URL(encoded, base).href : undefined;
}

/** Whether a file or folder is in one of these folders, or is one of them. Links are not followed. */
export function isInside(uri: string, folders: readonly string[], names: NameRules): boolean {
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(percentDecoded(uri))) return false; // `..\up.json`, which leads up on Windows only
  return folderAround(uri, folders, names) !== undefined;
}

/** Returns the path of a file from the innermost of these folders; its whole URI if it is in none of them. Decoded. */
export function pathInside(uri: string, folders: readonly string[], names: NameRules): string {
  const around = folderAround(uri, folders, names);
  const length = around === undefined ? 0 : partsOf(around, names).length;
  return withoutTrailingSlashes(uri).split("/").slice(length).map(percentDecoded).join("/");
}

/** Returns the innermost of the folders that a file or folder is in, or is. */
export function folderAround(uri: string, folders: readonly string[], names: NameRules): string | undefined {
  const parts = partsOf(uri, names);
  const around = folders.filter((folder) => partsOf(folder, names).every((part, at) => part === parts[at]));
  return around.toSorted((one, other) => partsOf(other, names).length - partsOf(one, names).length)[0];
}

/** Returns the same text for all URIs of a file. */
export function uriKey(uri: string, names: NameRules): string {
  return partsOf(uri, names).join("/");
}

/**
 * Returns the folders from a document up to its workspace folder.
 *
 * @param roots - Of the workspace folders. A document outside of them has its own folder only; one without a file has the roots.
 * @returns The document's own folder first. The folders are spelled as in the document's URI.
 */
export function foldersAbove(uri: string, roots: readonly string[], names: NameRules): readonly string[] {
  if (isUntitled(uri)) return roots.map(withoutTrailingSlashes);
  const own = parentFolder(uri);
  const top = folderAround(own, roots, names);
  const folders = [own];
  const levels = top === undefined ? 0 : partsOf(own, names).length - partsOf(top, names).length;
  for (let folder = own; folders.length <= Math.min(levels, maxFolders); folders.push(folder))
    folder = parentFolder(folder);
  return folders;
}

/** Folders from a document up to its workspace folder. */
const maxFolders = 100;

/**
 * Returns the folder in which files are written that belong to a document: the root of its workspace folder, else its own.
 *
 * @returns `undefined` for a document without a file, outside of any workspace folder.
 */
export function homeFolder(uri: string, roots: readonly string[], names: NameRules): string | undefined {
  const folders = foldersAbove(uri, roots, names);
  return isUntitled(uri) ? folders[0] : folders.at(-1);
}

/**
 * Splits a URI into parts that are equal if they mean the same. Editors encode differently: `c%3A` and `C:` are one drive.
 * Case never counts in a scheme, in the name of a server and in a drive; in names of a disk if the disk says so.
 */
function partsOf(uri: string, { ignoresCase = false }: NameRules): readonly string[] {
  const parts = withoutTrailingSlashes(uri).split("/").map(percentDecoded);
  if (!/^file:$/i.test(parts[0] ?? "")) return parts;
  return parts.map((part, at) =>
    ignoresCase || at < 3 || (at === 3 && /^[a-z]:$/i.test(part)) ? foldedName(part) : part,
  );
}

/** Names of files and folders, as different systems understand them. */

/**
 * Whether a name means `.git` on any system. Windows and macOS ignore case; Windows also what follows a colon, and dots and
 * spaces at the end, and knows the short name `git~1`; macOS ignores invisible characters.
 */
export function meansGit(name: string): boolean {
  const [plain = ""] = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "").split(":");
  return /^(?:\.git|git~\d+)[. ]*$/i.test(plain);
}

/**
 * Whether Windows opens something else under this name: a device, a second stream of a file, or a file with another name.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isReservedOnWindows(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)|[<>:"/\\|?*\0-\x1f]|[. ]$/i.test(name);
}

/** Returns the same text for all names of a file on a disk that ignores case: macOS ignores the Unicode form too. */
export function foldedName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
