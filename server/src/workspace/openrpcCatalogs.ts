import type { ScopedEndpoint } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { plural, visible } from "../base/text.ts";
import { bundledCatalog, type Catalog, catalogWith } from "../catalog/catalog.ts";
import { type DocumentProblem, type OpenrpcDocument, openrpc } from "../catalog/openrpc.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { type OpenrpcFile, type OpenrpcSource, openrpcFile, openrpcSources } from "./openrpcFiles.ts";
import { ProjectFiles } from "./projectFiles.ts";

export interface DocumentCatalog {
  readonly catalog: Catalog;
  /** Problems of the documents that the header names. */
  readonly openrpcProblems: readonly OpenrpcProblem[];
}

export interface OpenrpcProblem {
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
  of({ uri }: Pick<Document, "uri">, endpoint: EndpointName | undefined): DocumentCatalog {
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
        file: await this.#files.read(source, (bytes) => openrpcFile(source, bytes)),
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
