import type { Scope } from "../analysis/scope.ts";
import { isAddress } from "../base/hex.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";

/** Names of addresses in the header, by the address in lower case. */
export function labels({ header }: Pick<Scope, "header">): ReadonlyMap<string, string> {
  return header ? labelsIn(header) : new Map();
}

const labelsIn = memoByObject((header: Cell): ReadonlyMap<string, string> => {
  return new Map(
    (member(header.root, "labels")?.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      if (!isAddress(key?.value) || value?.type !== "string") return [];
      return [[key.value.toLowerCase(), String(value.value)] as const];
    }),
  );
});

/** Every address that a cell spells out, in order, each once. */
export const addressesIn = memoByObject((cell: Cell): readonly string[] => [
  ...new Set(cell.text.match(/\b0x[0-9a-fA-F]{40}\b/g)),
]);
