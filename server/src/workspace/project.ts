import { folderAround, foldersAbove, withoutTrailingSlashes } from "../base/uri.ts";
import type { WorkspaceHost } from "./host.ts";

/** The folders in which the files of a document's project are. */
export interface Project {
  /** URIs of folders without a slash at the end, from the document's own up to the workspace folder. */
  readonly folders: readonly string[];
  /** Files outside of these are not read. */
  readonly tops: readonly string[];
}

export function projectOf(uri: string, { roots, files }: Pick<WorkspaceHost, "roots" | "files">): Project {
  const folders = foldersAbove(uri, roots, files);
  return { folders, tops: [...new Set([...roots, ...folders.slice(-1)].map(withoutTrailingSlashes))] };
}

/**
 * Returns the URI that paths in settings are relative to: the workspace folder around a document, or else the first one, with a
 * slash at the end.
 */
export function baseOfSettings(
  uri: string,
  { roots, files }: Pick<WorkspaceHost, "roots" | "files">,
): string | undefined {
  const root = folderAround(uri, roots, files) ?? roots[0];
  return root && `${withoutTrailingSlashes(root)}/`;
}
