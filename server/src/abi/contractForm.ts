import { isWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { instructions, readCode } from "./code.ts";
import { decodeParams } from "./decode.ts";
import { lowerHex } from "./decodeLog.ts";
import { paramsFromJson } from "./item.ts";

/**
 * A form of contracts that only pass calls on, as their code shows it: then the contract has to be asked for the rest.
 *
 * - `minimal proxy`: the address is in the code.
 * - `Safe`: the first slot has the address.
 * - `dispatcher`: it runs the code of other contracts; {@link facetsCall} asks a diamond for them.
 */
export type ContractForm =
  | { readonly kind: "minimal proxy"; readonly to: string; readonly form: string }
  | { readonly kind: "Safe" }
  | { readonly kind: "dispatcher" };

/** @param code - As `eth_getCode` returns it. @returns `undefined` for any other contract. */
export function contractForm(code: JsonValue | undefined): ContractForm | undefined {
  const read = readCode(code);
  const hex = lowerHex(code);
  if (read?.kind === "proxy") return { kind: "minimal proxy", to: read.to, form: read.form };
  if (read?.kind !== "contract" || hex === undefined) return undefined;
  if (read.bytes <= maxSafeProxy && hex.includes(asksMasterCopy)) return { kind: "Safe" };
  for (const { opcode } of instructions(hex)) if (opcode === 0xf4) return { kind: "dispatcher" };
  return undefined;
}

/** Bytes of the code of a Safe's proxy; the versions so far have 170 to 300. */
const maxSafeProxy = 500;

/**
 * PUSH32 of the word that begins the data of `masterCopy()`, which the proxy of a Safe answers itself.
 *
 * @see https://github.com/safe-global/safe-smart-account/blob/v1.4.1/contracts/proxies/SafeProxy.sol
 */
const asksMasterCopy = `7fa619486e${"0".repeat(56)}`;

/** Slot in which a Safe has the address of the code that it runs. */
export const safeSlot = "0x0";

/** Data of `VERSION()`, `getThreshold()` and `getOwners()` of a Safe. */
export const safeCalls = ["0xffa1ad74", "0xe75235b8", "0xa0e67e2b"] as const;

/**
 * Data of `facetAddresses()`.
 *
 * @see https://eips.ethereum.org/EIPS/eip-2535#inspecting-facets--functions
 */
export const facetsCall = "0x52ef6b2c";

/** Addresses in one answer. */
const maxAddresses = 256;

/** Reads an answer of `address[]`. @returns `undefined` for any other data, and for none and too many. */
export function addressList(result: JsonValue | undefined): readonly string[] | undefined {
  const hex = lowerHex(result);
  if (hex === undefined || hex.length > 2 + 64 * (maxAddresses + 2)) return undefined;
  const { values, faults } = decodeParams(addresses, hex, 2);
  const [list] = values;
  if (faults.length > 0 || !Array.isArray(list) || list.length === 0) return undefined;
  const found = list.filter((one) => typeof one === "string");
  return found.every((one) => !/^0x0*$/.test(one)) ? found : undefined;
}

/** Reads the address in a slot. @returns `undefined` if there is none; else in lower case. */
export function addressInWord(word: JsonValue | undefined): string | undefined {
  return isWord(word) && /^0x0{24}(?!0{40})/.test(word) ? `0x${word.slice(26)}`.toLowerCase() : undefined;
}

const addresses = paramsFromJson([{ type: "address[]" }]) ?? [];
