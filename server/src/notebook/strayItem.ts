import type { Cell } from "./cell.ts";
import { items, member } from "./json.ts";

/** Returns the place of an item in a batch, from 1, that is not a request, so that it cannot be sent with the others. */
export function strayItem({ kind, root }: Pick<Cell, "kind" | "root">): number | undefined {
  if (kind !== "batch") return undefined;
  const at = items(root?.type === "array" ? root : member(root, "batch")).findIndex(({ type }) => type !== "object");
  return at < 0 ? undefined : at + 1;
}
