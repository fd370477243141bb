/**
 * An ABI type, taken apart once so that decoding never looks at text.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#types
 */
export type AbiType = AbiScalar | AbiBytes | AbiArray | AbiTuple;

interface Sized {
  /** Canonical: `uint256`, `(address,bytes)[2]`. */
  readonly text: string;
  /** Words in the head: those of the type if it is static; one word, the offset, if it is dynamic. */
  readonly words: number;
  readonly dynamic: boolean;
}

export interface AbiScalar extends Sized {
  readonly kind: "uint" | "int" | "address" | "bool" | "fixedBytes";
  /** Bytes that count: `uint8` has 1. */
  readonly size: number;
}

interface AbiBytes extends Sized {
  readonly kind: "bytes" | "string";
}

export interface AbiArray extends Sized {
  readonly kind: "array";
  readonly of: AbiType;
  readonly length: number | undefined;
}

export interface AbiTuple extends Sized {
  readonly kind: "tuple";
  readonly members: readonly AbiParam[];
}

/** A parameter of an event, an error or a function, or a member of a tuple. */
export interface AbiParam {
  /** `""` if it has none. */
  readonly name: string;
  readonly type: AbiType;
  readonly indexed: boolean;
}

/**
 * Reads an elementary type.
 *
 * @returns `undefined` for names of structs, enums and contracts, for sizes that do not exist, and for `fixed`, which no compiler
 *   deploys.
 */
export function elementary(name: string): AbiType | undefined {
  if (name === "address") return scalar("address", name, 20);
  if (name === "bool") return scalar("bool", name, 1);
  if (name === "function") return scalar("fixedBytes", name, 24); // address and selector, left aligned
  if (name === "bytes" || name === "string") return { kind: name, text: name, words: 1, dynamic: true };
  const [, base, digits] = /^(uint|int|bytes)([1-9]\d{0,2})?$/.exec(name) ?? [];
  if (base === "bytes") {
    const size = Number(digits);
    return size <= 32 ? scalar("fixedBytes", name, size) : undefined;
  }
  const bits = Number(digits ?? 256);
  if ((base !== "uint" && base !== "int") || bits % 8 !== 0 || bits > 256) return undefined;
  return scalar(base, `${base}${bits}`, bits / 8);
}

function scalar(kind: AbiScalar["kind"], text: string, size: number): AbiScalar {
  return { kind, text, size, words: 1, dynamic: false };
}

/** @param length - `undefined` for `T[]`. */
export function arrayOf(of: AbiType, length: number | undefined): AbiArray {
  const dynamic = length === undefined || of.dynamic;
  const text = `${of.text}[${length ?? ""}]`;
  return { kind: "array", of, length, text, dynamic, words: dynamic ? 1 : of.words * length };
}

export function tupleOf(members: readonly AbiParam[]): AbiTuple {
  const dynamic = members.some(({ type }) => type.dynamic);
  const words = dynamic ? 1 : members.reduce((sum, { type }) => sum + type.words, 0);
  return { kind: "tuple", members, text: `(${members.map(({ type }) => type.text).join(",")})`, dynamic, words };
}

/** Whether a topic holds only the hash of such a value: everything that is not a single word. */
export function hashedWhenIndexed(type: AbiType): boolean {
  return type.dynamic || type.kind === "array" || type.kind === "tuple";
}
