import { isObject, type JsonValue } from "../base/json.ts";
import { secretParts } from "../base/secretParts.ts";
import { secretInHeader } from "../base/secretText.ts";
import { type Span, span } from "../base/span.ts";
import { decodeUtf8, type LineColumn, lineColumns } from "../base/text.ts";
import { exactValue, type JsonNode, spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { readFoundry } from "./foundry.ts";
import type { ValueOf } from "./hostValue.ts";
import { type EndpointProblem, type KnownEndpoint, namedEndpoints } from "./named.ts";

/** For everyone who has the project. */
export const endpointsFile = "rpc-endpoints.json";
/** For addresses with keys, beside the shared file; not for version control. It wins. */
export const privateEndpointsFile = "rpc-endpoints.private.json";

/** The content of a file of endpoints. */
export interface FileOfEndpoints {
  readonly endpoints: readonly KnownEndpoint[];
  readonly problems: readonly EndpointProblem[];
}

/**
 * Reads a file of endpoints. A broken part is a problem with a position, and the rest can be used.
 *
 * @param hostValue - Returns the values that it names.
 */
export function readEndpointsFile(bytes: Uint8Array, uri: string, origin: string, hostValue: ValueOf): FileOfEndpoints {
  const text = decodeUtf8(bytes);
  const at = lineColumns(text ?? "");
  const problem = (code: EndpointProblem["code"], { start, end }: Span, what: string): EndpointProblem => ({
    code,
    uri,
    start: at(start),
    end: at(end),
    what,
  });
  const unreadable = (where: Span, what: string): EndpointProblem => problem("bad-endpoint-file", where, what);
  if (text === undefined) return { endpoints: [], problems: [unreadable(span(0, 0), "the file is not UTF-8")] };
  const { root, faults, kind } = readCell(text, "header");
  if (faults.length > 0) return { endpoints: [], problems: faults.map((fault) => unreadable(fault.span, fault.what)) };
  const value = root && kind !== "opaque" ? exactValue(text, root) : undefined;
  if (!root || !isObject(value)) {
    const what = "expected an object, name → URL or object";
    return { endpoints: [], problems: [unreadable(span(0, text.length), what)] };
  }
  const { endpoints, mistakes } = namedEndpoints(value, origin, "repository", hostValue);
  const secrets = uri.endsWith(`/${privateEndpointsFile}`) ? [] : secretsIn(value);
  const placeOf = placesIn(root);
  const keys = new Map(root.children?.map(({ children }) => [children?.[0]?.value, children?.[0]?.offset ?? 0]));
  return {
    endpoints: endpoints.map((each) => ({ ...each, place: { uri, place: at((keys.get(each.name) ?? 0) + 1) } })),
    problems: [...mistakes, ...secrets].map(({ code, path, what }) => ({
      ...problem(code, placeOf(path), what),
      ...(path[0] !== undefined && { endpoint: path[0] }),
    })),
  };
}

/** Reads the endpoints of a `foundry.toml`, and ignores everything else. */
export function readFoundryFile(bytes: Uint8Array, uri: string, origin: string, hostValue: ValueOf): FileOfEndpoints {
  const { entries, place, fault } = readFoundry(decodeUtf8(bytes) ?? "", hostValue);
  const problem = (code: EndpointProblem["code"], start: LineColumn, name: string, what: string): EndpointProblem => ({
    code,
    uri,
    start,
    end: { ...start, column: start.column + name.length },
    what,
  });
  const { endpoints, mistakes } = namedEndpoints(entries, origin, "repository", hostValue);
  return {
    endpoints: endpoints.map((each) => ({ ...each, place: { uri, place: place(each.name) } })),
    problems: [
      ...(fault ? [problem("bad-endpoint-file", fault.place, "", fault.what)] : []),
      ...[...mistakes, ...secretsIn(entries)].map(({ code, path: [name = ""], what }) => ({
        ...problem(code, place(name), name, what),
        endpoint: name,
      })),
    ],
  };
}

/** Returns the deepest node of a path that exists. Members of an object are indexed once: a file may have many. */
function placesIn(root: JsonNode): (path: readonly string[]) => Span {
  const remembered = new Map<JsonNode, ReadonlyMap<unknown, JsonNode | undefined>>();
  const membersOf = (node: JsonNode): ReadonlyMap<unknown, JsonNode | undefined> => {
    const properties = node.type === "object" ? (node.children ?? []) : [];
    const members =
      remembered.get(node) ?? new Map(properties.map(({ children }) => [children?.[0]?.value, children?.[1]]));
    remembered.set(node, members);
    return members;
  };
  return (path) => {
    let node = root;
    for (const key of path) {
      const next = membersOf(node).get(key);
      if (!next) break;
      node = next;
    }
    return spanOf(node);
  };
}

interface Secret {
  readonly code: "secret-in-endpoint-file";
  readonly path: readonly string[];
  readonly what: string;
}

/** Returns keys that are written literally in addresses and headers, where everyone who has the file can read them. */
function secretsIn(entries: Readonly<Record<string, JsonValue>>): readonly Secret[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    if (name.startsWith("$")) return [];
    const { url, ws, explorer, headers } = isObject(entry) ? entry : { url: entry };
    const addresses = [
      { path: isObject(entry) ? [name, "url"] : [name], value: url },
      { path: [name, "ws"], value: ws },
      { path: [name, "explorer"], value: explorer },
    ].filter(({ value }) => typeof value === "string" && secretParts(value).length > 0);
    const keys = Object.entries(isObject(headers) ? headers : {})
      .filter(([header, value]) => typeof value === "string" && secretInHeader(header, value).length > 0)
      .map(([header]) => ({ path: [name, "headers", header] }));
    return [...addresses, ...keys].map(({ path }) => ({ code: "secret-in-endpoint-file", path, what: secret }));
  });
}

const secret =
  "this seems to contain a key, and everyone who has the file can read it: write `{{$secret.NAME}}` instead, or keep the entry in rpc-endpoints.private.json";
