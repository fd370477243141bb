import { foundryFolders, hardhatFolders, usualFolders } from "../abi/artifact.ts";
import type { Files, FolderEntry } from "../base/ports.ts";
import { childUri, isInside, resolvePath, withoutTrailingSlashes } from "../base/uri.ts";
import type { Project } from "./project.ts";

/** A file that a compiler may have written. */
export interface ArtifactFile {
  readonly uri: string;
  /** Another one for every change; `undefined` if the host does not tell versions apart. */
  readonly version: string | undefined;
}

export interface ArtifactSearch {
  readonly files: readonly ArtifactFile[];
  /** The search ended before it had seen everything. */
  readonly hasMore: boolean;
}

/** Limits of one search. */
const maxFiles = 2_000;
const maxFolders = 4_000;
const maxDepth = 8;

interface QueuedFolder {
  readonly uri: string;
  readonly depth: number;
}

/** Finds the files that may contain contracts, by folder and name. */
export async function findArtifacts(project: Project, files: Files, isLate: () => boolean): Promise<ArtifactSearch> {
  const artifacts = new Map<string, ArtifactFile>();
  const visited = new Set<string>();
  let queue = await buildFoldersOf(project, files);
  while (queue.length > 0 && artifacts.size < maxFiles && visited.size < maxFolders && !isLate()) {
    const [folder, ...rest] = queue;
    queue = rest;
    if (!folder || visited.has(folder.uri)) continue;
    visited.add(folder.uri);
    const deeper: QueuedFolder[] = [];
    const last: QueuedFolder[] = [];
    for (const { name, kind, version } of sorted(await files.list?.(folder.uri).catch(() => undefined))) {
      const uri = childUri(folder.uri, name);
      if (kind === "folder" && !ignoredFolders.test(name) && folder.depth < maxDepth)
        (name === buildInfoFolder ? last : deeper).push({ uri, depth: folder.depth + 1 });
      if (kind === "file" && isArtifact(name) && artifacts.size < maxFiles) artifacts.set(uri, { uri, version });
    }
    queue = [...deeper, ...queue, ...last];
  }
  return { files: [...artifacts.values()], hasMore: artifacts.size >= maxFiles || queue.length > 0 };
}

/** Folders without contracts. */
const ignoredFolders = /^(?:\.|node_modules$|cache$)/;
const buildInfoFolder = "build-info";

/** Whether a file repeats what all artifacts of a compilation contain, and the compiler's settings. */
export function isBuildInfo(path: string): boolean {
  return path.split("/").at(-2) === buildInfoFolder;
}

function isArtifact(name: string): boolean {
  return /\.json$/i.test(name) && !/\.dbg\.json$/i.test(name);
}

function sorted(entries: readonly FolderEntry[] | undefined): readonly FolderEntry[] {
  return (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function buildFoldersOf(project: Project, files: Files): Promise<readonly QueuedFolder[]> {
  const queue: QueuedFolder[] = [];
  for (const folder of project.folders) {
    for (const uri of await buildFoldersIn(folder, files))
      if (isInside(uri, project.tops, files)) queue.push({ uri, depth: 0 });
  }
  return queue;
}

/** Returns the folders that the configuration in a folder names for artifacts, then the usual ones. */
async function buildFoldersIn(folder: string, files: Files): Promise<readonly string[]> {
  const entries = (await files.list?.(folder, false).catch(() => undefined)) ?? [];
  const configured = entries.map(async ({ name, kind }): Promise<readonly string[]> => {
    const readFolders = kind === "file" ? configurationReader(name) : undefined;
    const bytes = readFolders ? await files.read(`${folder}/${name}`).catch(() => undefined) : undefined;
    return readFolders && bytes ? readFolders(new TextDecoder().decode(bytes)) : [];
  });
  const usual = usualFolders.filter((name) => entries.some((one) => one.kind === "folder" && one.name === name));
  const paths = [...(await Promise.all(configured)).flat(), ...usual];
  const uris = paths.flatMap((path) => resolvePath(path, `${folder}/`) ?? []);
  return [...new Set(uris.map(withoutTrailingSlashes))];
}

function configurationReader(name: string): ((text: string) => readonly string[]) | undefined {
  if (name === "foundry.toml") return foundryFolders;
  return /^hardhat\.config\.[cm]?[jt]s$/.test(name) ? hardhatFolders : undefined;
}
