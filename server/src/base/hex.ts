/** A `0x` string. What it holds (bytes, a quantity) is the type table's to say. */
export type Hex = `0x${string}`;

export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

export function isHex(text: unknown): text is Hex {
  return typeof text === "string" && /^0x[0-9a-fA-F]*$/.test(text);
}

export function isAddress(text: unknown): text is Hex {
  return typeof text === "string" && /^0x[0-9a-fA-F]{40}$/.test(text);
}

/**
 * Whether a name could pass for an address, whole or shortened: it is never shown in place of one. Letters that look like
 * digits count as those, unless they are a short word: `0xDAO`.
 */
export function passesForAddress(name: string): boolean {
  const text = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/./gu, (sign) => latin.get(sign) ?? sign);
  return passing.test(text);
}

/** `0x` and hex that ends there, or that is shortened or long, with letters for digits. */
const passing =
  /(?<![\p{L}\p{N}])[0Oo][xX](?:[\da-fA-F]{2,}(?![\p{L}\p{N}])|[\da-fA-FOolI]{2,}\s*(?:\.\.|⋯|·)|[\da-fA-FOolI]{6})/u;

/** Letters of other alphabets that look like those of hex. */
const latin: ReadonlyMap<string, string> = new Map(
  [..."аАΑвВΒсСеЕΕоОοΟхХχΧ×"].map((sign, at) => [sign, [..."aAAbBBcCeEEoOoOxXxXx"][at] ?? sign]),
);

/** Whether a text is 32 bytes: a hash, a topic, a slot, a storage word. */
export function isWord(text: unknown): text is Hex {
  return typeof text === "string" && /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** Characters of a quantity. Those of the chain have at most 66; longer ones would take long to write as decimals. */
const maxQuantity = 1000;
const maxNumber = 16n ** BigInt(maxQuantity);

/**
 * Reads a quantity as nodes write it. Leading zeros pass, since some nodes send them.
 *
 * @returns `undefined` for what is not a number: `"0x"`, decimals with a fraction, other types, endless digits.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/base-types.yaml (uint)
 * @example quantity("0x10"); //=> 16n
 */
export function quantity(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return -maxNumber < value && value < maxNumber ? value : undefined;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && isQuantityText(value) ? BigInt(value) : undefined;
}

/** Whether {@link quantity} reads a value. */
export function isQuantity(value: unknown): boolean {
  return typeof value === "string" ? isQuantityText(value) : quantity(value) !== undefined;
}

function isQuantityText(text: string): boolean {
  return text.length <= maxQuantity && /^0x[0-9a-fA-F]+$/.test(text);
}

/** Reads a quantity of at most 16 hex digits. */
export function shortQuantity(value: unknown): bigint | undefined {
  return typeof value === "string" && value.length > 18 ? undefined : quantity(value);
}

/** Bytes in a `0x` string; half a byte counts as one. */
export function byteLength(hex: string): number {
  return Math.ceil((hex.length - 2) / 2);
}

export function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Returns a number as a word of 32 bytes: `0x` and 64 digits. Below zero and above 256 bits it is not one. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

export function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digit(hex, 2 + i * 2) << 4) | digit(hex, 3 + i * 2);
  return bytes;
}

/**
 * Returns bytes as a `0x` string: in one piece, since a string that is added up takes thirty times the memory.
 *
 * @example fromBytes(new Uint8Array([0, 255])); //=> "0x00ff"
 */
export function fromBytes(bytes: Uint8Array): Hex {
  const codes = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    codes[2 * i] = digits.charCodeAt(byte >> 4);
    codes[2 * i + 1] = digits.charCodeAt(byte & 15);
  }
  return `0x${ascii.decode(codes)}`;
}

const digits = "0123456789abcdef";
const ascii = new TextDecoder();

function digit(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87; // 57 is "9"; 32 tells upper from lower case
}

/** Whether an address, in any case, is that of a contract which is part of the EVM: 0x01 to 0x11, and 0x100. */
export function isPrecompile(address: string): boolean {
  return /^0x0{37}(?:0(?:0[1-9a-f]|1[01])|100)$/i.test(address);
}

/** A value in one form of several that mean the same: addresses in small letters, and numbers, which are short, without leading zeros. */
export function comparableHex(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const number = value.length < 40 ? quantity(value) : undefined;
  return number === undefined ? value.toLowerCase() : toQuantity(number);
}
