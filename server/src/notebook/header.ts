import { passesForAddress, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import { isDecimals } from "../base/units.ts";
import type { Cell } from "./cell.ts";
import { directives, wireMembers } from "./cell.ts";
import type { JsonNode } from "./json.ts";
import { exactValue, member } from "./json.ts";
import { readCell } from "./readCell.ts";

/** The members of a header that have a meaning. */
export const headerKeys: readonly string[] = [
  "$schema",
  "endpoint",
  "chainId",
  "variables",
  "abi",
  "labels",
  "tokens",
  "openrpc",
  "descriptors",
  "recording",
];

/** The value of `recording` in a notebook that contains its recording. */
export const includedRecording = "included";

/** A token's entry in a header. */
interface TokenEntry {
  readonly symbol: string;
  readonly decimals: number;
}

/** The chain that a header is for. */
export interface HeaderChain {
  readonly chainId: bigint | undefined;
  /** The same in decimal digits; JSON if it is not a number. */
  readonly statedChain: string | undefined;
}

/** The readable values of a header: broken members are left out, the rest is used. */
export interface HeaderValues extends HeaderChain {
  readonly endpoint: string | undefined;
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Address as written → name. */
  readonly labels: ReadonlyMap<string, string>;
  /** Address in lower case → the token there. */
  readonly tokens: ReadonlyMap<string, TokenEntry>;
  /** File names, signatures and ABI items, one as well as many. */
  readonly abi: readonly JsonValue[];
  /** Paths of OpenRPC documents, one as well as many. */
  readonly openrpc: readonly string[];
  /** Paths of ERC-7730 descriptors, files or folders, one as well as many. */
  readonly descriptors: readonly string[];
  /** Path of a recording that answers every request, or {@link includedRecording}. */
  readonly recording: string | undefined;
}

export function headerValues(header: Cell | undefined): HeaderValues {
  const read = (node: JsonNode | undefined): JsonValue | undefined => node && header && exactValue(header.text, node);
  const of = (key: string): JsonValue | undefined => read(member(header?.root, key));
  const abi = of("abi");
  const paths = (key: string): readonly string[] => {
    const written = of(key) ?? [];
    return (isArray(written) ? written : [written]).filter((path) => typeof path === "string");
  };
  const stated = of("chainId");
  const chainId = quantity(stated);
  const labels = entries(member(header?.root, "labels"), read);
  return {
    endpoint: nameOf(of("endpoint")),
    recording: nameOf(of("recording")),
    chainId,
    statedChain: stated === undefined ? undefined : (chainId?.toString() ?? printJson(stated)),
    variables: entries(member(header?.root, "variables"), read),
    labels: new Map([...labels].filter(isName)),
    tokens: tokenEntries(entries(member(header?.root, "tokens"), read)),
    openrpc: paths("openrpc"),
    descriptors: paths("descriptors"),
    abi: abi === undefined ? [] : isArray(abi) ? abi : [abi],
  };
}

/** A value of another type is a name that nothing has: a run must not pass over it and go elsewhere. */
export function nameOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : printJson(value);
}

function isName(entry: readonly [string, JsonValue]): entry is [string, string] {
  return typeof entry[1] === "string" && entry[1].trim() !== "" && !passesForAddress(entry[1]);
}

function tokenEntries(written: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, TokenEntry> {
  const tokens = new Map<string, TokenEntry>();
  for (const [address, token] of written) {
    const { symbol, decimals } = isObject(token) ? token : {};
    if (typeof symbol === "string" && isDecimals(decimals)) tokens.set(address.toLowerCase(), { symbol, decimals });
  }
  return tokens;
}

function entries(
  node: JsonNode | undefined,
  read: (node: JsonNode | undefined) => JsonValue | undefined,
): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  if (node?.type !== "object") return found;
  for (const { children } of node.children ?? []) {
    const value = read(children?.[1]);
    if (value !== undefined) found.set(String(children?.[0]?.value), value);
  }
  return found;
}

/**
 * Returns the index of the header among a notebook's cells, -1 if there is none: the code cell that is marked, else the
 * one with the text that the header is known to have, else the first code cell if it has the shape of a header. A mark
 * of `false` means that a cell is not the header.
 */
export function headerIndex(
  cells: readonly {
    readonly kind: "code" | "markdown";
    readonly text: string;
    readonly header?: boolean | undefined;
  }[],
  known?: string,
): number {
  const code = (cell: { readonly kind: string; readonly header?: boolean | undefined }): boolean =>
    cell.kind === "code" && cell.header !== false;
  const marked = cells.findIndex((cell) => cell.kind === "code" && cell.header === true);
  if (marked >= 0) return marked;
  const same = known === undefined ? -1 : cells.findIndex((cell) => code(cell) && cell.text === known);
  if (same >= 0) return same;
  const first = cells.findIndex((cell) => cell.kind === "code");
  const cell = cells[first];
  return cell && code(cell) && looksLikeHeader(readCell(cell.text)) ? first : -1;
}

/** Has members that only a header or both may have, and none that a request alone has. */
function looksLikeHeader({ kind, root, faults }: Cell): boolean {
  if (root?.type !== "object" || faults.length > 0 || (kind !== "request" && kind !== "header")) return false;
  const keys = root.children?.map((property) => String(property.children?.[0]?.value)) ?? [];
  const request = (key: string): boolean =>
    wireMembers.includes(key) || (directives.includes(key) && !headerKeys.includes(key));
  return keys.some((key) => headerKeys.includes(key)) && !keys.some(request);
}
