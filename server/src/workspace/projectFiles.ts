import type { Files } from "../base/ports.ts";
import { visible } from "../base/text.ts";
import {
  folderAround,
  foldersAbove,
  isInside,
  type NameRules,
  pathInside,
  resolvePath,
  withoutTrailingSlashes,
} from "../base/uri.ts";
import type { ProjectHost, WorkspaceHost } from "./host.ts";

/** A path that a notebook or a setting names. */
export interface ProjectPath {
  /** The path as it is written. */
  readonly path: string;
  /** `undefined` if the path is not relative. */
  readonly uri: string | undefined;
  /** Whether the file is in the project. */
  readonly isReadable: boolean;
  /** The folders of the project. */
  readonly tops: readonly string[];
  /** Whether it is in the project only as long as links are not followed. */
  readonly leadsOut?: boolean;
}

/** @param base - URI that the path is relative to. */
export function projectPath(
  path: string,
  base: string | undefined,
  tops: readonly string[],
  names: NameRules,
): ProjectPath {
  const uri = base === undefined ? undefined : resolvePath(path, base);
  return { path, uri, tops, isReadable: uri !== undefined && isInside(uri, tops, names) };
}

/** Follows the links of a path, just before it is read. */
export async function withLinks<Path extends ProjectPath>(path: Path, files: Files): Promise<Path> {
  const { uri, isReadable, tops } = path;
  const leadsOut = uri !== undefined && isReadable && (await files.leadsOut?.(uri, tops));
  return leadsOut ? { ...path, isReadable: false, leadsOut } : path;
}

/** Larger files are not read. */
export const maxFileBytes = 10_000_000;

/** Reads files that notebooks name. Returns the same object for as long as a file has the same bytes. */
export class ProjectFiles<Contents> {
  readonly #files: Files;
  readonly #cache = new Map<string, { readonly bytes: Uint8Array | undefined; readonly contents: Contents }>();

  constructor({ files }: { readonly files: Files }) {
    this.#files = files;
  }

  /** @param parse - Gets no bytes if there is no such file, or it cannot be read. */
  async read(
    path: ProjectPath,
    parse: (source: ProjectPath, bytes: Uint8Array | undefined) => Contents,
  ): Promise<Contents> {
    const source = await withLinks(path, this.#files);
    const { uri, isReadable, leadsOut = false } = source;
    const bytes = uri !== undefined && isReadable ? await this.#files.read(uri).catch(() => undefined) : undefined;
    const key = `${leadsOut} ${uri ?? path.path}`;
    const last = this.#cache.get(key);
    if (last && equalBytes(last.bytes, bytes)) return last.contents;
    const contents = parse(source, bytes);
    this.#cache.set(key, { bytes, contents });
    return contents;
  }
}

/** What a repository links to outside of itself is not its own to read: a clause. */
export const linkFault = "a link leads out of the project; only files in the project are read";

/** Returns why a path has no file that may be read. */
export function pathFault({ uri, isReadable, leadsOut }: ProjectPath, folder: string): string | undefined {
  if (leadsOut) return linkFault;
  if (uri === undefined) return `expected a relative path, from the folder of ${folder}`;
  return isReadable
    ? undefined
    : `it is outside the project${slashHint(uri) || "; only files in the project are read"}`;
}

/** Explains why a file was not found whose path has backslashes. @param path - A path or a URI. */
export function slashHint(path: string): string {
  return /\\|%5c/i.test(path) ? "; paths in notebooks have `/`, not `\\`, on Windows too" : "";
}

function equalBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one?.length !== other?.length) return false;
  return one === undefined || one.every((byte, at) => byte === other?.[at]);
}

/** The folders in which the files of a document's project are. */
export interface Project {
  /** URIs of folders without a slash at the end, from the document's own up to the workspace folder. */
  readonly folders: readonly string[];
  /** Files outside of these are not read. */
  readonly tops: readonly string[];
}

export function projectOf(uri: string, { roots, files }: ProjectHost): Project {
  const folders = foldersAbove(uri, roots, files);
  return { folders, tops: [...new Set([...roots, ...folders.slice(-1)].map(withoutTrailingSlashes))] };
}

/**
 * Reads the files that are looked for around documents. Those to which a link leads out of the project are as good as absent;
 * the log has a warning about each.
 *
 * @returns The files for a document.
 */
export function filesAround(host: WorkspaceHost): (uri: string) => Files {
  const warned = new Set<string>();
  return (document) => {
    const { tops } = projectOf(document, host);
    const read: Files["read"] = async (uri, use) => {
      if (!(await host.files.leadsOut?.(uri, tops))) return host.files.read(uri, use);
      if (!warned.has(uri)) host.log.warn(`${visible(pathInside(uri, tops, host.files))}: ${linkFault}.`);
      warned.add(uri);
      return undefined;
    };
    return { ...host.files, read };
  };
}

/**
 * Returns the URI that paths in settings are relative to: the workspace folder around a document, or else the first one, with a
 * slash at the end.
 */
export function baseOfSettings(uri: string, { roots, files }: WorkspaceHost): string | undefined {
  const root = folderAround(uri, roots, files) ?? roots[0];
  return root && `${withoutTrailingSlashes(root)}/`;
}
