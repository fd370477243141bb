import { storageSlot } from "../abi/storage.ts";
import { slots } from "../catalog/slots.ts";
import { exactValue, type JsonNode } from "../notebook/json.ts";
import { spanAt } from "./candidates.ts";
import type { Context, Conversion } from "./conversion.ts";
import { replacing } from "./edit.ts";
import { printPath } from "./path.ts";

const byName: ReadonlyMap<string, bigint> = new Map(slots.map(({ name, slot }) => [name, BigInt(slot)]));

/**
 * Converts a slot that is written as a name, or as an object with the place of a value in Solidity's layout.
 *
 * @returns `undefined` for other strings.
 */
export function storagePlace(node: JsonNode, { text, isOpen }: Context): Conversion | undefined {
  if (node.type === "string" && !byName.has(String(node.value))) return undefined;
  const placed = storageSlot(exactValue(text, node) ?? null, (name) => byName.get(name), isOpen);
  switch (placed.kind) {
    case "open":
      return { form: "slot", edits: undefined };
    case "slot":
      return { form: "slot", edits: [replacing(node, `"0x${placed.slot.toString(16).padStart(64, "0")}"`)] };
    case "faults":
      return {
        problems: placed.faults.map(({ path, what }) => ({
          code: "bad-argument",
          span: spanAt(node, path),
          path: path.length > 0 ? printPath(path) : "slot",
          declared: undefined,
          what,
        })),
      };
  }
}
