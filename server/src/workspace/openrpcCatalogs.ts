import type { ScopedEndpoint } from "../analysis/scope.ts";
import { type JsonValue, parseJson } from "../base/json.ts";
import { decodeUtf8, plural, visible } from "../base/text.ts";
import { bundledCatalog, type Catalog, catalogWith } from "../catalog/catalog.ts";
import { type DocumentProblem, type OpenrpcDocument, openrpc } from "../catalog/openrpc.ts";
import { headerValues } from "../notebook/header.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import {
  baseOfSettings,
  maxFileBytes,
  ProjectFiles,
  type ProjectPath,
  pathFault,
  projectOf,
  projectPath,
  slashHint,
} from "./projectFiles.ts";

interface DocumentCatalog {
  readonly catalog: Catalog;
  /** Problems of the documents that the header names. */
  readonly openrpcProblems: readonly OpenrpcProblem[];
}

interface OpenrpcProblem {
  /** The path as the header has it. */
  readonly path: string;
  /** A clause without a full stop. */
  readonly what: string;
}

type EndpointName = Pick<ScopedEndpoint, "name" | "host">;

/** The methods that a document can use: those of this program, and those of OpenRPC documents. */
export class OpenrpcCatalogs {
  readonly #host: WorkspaceHost;
  readonly #files: ProjectFiles<OpenrpcFile>;
  readonly #read: DocumentCache<readonly ReadSource[]>;
  /** Answers of endpoints to `rpc.discover`. */
  readonly #discovered = new Map<string, OpenrpcDocument>();
  readonly #catalogs = new Map<string, CatalogEntry>();
  readonly #headers = new Map<string, Document["header"]>();
  readonly #logged = new Set<string>();

  constructor(host: WorkspaceHost) {
    this.#host = host;
    this.#files = new ProjectFiles(host);
    this.#read = new DocumentCache([], { changed: host.changed, isSame: haveSameFiles });
  }

  /** Reads the documents that the header and the settings name, in the background. */
  follow(document: Document): void {
    const { uri, header } = document;
    if (this.#headers.has(uri) && this.#headers.get(uri) === header) return;
    this.#headers.set(uri, header);
    const sources = this.#sourcesOf(document);
    this.#read.follow(uri, JSON.stringify(sources), () => this.#readAll(sources));
  }
  /** Reads them again. */
  refresh(document: Document): void {
    const sources = this.#sourcesOf(document);
    void this.#read.refresh(document.uri, () => this.#readAll(sources));
  }
  forget(uri: string): void {
    this.#read.forget(uri);
    this.#catalogs.delete(uri);
    this.#headers.delete(uri);
  }
  /** Resolves when nothing is being read for the document. */
  settled(uri: string): Promise<void> {
    return this.#read.settled(uri);
  }
  /**
   * Returns what was read last. The same object for as long as nothing changes.
   *
   * @param endpoint - The document's: its answer to `rpc.discover` counts.
   */
  of({ uri }: Document, endpoint: EndpointName | undefined): DocumentCatalog {
    const read = this.#read.of(uri);
    const discovered = endpoint && this.#discovered.get(keyOf(endpoint));
    const last = this.#catalogs.get(uri);
    if (last && last.read === read && last.discovered === discovered) return last;
    const documents = [...read.flatMap(({ file }) => file.document ?? []), ...(discovered ? [discovered] : [])];
    const catalog = documents.length === 0 ? bundledCatalog : catalogWith(bundledCatalog, documents);
    const entry = { read, discovered, catalog, openrpcProblems: read.flatMap(problemOf) };
    this.#catalogs.set(uri, entry);
    return entry;
  }
  /** Adds the methods that an endpoint listed in its answer to `rpc.discover`, for this session. */
  discover(endpoint: EndpointName, answer: JsonValue): void {
    const document = openrpc(answer, endpoint.name);
    this.#warn(`The answer from ${endpoint.host} to rpc.discover`, document.problems);
    this.#discovered.set(keyOf(endpoint), document);
    for (const uri of this.#headers.keys()) this.#host.changed(uri);
  }

  #sourcesOf(document: Document): readonly OpenrpcSource[] {
    return this.#host.trusted ? openrpcSources(document, this.#host) : [];
  }
  async #readAll(sources: readonly OpenrpcSource[]): Promise<readonly ReadSource[]> {
    const read = await Promise.all(
      sources.map(async (source) => ({
        ...source,
        file: await this.#files.read(source, openrpcFile),
      })),
    );
    for (const { path, file } of read) this.#warn(path, file.problems);
    return read;
  }
  #warn(name: string, problems: readonly DocumentProblem[]): void {
    for (const { path, what } of problems.slice(0, maxWarnings)) {
      const warning = `${visible(name)}: ${path === "" ? "" : `${visible(path)}: `}${visible(what)}.`;
      if (!this.#logged.has(warning)) this.#host.log.warn(warning);
      this.#logged.add(warning);
    }
  }
}

/** Warnings about one document. */
const maxWarnings = 20;

interface ReadSource extends OpenrpcSource {
  readonly file: OpenrpcFile;
}

/** A catalogue, with everything that it was made from. */
interface CatalogEntry extends DocumentCatalog {
  readonly read: readonly ReadSource[];
  readonly discovered: OpenrpcDocument | undefined;
}

function haveSameFiles(one: readonly ReadSource[], other: readonly ReadSource[]): boolean {
  const isSame = ({ file, path }: ReadSource, at: number): boolean => file === one[at]?.file && path === one[at].path;
  return one.length === other.length && other.every(isSame);
}

function keyOf({ name, host }: EndpointName): string {
  return `${name} ${host}`;
}

function problemOf({ path, inHeader, file: { problems } }: ReadSource): readonly OpenrpcProblem[] {
  const [first, ...rest] = problems;
  if (!inHeader || !first) return [];
  const place = first.path === "" ? "" : `${first.path}: `;
  const more = rest.length === 0 ? "" : ` (and ${plural(rest.length, "more problem", "more problems")})`;
  return [{ path, what: `${place}${first.what}${more}` }];
}

/** A path of an OpenRPC document, in a header or in the settings. */
interface OpenrpcSource extends ProjectPath {
  readonly inHeader: boolean;
}

interface OpenrpcFile {
  /** `undefined` if it could not be read. */
  readonly document: OpenrpcDocument | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Documents of one notebook. */
const maxSources = 20;

/** Returns the OpenRPC documents of a notebook. Those of the header come first: they win. */
function openrpcSources({ uri, header }: Document, host: WorkspaceHost): readonly OpenrpcSource[] {
  const { tops } = projectOf(uri, host);
  const base = baseOfSettings(uri, host);
  const setting: unknown = host.settings.rpcNotebook?.openrpc; // written by a person: of any type
  const inSettings = (Array.isArray(setting) ? setting : []).filter((path) => typeof path === "string");
  return [
    ...headerValues(header).openrpc.map((path) => ({ ...projectPath(path, uri, tops, host.files), inHeader: true })),
    ...inSettings.map((path) => ({ ...projectPath(path, base, tops, host.files), inHeader: false })),
  ].slice(0, maxSources);
}

/** Reads an OpenRPC document. */
function openrpcFile(source: ProjectPath, bytes: Uint8Array | undefined): OpenrpcFile {
  const text = bytes && bytes.length <= maxFileBytes ? decodeUtf8(bytes) : undefined;
  if (text !== undefined) return fileOf(text, source.path);
  const fault = pathFault(source, "the notebook or the workspace");
  return unreadable(fault ?? `there is no such file, or it is larger than 10 MB or not UTF-8${slashHint(source.path)}`);
}

function fileOf(text: string, path: string): OpenrpcFile {
  const value = parseJson(text);
  if (value === undefined) return unreadable("it is not JSON");
  const document = openrpc(value, path.replace(/^.*\//, "").replace(/\.json$/i, ""));
  return { document, problems: document.problems };
}

function unreadable(what: string): OpenrpcFile {
  return { document: undefined, problems: [{ path: "", what }] };
}
