import type { Scope } from "../analysis/scope.ts";
import { isAddress } from "../base/hex.ts";
import type { Cell } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";

const known = new WeakMap<Cell, ReadonlyMap<string, string>>();

/** Names of addresses in the header, by the address in lower case. */
export function labels({ header }: Scope): ReadonlyMap<string, string> {
  if (!header) return new Map();
  const found = known.get(header) ?? read(header);
  known.set(header, found);
  return found;
}

function read(header: Cell): ReadonlyMap<string, string> {
  return new Map(
    (member(header.root, "labels")?.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      if (!isAddress(key?.value) || value?.type !== "string") return [];
      return [[key.value.toLowerCase(), String(value.value)] as const];
    }),
  );
}

const addressesOf = new WeakMap<Cell, readonly string[]>();

/** Every address that a cell spells out, in order, each once. */
export function addressesIn(cell: Cell): readonly string[] {
  const found = addressesOf.get(cell) ?? [...new Set(cell.text.match(/\b0x[0-9a-fA-F]{40}\b/g))];
  addressesOf.set(cell, found);
  return found;
}
