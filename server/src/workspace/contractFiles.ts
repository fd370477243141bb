import { artifact } from "../abi/artifact.ts";
import { foundryFolders, hardhatFolders, usualFolders } from "../abi/buildFolders.ts";
import type { Creatable } from "../abi/creatable.ts";
import { type AbiItem, declaration } from "../abi/item.ts";
import { parseJson } from "../base/json.ts";
import type { FolderEntry } from "../base/ports.ts";
import { percentDecoded, plural } from "../base/text.ts";
import type { Host } from "./host.ts";
import { fileAt } from "./openrpcCatalogs.ts";

/** Where contracts are looked for. */
export interface Project {
  /** URIs of folders without a slash at the end, the nearest to the notebook first. */
  readonly folders: readonly string[];
  /** Nothing is read outside of these. */
  readonly tops: readonly string[];
}

/** The contracts of a project. */
export interface FoundContracts {
  /** The project's own first, then its tests, then its libraries; each declaration once. */
  readonly items: readonly AbiItem[];
  /** Of the project's own. */
  readonly creatables: readonly Creatable[];
  /** What was left out, in a sentence. */
  readonly warning: string | undefined;
}

interface ContractFiles {
  /** The same object for as long as the files say the same. Never rejects. */
  look(project: Project): Promise<FoundContracts>;
  /** From now on files are read again whose host does not tell versions apart. */
  mayHaveChanged(): void;
}

/** Bounds of one look. */
const most = { files: 2_000, folders: 4_000, depth: 8, bytesOfFile: 10_000_000, bytes: 250_000_000, ms: 5_000 };

/** How many files are read at once. */
const together = 16;

interface ScannedFolder {
  readonly uri: string;
  readonly version: string | undefined;
}

interface ReadArtifact {
  readonly version: string | undefined;
  readonly bytes: number;
  readonly items: readonly AbiItem[];
  readonly creatables: readonly Creatable[];
  readonly rank: number;
}

/** Finds contracts where compilers write them. Nothing is looked at before somebody asks; what was read is kept. */
export function openContractFiles({ files, clock }: Pick<Host, "files" | "clock">): ContractFiles {
  const known = new Map<string, ReadArtifact>();
  const looked = new Map<string, { readonly read: readonly ReadArtifact[]; readonly contracts: FoundContracts }>();
  const looking = new Map<string, Promise<FoundContracts>>();

  const readOne = async ({ uri, version }: ScannedFolder, source: string): Promise<ReadArtifact> => {
    const before = known.get(uri);
    if (before && before.version === version) return before;
    const bytes = await files.read(uri).catch(() => undefined);
    const read = { version, bytes: bytes?.length ?? 0, ...contract(bytes, source) };
    known.set(uri, read);
    return read;
  };
  const lookAnew = async (project: Project, key: string): Promise<FoundContracts> => {
    const until = clock.now() + most.ms;
    const found = await artifacts(project, files, () => clock.now() > until);
    const read: ReadArtifact[] = [];
    let bytes = 0;
    for (let at = 0; at < found.files.length && clock.now() <= until && bytes <= most.bytes; at += together) {
      const some = found.files.slice(at, at + together).map((file) => readOne(file, sourceOf(file.uri, project)));
      for (const one of await Promise.all(some)) {
        read.push(one);
        bytes += one.bytes;
      }
    }
    const before = looked.get(key);
    if (before && read.length === before.read.length && read.every((one, at) => one === before.read[at]))
      return before.contracts;
    const left = found.files.length - read.length;
    const contracts = {
      items: inOrder(read),
      creatables: read.toSorted((a, b) => a.rank - b.rank).flatMap(({ creatables }) => creatables),
      warning: left > 0 || found.more ? leftOut(read.length, left) : undefined,
    };
    looked.set(key, { read, contracts });
    return contracts;
  };

  return {
    look(project) {
      const key = project.folders.join(" ");
      const current = looking.get(key) ?? lookAnew(project, key).finally(() => looking.delete(key));
      looking.set(key, current);
      return current;
    },
    mayHaveChanged() {
      for (const [uri, { version }] of known) if (version === undefined) known.delete(uri);
    },
  };
}

function leftOut(read: number, left: number): string {
  const rest = left > 0 ? `${plural(left, "file")} of the project` : "more of the project";
  return `Contracts were looked for in ${plural(read, "file")}; ${rest} was left out. Name the ABIs that matter in the header.`;
}

interface Artifacts {
  readonly files: readonly ScannedFolder[];
  /** There is more than was looked at. */
  readonly more: boolean;
}

/** The files in which contracts may be, by folder and name. */
async function artifacts(project: Project, files: Host["files"], isLate: () => boolean): Promise<Artifacts> {
  const found = new Map<string, ScannedFolder>();
  let queue: { readonly uri: string; readonly depth: number }[] = [];
  for (const folder of project.folders) {
    for (const uri of await buildFolders(folder, files)) if (isInside(uri, project)) queue.push({ uri, depth: 0 });
  }
  const seen = new Set<string>();
  while (queue.length > 0 && found.size < most.files && seen.size < most.folders && !isLate()) {
    const [next, ...rest] = queue;
    queue = rest;
    if (!next || seen.has(next.uri)) continue;
    seen.add(next.uri);
    const deeper: typeof queue = [];
    for (const { name, kind, version } of sorted(await files.list?.(next.uri).catch(() => undefined))) {
      const uri = `${next.uri}/${encodeURIComponent(name)}`;
      if (kind === "folder" && !passedOver.test(name) && next.depth < most.depth)
        deeper.push({ uri, depth: next.depth + 1 });
      if (kind === "file" && isArtifact(name) && found.size < most.files) found.set(uri, { uri, version });
    }
    queue = [...deeper, ...queue];
  }
  return { files: [...found.values()], more: found.size >= most.files || queue.length > 0 };
}

function sorted(entries: readonly FolderEntry[] | undefined): readonly FolderEntry[] {
  return (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What holds no contracts, or all of them once more. */
const passedOver = /^(?:\.|node_modules$|build-info$|cache$)/;

function isArtifact(name: string): boolean {
  return /\.json$/i.test(name) && !/\.dbg\.json$/i.test(name);
}

/** Where a folder's own configuration says that artifacts are, then where they usually are. */
async function buildFolders(folder: string, files: Host["files"]): Promise<readonly string[]> {
  const entries = (await files.list?.(folder, false).catch(() => undefined)) ?? [];
  const named = entries.map(async ({ name, kind }): Promise<readonly string[]> => {
    const read =
      kind !== "file" ? undefined : name === "foundry.toml" ? foundryFolders : configs.test(name) && hardhatFolders;
    const bytes = read ? await files.read(`${folder}/${name}`).catch(() => undefined) : undefined;
    return read && bytes ? read(new TextDecoder().decode(bytes)) : [];
  });
  const usual = usualFolders.filter((name) => entries.some((one) => one.kind === "folder" && one.name === name));
  const all = [...(await Promise.all(named)).flat(), ...usual];
  return [...new Set(all.flatMap((path) => fileAt(path, `${folder}/`)?.replace(/\/+$/, "") ?? []))];
}

const configs = /^hardhat\.config\.[cm]?[jt]s$/;

/** Whether a file or folder is in the project: links aside, nothing else is read. */
export function isInside(uri: string, { tops }: Pick<Project, "tops">): boolean {
  const path = plain(uri);
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false; // `..\up.json`, which only Windows takes for a way up
  return tops.some((top) => path === plain(top) || path.startsWith(`${plain(top)}/`));
}

/** What people know a file by: its path in the project. */
export function sourceOf(uri: string, { tops }: Pick<Project, "tops">): string {
  const path = plain(uri);
  const inside = tops.map(plain).filter((top) => path.startsWith(`${top}/`));
  return path.slice(Math.max(0, ...inside.map((top) => top.length + 1)));
}

/** Editors encode differently: `c%3A` and `c:` are one drive. */
function plain(uri: string): string {
  return percentDecoded(uri).replace(/\/+$/, "");
}

function contract(bytes: Uint8Array | undefined, source: string): Pick<ReadArtifact, "items" | "creatables" | "rank"> {
  const json = bytes && bytes.length <= most.bytesOfFile ? parseJson(new TextDecoder().decode(bytes)) : undefined;
  const found = json === undefined ? undefined : artifact(json, source);
  // events without a topic of their own fit many logs: they count only where a notebook names them
  const items = (found?.items ?? []).filter(({ anonymous }) => !anonymous);
  const rank = rankOf(found?.compiledFrom ?? source);
  // who creates contracts creates those of the project
  return { items, creatables: rank === 0 ? (found?.creatables ?? []) : [], rank };
}

/** 0 for the contracts of the project, 1 for its tests and scripts, 2 for what it depends on. */
function rankOf(path: string): number {
  if (/(?:^|\/)(?:@|lib\/|node_modules\/|npm\/|forge-std\/|hardhat\/)/.test(path)) return 2;
  return /\.[ts]\.sol(?:\/|$)|^(?:test|script)s?\//.test(path) ? 1 : 0;
}

function inOrder(read: readonly ReadArtifact[]): readonly AbiItem[] {
  const byText = new Map<string, AbiItem>();
  for (const { items } of read.toSorted((a, b) => a.rank - b.rank)) {
    for (const item of items) {
      const text = `${declaration(item)} ${item.outputs.map(({ type, name }) => `${type.text} ${name}`).join()}`;
      if (!byText.has(text)) byText.set(text, item);
    }
  }
  return [...byText.values()];
}
