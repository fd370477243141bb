/** URIs of files and folders, as editors write them. Folders have no slash at the end. */

import { percentDecoded } from "./text.ts";

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
  return uri.replace(/\/+$/, "");
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
export function isInside(uri: string, folders: readonly string[]): boolean {
  const path = decoded(uri);
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false; // `..\up.json`, which leads up on Windows only
  return folders.some((folder) => path === decoded(folder) || path.startsWith(`${decoded(folder)}/`));
}

/** Returns the path of a file from the innermost of these folders; its whole URI if it is in none of them. Decoded. */
export function pathInside(uri: string, folders: readonly string[]): string {
  const path = decoded(uri);
  const around = folders.map(decoded).filter((folder) => path.startsWith(`${folder}/`));
  return path.slice(Math.max(0, ...around.map((folder) => folder.length + 1)));
}

/**
 * Returns the folders from a document up to its workspace folder.
 *
 * @param roots - Of the workspace folders. A document outside of them has its own folder only; one without a file has the roots.
 * @returns The document's own folder first.
 */
export function foldersAbove(uri: string, roots: readonly string[]): readonly string[] {
  const tops = roots.map(withoutTrailingSlashes);
  if (isUntitled(uri)) return tops;
  const own = parentFolder(uri);
  const [top] = tops
    .filter((root) => `${percentDecoded(own)}/`.startsWith(`${percentDecoded(root)}/`))
    .sort((a, b) => b.length - a.length);
  if (top === undefined) return [own];
  const folders = [own];
  for (let folder = own; percentDecoded(folder) !== percentDecoded(top) && folders.length < maxFolders; ) {
    folder = parentFolder(folder);
    folders.push(folder);
  }
  return folders;
}

/** Folders from a document up to its workspace folder, for a path that never meets it. */
const maxFolders = 100;

/**
 * Returns the folder in which files are written that belong to a document: the root of its workspace folder, else its own.
 *
 * @returns `undefined` for a document without a file, outside of any workspace folder.
 */
export function homeFolder(uri: string, roots: readonly string[]): string | undefined {
  const folders = foldersAbove(uri, roots);
  return isUntitled(uri) ? folders[0] : folders.at(-1);
}

/** Editors encode differently: `c%3A` and `c:` are one drive. */
function decoded(uri: string): string {
  return withoutTrailingSlashes(percentDecoded(uri));
}
