import {
  artifact,
  type Creatable,
  foundryFolders,
  hardhatFolders,
  isGuessed,
  isMisfit,
  lookedUpName,
  usualFolders,
} from "../abi/artifact.ts";
import { type AbiItem, declaration, libraryFunctionsInText } from "../abi/item.ts";
import { layoutsInText, type StorageLayout, storageLayouts } from "../abi/storageLayout.ts";
import { parseJson } from "../base/json.ts";
import type { Files, FolderEntry } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { childUri, isInside, pathInside, resolvePath, withoutTrailingSlashes } from "../base/uri.ts";
import type { WorkspaceHost } from "./host.ts";
import { maxFileBytes, type Project } from "./projectFiles.ts";

interface FoundContracts {
  /** The project's own first, then its tests, then its libraries; each declaration once. */
  readonly items: readonly AbiItem[];
  /** The contracts of the project itself, without tests and libraries. */
  readonly creatables: readonly Creatable[];
  /** Their storage layouts, those of the project first. */
  readonly layouts: readonly StorageLayout[];
  /** Names of contracts that were looked up, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** Says in two sentences that files were left out. */
  readonly warning: string | undefined;
}

/** Limits of one search. */
const maxBytes = 250_000_000;
const maxMs = 5_000;
/** Build information of large projects is larger than other files. */
const maxBuildInfoBytes = 60_000_000;
/** Files that are read at the same time. */
const maxConcurrentReads = 16;

/** Finds contracts where compilers write them. Files that have not changed are read once. */
export class ContractFiles {
  readonly #host: WorkspaceHost;
  /** By URI. */
  readonly #artifacts = new Map<string, Artifact>();
  readonly #results = new Map<string, SearchResult>();
  readonly #searches = new Map<string, Promise<FoundContracts>>();

  constructor(host: WorkspaceHost) {
    this.#host = host;
  }

  /** @returns The same object for as long as the files have the same contents. Never rejects. */
  find(project: Project): Promise<FoundContracts> {
    const key = project.folders.join(" ");
    const search = this.#searches.get(key) ?? this.#search(project, key).finally(() => this.#searches.delete(key));
    this.#searches.set(key, search);
    return search;
  }
  /** Has files read again of which the host does not tell versions apart. */
  mayHaveChanged(): void {
    for (const [uri, { version }] of this.#artifacts) if (version === undefined) this.#artifacts.delete(uri);
  }

  async #search(project: Project, key: string): Promise<FoundContracts> {
    const { files, clock } = this.#host;
    const endsAt = clock.now() + maxMs;
    const isLate = (): boolean => clock.now() > endsAt;
    const { files: candidates, hasMore } = await findArtifacts(project, files, isLate);
    const artifacts = await this.#read(
      candidates.filter(({ uri }) => !isBuildInfo(uri)),
      project,
      isLate,
    );
    // it repeats what artifacts have, except for what Hardhat writes nowhere else
    const isNeeded = artifacts.length > 0 && !artifacts.some(({ layouts }) => layouts.length > 0);
    const buildInfos = candidates.filter(({ uri }) => isBuildInfo(uri));
    const read = [...artifacts, ...(isNeeded ? await this.#read(buildInfos, project, isLate) : [])];
    const last = this.#results.get(key);
    if (last && isSameList(last.artifacts, read)) return last.contracts;
    const unread = candidates.length - buildInfos.length - artifacts.length;
    const byRank = read.toSorted((a, b) => a.rank - b.rank);
    const contracts = {
      items: uniqueItems(byRank),
      creatables: byRank.flatMap(({ creatables }) => creatables),
      layouts: uniqueLayouts(byRank),
      names: new Map(byRank.flatMap(({ named }) => (named ? [named] : []))),
      warning: unread > 0 || hasMore ? incompleteWarning(artifacts.length, unread) : undefined,
    };
    this.#results.set(key, { artifacts: read, contracts });
    return contracts;
  }
  async #read(
    candidates: readonly ArtifactFile[],
    project: Project,
    isLate: () => boolean,
  ): Promise<readonly Artifact[]> {
    const artifacts: Artifact[] = [];
    let bytes = 0;
    for (let at = 0; at < candidates.length && !isLate() && bytes <= maxBytes; at += maxConcurrentReads) {
      const some = candidates.slice(at, at + maxConcurrentReads);
      for (const one of await Promise.all(
        some.map((file) => this.#readOne(file, pathInside(file.uri, project.tops, this.#host.files))),
      )) {
        artifacts.push(one);
        bytes += one.bytes;
      }
    }
    return artifacts;
  }
  async #readOne({ uri, version }: ArtifactFile, source: string): Promise<Artifact> {
    const last = this.#artifacts.get(uri);
    if (last && last.version === version) return last;
    const bytes = await this.#host.files.read(uri).catch(() => undefined);
    const made = { version, bytes: bytes?.length ?? 0, ...contentsOf(bytes, source) };
    this.#artifacts.set(uri, made);
    return made;
  }
}

interface SearchResult {
  readonly artifacts: readonly Artifact[];
  readonly contracts: FoundContracts;
}

/** A file that was read. */
interface Artifact {
  readonly version: string | undefined;
  readonly bytes: number;
  readonly items: readonly AbiItem[];
  readonly creatables: readonly Creatable[];
  readonly layouts: readonly StorageLayout[];
  readonly rank: number;
  readonly named?: readonly [address: string, name: string] | undefined;
}

function incompleteWarning(read: number, unread: number): string {
  const rest = unread > 0 ? `${plural(unread, "file")} of the project` : "more of the project";
  return `RPC Notebook looked for contracts in ${plural(read, "file")} and left out ${rest}. Name the ABIs that you need in the header.`;
}

function isSameList(one: readonly Artifact[], other: readonly Artifact[]): boolean {
  return one.length === other.length && one.every((artifact, at) => artifact === other[at]);
}

function contentsOf(bytes: Uint8Array | undefined, source: string): Omit<Artifact, "version" | "bytes"> {
  if (bytes && isBuildInfo(source)) return buildInfo(bytes, source);
  const found = bytes && bytes.length <= maxFileBytes ? parseJson(new TextDecoder().decode(bytes)) : undefined;
  const json = found !== undefined && isMisfit(found) ? undefined : found;
  const contents = json === undefined ? undefined : artifact(json, source);
  // Events without a topic of their own match many logs: they count only if a notebook names them.
  const items = (contents?.items ?? []).filter(({ anonymous }) => !anonymous);
  const named = json === undefined ? undefined : lookedUpName(json);
  const rank = json !== undefined && isGuessed(json) ? 5 : named ? 4 : rankOf(contents?.compiledFrom ?? source);
  // A transaction that creates a contract creates one of the project, not of its tests or libraries.
  const layouts = json === undefined ? [] : storageLayouts(json, source);
  return { items, creatables: rank === 0 ? (contents?.creatables ?? []) : [], layouts, rank, named };
}

/** Build information repeats every artifact, so only layouts and functions of libraries are read, which Hardhat writes nowhere else. */
function buildInfo(bytes: Uint8Array, source: string): Omit<Artifact, "version" | "bytes"> {
  const text = bytes.length <= maxBuildInfoBytes ? new TextDecoder().decode(bytes) : "";
  const items = libraryFunctionsInText(text, source);
  return { items, creatables: [], layouts: layoutsInText(text, source), rank: 3 };
}

/** Two layouts of one contract: the second is that of an older compilation, or of the same one in another file. */
function uniqueLayouts(artifacts: readonly Artifact[]): readonly StorageLayout[] {
  const byName = new Map<string, StorageLayout>();
  for (const layout of artifacts.flatMap(({ layouts }) => layouts)) {
    const name = `${layout.qualified ?? layout.contract} ${layout.address ?? ""}`;
    if (!byName.has(name)) byName.set(name, layout);
  }
  return [...byName.values()].toSorted((a, b) => rankOf(a.qualified ?? "") - rankOf(b.qualified ?? ""));
}

/** 0 for the contracts of the project, 1 for its tests and scripts, 2 for its libraries. */
function rankOf(path: string): number {
  if (/(?:^|\/)(?:@|lib\/|node_modules\/|npm\/|forge-std\/|hardhat\/)/.test(path)) return 2;
  return /\.[ts]\.sol(?:\/|$)|^(?:test|script)s?\//.test(path) ? 1 : 0;
}

function uniqueItems(artifacts: readonly Artifact[]): readonly AbiItem[] {
  const byText = new Map<string, AbiItem>();
  for (const item of artifacts.flatMap(({ items }) => items)) {
    const outputs = item.outputs.map(({ type, name }) => `${type.text} ${name}`).join();
    const text = `${declaration(item)} ${outputs} ${item.address ?? ""}`;
    if (!byText.has(text)) byText.set(text, item);
  }
  return [...byText.values()];
}

/** A file that a compiler may have written. */
interface ArtifactFile {
  readonly uri: string;
  /** Another one for every change; `undefined` if the host does not tell versions apart. */
  readonly version: string | undefined;
}

interface ArtifactSearch {
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
async function findArtifacts(project: Project, files: Files, isLate: () => boolean): Promise<ArtifactSearch> {
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
function isBuildInfo(path: string): boolean {
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
      if (isInside(uri, project.tops, files) && !(await files.leadsOut?.(uri, project.tops)))
        queue.push({ uri, depth: 0 });
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
