import { toBytes } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { AbiArray, AbiParam, AbiScalar, AbiType } from "./type.ts";

/**
 * A value as JSON: integers of any size as decimal strings, addresses and bytes in lower case, tuples as objects where
 * all their members have names of their own, else as arrays. `undefined` where the data ended before it.
 */
export type Decoded = JsonValue | undefined;

/** Decoded data, as far as it could be read. Encoded data comes from contracts, so anything may be wrong with it. */
export interface DecodeResult {
  readonly values: readonly Decoded[];
  /** Faults in the data, a clause each; empty for data that an encoder would have written. */
  readonly faults: readonly string[];
}

/**
 * Reads encoded parameters. Never throws, and reads what there is: short data gives the values before its end, an
 * array that promises more than the data holds gives the items that are there, and one `null` for the others.
 *
 * @param data - Lower-case hex of whole bytes.
 * @param start - Where in `data` the first digit is: 2 after `0x`, 10 after a selector.
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#formal-specification-of-the-encoding
 */
export function decodeParams(params: readonly AbiParam[], data: string, start: number): DecodeResult {
  const reader = new Reader(data, start);
  const values = params.map(({ type }) => reader.next(type));
  return { values, faults: reader.finish() };
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Text of UTF-8 bytes; `undefined` where they are none. */
export function utf8Text(hex: string): string | undefined {
  try {
    return strictUtf8.decode(toBytes(hex));
  } catch {
    return undefined;
  }
}

/** The end of the fault of data that goes on after the last value. */
export const surplus = "more than the arguments take";

/** Reads parameter after parameter. Positions count hex digits; offsets in the data count from a `base`. */
export class Reader {
  readonly #data: string;
  readonly #start: number;
  readonly #faults: string[] = [];
  /** No encoder writes more values than this, but offsets that point at each other or items of no size would. */
  #budget: number;
  #head: number;
  /** The furthest digit that belongs to a value. */
  #end: number;

  constructor(data: string, start: number) {
    this.#data = data;
    this.#start = start;
    this.#head = start;
    this.#end = start;
    this.#budget = 1024 + data.length / 16;
  }

  next(type: AbiType): Decoded {
    const value = this.#at(type, this.#head, this.#start);
    this.#head += type.words * 64;
    return value;
  }

  /** Reads a value that is one word outside the data, as topics are. */
  word(type: AbiType, word: string): Decoded {
    return this.#value(type as AbiScalar, word); // of all that is not a single word, only the hash is there
  }

  /** Faults so far, and the data beyond the last value. */
  finish(): readonly string[] {
    const end = Math.max(this.#head, this.#end);
    const rest = this.#data.length - end;
    // an encoder pads to whole words; some contracts leave the padding out
    const padding = (64 - ((end - this.#start) % 64)) % 64;
    if (rest > padding) this.fault(`${plural(Math.ceil((rest - padding) / 2), "byte")} ${surplus}`);
    return this.#faults;
  }

  fault(what: string): undefined {
    if (!this.#faults.includes(what)) this.#faults.push(what);
  }

  #at(type: AbiType, position: number, base: number): Decoded {
    const inPlace = !type.dynamic && type.words > 0 && (type.kind === "array" || type.kind === "tuple");
    // what is in place only holds values that are counted themselves
    if (!inPlace && --this.#budget < 0) return this.fault("the data describes more values than it can hold");
    if (type.dynamic) {
      const offset = this.#length(position, "offset");
      return offset === undefined ? undefined : this.#tail(type, base + offset * 2);
    }
    return type.kind === "array" || type.kind === "tuple" ? this.#tail(type, position) : this.#scalar(type, position);
  }

  #tail(type: AbiType, position: number): Decoded {
    switch (type.kind) {
      case "bytes":
      case "string":
        return this.#bytes(type.kind, position);
      case "array":
        return this.#array(type, position);
      case "tuple":
        return this.#tuple(type.members, position);
      default:
        return this.#scalar(type, position);
    }
  }

  #bytes(kind: "bytes" | "string", position: number): Decoded {
    const length = this.#length(position, "length");
    if (length === undefined) return undefined;
    const start = position + 64;
    const digits = this.#data.slice(start, start + length * 2);
    if (digits.length < length * 2) this.fault(`the data ends ${length - digits.length / 2} bytes early`);
    this.#end = Math.max(this.#end, start + digits.length);
    this.#budget -= digits.length / 64;
    if (kind === "bytes") return `0x${digits}`;
    const text = utf8Text(`0x${digits}`);
    if (text === undefined) this.fault("a string is not UTF-8");
    return text ?? utf8.decode(toBytes(`0x${digits}`));
  }

  #array({ of, length }: AbiArray, position: number): Decoded {
    const count = length ?? this.#length(position, "length");
    if (count === undefined) return undefined;
    const base = length === undefined ? position + 64 : position;
    const items: JsonValue[] = [];
    for (let i = 0; i < count; i++) {
      if (of.words > 0 && base + i * of.words * 64 >= this.#data.length) {
        this.fault(`an array of ${count} ends after ${i}`);
        break;
      }
      const item = this.#at(of, base + i * of.words * 64, base);
      if (item === undefined && (this.#budget < 0 || !of.dynamic)) break; // nothing behind it can be read either
      items.push(item ?? null); // the fault says why
    }
    if (items.length < count) items.push(null); // what ended early must not look whole
    return items;
  }

  #tuple(members: readonly AbiParam[], base: number): Decoded {
    const values: Decoded[] = [];
    let position = base;
    for (const { type } of members) {
      values.push(this.#at(type, position, base));
      position += type.words * 64;
    }
    return byName(members, values);
  }

  #scalar(type: AbiType, position: number): Decoded {
    const word = this.#word(position);
    return word === undefined ? undefined : this.#value(type as AbiScalar, word); // the others went to their own readers
  }

  #value(type: AbiScalar, word: string): Decoded {
    const unused = 64 - type.size * 2;
    switch (type.kind) {
      case "address":
        if (!word.startsWith(zeros[24] ?? "")) this.fault("an address has bits set beyond its 20 bytes");
        return `0x${word.slice(24)}`;
      case "uint":
        if (!word.startsWith(zeros[unused] ?? "")) this.fault(`a value is too big for ${type.text}`);
        return unsigned(word);
      case "int":
        return this.#signed(type, word);
      case "bool":
        if (word !== one && word !== zeros[64]) {
          this.fault("a bool is neither 0 nor 1");
          return `0x${word}`;
        }
        return word === one;
      case "fixedBytes":
        if (!word.endsWith(zeros[unused] ?? "")) this.fault(`${type.text} is followed by other bytes`);
        return `0x${word.slice(0, type.size * 2)}`;
    }
  }

  #signed(type: AbiScalar, word: string): string {
    const value = BigInt.asIntN(256, BigInt(`0x${word}`));
    if (BigInt.asIntN(type.size * 8, value) !== value) this.fault(`a value is too big for ${type.text}`);
    return value.toString();
  }

  #word(position: number): string | undefined {
    const word = this.#data.slice(position, position + 64);
    if (word.length < 64) return this.fault("the data ends before the last argument");
    if (this.#end < position + 64) this.#end = position + 64;
    return word;
  }

  /** An offset or a length, in bytes. */
  #length(position: number, what: string): number | undefined {
    const word = this.#word(position);
    if (word === undefined) return undefined;
    // more than four bytes never fit: no answer is that long
    return word.startsWith(zeros[56] ?? "")
      ? Number.parseInt(word.slice(56), 16)
      : this.fault(`the ${what} of a value is impossible`);
  }
}

const zeros: readonly string[] = Array.from({ length: 65 }, (_, count) => "0".repeat(count));
const one = "1".padStart(64, "0");

export function unsigned(word: string): string {
  return BigInt(`0x${word}`).toString();
}

/** Values by the names of their parameters; by position where names are missing or equal. A missing value is `null`. */
function byName(params: readonly AbiParam[], values: readonly Decoded[]): JsonValue {
  const names = new Set(params.map(({ name }) => name));
  if (params.length === 0 || names.size < params.length || names.has("")) return values.map((value) => value ?? null);
  return Object.fromEntries(params.map(({ name }, i) => [name, values[i] ?? null]));
}
