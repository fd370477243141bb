import { hash64 } from "../base/hash.ts";
import { memoByObject } from "../base/memo.ts";
import { type Cell, wireMembers } from "./cell.ts";
import { tokens } from "./json.ts";

/**
 * Returns the keys of cells in outputs, snapshots, tests and `--cell`: a cell's name, else the hash of what it sends.
 * An ordinal distinguishes cells with equal keys, `.2` for the second.
 *
 * @param cells - All of the notebook, in order.
 * @returns A key for each, no two the same.
 * @example cellKeys([readCell(`{ "name": "head", "method": "eth_blockNumber" }`)]); //=> ["head"]
 */
export function cellKeys(cells: readonly Cell[]): readonly string[] {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  return cells.map((cell) => {
    const base = baseKey(cell);
    let count = (counts.get(base) ?? 0) + 1;
    while (taken.has(ordinal(base, count))) count++;
    counts.set(base, count);
    taken.add(ordinal(base, count));
    return ordinal(base, count);
  });
}

function ordinal(base: string, count: number): string {
  return count === 1 ? base : `${base}.${count}`;
}

function baseKey(cell: Cell): string {
  const name = cell.kind === "request" ? cell.requests[0]?.name : undefined;
  return name || requestHash(cell);
}

/**
 * Sixteen hex digits over the wire members of a cell's requests: the same however the text is laid out, whatever
 * directives are beside them. Cells without a request go by their text.
 */
export const requestHash = memoByObject((cell: Cell): string => hash64(wireTokens(cell)));

function wireTokens({ text, requests }: Cell): string {
  if (requests.length === 0) return text.trim();
  return requests
    .map(({ members }) =>
      wireMembers
        .map((key) => [key, members.get(key)?.value] as const)
        .map(([key, value]) => (value ? `${key}:${tokens(text, value)}` : ""))
        .join(","),
    )
    .join(";");
}

/** Returns sixteen hex digits for the URI of a document, to name files after it. */
export function documentKey(uri: string): string {
  return hash64(uri);
}

/**
 * Returns the number displayed for each cell, which identifies a cell without a name: from 1. Markdown and header cells
 * get 0 and are not counted, so adding an explanation does not change any number.
 */
export const cellNumbers = memoByObject((cells: readonly Cell[]): readonly number[] => {
  let last = 0;
  return cells.map(({ kind }) => (kind === "markdown" || kind === "header" ? 0 : ++last));
});
