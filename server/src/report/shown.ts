import { checksummed } from "../abi/address.ts";
import { utf8Text } from "../abi/decode.ts";
import { typeWritten } from "../abi/item.ts";
import type { AbiType } from "../abi/type.ts";
import { byteLength, isAddress, isHex, quantity, toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import { oneLine, plural, shortHex } from "../base/text.ts";
import { formatTime, formatTimeMs, formatUnit, formatWei, grouped, roundedWei, withMinus } from "../base/units.ts";
import { chain } from "../catalog/catalog.ts";
import { precompileName } from "../catalog/contracts.ts";
import type { QuantityType } from "../catalog/spec.ts";
import type { Field, Shown } from "./report.ts";

/** Names of addresses, by the address in lower case. */
export interface Labels extends ReadonlyMap<string, string> {
  /** Addresses without a name stay in lower case. */
  readonly forSearch?: true;
}

/** The labels for texts to search in, whose case does not matter: a checksum takes longer than the rest of a row. */
export function searchLabels(labels: Labels): Labels {
  return Object.assign(new Map(labels), { forSearch: true } as const);
}

/** Longer raw forms stay out of reports: the JSON of the answer has them. */
const maxRaw = 4096;

export function rawOf(value: string): { readonly raw?: string } {
  return value.length <= maxRaw ? { raw: value } : {};
}

/** The name of an argument or of a returned value, by its place if it has none. */
export function nameAt(name: string, at: number, noun = "argument"): string {
  return oneLine(name, 60) || `${noun} ${at + 1}`;
}

/** Says of data that it does not fit its declaration. */
export function faultFields(faults: readonly string[]): readonly Field[] {
  return faults.map((fault) => ({ name: "fault", value: { text: fault, role: "bad" } }));
}

/** A value of no known type: text as it is, all else as JSON on one line. */
export function plainShown(value: JsonValue): Shown {
  return { text: oneLine(typeof value === "string" ? value : printJson(value)) };
}

export function badShown(value: JsonValue, why: string): Shown {
  return { ...plainShown(value), also: [why], role: "bad" };
}

export function quantityShown(value: JsonValue, unit: QuantityType["unit"]): Shown {
  const number = quantity(value);
  if (number === undefined) return badShown(value, "not a quantity");
  const raw = oneLine(String(value));
  switch (unit) {
    case "wei":
      return weiShown(number, raw);
    case "seconds":
      return { text: formatTime(number), raw, also: [`${grouped(number)} s since 1970`], role: "time" };
    case "milliseconds":
      return { text: formatTimeMs(number), raw, also: [`${grouped(number)} ms since 1970`], role: "time" };
    case "block":
    case "gas":
    case "count":
    case "none":
      return { text: grouped(number), raw };
    case "index":
      return { text: number.toString(), raw };
  }
}

/**
 * When a block was made. Seconds are what every node says; milliseconds count where they are of that second.
 *
 * @returns `undefined` where neither was sent.
 */
export function blockTimeShown(seconds: JsonValue | undefined, ms: JsonValue | undefined): Shown | undefined {
  const [whole, exact] = [quantity(seconds), quantity(ms)];
  if (ms !== undefined && exact !== undefined && (whole === undefined || exact / 1000n === whole))
    return quantityShown(ms, "milliseconds");
  return seconds === undefined || seconds === null ? undefined : quantityShown(seconds, "seconds");
}

/** A block by its number, and that it is not sealed yet. */
export function blockShown(place: BlockPlace, context: UnsealedContext): Shown {
  const shown = quantityShown(place.number ?? null, "block");
  return isUnsealed(place, context.sealed) && shown.role !== "bad"
    ? { ...shown, text: `${shown.text} ${unsealedText(context)}` }
    : shown;
}

/** What is known of the newest blocks, for a view. */
export interface UnsealedContext {
  readonly sealed?: bigint | undefined;
  readonly isGuess?: boolean | undefined;
}

/** Names what is not sealed: a node's own guess of the next block is not pre-confirmed. */
export function unsealedText({ isGuess }: UnsealedContext): string {
  return isGuess ? "not sealed" : "pre-confirmed";
}

/** A block as a log, a receipt or a transaction names it. */
export interface BlockPlace {
  readonly number: JsonValue | undefined;
  readonly hash: JsonValue | undefined;
}

/**
 * Returns whether a block is not sealed yet: it has no hash, or zeros in its place, or it is above the newest sealed one.
 * Some nodes give pre-confirmed blocks a hash, and some leave all hashes out.
 *
 * @param sealed - Number of the newest sealed block, if it is known.
 */
export function isUnsealed({ number, hash }: BlockPlace, sealed: bigint | undefined): boolean {
  if (hash === null || (typeof hash === "string" && /^0x0{64}$/.test(hash))) return true;
  const own = sealed === undefined ? undefined : quantity(number);
  return own !== undefined && sealed !== undefined && own > sealed;
}

/** Returns the block that a log, a receipt or a transaction is in. */
export function placeOf({ blockNumber, blockHash }: JsonObject): BlockPlace {
  return { number: blockNumber, hash: blockHash };
}

export function weiShown(wei: bigint, raw?: string): Shown {
  const text = formatWei(wei);
  const short = roundedWei(wei);
  const exact = formatUnit(wei, "wei");
  const also = wei === 0n || exact === text ? [] : [exact];
  return { text, ...(short !== undefined && { short }), ...(raw !== undefined && { raw }), also, role: "amount" };
}

/** An address under its label, or in the letters of its checksum. */
export function addressShown(value: JsonValue, labels: Labels): Shown {
  if (!isAddress(value)) return badShown(value, "not an address");
  const label = labels.get(value.toLowerCase());
  return label === undefined
    ? { text: labels.forSearch ? value.toLowerCase() : checksummed(value), role: "address" }
    : { text: oneLine(label, 60), raw: checksummed(value), role: "name" };
}

/** A sender or a target of a call, with the name of a precompiled contract. Elsewhere, such an address is only a small number. */
export function partyShown(value: JsonValue, labels: Labels): Shown {
  const name = isAddress(value) && !labels.has(value.toLowerCase()) ? precompileName(value) : undefined;
  return name === undefined ? addressShown(value, labels) : { text: name, raw: String(value), role: "name" };
}

/** Text in which addresses are shown as they are elsewhere. */
export function withAddressesShown(text: string, labels: Labels): string {
  return text.replace(/\b0x[0-9a-fA-F]{40}\b/g, (address) => addressShown(address, labels).text);
}

/** Absent before Byzantium, where receipts have a state root in its place. */
export function statusShown(status: JsonValue | undefined): Shown {
  if (status === undefined || status === null) return { text: "" };
  if (status === "0x1") return { text: "succeeded", raw: "0x1" };
  return status === "0x0" ? { text: "failed", raw: "0x0", role: "bad" } : badShown(status, "neither 0x0 nor 0x1");
}

/** The number of a chain, and its name if known. */
export function chainShown(value: JsonValue): Shown {
  const shown = quantityShown(value, "index");
  const known = chain(quantity(value) ?? -1n);
  return known ? { ...shown, text: `${shown.text}, ${known.name}` } : shown;
}

/** Bytes without a type of their own: short ones whole, long ones by their length and both ends. */
export function bytesShown(value: JsonValue): Shown {
  if (!isHex(value)) return badShown(value, "not bytes");
  if (value === "0x") return { text: "none", raw: "0x", role: "bytes" };
  const text = utf8Text(value);
  const also = text !== undefined && isReadable(text) ? { also: [quoted(text)] } : {};
  const length = byteLength(value);
  if (length <= 32) return { text: value, ...also, role: "bytes" };
  const ends = `${plural(length, "byte")}: ${value.slice(0, 18)}…${value.slice(-8)}`;
  return { text: ends, ...rawOf(value), ...also, role: "bytes" };
}

export function hashShown(value: JsonValue): Shown {
  if (!isHex(value)) return badShown(value, "not a hash");
  if (value.length > 66) return bytesShown(value);
  return /^0x0+$/.test(value) ? { text: "zeros", raw: value, role: "hash" } : { text: value, role: "hash" };
}

export function bloomShown(value: JsonValue): Shown {
  if (!isHex(value)) return badShown(value, "not bytes");
  let bits = 0;
  for (const digit of value.slice(2))
    bits += [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4][Number.parseInt(digit, 16)] ?? 0;
  return {
    text: bits === 0 ? "empty" : `${bits} of ${grouped((value.length - 2) * 4)} bits set`,
    ...rawOf(value),
    role: "bytes",
  };
}

/** Text that was meant for people: no controls, and more than spaces. */
export function isReadable(text: string): boolean {
  return /\S/.test(text) && !/[^\P{C}\n\r\t]/u.test(text);
}

/** Text in quotes as JSON has them: nothing in it can end them. */
export function quoted(text: string, limit = 500): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return oneLine(JSON.stringify(cut), Number.POSITIVE_INFINITY);
}

/** A decoded ABI value, by its type. */
export function abiShown(value: JsonValue | undefined, type: string, labels: Labels): Shown {
  if (value === undefined || value === null)
    return { text: "missing", also: ["the data ends before this value"], role: "bad" };
  if (isArray(value) || isObject(value)) return { text: oneLine(nested(value, typeWritten(type), labels)) };
  if (type === "address") return addressShown(value, labels);
  if (typeof value === "boolean") return { text: String(value) };
  const text = String(value);
  if (/^u?int\d+$/.test(type)) return { text: grouped(text), raw: text };
  if (type.endsWith(" storage")) return { text: `slot ${text.length < 20 ? text : toQuantity(BigInt(text))}` };
  if (type === "string") return stringShown(text);
  return /^bytes\d+$/.test(type) ? fixedBytesShown(text) : bytesShown(text);
}

/** Some tokens fill their text up with zeros, as `bytes32` does. */
function stringShown(text: string): Shown {
  const filled = text.replace(/(?<!\0)\0+$/, "");
  const zeros = text.length - filled.length;
  return zeros === 0 ? { text: quoted(text) } : { text: quoted(filled), also: [`and ${plural(zeros, "zero byte")}`] };
}

/** `bytes32` often holds text, padded with zeros on the right. */
function fixedBytesShown(hex: string): Shown {
  const text = utf8Text(hex.replace(/(?:00)+$/, ""));
  return text !== undefined && text.length > 1 && isReadable(text)
    ? { text: quoted(text), raw: hex, role: "bytes" }
    : { text: hex, role: "bytes" };
}

/** Items that a list shows on a line. */
const maxItems = 20;

/** Lists and tuples on one line. Their strings are in quotes, so that no string can look like a value beside it. */
function nested(value: JsonValue, type: AbiType | undefined, labels: Labels): string {
  if (value === null) return "missing";
  if (isArray(value)) {
    const typeAt = (at: number): AbiType | undefined =>
      type?.kind === "array" ? type.of : type?.kind === "tuple" ? type.members[at]?.type : undefined;
    const items = value.slice(0, maxItems).map((item, at) => nested(item, typeAt(at), labels));
    return `[${[...items, ...(value.length > maxItems ? [`… ${value.length} items`] : [])].join(", ")}]`;
  }
  if (isObject(value)) {
    const members = type?.kind === "tuple" ? type.members : [];
    return `(${Object.entries(value)
      .map(([name, item], at) => `${name}: ${nested(item, members[at]?.type, labels)}`)
      .join(", ")})`;
  }
  switch (type?.kind) {
    case "address":
      return inlineText(addressShown(value, labels));
    case "int":
      return withMinus(String(value));
    case "bytes":
    case "uint":
    case "fixedBytes":
      return String(value);
    default:
      return typeof value === "string" ? quoted(value) : String(value);
  }
}

/** In a line of many: what is read first, and the wire form where the two differ and it is short. */
export function inlineText({ text, role, raw }: Shown): string {
  return role === "name" && raw !== undefined ? `${text} (${raw})` : text;
}

/** Characters of an amount that is not rounded: six decimals and a symbol fit. */
const maxExact = 22;

/** Formats an amount for a sentence, which is quoted without the exact form beside it: rounded only with `≈`. */
export function saidText(shown: Shown): string {
  if (shown.role !== "amount") return briefText(shown);
  const { text, short } = shown;
  return short === undefined || text.length <= maxExact ? text : `≈${short.replace(/^≈/, "")}`;
}

/** Shortens a value whose exact form is in a tooltip: rounds, drops the address of a label, keeps the ends of hex. */
export function briefText({ text, short, role }: Shown): string {
  return short ?? (role === "address" || role === "hash" ? shortHex(text) : text);
}
