import { checksummed } from "../abi/address.ts";
import { utf8Text } from "../abi/decode.ts";
import { isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { formatUnit, grouped } from "../base/units.ts";
import type { Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import { addressShown, badShown, isReadable, quoted } from "./shown.ts";

export const neverSet = "zero, false, or never set";

/**
 * Reads 32 bytes of unknown type, the most plausible reading first. Small numbers are numbers: an address
 * below 2^96 would need twelve leading zero bytes of its own.
 */
export function wordShown(value: JsonValue, labels: Labels): Shown {
  if (!isHex(value) || value.length !== 66) return badShown(value, "not a word of 32 bytes");
  const number = BigInt(value);
  if (number === 0n) return { text: "0", raw: value, also: [neverSet] };
  const text = paddedText(value) ?? shortString(value);
  if (text !== undefined) return { text: quoted(text), raw: value, also: ["text"] };
  const isAmount = number % roundAmount === 0n; // no address is by chance
  if (number < 1n << 96n || (isAmount && number < 1n << 160n)) return numberShown(number, value);
  if (number < 1n << 160n) return maybeAddress(value, number, labels);
  const negative = BigInt.asIntN(256, number);
  if (negative < 0n && negative > -(1n << 128n)) {
    return { text: grouped(negative.toString()), raw: value, also: ["as a signed number"] };
  }
  return { text: value, also: [`${grouped(number)} as a number`], role: "bytes" };
}

const roundAmount = 10n ** 9n;

function numberShown(number: bigint, raw: string): Shown {
  const also = number >= 10n ** 12n ? [`${formatUnit(number, "ether")}, if it has 18 decimals`] : [];
  if (number === 1n) also.push("true");
  return { text: grouped(number), raw, also };
}

function maybeAddress(value: string, number: bigint, labels: Labels): Shown {
  const address = `0x${value.slice(26)}`;
  return {
    ...addressShown(address, labels),
    raw: value,
    also: [checksummed(address), `${grouped(number)} as a number`].slice(labels.has(address) ? 0 : 1),
  };
}

/** Text on the left, zeros behind it: `bytes32`. */
function paddedText(word: string): string | undefined {
  const digits = word.replace(/(?:00)+$/, "");
  const text = digits.length < word.length || digits.length === 66 ? utf8Text(digits) : undefined;
  return text !== undefined && text.length >= 2 && isReadable(text) ? text : undefined;
}

/**
 * A string of up to 31 bytes as Solidity stores it: text on the left, twice its length in the last byte.
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#bytes-and-string
 */
function shortString(word: string): string | undefined {
  const doubled = Number.parseInt(word.slice(64), 16);
  const end = 2 + doubled;
  if (doubled === 0 || doubled % 2 !== 0 || doubled > 62 || !/^0*$/.test(word.slice(end, 64))) return undefined;
  const text = utf8Text(word.slice(0, end));
  return text !== undefined && isReadable(text) ? text : undefined;
}
