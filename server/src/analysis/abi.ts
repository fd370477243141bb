import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import { artifact, type Creatable } from "../abi/artifact.ts";
import { type AbiItem, itemFromJson, parseItem, strangeType, strangeTypeInJson } from "../abi/item.ts";
import type { ScopedLayout } from "../abi/storageScope.ts";
import { bundledAbis } from "../abi/wellKnownAbis.ts";
import { isAddress } from "../base/hex.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { exactValue, items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import type { Problem } from "./problem.ts";
import type { DeclarationsScope, ProjectAbis, Scope } from "./scope.ts";

/**
 * Returns what the project declares for a cell, the nearer first: the cell's own `abi`, then the header's, then the
 * contracts of the workspace.
 *
 * @returns The same array for as long as nothing of it changes; the cells that declare nothing share one.
 */
export function abiItems(cell: Cell, { header, abis }: DeclarationsScope): readonly AbiItem[] {
  return cell.directives.has("abi") ? itemsByCell(cell)(abis, header) : sharedItems(header, abis);
}

const itemsByCell = memoByObject((cell: Cell) =>
  memoByPair((abis: ProjectAbis, header: Cell | undefined) => mergedItems(cell, header, abis)),
);

function mergedItems(cell: Cell, header: Cell | undefined, abis: ProjectAbis): readonly AbiItem[] {
  const own =
    cell.kind === "header" ? [] : abiEntries(cell).flatMap((entry) => itemsOf(entry, "cell", { header, abis }));
  const shared = sharedItems(header, abis);
  return own.length === 0 ? shared : shared.length === 0 ? own : [...own, ...shared];
}

function sharedItems(header: Cell | undefined, abis: ProjectAbis): readonly AbiItem[] {
  return header ? itemsByHeader(abis)(header) : abis.contracts;
}

const itemsByHeader = memoByObject((abis: ProjectAbis) => memoByObject((header: Cell) => withContracts(header, abis)));

function withContracts(header: Cell, abis: Scope["abis"]): readonly AbiItem[] {
  const declared = abiEntries(header).flatMap((entry) => itemsOf(entry, "header", { header, abis }));
  return declared.length === 0 ? abis.contracts : [...declared, ...abis.contracts];
}

function itemsOf(
  { found, address }: AbiEntry,
  namedBy: "cell" | "header",
  { header, abis }: DeclarationsScope,
): readonly AbiItem[] {
  const items =
    found.kind === "items" ? found.items : found.kind === "file" ? (abis.files.get(found.path)?.items ?? []) : [];
  const contract = address && contractAt(address, header);
  return items.map((item) => ({ ...item, namedBy, ...(contract !== undefined && { address: contract }) }));
}

/** Returns an address in lower case, written out or held by a variable. */
function contractAt(node: JsonNode, header: Cell | undefined): string | undefined {
  const name = /^\{\{\s*([\w$]+)\s*\}\}$/.exec(String(node.value))?.[1];
  const variable = name === undefined ? undefined : member(member(header?.root, "variables"), name);
  const value = variable && header ? exactValue(header.text, variable) : node.value;
  return isAddress(value) ? value.toLowerCase() : undefined;
}

/** Returns the same, found by selector and topic, with what is known without the project. */
export function abiScope(cell: Cell, { header, abis }: DeclarationsScope): AbiScope {
  return cell.directives.has("abi") ? ownScope(cell, header, abis) : sharedScope(abis, header);
}

/** Cells that declare nothing share one. */
const sharedScope = memoByPair((abis: ProjectAbis, header: Cell | undefined) => ownScope(undefined, header, abis));

function ownScope(cell: Cell | undefined, header: Cell | undefined, abis: ProjectAbis): AbiScope {
  const items = cell ? abiItems(cell, { header, abis }) : sharedItems(header, abis);
  const layouts = scopedLayouts(cell, { header, abis });
  const last = scopes.get(items);
  if (last && last.signatures === abis.signatures && isSameList(last.scope.layouts, layouts)) return last.scope;
  const scope = scopeOf(items, creatables(cell, { header, abis }), bundledAbis(abis.signatures), layouts);
  scopes.set(items, { signatures: abis.signatures, scope });
  return scope;
}

const scopes = new WeakMap<
  readonly AbiItem[],
  { readonly signatures: ProjectAbis["signatures"]; readonly scope: AbiScope }
>();

/** Contracts whose creation can be recognised, of the files that are named first. */
function creatables(cell: Cell | undefined, { header, abis }: DeclarationsScope): readonly Creatable[] {
  const named = declaring(cell, header)
    .flatMap(abiEntries)
    .flatMap(({ found }) => {
      return found.kind === "file" ? (abis.files.get(found.path)?.creatables ?? []) : [];
    });
  return [...named, ...(abis.creatables ?? [])];
}

/** Returns the layouts of the files that the cell and the header name, then those of the workspace. */
export function scopedLayouts(cell: Cell | undefined, { header, abis }: DeclarationsScope): readonly ScopedLayout[] {
  const named = declaring(cell, header)
    .flatMap(abiEntries)
    .flatMap(({ found, address }): readonly ScopedLayout[] => {
      const layouts = found.kind === "file" ? abis.files.get(found.path)?.layouts : undefined;
      return (layouts ?? []).map((layout) => ({ layout, address: address && contractAt(address, header) }));
    });
  if (named.length === 0 && !abis.layouts?.length) return noLayouts;
  const ofWorkspace = (abis.layouts ?? []).map((layout): ScopedLayout => ({ layout, address: layout.address }));
  return named.length === 0 ? ofWorkspace : [...named, ...ofWorkspace];
}

function declaring(cell: Cell | undefined, header: Cell | undefined): readonly Cell[] {
  return [...new Set([cell, header])].filter((one) => one !== undefined);
}

const noLayouts: readonly ScopedLayout[] = [];

function isSameList(one: readonly ScopedLayout[], other: readonly ScopedLayout[]): boolean {
  const isSame = ({ layout, address }: ScopedLayout, at: number): boolean =>
    other[at]?.layout === layout && other[at].address === address;
  return one.length === other.length && one.every(isSame);
}

/** One entry of an `abi`, with its span. */
export interface AbiEntry {
  readonly node: JsonNode;
  readonly found: AbiContent;
  /** The contract that it is given for: the `address` beside it. */
  readonly address: JsonNode | undefined;
}

type AbiContent =
  | { readonly kind: "items"; readonly items: readonly AbiItem[] }
  /** The path as written in the notebook. */
  | { readonly kind: "file"; readonly path: string }
  /** A clause without a full stop. */
  | { readonly kind: "wrong"; readonly what: string };

const none: readonly AbiEntry[] = [];
/** Returns the `abi` entries of a header, or those of another cell's requests and of its batch as a whole. */
export const abiEntries = memoByObject(read);

function read(cell: Cell): readonly AbiEntry[] {
  const { kind, root, requests } = cell;
  const whole = kind === "header" || kind === "batch" ? member(root, "abi") : undefined;
  const nodes = [...requests.flatMap(({ members }) => members.get("abi")?.value ?? []), ...(whole ? [whole] : [])];
  if (nodes.length === 0) return none;
  const source = kind === "header" ? "the header" : "this cell";
  return nodes.flatMap((node) => entries(cell.text, node, source, undefined));
}

/** Signatures, members of JSON ABIs, whole ABIs, and what compilers write around them, in lists of any depth. */
function entries(text: string, node: JsonNode, source: string, address: JsonNode | undefined): readonly AbiEntry[] {
  if (node.type === "array") return items(node).flatMap((item) => entries(text, item, source, address));
  const inside = member(node, "abi");
  if (inside) return entries(text, inside, source, member(node, "address") ?? address);
  return [{ node, address, found: content(text, node, source) }];
}

function content(text: string, node: JsonNode, source: string): AbiContent {
  if (node.type === "string") return written(String(node.value), source);
  const json = node.type === "object" ? exactValue(text, node) : null;
  if (json === undefined) return { kind: "items", items: [] }; // still being typed
  const item = itemFromJson(json, source);
  if (item) return { kind: "items", items: [item] };
  const nameless = artifact([json], source); // a constructor or a fallback
  const strange = strangeTypeInJson(json);
  if (strange !== undefined) return { kind: "wrong", what: notAType(strange) };
  return nameless ? { kind: "items", items: [] } : { kind: "wrong", what: expectedEntry };
}

function notAType(type: string): string {
  return `\`${brief(type, 60).replaceAll("`", "'")}\` is not an ABI type`;
}

const expectedEntry = "expected a declaration, the path of a `.json` file, or an item of a JSON ABI";

function written(text: string, source: string): AbiContent {
  if (namesFile(text)) return { kind: "file", path: text };
  const item = parseItem(text, source);
  if (item) return { kind: "items", items: [item] };
  const strange = strangeType(text);
  if (strange !== undefined) return { kind: "wrong", what: notAType(strange) };
  const what = text.includes("(")
    ? "it is not a Solidity declaration such as `function balanceOf(address) returns (uint256)`"
    : expectedEntry;
  return { kind: "wrong", what };
}

/** A declaration has no slash in it, and ends with no file's ending. */
function namesFile(text: string): boolean {
  return /[\\/]|^[^(]*\.\w+$/.test(text);
}

/**
 * Finds problems in the `abi` of a header or a cell: its entries, the files that it names, the contracts that it
 * covers.
 */
export function badAbis(cell: Cell, scope: Scope): readonly Problem[] {
  const all = abiEntries(cell);
  const addresses = new Set(all.flatMap(({ address }) => address ?? [])); // one may be for many entries
  return [
    ...all.flatMap((entry) => badEntry(entry, scope)),
    ...[...addresses].flatMap((node) => badAddress(node, scope)),
  ];
}

function badEntry({ node, found }: AbiEntry, { abis }: Scope): readonly Problem[] {
  const span = spanOf(node);
  if (found.kind === "wrong") return [{ code: "bad-abi", span, path: undefined, what: found.what }];
  const { path } = found.kind === "file" ? found : {};
  const fault = path === undefined ? undefined : abis.files.get(path)?.fault;
  if (path === undefined || fault === undefined) return [];
  return fault === "untrusted"
    ? [{ code: "unread-abi", span, path }]
    : [{ code: "bad-abi", span, path, what: fault.what }];
}

function badAddress(node: JsonNode, { header }: Scope): readonly Problem[] {
  if (contractAt(node, header) !== undefined) return [];
  const what = "the `address` of a contract is `0x` and 40 digits, or the variable of the header that holds it";
  return [{ code: "bad-abi", span: spanOf(node), path: undefined, what }];
}
