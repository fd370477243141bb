import type { ScopedEndpoint } from "../analysis/scope.ts";
import { type JsonValue, parseJson } from "../base/json.ts";
import { plural, visible } from "../base/text.ts";
import { bundledCatalog, type Catalog, catalogWith } from "../catalog/catalog.ts";
import { type DocumentProblem, type OpenrpcDocument, openrpc } from "../catalog/openrpc.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Document } from "./documents.ts";
import type { Host } from "./host.ts";

/** Which methods may be written in a document: those of this project, and those of OpenRPC documents. */
export interface OpenrpcCatalogs {
  /** Reads the documents that the header and the settings name, in the background. */
  follow(document: Document): void;
  /** Reads them again. */
  refresh(document: Document): void;
  forget(uri: string): void;
  /** Resolves when nothing is being read for the document any more. */
  settled(uri: string): Promise<void>;
  /**
   * What was read last. The same object for as long as nothing changes.
   *
   * @param endpoint - Where the document's requests go: what it has told of itself counts.
   */
  known(document: Document, endpoint: EndpointName | undefined): DocumentCatalog;
  /** Takes in what an endpoint answered to `rpc.discover`, for as long as this session lasts. */
  discovered(endpoint: EndpointName, answer: JsonValue): void;
  trust(documents: Iterable<Document>): void;
  configure(settings: Settings, documents: Iterable<Document>): void;
}

export interface DocumentCatalog {
  readonly catalog: Catalog;
  /** What is wrong with the documents that the header names. */
  readonly openrpcProblems: readonly OpenrpcProblem[];
}

export interface OpenrpcProblem {
  /** As the header has it. */
  readonly path: string;
  /** A clause without a full stop. */
  readonly what: string;
}

type EndpointName = Pick<ScopedEndpoint, "name" | "host">;

/** A document that somebody names. */
interface OpenrpcSource {
  readonly path: string;
  readonly inHeader: boolean;
  /** `undefined` where the path leads nowhere. */
  readonly uri: string | undefined;
}

interface OpenrpcReading {
  readonly document: OpenrpcDocument | undefined;
  readonly problems: readonly DocumentProblem[];
}

interface FollowedDocument {
  readonly header: Cell | undefined;
  readonly wishes: readonly OpenrpcSource[];
}

/** What was read for a document, and what it comes to with what its endpoint has told. */
interface CatalogEntry extends DocumentCatalog {
  readonly read: readonly OpenrpcReading[];
  readonly told: OpenrpcDocument | undefined;
}

export function openOpenrpcCatalogs(host: Host): OpenrpcCatalogs {
  let { trusted, settings } = host;
  const followed = new Map<string, FollowedDocument>();
  const reading = new Map<string, Promise<void>>();
  const read = new Map<string, readonly OpenrpcReading[]>();
  const known = new Map<string, CatalogEntry>();
  const told = new Map<string, OpenrpcDocument>();
  const files = openFiles(host);
  const said = new Set<string>();

  const warn = (name: string, problems: readonly DocumentProblem[]): void => {
    for (const { path, what } of problems.slice(0, 20)) {
      const warning = `${visible(name)}: ${path === "" ? "" : `${visible(path)}: `}${visible(what)}.`;
      if (!said.has(warning)) host.log.warn(warning);
      said.add(warning);
    }
  };
  const look = (document: Document): void => {
    const { uri, header } = document;
    const wishes = trusted ? openrpcSources(document, settings, host.roots) : [];
    followed.set(uri, { header, wishes });
    if (wishes.length === 0 && !read.has(uri) && !reading.has(uri)) return;
    const looking = Promise.all(wishes.map(files)).then((found) => {
      if (reading.get(uri) !== looking) return; // a later look knows more
      reading.delete(uri);
      for (const [at, { problems }] of found.entries()) warn(wishes[at]?.path ?? "", problems);
      const before = read.get(uri) ?? [];
      if (found.length === before.length && found.every((one, at) => one === before[at])) return;
      read.set(uri, found);
      host.changed(uri);
    });
    reading.set(uri, looking);
  };

  return {
    follow(document) {
      const last = followed.get(document.uri);
      if (last && last.header === document.header) return;
      const wishes = trusted ? openrpcSources(document, settings, host.roots) : [];
      if (last && JSON.stringify(last.wishes) === JSON.stringify(wishes)) {
        followed.set(document.uri, { header: document.header, wishes });
      } else look(document);
    },
    refresh: look,
    forget(uri) {
      for (const map of [followed, reading, read, known]) map.delete(uri);
    },
    async settled(uri) {
      while (reading.has(uri)) await reading.get(uri);
    },
    known({ uri }, endpoint) {
      const found = read.get(uri) ?? none;
      const answer = endpoint && told.get(keyOf(endpoint));
      const before = known.get(uri);
      if (before && before.read === found && before.told === answer) return before;
      const documents = [...found.flatMap(({ document }) => document ?? []), ...(answer ? [answer] : [])];
      const catalog = documents.length === 0 ? bundledCatalog : catalogWith(bundledCatalog, documents);
      const wishes = followed.get(uri)?.wishes ?? [];
      const openrpcProblems = found.flatMap((one, at) => problemOf(wishes[at], one));
      const made = { read: found, told: answer, catalog, openrpcProblems };
      known.set(uri, made);
      return made;
    },
    discovered(endpoint, answer) {
      const document = openrpc(answer, endpoint.name);
      warn(`The answer of ${endpoint.host} to rpc.discover`, document.problems);
      told.set(keyOf(endpoint), document);
      for (const uri of followed.keys()) host.changed(uri);
    },
    trust(documents) {
      trusted = true;
      for (const document of documents) look(document);
    },
    configure(changed, documents) {
      settings = changed;
      for (const document of documents) look(document);
    },
  };
}

const none: readonly OpenrpcReading[] = [];

function keyOf({ name, host }: EndpointName): string {
  return `${name} ${host}`;
}

/** The header's documents first: they win. */
function openrpcSources(
  { uri, header }: Document,
  settings: Settings,
  roots: readonly string[],
): readonly OpenrpcSource[] {
  const inHeader = headerValues(header).openrpc.map((path) => ({ path, inHeader: true, uri: fileAt(path, uri) }));
  const root = roots.find((one) => uri.startsWith(`${one.replace(/\/+$/, "")}/`)) ?? roots[0];
  const set = settings.rpcNotebook?.openrpc;
  const paths: readonly unknown[] = Array.isArray(set) ? set : []; // settings are what a person wrote
  const inSettings = paths.flatMap((path) =>
    typeof path === "string" ? [{ path, inHeader: false, uri: root && fileAt(path, `${root}/`) }] : [],
  );
  return [...inHeader, ...inSettings].slice(0, 20);
}

/** A file by its path; nothing is ever read from elsewhere. */
export function fileAt(path: string, base: string): string | undefined {
  if (/^[\\/]|^[a-z][\w+.-]*:/i.test(path) || path === "") return undefined;
  const encoded = path
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return /^[a-z][\w+.-]*:\/\//i.test(base) && URL.canParse(encoded, base) ? new URL(encoded, base).href : undefined;
}

function problemOf(wish: OpenrpcSource | undefined, { problems }: OpenrpcReading): readonly OpenrpcProblem[] {
  const [first, ...rest] = problems;
  if (!wish?.inHeader || !first) return [];
  const place = first.path === "" ? "" : `${first.path}: `;
  const more = rest.length === 0 ? "" : ` (and ${plural(rest.length, "more problem", "more problems")})`;
  return [{ path: wish.path, what: `${place}${first.what}${more}` }];
}

const mostBytes = 10_000_000;

/** Reads documents; the same object for as long as a file has the same text. */
function openFiles(host: Host): (wish: OpenrpcSource) => Promise<OpenrpcReading> {
  const known = new Map<string, { readonly text: string | undefined; readonly reading: OpenrpcReading }>();
  return async ({ path, uri }) => {
    const key = uri ?? `no file: ${path}`;
    const bytes = uri === undefined ? undefined : await host.files.read(uri).catch(() => undefined);
    const text = bytes && bytes.length <= mostBytes ? decoded(bytes) : undefined;
    const last = known.get(key);
    if (last && last.text === text) return last.reading;
    const why =
      uri === undefined
        ? "a path from the folder of the notebook or the workspace is due, to a file of it"
        : "there is no such file, or it is larger than 10 MB or not UTF-8";
    const reading = text === undefined ? failed(why) : readingOf(text, path);
    known.set(key, { text, reading });
    return reading;
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readingOf(text: string, path: string): OpenrpcReading {
  const value = parseJson(text);
  if (value === undefined) return failed("it is not JSON");
  const document = openrpc(value, path.replace(/^.*\//, "").replace(/\.json$/i, ""));
  return { document, problems: document.problems };
}

function failed(what: string): OpenrpcReading {
  return { document: undefined, problems: [{ path: "", what }] };
}
