import { isAddress, isWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type EncodingFault, encodePacked, type IsOpen, wholeNumber } from "./encode.ts";
import { dataSlot, mappingSlot, slotAfter } from "./slots.ts";
import { type AbiType, elementary } from "./type.ts";

export type Placed =
  | { readonly kind: "slot"; readonly slot: bigint }
  /** Valid, but parts of it are not known yet. */
  | { readonly kind: "open" }
  | { readonly kind: "faults"; readonly faults: readonly EncodingFault[] };

/** Resolves a name to its slot, if it is known. */
export type Named = (name: string) => bigint | undefined;

/**
 * Where Solidity keeps a value: `{ "slot": 9, "key": "0x…" }` is in a mapping, `{ "slot": 3, "index": 5 }` in an array
 * without a fixed length.
 *
 * - `slot`: of the variable; a number, a `0x` string, a name, or such an object again.
 * - `key`: in the mapping; a list for mappings in mappings, the outer one first.
 * - `keyType`: of the key, or a list of them; inferred from the key if it is unambiguous.
 * - `index`: in the array, of items of `size` slots each, one if left out.
 * - `offset`: slots to add, as for a member of a struct.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#mappings-and-dynamic-arrays
 */
export function storageSlot(place: JsonValue, named: Named, isOpen: IsOpen): Placed {
  if (typeof place === "string" && isOpen(place)) return { kind: "open" };
  if (!isObject(place)) return variable(place, named);
  const stray = Object.keys(place).find((key) => !members.includes(key));
  if (stray !== undefined) return fault(`a place in storage has ${members.join(", ")}`, stray);
  let here = under(storageSlot(memberOf(place, "slot") ?? null, named, isOpen), "slot");
  for (const step of [inMapping, inArray, atOffset]) {
    if (here.kind === "slot") here = step(here.slot, place, isOpen);
  }
  return here;
}

const members: readonly string[] = ["slot", "key", "keyType", "index", "size", "offset"];

function memberOf(place: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(place, key) ? place[key] : undefined;
}

function fault(what: string, ...path: EncodingFault["path"]): Placed {
  return { kind: "faults", faults: [{ path, what }] };
}

function under(placed: Placed, ...steps: EncodingFault["path"]): Placed {
  if (placed.kind !== "faults") return placed;
  return { kind: "faults", faults: placed.faults.map(({ path, what }) => ({ path: [...steps, ...path], what })) };
}

function variable(value: JsonValue, named: Named): Placed {
  const slot = (typeof value === "string" ? named(value) : undefined) ?? wholeNumber(value);
  if (slot !== undefined && slot >= 0n && slot >> 256n === 0n) return { kind: "slot", slot };
  return fault(
    "expected a slot: a number, `0x` and up to 64 hexadecimal digits, or a name such as `eip1967.proxy.admin`",
  );
}

function inMapping(slot: bigint, place: JsonObject, isOpen: IsOpen): Placed {
  const key = memberOf(place, "key");
  if (key === undefined) return { kind: "slot", slot };
  const type = memberOf(place, "keyType");
  if (!isArray(key)) return inOneMapping(slot, key, type, isOpen, []);
  if (isArray(type) && type.length !== key.length)
    return fault("it must have as many types as there are keys", "keyType");
  let here: Placed = { kind: "slot", slot };
  for (const [at, one] of key.entries()) {
    if (here.kind !== "faults") {
      const inner = inOneMapping(here.kind === "slot" ? here.slot : 0n, one, isArray(type) ? type[at] : type, isOpen, [
        at,
      ]);
      here = here.kind === "open" && inner.kind === "slot" ? here : inner;
    }
  }
  return here;
}

function inOneMapping(
  slot: bigint,
  key: JsonValue,
  typeName: JsonValue | undefined,
  isOpen: IsOpen,
  path: EncodingFault["path"],
): Placed {
  if (typeof typeName === "string" && isOpen(typeName)) return { kind: "open" };
  const type =
    typeName === undefined ? typeOfKey(key) : typeof typeName === "string" ? elementary(typeName) : undefined;
  if (typeof key === "string" && isOpen(key)) return { kind: "open" };
  if (!type) {
    return typeName === undefined
      ? fault("its type is not clear: write it as `keyType`", "key", ...path)
      : fault("expected a type such as `address` or `uint256`", "keyType");
  }
  const encoded = encodePacked(type, key, isOpen);
  if (encoded.kind === "faults") return under(encoded, "key", ...path);
  if (encoded.kind === "open") return encoded;
  return { kind: "slot", slot: mappingSlot(slot, encoded.hex) };
}

/** Numbers are `uint256` and what is not hex is a string: text for a mapping by anything else needs its `keyType`. */
function typeOfKey(key: JsonValue): AbiType | undefined {
  if (typeof key === "boolean") return elementary("bool");
  if (isAddress(key)) return elementary("address");
  const number = typeof key === "string" && key.startsWith("0x") ? undefined : wholeNumber(key);
  if (number !== undefined) return elementary(number < 0n ? "int256" : "uint256");
  if (typeof key !== "string") return undefined;
  if (!key.startsWith("0x")) return elementary("string");
  return isWord(key) ? elementary("bytes32") : undefined;
}

function inArray(slot: bigint, place: JsonObject, isOpen: IsOpen): Placed {
  if (memberOf(place, "index") === undefined) {
    return memberOf(place, "size") === undefined
      ? { kind: "slot", slot }
      : fault("expected an `index`: it is for the items of an array", "size");
  }
  const index = count(place, "index", isOpen);
  const size = memberOf(place, "size") === undefined ? 1n : count(place, "size", isOpen);
  if (typeof index !== "bigint") return index;
  return typeof size === "bigint" ? slotAt(slotAfter(dataSlot(slot), index * size)) : size;
}

function atOffset(slot: bigint, place: JsonObject, isOpen: IsOpen): Placed {
  if (memberOf(place, "offset") === undefined) return { kind: "slot", slot };
  const offset = count(place, "offset", isOpen);
  return typeof offset === "bigint" ? slotAt(slotAfter(slot, offset)) : offset;
}

function count(place: JsonObject, key: string, isOpen: IsOpen): bigint | Placed {
  const value = memberOf(place, key) ?? null;
  if (typeof value === "string" && isOpen(value)) return { kind: "open" };
  const number = wholeNumber(value);
  return number !== undefined && number >= 0n ? number : fault("expected a whole number, zero or more", key);
}

function slotAt(slot: bigint): Placed {
  return { kind: "slot", slot };
}
