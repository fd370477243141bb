import { isAddress, isHex, isWord } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import type { StorageLayout, StorageType } from "./storageLayout.ts";
import type { StoragePlace } from "./storagePlace.ts";
import { layoutsAt } from "./storageScope.ts";
import { partsInSlot, partsOfContract, type SlotPart } from "./storageSearch.ts";
import { packedValue } from "./storageValue.ts";

/** The values in a slot that was asked for. */
export interface StoredWord {
  readonly layout: StorageLayout;
  /** The place that the request names; `undefined` if it has the slot itself. */
  readonly asked: StoragePlace | undefined;
  /** Everything in the slot. */
  readonly parts: readonly SlotPart[];
  /** The contract is known only by the label of its address. */
  readonly byLabel: boolean;
}

const noVariables: ReadonlyMap<string, JsonValue> = new Map();

/**
 * Finds what is stored in the slot that a request asks for.
 *
 * @param params - As they were sent: an address and a slot.
 * @param labels - Names of addresses, by the address in lower case; values of mappings are found by them.
 * @returns `undefined` if no layout of the project says.
 */
export function storedWord(
  { layouts, places }: Pick<AbiScope, "layouts" | "places">,
  params: JsonValue | undefined,
  labels: ReadonlyMap<string, string>,
): StoredWord | undefined {
  const [address, position] = isArray(params) ? params : [];
  if (!isHex(position) || position.length < 3 || position.length > 66) return undefined;
  const slot = BigInt(position);
  const asked = places?.find((place) => place.slot === slot);
  if (asked)
    return { layout: asked.layout, asked, parts: partsInSlot(asked.layout, asked.frame, slot), byLabel: false };
  if (layouts.length === 0 || !isAddress(address)) return undefined;
  const { layouts: known, byLabel } = layoutsAt(layouts, address, labels);
  for (const layout of known) {
    const parts = partsOfContract(layout, slot, { variables: noVariables, labels });
    if (parts.length > 0) return { layout, asked: undefined, parts, byLabel };
  }
  return undefined;
}

/** Returns the value of the place that a request names, if it is one value in the word; for `decoded`. */
export function storedValue(
  { places }: Pick<AbiScope, "places">,
  params: JsonValue | undefined,
  word: JsonValue,
): JsonValue | undefined {
  const position = isArray(params) ? params[1] : undefined;
  if (!isHex(position) || position.length < 3 || position.length > 66) return undefined;
  const place = places?.find(({ slot }) => slot === BigInt(position));
  return place && isWord(word) && place.type.kind === "value" ? packedValue(place.type, word, place.offset) : undefined;
}

/** Names the bytes of a slot that a value takes, from the right; `undefined` if it takes all. */
export function bytesTaken({
  type,
  offset,
}: {
  readonly type: StorageType;
  readonly offset: number;
}): string | undefined {
  if (type.kind !== "value" || type.bytes === 32) return undefined;
  const last = offset + type.bytes - 1;
  return offset === last ? `byte ${offset}` : `bytes ${offset} to ${last}`;
}
