import { type AbiItem, itemFromJson, parseItem } from "../abi/item.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import type { Scope } from "./scope.ts";

const none: readonly AbiItem[] = [];
const ofHeader = new WeakMap<Cell, readonly AbiItem[]>();
const ofCell = new WeakMap<Cell, readonly AbiItem[]>();
const together = new WeakMap<Cell, { readonly header: Cell | undefined; readonly items: readonly AbiItem[] }>();

/**
 * What the project declares for a cell, the nearer first: the cell's own `abi`, then the header's. Signatures and JSON
 * ABIs that stand there; names of files are left out.
 *
 * @returns The same array for the same cell and header; for a cell that declares nothing, the header's.
 */
export function abiItems(cell: Cell, { header }: Pick<Scope, "header">): readonly AbiItem[] {
  const known = together.get(cell);
  if (known && known.header === header) return known.items;
  const own = remembered(ofCell, cell, () => itemsOf(written(cell), "this cell"));
  const shared = header ? remembered(ofHeader, header, () => itemsOf(headerValues(header).abi, "the header")) : none;
  const items = own.length === 0 ? shared : shared.length === 0 ? own : [...own, ...shared];
  together.set(cell, { header, items });
  return items;
}

function remembered(
  known: WeakMap<Cell, readonly AbiItem[]>,
  cell: Cell,
  make: () => readonly AbiItem[],
): readonly AbiItem[] {
  const found = known.get(cell) ?? make();
  known.set(cell, found);
  return found;
}

/** The `abi` of the requests in a cell, and that of a batch as a whole. */
function written({ kind, text, root, requests }: Cell): readonly JsonValue[] {
  const nodes: readonly (JsonNode | undefined)[] = [
    ...requests.map(({ members }) => members.get("abi")?.value),
    kind === "batch" ? member(root, "abi") : undefined,
  ];
  return nodes.flatMap((node) => (node ? (exactValue(text, node) ?? []) : []));
}

/** Signatures, members of JSON ABIs, whole ABIs, and what compilers write around them, in lists of any depth. */
function itemsOf(entry: JsonValue, source: string): readonly AbiItem[] {
  if (isArray(entry)) return entry.flatMap((one) => itemsOf(one, source));
  if (isObject(entry) && isArray(entry.abi)) return itemsOf(entry.abi, source);
  const item = typeof entry === "string" ? parseItem(entry, source) : itemFromJson(entry, source);
  return item ? [item] : none;
}
