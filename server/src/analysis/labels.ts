import { isAddress, passesForAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { member } from "../notebook/json.ts";

interface GivenNames {
  readonly header: Cell | undefined;
  readonly labels: ReadonlyMap<string, string>;
}

/** Names of addresses in the header and in files around the notebook, by the address in lower case. The header's win. */
export function labels({ header, labels }: GivenNames): ReadonlyMap<string, string> {
  const own = headerLabels(header);
  return labels.size === 0 ? own : new Map([...labels, ...own]);
}

/** Names of addresses by the address in lower case: its label, else the variable that holds it. */
export function namesByAddress(
  variables: ReadonlyMap<string, JsonValue>,
  labels: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...variablesByAddress(variables), ...labels]);
}

/** Variables that hold an address, by that address in lower case. The first of several names it. */
export function variablesByAddress(variables: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, value] of variables) {
    if (isAddress(value) && !names.has(value.toLowerCase()) && !passesForAddress(name))
      names.set(value.toLowerCase(), name);
  }
  return names;
}

/** Names of addresses in the header, by the address in lower case. */
export function headerLabels(header: Cell | undefined): ReadonlyMap<string, string> {
  return header ? labelsIn(header) : new Map();
}

const labelsIn = memoByObject((header: Cell): ReadonlyMap<string, string> => {
  return new Map(
    (member(header.root, "labels")?.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      const name = String(value?.value);
      if (!isAddress(key?.value) || value?.type !== "string" || name.trim() === "" || passesForAddress(name)) return [];
      return [[key.value.toLowerCase(), name] as const];
    }),
  );
});

/** Every address that a cell spells out, in order, each once. */
export const addressesIn = memoByObject((cell: Cell): readonly string[] => [
  ...new Set(cell.text.match(/\b0x[0-9a-fA-F]{40}\b/g)),
]);
