import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import type { Creatable } from "../abi/code.ts";
import type { AbiItem } from "../abi/item.ts";
import { isAddress } from "../base/hex.ts";
import type { Cell } from "../notebook/cell.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import { type AbiEntry, abiEntries } from "./abiEntries.ts";
import type { Scope } from "./scope.ts";

type DeclarationsScope = Pick<Scope, "header" | "abis">;

interface MergedItems extends DeclarationsScope {
  readonly items: readonly AbiItem[];
}

const together = new WeakMap<Cell, MergedItems>();

/**
 * What the project declares for a cell, the nearer first: the cell's own `abi`, then the header's, then the contracts of
 * the workspace.
 *
 * @returns The same array for as long as nothing of it changes; the cells that declare nothing share one.
 */
export function abiItems(cell: Cell, { header, abis }: DeclarationsScope): readonly AbiItem[] {
  if (!cell.directives.has("abi")) return header ? sharedBy(header, abis) : abis.contracts;
  const known = together.get(cell);
  if (known && known.header === header && known.abis === abis) return known.items;
  const own = cell.kind === "header" ? [] : abiEntries(cell).flatMap((entry) => itemsOf(entry, { header, abis }));
  const shared = header ? sharedBy(header, abis) : abis.contracts;
  const items = own.length === 0 ? shared : shared.length === 0 ? own : [...own, ...shared];
  together.set(cell, { header, abis, items });
  return items;
}

const shared = new WeakMap<Scope["abis"], WeakMap<Cell, MergedItems>>();

/** What was asked for last: the cells of a run share their header. */
let latestShared: MergedItems | undefined;

function sharedBy(header: Cell, abis: Scope["abis"]): readonly AbiItem[] {
  if (latestShared?.header === header && latestShared.abis === abis) return latestShared.items;
  const known = shared.get(abis) ?? new WeakMap<Cell, MergedItems>();
  shared.set(abis, known);
  const found = known.get(header) ?? { header, abis, items: withContracts(header, abis) };
  known.set(header, found);
  latestShared = found;
  return found.items;
}

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

/** An address, or the variable that holds it; in lower case. */
export function contractAt(node: JsonNode, header: Cell | undefined): string | undefined {
  const name = /^\{\{\s*([\w$]+)\s*\}\}$/.exec(String(node.value))?.[1];
  const variable = name === undefined ? undefined : member(member(header?.root, "variables"), name);
  const value = variable && header ? exactValue(header.text, variable) : node.value;
  return isAddress(value) ? value.toLowerCase() : undefined;
}

const scopes = new WeakMap<readonly AbiItem[], AbiScope>();

/** The same, found by selector and topic. */
export function abiScope(cell: Cell, around: DeclarationsScope): AbiScope {
  const items = abiItems(cell, around);
  if (latest?.items === items) return latest.scope;
  const found = scopes.get(items) ?? scopeOf(items, creatables(cell, around));
  scopes.set(items, found);
  latest = { items, scope: found };
  return found;
}

/** What was asked for last: the cells of a run share their scope. */
let latest: { readonly items: readonly AbiItem[]; readonly scope: AbiScope } | undefined;

/** Contracts whose creation can be recognised, of the files that are named first. */
function creatables(cell: Cell, { header, abis }: DeclarationsScope): readonly Creatable[] {
  const cells = header && header !== cell ? [cell, header] : [cell];
  const named = cells.flatMap(abiEntries).flatMap(({ found }) => {
    return found.kind === "file" ? (abis.files.get(found.path)?.creatables ?? []) : [];
  });
  return [...named, ...(abis.creatables ?? [])];
}
