import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import type { Creatable } from "../abi/artifact.ts";
import type { AbiItem } from "../abi/item.ts";
import type { ScopedLayout } from "../abi/storageScope.ts";
import { bundledAbis } from "../abi/wellKnownAbis.ts";
import { isAddress } from "../base/hex.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import { type AbiEntry, abiEntries } from "./abiEntries.ts";
import type { ProjectAbis, Scope } from "./scope.ts";

type DeclarationsScope = Pick<Scope, "header" | "abis">;

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
  const own = cell.kind === "header" ? [] : abiEntries(cell).flatMap((entry) => itemsOf(entry, { header, abis }));
  const shared = sharedItems(header, abis);
  return own.length === 0 ? shared : shared.length === 0 ? own : [...own, ...shared];
}

function sharedItems(header: Cell | undefined, abis: ProjectAbis): readonly AbiItem[] {
  return header ? itemsByHeader(abis)(header) : abis.contracts;
}

const itemsByHeader = memoByObject((abis: ProjectAbis) => memoByObject((header: Cell) => withContracts(header, abis)));

function withContracts(header: Cell, abis: Scope["abis"]): readonly AbiItem[] {
  const declared = abiEntries(header).flatMap((entry) => itemsOf(entry, { header, abis }));
  return declared.length === 0 ? abis.contracts : [...declared, ...abis.contracts];
}

function itemsOf({ found, address }: AbiEntry, { header, abis }: DeclarationsScope): readonly AbiItem[] {
  const items =
    found.kind === "items" ? found.items : found.kind === "file" ? (abis.files.get(found.path)?.items ?? []) : [];
  const contract = address && contractAt(address, header);
  return contract === undefined ? items : items.map((item) => ({ ...item, address: contract }));
}

/** Returns an address in lower case, written out or held by a variable. */
export function contractAt(node: JsonNode, header: Cell | undefined): string | undefined {
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
  const ofWorkspace = (abis.layouts ?? []).map((layout): ScopedLayout => ({ layout, address: undefined }));
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
