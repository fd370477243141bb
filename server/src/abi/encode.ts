import { keccak256 } from "viem/utils";
import type { Hex } from "../base/hex.ts";
import { isAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { amountInWei } from "../base/units.ts";
import { type AbiArray, type AbiParam, type AbiScalar, type AbiType, hashedWhenIndexed } from "./type.ts";

/** A fault in a value and its path: members' names and items' indexes, from 0, from the outside inwards. */
export interface EncodingFault {
  readonly path: readonly (string | number)[];
  /** The expected value, a clause without a full stop. */
  readonly what: string;
}

export type Encoded =
  | { readonly kind: "encoded"; readonly hex: Hex }
  /** Nothing is wrong with it, but parts of it are not known yet. */
  | { readonly kind: "open" }
  | { readonly kind: "faults"; readonly faults: readonly EncodingFault[] };

/** Whether a string is a placeholder for a value that is not known yet. */
export type IsOpen = (text: string) => boolean;

/**
 * Encodes arguments as people write them. Never throws.
 *
 * Integers are numbers of any size, decimal or `0x` strings, and for `uint` also amounts such as `"1.5 ether"`.
 * Addresses need no checksum. Bytes are `0x` strings; lists are arrays; tuples are arrays or objects by name.
 *
 * @param args - An array in order, or an object by the parameters' names.
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#formal-specification-of-the-encoding
 * @example encodeParams(parseItem("f(bool)", "").inputs, [true]); //=> { kind: "encoded", hex: "0x00…01" }
 */
export function encodeParams(params: readonly AbiParam[], args: JsonValue, isOpen: IsOpen): Encoded {
  const encoder = new Encoder(isOpen);
  return encoder.end(encoder.members(params, args, []));
}

/**
 * Encodes one value as a topic: a word, or the hash of what does not fit into one.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#encoding-of-indexed-event-parameters
 */
export function encodeTopic(type: AbiType, value: JsonValue, isOpen: IsOpen): Encoded {
  const encoded = encodePacked(type, value, isOpen);
  if (encoded.kind !== "encoded" || !hashedWhenIndexed(type)) return encoded;
  return { kind: "encoded", hex: keccak256(encoded.hex) };
}

/** Encodes a value as it is hashed, for a topic or for the key of a mapping: a word, or bytes without offsets and lengths. */
export function encodePacked(type: AbiType, value: JsonValue, isOpen: IsOpen): Encoded {
  const encoder = new Encoder(isOpen);
  return encoder.end(encoder.packed(type, value, []));
}

type Path = EncodingFault["path"];

/** Writes values one by one, as hex digits without `0x`. Use its output only if there are no faults. */
class Encoder {
  readonly #isOpen: IsOpen;
  readonly #faults: EncodingFault[] = [];
  #open = false;

  constructor(isOpen: IsOpen) {
    this.#isOpen = isOpen;
  }

  end(digits: string): Encoded {
    if (this.#faults.length > 0) return { kind: "faults", faults: this.#faults };
    return this.#open ? { kind: "open" } : { kind: "encoded", hex: `0x${digits}` };
  }

  /** A static value is its words, a dynamic one what is behind its offset. */
  value(type: AbiType, value: JsonValue, path: Path): string {
    if (this.#waits(value)) return "";
    switch (type.kind) {
      case "bytes":
      case "string": {
        const digits = this.#bytes(type.kind, value, path);
        return word(BigInt(digits.length / 2)) + padded(digits);
      }
      case "array":
        return this.#array(type, value, path);
      case "tuple":
        return this.members(type.members, value, path);
      default:
        return this.#scalar(type, value, path);
    }
  }

  members(params: readonly AbiParam[], value: JsonValue, path: Path): string {
    if (this.#waits(value)) return "";
    const values = isArray(value) ? this.#inOrder(params, value, path) : this.#byName(params, value, path);
    return sequence(
      values.map(({ param, value, step }) => [param.type, this.value(param.type, value, [...path, step])]),
    );
  }

  /**
   * Encodes a value for hashing as a topic: parts one after the other, each padded to whole words, without offsets and
   * lengths.
   */
  packed(type: AbiType, value: JsonValue, path: Path, inner = false): string {
    if (this.#waits(value)) return "";
    if (type.kind === "bytes" || type.kind === "string") {
      const digits = this.#bytes(type.kind, value, path);
      return inner ? padded(digits) : digits;
    }
    if (type.kind === "array") {
      const items = this.#items(type, value, path);
      return items.map((item, at) => this.packed(type.of, item, [...path, at], true)).join("");
    }
    if (type.kind !== "tuple") return this.#scalar(type, value, path);
    const { members } = type;
    const values = isArray(value) ? this.#inOrder(members, value, path) : this.#byName(members, value, path);
    return values.map(({ param, value, step }) => this.packed(param.type, value, [...path, step], true)).join("");
  }

  #waits(value: JsonValue): boolean {
    if (typeof value !== "string" || !this.#isOpen(value)) return false;
    this.#open = true;
    return true;
  }

  #fault(path: Path, what: string): "" {
    this.#faults.push({ path, what });
    return "";
  }

  #inOrder(params: readonly AbiParam[], values: readonly JsonValue[], path: Path): readonly Member[] {
    if (values.length !== params.length) {
      this.#fault(path, `expected ${plural(params.length, "value")}, not ${values.length}`);
      return [];
    }
    return params.flatMap((param, at) => ({ param, value: values[at] ?? null, step: at }));
  }

  #byName(params: readonly AbiParam[], value: JsonValue, path: Path): readonly Member[] {
    if (!isObject(value)) {
      this.#fault(path, "expected a list of values");
      return [];
    }
    const names = new Set(params.map(({ name }) => name));
    if (names.size < params.length || names.has("")) {
      this.#fault(path, "not every part has a name, so write a list");
      return [];
    }
    for (const key of Object.keys(value)) {
      if (!names.has(key)) this.#fault([...path, key], `unknown part: expected ${[...names].join(", ") || "none"}`);
    }
    return params.flatMap((param): readonly Member[] => {
      const { name } = param;
      const found = Object.hasOwn(value, name) ? value[name] : undefined;
      if (found !== undefined) return [{ param, value: found, step: name }];
      this.#fault(path, `\`${name}\` is missing`);
      return [];
    });
  }

  #array(type: AbiArray, value: JsonValue, path: Path): string {
    const items = this.#items(type, value, path);
    const body = sequence(items.map((item, at) => [type.of, this.value(type.of, item, [...path, at])]));
    return type.length === undefined ? word(BigInt(items.length)) + body : body;
  }

  #items({ length, text }: AbiArray, value: JsonValue, path: Path): readonly JsonValue[] {
    if (!isArray(value)) this.#fault(path, `expected a list (${text})`);
    else if (length !== undefined && value.length !== length)
      this.#fault(path, `expected ${plural(length, "item")} (${text}), not ${value.length}`);
    else return value;
    return [];
  }

  #bytes(kind: "bytes" | "string", value: JsonValue, path: Path): string {
    if (typeof value !== "string") return this.#fault(path, kind === "string" ? "expected a string" : expectedBytes);
    if (kind === "string") return hexDigits(new TextEncoder().encode(value));
    return /^0x(?:[0-9a-fA-F]{2})*$/.test(value) ? value.slice(2).toLowerCase() : this.#fault(path, expectedBytes);
  }

  #scalar(type: AbiType, value: JsonValue, path: Path): string {
    switch (type.kind) {
      case "bool":
        return typeof value === "boolean" ? word(value ? 1n : 0n) : this.#fault(path, "expected `true` or `false`");
      case "address":
        if (isAddress(value)) return value.slice(2).toLowerCase().padStart(64, "0");
        return this.#fault(path, "expected an address: `0x` and 40 hexadecimal digits");
      case "fixedBytes": {
        const digits = type.size * 2;
        const fits = typeof value === "string" && new RegExp(`^0x[0-9a-fA-F]{${digits}}$`).test(value);
        if (fits) return padded(value.slice(2).toLowerCase());
        return this.#fault(path, `expected ${type.text}: \`0x\` and ${digits} hexadecimal digits`);
      }
      case "uint":
      case "int":
        return this.#integer(type, value, path);
      case "bytes":
      case "string":
      case "array":
      case "tuple":
        return ""; // they have their own writers
    }
  }

  #integer(type: AbiScalar, value: JsonValue, path: Path): string {
    const number = wholeNumber(value) ?? (type.kind === "uint" ? amount(value) : undefined);
    if (typeof number === "string") return this.#fault(path, number);
    if (number === undefined) return this.#fault(path, `expected ${type.text}: a whole number, or a string of one`);
    return this.#fitting(type, number, path);
  }

  #fitting({ kind, size, text }: AbiScalar, number: bigint, path: Path): string {
    const kept = kind === "uint" ? BigInt.asUintN(size * 8, number) : BigInt.asIntN(size * 8, number);
    return kept === number ? word(number) : this.#fault(path, `it does not fit into ${text}`);
  }
}

interface Member {
  readonly param: AbiParam;
  readonly value: JsonValue;
  readonly step: string | number;
}

const expectedBytes = "expected bytes: `0x` and two hexadecimal digits for each";

/** Values in a row: static ones in place, dynamic ones behind all of them, with their offsets in place. */
function sequence(values: readonly (readonly [AbiType, string])[]): string {
  let offset = values.reduce((sum, [type]) => sum + type.words * 32, 0);
  const tails: string[] = [];
  const heads = values.map(([type, digits]) => {
    if (!type.dynamic) return digits;
    const at = offset;
    offset += digits.length / 2;
    tails.push(digits);
    return word(BigInt(at));
  });
  return [...heads, ...tails].join("");
}

/** Longer numbers fit no type, and reading them takes long. */
const longestNumber = 100;

/**
 * Reads a whole number of any size, from JSON or from a decimal or `0x` string.
 *
 * @returns `undefined` for what is none, and for numbers that JSON has rounded.
 */
export function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > longestNumber) return undefined;
  if (/^-\d+$/.test(value)) return -BigInt(value.slice(1));
  return /^(?:\d+|0x[0-9a-fA-F]+)$/.test(value) ? BigInt(value) : undefined;
}

/** An amount with its unit, or what is wrong with it. */
function amount(value: JsonValue): bigint | string | undefined {
  const found = typeof value === "string" && /[A-Za-z]$/.test(value) ? amountInWei(value) : undefined;
  if (found === undefined || typeof found === "bigint") return found;
  return found === "unit" ? undefined : found === "negative" ? "it is below zero" : "it has more digits than a wei";
}

function word(value: bigint): string {
  return BigInt.asUintN(256, value).toString(16).padStart(64, "0");
}

/** Zeros behind, up to whole words. */
function padded(digits: string): string {
  return digits.padEnd(Math.ceil(digits.length / 64) * 64, "0");
}

function hexDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
