import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import type { Span } from "../base/span.ts";
import { span } from "../base/span.ts";
import { type FilePlace, type LineColumn, lineColumn, lineColumns } from "../base/text.ts";
import { exactValue, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { type Endpoint, readEndpoint, type Slip } from "./endpoint.ts";
import { foundryReferences, readFoundry } from "./foundry.ts";
import { type HostReference, referencesWithin, type ValueOf } from "./hostValue.ts";

/** Who wrote the address of a host down; {@link gate} goes by it. */
export type HostNamer = "cli" | "settings" | "picker" | "repository";

/** A name that an endpoint may be chosen by. */
export interface KnownEndpoint {
  readonly name: string;
  /** Where its address is written, as people call it: `rpc-endpoints.json`, a setting, `built in`. */
  readonly origin: string;
  readonly namedBy: HostNamer;
  /** Where its name stands; absent for what is in no file. */
  readonly place?: FilePlace;
  /** What is wrong, in a clause, where it cannot be used. */
  readonly endpoint: Endpoint | { readonly broken: string };
}

/** A mistake in a file of endpoints, with its place. */
export interface EndpointProblem {
  readonly code: "bad-endpoint-file";
  readonly uri: string;
  readonly span: Span;
  /** Where the span starts. */
  readonly place: LineColumn;
  readonly severity: Slip["severity"];
  /** A clause without a full stop. */
  readonly what: string;
}

export interface KnownEndpoints {
  /** Each name once, in the order in which they are looked up. */
  readonly endpoints: readonly KnownEndpoint[];
  readonly problems: readonly EndpointProblem[];
  /** Of the values that endpoints, and `also`, name. */
  readonly hostValue: ValueOf;
}

/** What the host lends for {@link knownEndpoints}, beside files. */
export interface Beside {
  /** `rpcNotebook.endpoints`. */
  readonly setting?: Readonly<Record<string, unknown>> | undefined;
  /** Looks values of the host up. */
  readonly read?: (wanted: readonly HostReference[]) => Promise<ValueOf>;
  /** Texts that may name more values: addresses that are chosen without a name. */
  readonly also?: readonly string[];
}

const endpointsFile = "rpc-endpoints.json";
/** Beside the other, for addresses with keys; not for version control. It wins. */
const privateEndpointsFile = "rpc-endpoints.private.json";

const foundryFile = "foundry.toml";

/**
 * Everything that an endpoint may be called in a document: the files from its folder up to its workspace folder (the
 * nearest wins, and in a folder the private one), the setting, `foundry.toml`, and what is built in.
 *
 * @param uri - Of the notebook.
 * @param roots - URIs of the workspace folders. A document outside of them sees the files beside it only.
 */
export async function knownEndpoints(
  files: Files,
  uri: string,
  roots: readonly string[],
  { setting = {}, read = async () => () => undefined, also = [] }: Beside = {},
): Promise<KnownEndpoints> {
  const found = await Promise.all(
    foldersAbove(uri, roots).flatMap((folder, level) =>
      [privateEndpointsFile, endpointsFile, foundryFile].map(async (name): Promise<FoundFile> => {
        const place = { uri: `${folder}/${name}`, origin: `${"../".repeat(level)}${name}` };
        return { ...place, isFoundry: name === foundryFile, bytes: await files.read(place.uri) };
      }),
    ),
  );
  const wanted = [...also, JSON.stringify(setting)].flatMap(referencesWithin);
  const hostValue = await read([...wanted, ...found.flatMap(referencesIn)]);
  const readAll = (isFoundry: boolean) =>
    found.flatMap((file) => {
      if (!file.bytes || file.isFoundry !== isFoundry) return [];
      const reader = isFoundry ? readFoundryFile : readEndpointsFile;
      return reader(file.bytes, file.uri, file.origin, hostValue);
    });
  // Settings come from the client as JSON
  const settings = setting as Readonly<Record<string, JsonValue>>;
  const set = namedEndpoints(settings, "setting rpcNotebook.endpoints", "settings", hostValue);
  const [own, foundry] = [readAll(false), readAll(true)];
  const all = [...own, set, ...foundry, { endpoints: builtIn }].flatMap(({ endpoints }) => endpoints);
  const first = new Map(all.toReversed().map((each) => [each.name, each]));
  return {
    endpoints: all.filter((each) => first.get(each.name) === each),
    problems: [...own, ...foundry].flatMap(({ problems }) => problems),
    hostValue,
  };
}

interface FoundFile {
  readonly uri: string;
  readonly origin: string;
  readonly isFoundry: boolean;
  readonly bytes: Uint8Array | undefined;
}

function referencesIn({ bytes, isFoundry }: FoundFile): readonly HostReference[] {
  const text = bytes && decode(bytes);
  if (text === undefined) return [];
  return isFoundry ? [...foundryReferences(text), ...referencesWithin(text)] : referencesWithin(text);
}

const unset: ValueOf = () => undefined;
const builtIn = namedEndpoints({ local: "http://127.0.0.1:8545" }, "built in", "repository", unset).endpoints;

/** @returns Folders without a slash at the end, the document's own first. */
export function foldersAbove(uri: string, roots: readonly string[]): readonly string[] {
  const tops = roots.map(trimmed);
  if (!/^[a-z][\w+.-]*:\/\//i.test(uri)) return tops; // untitled
  const home = uri.slice(0, Math.max(uri.lastIndexOf("/"), 0));
  const top = tops
    .filter((root) => `${plain(home)}/`.startsWith(`${plain(root)}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (top === undefined) return [home];
  const folders = [home];
  for (let folder = home; plain(folder) !== plain(top) && folders.length < 100; ) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    folders.push(folder);
  }
  return folders;
}

function trimmed(uri: string): string {
  return uri.replace(/\/+$/, "");
}

/** Editors encode differently: `c%3A` and `c:` are one drive. */
function plain(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Reads a file of endpoints. What is broken is a problem with a place, and the rest can be used. */
export function readEndpointsFile(
  bytes: Uint8Array,
  uri: string,
  origin: string,
  hostValue: ValueOf = unset,
): Omit<KnownEndpoints, "hostValue"> {
  const text = decode(bytes);
  const problem = (at: Span, what: string, severity: Slip["severity"] = "error"): EndpointProblem => ({
    code: "bad-endpoint-file",
    uri,
    span: at,
    place: lineColumn(text ?? "", at.start),
    severity,
    what,
  });
  if (text === undefined) return { endpoints: [], problems: [problem(span(0, 0), "the file is not UTF-8")] };
  const { root, faults, kind } = readCell(text, "header");
  if (faults.length > 0) return { endpoints: [], problems: faults.map((fault) => problem(fault.span, fault.what)) };
  const value = root && kind !== "opaque" ? exactValue(text, root) : undefined;
  if (!root || !isObject(value)) {
    return { endpoints: [], problems: [problem(span(0, text.length), "an object is due here, name → URL or object")] };
  }
  const { endpoints, slips } = namedEndpoints(value, origin, "repository", hostValue);
  const placed = withPlaces(endpoints, root, uri, text);
  return {
    endpoints: placed,
    problems: slips.map(({ path, what, severity }) => problem(placeOf(root, path), what, severity)),
  };
}

/** The endpoints of a `foundry.toml`; what it says of anything else is not looked at. */
function readFoundryFile(
  bytes: Uint8Array,
  uri: string,
  origin: string,
  hostValue: ValueOf,
): Omit<KnownEndpoints, "hostValue"> {
  const { entries, place, fault } = readFoundry(decode(bytes) ?? "", hostValue);
  const at = span(0, 0); // nobody underlines a file of Foundry's
  const problem = (where: LineColumn, what: string, severity: Slip["severity"]): EndpointProblem => ({
    code: "bad-endpoint-file",
    uri,
    span: at,
    place: where,
    severity,
    what,
  });
  const { endpoints, slips } = namedEndpoints(entries, origin, "repository", hostValue);
  return {
    endpoints: endpoints.map((each) => ({ ...each, place: { uri, place: place(each.name) } })),
    problems: [
      ...(fault ? [problem(fault.place, fault.what, "error")] : []),
      ...slips.map(({ path, what, severity }) => problem(place(path[0] ?? ""), what, severity)),
    ],
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function namedEndpoints(
  values: Readonly<Record<string, JsonValue>>,
  origin: string,
  namedBy: HostNamer,
  hostValue: ValueOf,
): { readonly endpoints: readonly KnownEndpoint[]; readonly slips: readonly Slip[] } {
  const endpoints: KnownEndpoint[] = [];
  const slips: Slip[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("$")) continue; // "$schema"
    const read = readEndpoint(name, value, hostValue);
    slips.push(...read.slips.map((slip) => ({ ...slip, path: [name, ...slip.path] })));
    const broken = read.slips.find(({ severity }) => severity === "error")?.what ?? "";
    endpoints.push({ name, origin, namedBy, endpoint: read.endpoint ?? { broken } });
  }
  return { endpoints, slips };
}

function withPlaces(
  endpoints: readonly KnownEndpoint[],
  root: JsonNode,
  uri: string,
  text: string,
): readonly KnownEndpoint[] {
  const placeOf = lineColumns(text);
  const keys = new Map(root.children?.map(({ children }) => [children?.[0]?.value, children?.[0]?.offset ?? 0]));
  return endpoints.map((each) => ({ ...each, place: { uri, place: placeOf((keys.get(each.name) ?? 0) + 1) } }));
}

/** The deepest value of the path that is there. */
function placeOf(root: JsonNode, path: readonly string[]): Span {
  let node = root;
  for (const key of path) {
    const next = member(node, key);
    if (!next) break;
    node = next;
  }
  return spanOf(node);
}
