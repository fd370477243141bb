import { wholeNumber } from "../abi/encode.ts";
import { namespaceSlot } from "../abi/slots.ts";
import { storageSlot } from "../abi/storage.ts";
import { commonPlace, findPlace, type PathFault, type StructAt } from "../abi/storagePlace.ts";
import { layoutsNamed, noLayout, severalLayouts } from "../abi/storageScope.ts";
import { toWord } from "../base/hex.ts";
import { type Span, span } from "../base/span.ts";
import { slots } from "../catalog/slots.ts";
import { exactValue, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { spanAt } from "./candidates.ts";
import { type Context, type Conversion, replacing, strayKey, wrong } from "./conversion.ts";
import { printPath } from "./path.ts";

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

/** Nothing is known of it before the run. */
const open: Conversion = { form: "slot", edits: undefined };

/**
 * Converts `{ "contract": "Vault", "variable": "balances[alice].amount" }` by the layout that the contract's compiler has
 * written. With `type` and `slot`, the path begins in a struct at a slot: the one of a namespace.
 */
function storedVariable(node: JsonNode, context: Context): Conversion {
  const { storage, isOpen } = context;
  const stray = strayKey(node, ["contract", "variable", "type", "slot"], context);
  if (stray) return wrong(spanOf(stray), "slot", "its keys and indexes belong in the path of the `variable`");
  const [contract, variable] = [member(node, "contract"), member(node, "variable")];
  for (const [name, one] of [
    ["contract", contract],
    ["variable", variable],
  ] as const)
    if (one?.type !== "string") return wrong(spanOf(one ?? node), "slot", expected[name]);
  if (!contract || !variable || !storage || isOpen(String(contract.value))) return open;
  const scope = storage();
  const layouts = layoutsNamed(scope.layouts, String(contract.value));
  if (layouts.length === 0) return wrong(spanOf(contract), "contract", noLayout(String(contract.value), scope));
  const base = baseOf(node, context);
  if ("unfit" in base) return base.unfit;
  const found = commonPlace(
    layouts.map((layout) => findPlace(layout, String(variable.value), scope.keys, isOpen, base.at)),
  );
  switch (found.kind) {
    case "open":
      return open;
    case "fault":
      return wrong(inString(context.text, variable, found), "variable", found.what);
    case "several":
      return wrong(spanOf(contract), "contract", severalLayouts(layouts));
    case "place":
      return { form: "slot", edits: [replacing(node, `"${toWord(found.place.slot)}"`)], place: found.place };
  }
}

const expected = {
  contract: "expected the name of a contract with a storage layout",
  variable: "expected the path of a variable, such as `balances[alice].amount`",
};

/** Returns the slot of the struct that `type` names, if there is one. */
function baseOf(
  node: JsonNode,
  { text, isOpen }: Context,
): { readonly at?: StructAt } | { readonly unfit: Conversion } {
  const [type, slot] = [member(node, "type"), member(node, "slot")];
  if (!type && !slot) return {};
  if (type?.type !== "string")
    return { unfit: wrong(spanOf(type ?? node), "type", "expected the name of a struct, beside `slot`") };
  const value = slot && exactValue(text, slot);
  if (isOpen(String(type.value)) || isOpen(String(value))) return { unfit: open };
  const number = value === undefined ? undefined : (namespaceSlot(String(value)) ?? wholeNumber(value));
  if (number === undefined || number < 0n || number >> 256n !== 0n)
    return {
      unfit: wrong(
        spanOf(slot ?? node),
        "variable",
        "expected a `slot`: a number, or a namespace such as `erc7201:example.main`",
      ),
    };
  return { at: { type: String(type.value), slot: number } };
}

/** The place of a fault inside a string, unless escapes move it. */
function inString(text: string, node: JsonNode, { start, end }: PathFault): Span {
  const { start: at, end: last } = spanOf(node);
  const isPlain = text.slice(at + 1, last - 1) === node.value;
  return isPlain && end > start ? span(at + 1 + start, at + 1 + end) : spanOf(node);
}
