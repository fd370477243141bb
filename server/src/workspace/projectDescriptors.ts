import {
  type Descriptors,
  descriptorsOf,
  inOrder,
  packDescriptors,
  packedName,
  unpackDescriptors,
} from "../abi/descriptors.ts";
import { standardDescriptors } from "../abi/standardDescriptors.ts";
import { visible } from "../base/text.ts";
import { headerValues } from "../notebook/header.ts";
import {
  type DescriptorFileProblem,
  type DescriptorProblem,
  type DescriptorProblems,
  descriptorProblems,
  type Found,
  faultOf,
  type DescriptorSource as Source,
} from "./descriptorProblems.ts";
import { descriptorFilesIn, type FoundFile, readDescriptors } from "./descriptorSources.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { baseOfSettings, type ProjectPath, pathFault, projectOf, projectPath, withLinks } from "./projectFiles.ts";
import { readRegistry } from "./registry.ts";

/** What was read for a document. */
interface Known {
  readonly header: Document["header"];
  readonly reading: Promise<Descriptors>;
  table: Descriptors | undefined;
}

const nothing = descriptorsOf([], () => ({}), String);

/** Sources of one notebook. */
const maxSources = 20;
/** A checkout of the registry as a submodule or a package. */
const registryFolders = ["lib", "node_modules"].map((folder) => `${folder}/clear-signing-erc7730-registry`);
const registryOrigin = (entity: string): string => `ERC-7730 registry, ${entity}, not verified`;

/**
 * The ERC-7730 descriptors that a document can use, in the order in which they count: those that its header names, those of the
 * settings, a registry in the project, the registry that a person has downloaded, and our own.
 */
export class ProjectDescriptors {
  readonly #host: WorkspaceHost;
  readonly #problems: DocumentCache<DescriptorProblems>;
  readonly #headers = new Map<string, Document["header"]>();
  /** By document. */
  readonly #tables = new Map<string, Known>();
  readonly #readings = new Map<string, Promise<Found>>();
  /** By source and by the versions of its files. */
  readonly #read = new Map<string, { readonly version: string; readonly found: Promise<Found> }>();

  constructor(host: WorkspaceHost) {
    this.#host = host;
    const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
    this.#problems = new DocumentCache<DescriptorProblems>(
      { ofHeader: [], ofFiles: [] },
      { changed: host.changed, isSame },
    );
  }

  /** Reads what the header and the settings name, in the background, for its problems. */
  follow(document: Document): void {
    const { uri, header } = document;
    if (this.#headers.has(uri) && this.#headers.get(uri) === header) return;
    this.#headers.set(uri, header);
    const paths = this.#named(document).map(({ from, path }) => `${from} ${path}`);
    this.#problems.follow(uri, paths.join("\n"), () => this.#problemsOf(document, this.#named(document)));
  }
  /** Reads it again. */
  refresh(document: Document): void {
    this.#tables.delete(document.uri);
    void this.#problems.refresh(document.uri, () => this.#problemsOf(document, this.#named(document)));
  }
  forget(uri: string): void {
    this.#problems.forget(uri);
    this.#tables.delete(uri);
    this.#headers.delete(uri);
  }
  /** Resolves when nothing is being read for the document. */
  settled(uri: string): Promise<void> {
    return this.#problems.settled(uri);
  }
  /** Reads everything again when it is needed: there is a new copy of the registry. */
  forgetTables(): void {
    this.#tables.clear();
  }
  problems({ uri }: Document): readonly DescriptorProblem[] {
    return this.#problems.of(uri).ofHeader;
  }
  /** Returns the problems in files, of all documents, each once. */
  fileProblems(): readonly DescriptorFileProblem[] {
    const all = [...this.#problems.values()].flatMap(({ ofFiles }) => ofFiles);
    return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  }

  /** Returns the descriptors of a document, if they were read and nothing has changed since. */
  ready({ uri, header }: Document): Descriptors | undefined {
    const known = this.#tables.get(uri);
    return known && known.header === header ? known.table : undefined;
  }
  /** Returns the descriptors of a document. Reads only what has changed. Never rejects. */
  async of(document: Document): Promise<Descriptors> {
    const { uri, header } = document;
    const known = this.#tables.get(uri);
    if (known && known.header === header) return known.reading;
    const reading = this.#readAll(document);
    const entry: Known = { header, reading, table: undefined };
    this.#tables.set(uri, entry);
    entry.table = await reading;
    return entry.table;
  }

  async #readAll(document: Document): Promise<Descriptors> {
    const registries = await this.#registries(document);
    const sources = [...this.#named(document), ...registries];
    if (registries.length > 0 && this.#headers.has(document.uri))
      void this.#problems.refresh(document.uri, () => this.#problemsOf(document, sources));
    const [found, registry] = await Promise.all([
      Promise.all(sources.map((source) => this.#found(source))),
      readRegistry(this.#host.cache, registryOrigin),
    ]);
    return inOrder([...found.map(({ table }) => table), ...(registry ? [registry.table] : []), standardDescriptors]);
  }

  #named(document: Document): readonly Source[] {
    return [...this.#inHeader(document), ...this.#inSettings(document)];
  }
  #inHeader({ uri, header }: Document): readonly Source[] {
    if (!this.#host.trusted) return [];
    const { tops } = projectOf(uri, this.#host);
    const { files } = this.#host;
    const sources = headerValues(header).descriptors.map((path) =>
      sourceOf(projectPath(path, uri, tops, files), "header"),
    );
    return sources.slice(0, maxSources);
  }
  #inSettings({ uri }: Document): readonly Source[] {
    const { settings, trusted, files } = this.#host;
    const setting: unknown = settings.rpcNotebook?.descriptors; // written by a person: of any type
    if (!trusted || !Array.isArray(setting)) return [];
    const { tops } = projectOf(uri, this.#host);
    const base = baseOfSettings(uri, this.#host);
    return setting
      .filter((path) => typeof path === "string")
      .map((path) => sourceOf(projectPath(path, base, tops, files), "settings"))
      .slice(0, maxSources);
  }
  async #registries({ uri }: Document): Promise<readonly Source[]> {
    const { files, trusted } = this.#host;
    const { folders, tops } = projectOf(uri, this.#host);
    const uris = trusted ? folders.flatMap((folder) => registryFolders.map((path) => `${folder}/${path}`)) : [];
    const exist = await Promise.all(
      uris.map(async (one) => (await files.list?.(one, false).catch(() => undefined)) && one),
    );
    return exist.flatMap((one) =>
      one ? [{ path: one, uri: one, tops, isReadable: true, from: "registry", originOf: registryOrigin }] : [],
    );
  }

  /** Two that ask at the same time share one reading. */
  #found(source: Source): Promise<Found> {
    const key = `${source.uri} ${source.path}`;
    const reading = this.#readings.get(key) ?? this.#readNow(source).finally(() => this.#readings.delete(key));
    this.#readings.set(key, reading);
    return reading;
  }
  async #readNow(named: Source): Promise<Found> {
    const source = await withLinks(named, this.#host.files);
    const { uri, isReadable, path } = source;
    const fault = pathFault(source, "the notebook or the workspace");
    if (uri === undefined || !isReadable)
      return { table: nothing, faults: fault === undefined ? [] : [{ uri: uri ?? path, what: fault }] };
    const { files } = this.#host;
    const listed = await descriptorFilesIn(uri, files);
    for (const file of listed ?? []) files.markRead?.(file.uri); // what was kept of them is used in their place
    const version = listed ? versionOf(listed) : undefined;
    const last = this.#read.get(`${uri} ${path}`);
    if (last && version !== undefined && last.version === version) return last.found;
    const found = listed ? this.#folder(source, uri, listed, version) : this.#file(source, uri);
    this.#read.set(`${uri} ${path}`, { version: version ?? "", found });
    const { faults } = await found;
    const unseen = source.from === "header" ? [] : faults.filter(({ place }) => source.from === "registry" || !place);
    for (const one of unseen.slice(0, maxWarnings))
      this.#host.log.warn(`${visible(path)}: ${visible(faultOf(source, one))}.`);
    return found;
  }

  /** Reads a folder, or what was kept of it. */
  async #folder(
    source: Source,
    folder: string,
    files: readonly FoundFile[],
    version: string | undefined,
  ): Promise<Found> {
    const { cache } = this.#host;
    const key = version && packedName(folder);
    const head = `${JSON.stringify(version)}\n`; // compared as it is: a hash of so much text would take longer
    const kept = (key && (await cache?.read(key).catch(() => undefined))) || "";
    const table = kept.startsWith(head) ? unpackDescriptors(kept.slice(head.length), source.originOf) : undefined;
    if (table) return { table, faults: [] };
    const uris = files.map(({ uri }) => uri);
    const tops = source.from === "registry" ? [] : source.tops;
    const kind = source.from === "registry" ? "registry" : "folder";
    const { entries, faults, included } = await readDescriptors(uris, [folder, ...tops], this.#host.files, kind);
    const isWhole = included.every((uri) => uris.includes(uri));
    if (!isWhole) this.#read.delete(`${folder} ${source.path}`); // versions of other files are not known
    if (key && entries.length > minKept && isWhole && faults.length === 0)
      await cache?.write(key, head + packDescriptors(entries)).catch(() => {}); // it is read again
    const none = entries.length === 0 && faults.length === 0;
    return {
      table: descriptorsOf(entries, (at) => entries[at]?.body ?? {}, source.originOf),
      faults: none ? [{ uri: folder, what: "it contains no ERC-7730 descriptor" }] : faults,
    };
  }
  async #file(source: Source, uri: string): Promise<Found> {
    const { entries, faults } = await readDescriptors([uri], source.tops, this.#host.files, "file");
    return { table: descriptorsOf(entries, (at) => entries[at]?.body ?? {}, source.originOf), faults };
  }

  async #problemsOf({ uri }: Document, sources: readonly Source[]): Promise<DescriptorProblems> {
    const found = await Promise.all(sources.map(async (source) => ({ ...source, ...(await this.#found(source)) })));
    return descriptorProblems(found, projectOf(uri, this.#host).tops, this.#host.files);
  }
}

/** Fewer descriptors are read as fast as what was kept of them. */
const minKept = 20;
/** Warnings about one source. */
const maxWarnings = 20;

function sourceOf(path: ProjectPath, from: Source["from"]): Source {
  return { ...path, from, originOf: (entity) => `${describedBy(path.path, entity)}, not verified` };
}

/** @example describedBy("./descriptors", "usdt.json") //=> "./descriptors, usdt.json" */
function describedBy(path: string, entity: string): string {
  return path.endsWith(entity) ? path : `${path}, ${entity}`;
}

/** @returns `undefined` if the host does not tell versions apart. */
function versionOf(files: readonly FoundFile[]): string | undefined {
  const versions = files.map(({ uri, version }) => version && `${uri} ${version}`);
  return versions.includes(undefined) ? undefined : versions.join("\n");
}
