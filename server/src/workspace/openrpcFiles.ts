import { parseJson } from "../base/json.ts";
import { decodeUtf8 } from "../base/text.ts";
import { type DocumentProblem, type OpenrpcDocument, openrpc } from "../catalog/openrpc.ts";
import { headerValues } from "../notebook/header.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";
import { baseOfSettings, projectOf } from "./project.ts";
import { maxFileBytes, type ProjectPath, pathFault, projectPath, slashHint } from "./projectFiles.ts";

/** A path of an OpenRPC document, in a header or in the settings. */
export interface OpenrpcSource extends ProjectPath {
  readonly inHeader: boolean;
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
  host: Pick<WorkspaceHost, "roots" | "settings" | "files">,
): readonly OpenrpcSource[] {
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
export function openrpcFile(source: ProjectPath, bytes: Uint8Array | undefined): OpenrpcFile {
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
