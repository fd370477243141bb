import { wholeNumber } from "../../abi/encode.ts";
import { storageSlot } from "../../abi/storage.ts";
import type { StorageLayout, StoredValue } from "../../abi/storageLayout.ts";
import { commonPlace, findPlace, type StoragePlace } from "../../abi/storagePlace.ts";
import { layoutsAt, layoutsNamed, noLayout, type StorageScope } from "../../abi/storageScope.ts";
import { exactValue, type JsonNode } from "../../notebook/json.ts";
import { slotNamed } from "../storagePlace.ts";

/** The layouts that a variable may be found in. */
type Storage = StorageScope | "unread" | undefined;

/** The bits of a word that an assumption changes. */
export interface WordField {
  readonly slot: bigint;
  /** Bits below it. */
  readonly shift: number;
  readonly bits: number;
  /** The type of the variable; `undefined` for a whole word. */
  readonly type: StoredValue | undefined;
}

/**
 * Finds a slot by its number, by a name that contracts agree on, or by the path of a variable: `paused`, `Vault.paused`,
 * `balances[alice].amount`.
 *
 * @param storage - `"unread"` if the layouts of the project are not read yet.
 * @returns A clause if it cannot be found; `undefined` if that is not known yet.
 */
export function fieldNamed(written: string, address: string, storage: Storage): WordField | string | undefined {
  const placed = storageSlot(written, slotNamed, () => false);
  if (placed.kind === "slot") return { slot: placed.slot, shift: 0, bits: 256, type: undefined };
  if (storage === "unread") return undefined;
  const found = placeOfVariable(written, address, storage);
  if (typeof found === "string") return found;
  const { type, slot, offset } = found;
  if (type.kind !== "value") return `its type is ${type.label}: only single values can be assumed`;
  return { slot, shift: offset * 8, bits: type.bytes * 8, type };
}

/** Finds the place of a variable by its path, or says why it cannot be found: a clause. */
export function placeOfVariable(
  written: string,
  address: string,
  storage: StorageScope | undefined,
): StoragePlace | string {
  const { layouts, path } = layoutsOf(written, address, storage);
  if (!storage || layouts.length === 0) return unknownLayout(written, address, storage);
  const found = commonPlace(layouts.map((layout) => findPlace(layout, path, storage.keys, () => false)));
  if (found.kind === "fault") return found.what;
  if (found.kind === "several") return "several contracts have this name, with different layouts";
  return found.kind === "open" ? "its place is unknown" : found.place;
}

/** Says what to do about a missing layout. For a contract of the project, it names the compiler setting. */
function unknownLayout(written: string, address: string, storage: StorageScope | undefined): string {
  const names = [/^([\w$]+)\./.exec(written)?.[1], storage?.keys.labels.get(address)];
  const bare = names.find((name) => name !== undefined && storage?.without.includes(name));
  return storage && bare !== undefined
    ? noLayout(bare, storage)
    : "it is not a slot, and no storage layout is known for the contract: write `Contract.variable` with the name of a contract that has one";
}

/** Returns the layouts that the path of a variable can refer to, and the path inside of them. */
export function layoutsOf(
  written: string,
  address: string,
  storage: StorageScope | undefined,
): { readonly layouts: readonly StorageLayout[]; readonly path: string } {
  if (!storage) return { layouts: [], path: written };
  const [, name = "", rest = ""] = /^([\w$]+)\.(.*)$/.exec(written) ?? [];
  const named = layoutsNamed(storage.layouts, name);
  if (named.length > 0) return { layouts: named, path: rest };
  return { layouts: layoutsAt(storage.layouts, address, storage.keys.labels).layouts, path: written };
}

/**
 * Reads what a field holds: a boolean, a number, an address or bytes.
 *
 * @returns A clause if it does not fit.
 */
export function fieldValue(text: string, node: JsonNode, { bits, type }: WordField): bigint | string {
  const value = exactValue(text, node) ?? null;
  const isSigned = type?.abi.kind === "int";
  const read =
    typeof value === "boolean"
      ? BigInt(value)
      : typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)
        ? BigInt(value)
        : wholeNumber(value);
  if (read === undefined) return `expected ${expectedOf(type)}`;
  if (type?.abi.kind === "bool" && read > 1n) return "expected `true` or `false`";
  if (read < 0n && !isSigned) return "it is negative";
  const isTooLarge = isSigned ? BigInt.asIntN(bits, read) !== read : read >> BigInt(bits) !== 0n;
  return isTooLarge ? `it has more than the ${bits} bits of ${type?.label ?? "a slot"}` : BigInt.asUintN(bits, read);
}

function expectedOf(type: StoredValue | undefined): string {
  switch (type?.abi.kind) {
    case "bool":
      return "`true` or `false`";
    case "address":
      return "an address: `0x` and 40 hexadecimal digits";
    case "uint":
    case "int":
      return "a whole number";
    case "fixedBytes":
      return `${type.label}: \`0x\` and hexadecimal digits`;
    default:
      return "a boolean, a number, an address, or up to 32 bytes";
  }
}
