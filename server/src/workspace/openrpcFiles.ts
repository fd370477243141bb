import { parseJson } from "../base/json.ts";
import { isInside, resolvePath, withoutTrailingSlashes } from "../base/uri.ts";
import { type DocumentProblem, type OpenrpcDocument, openrpc } from "../catalog/openrpc.ts";
import { headerValues } from "../notebook/header.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Document } from "./documents.ts";
import type { Host } from "./host.ts";
import { projectOf } from "./project.ts";

/** A path of an OpenRPC document, in a header or in the settings. */
export interface OpenrpcSource {
  /** The path as it is written. */
  readonly path: string;
  readonly inHeader: boolean;
  /** `undefined` if the path is not relative. */
  readonly uri: string | undefined;
  /** Whether the file is in the project. */
  readonly isReadable: boolean;
}

/** The contents of a file. */
export interface OpenrpcFile {
  /** `undefined` if it could not be read. */
  readonly document: OpenrpcDocument | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Documents of one notebook. */
const maxSources = 20;

/** Returns the OpenRPC documents of a notebook. Those of the header come first: they win. */
export function openrpcSources(
  { uri, header }: Document,
  settings: Settings,
  host: Pick<Host, "roots">,
): readonly OpenrpcSource[] {
  const { tops } = projectOf(uri, host);
  const sourceOf = (path: string, base: string | undefined, inHeader: boolean): OpenrpcSource => {
    const file = base === undefined ? undefined : resolvePath(path, base);
    return { path, inHeader, uri: file, isReadable: file !== undefined && isInside(file, tops) };
  };
  const root = host.roots.find((one) => uri.startsWith(`${withoutTrailingSlashes(one)}/`)) ?? host.roots[0];
  const setting: unknown = settings.rpcNotebook?.openrpc; // written by a person: of any type
  const inSettings = (Array.isArray(setting) ? setting : []).filter((path) => typeof path === "string");
  return [
    ...headerValues(header).openrpc.map((path) => sourceOf(path, uri, true)),
    ...inSettings.map((path) => sourceOf(path, root && `${root}/`, false)),
  ].slice(0, maxSources);
}

const maxFileBytes = 10_000_000;

/** Reads OpenRPC documents. Returns the same object for as long as a file has the same text. */
export class OpenrpcFiles {
  readonly #host: Pick<Host, "files">;
  readonly #cache = new Map<string, { readonly text: string | undefined; readonly file: OpenrpcFile }>();

  constructor(host: Pick<Host, "files">) {
    this.#host = host;
  }

  async read({ path, uri, isReadable }: OpenrpcSource): Promise<OpenrpcFile> {
    const key = uri ?? `no file: ${path}`;
    const bytes =
      uri === undefined || !isReadable ? undefined : await this.#host.files.read(uri).catch(() => undefined);
    const text = bytes && bytes.length <= maxFileBytes ? decoded(bytes) : undefined;
    const last = this.#cache.get(key);
    if (last && last.text === text) return last.file;
    const file = text === undefined ? unreadable(whyUnread(uri, isReadable)) : fileOf(text, path);
    this.#cache.set(key, { text, file });
    return file;
  }
}

function whyUnread(uri: string | undefined, isReadable: boolean): string {
  if (uri === undefined) return "expected a relative path, from the folder of the notebook or the workspace";
  if (!isReadable) return "it is outside of the project, where no file is read";
  return "there is no such file, or it is larger than 10 MB or not UTF-8";
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
