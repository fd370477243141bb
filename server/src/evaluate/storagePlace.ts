import { namespaceSlot } from "../abi/slots.ts";
import { storageSlot } from "../abi/storage.ts";
import { toWord } from "../base/hex.ts";
import { slots } from "../catalog/slots.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import { spanAt } from "./candidates.ts";
import type { Context, Conversion } from "./conversion.ts";
import { replacing } from "./edit.ts";
import { printPath } from "./path.ts";
import { storedVariable } from "./storedVariable.ts";

const byName: ReadonlyMap<string, bigint> = new Map(slots.map(({ name, slot }) => [name, BigInt(slot)]));

/** Returns the slot with a name that contracts agree on, or that of a namespace: `erc7201:example.main`. */
export function slotNamed(name: string): bigint | undefined {
  return byName.get(name) ?? namespaceSlot(name);
}

/**
 * Converts a slot that is written as a name, as an object with the place of a value in Solidity's layout, or as an
 * object with a contract and its variable.
 *
 * @returns `undefined` for other strings.
 */
export function storagePlace(node: JsonNode, context: Context): Conversion | undefined {
  if (node.type === "string" && slotNamed(String(node.value)) === undefined) return undefined;
  if (member(node, "variable") || member(node, "contract")) return storedVariable(node, context);
  const { text, isOpen } = context;
  const placed = storageSlot(exactValue(text, node) ?? null, slotNamed, isOpen);
  switch (placed.kind) {
    case "open":
      return { form: "slot", edits: undefined };
    case "slot":
      return { form: "slot", edits: [replacing(node, `"${toWord(placed.slot)}"`)] };
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
