import { type Hex, isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { brief, nearest } from "../base/text.ts";
import { checksummed } from "./address.ts";
import { type Encoded, encodePacked, type IsOpen } from "./encode.ts";
import type { StorageType } from "./storageLayout.ts";
import type { KeyStep } from "./storagePath.ts";
import { type AbiType, elementary } from "./type.ts";

/** Names that may be written for keys of mappings. */
export interface Keys {
  /** Values of the notebook's variables. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Names of addresses, by the address in lower case. */
  readonly labels: ReadonlyMap<string, string>;
  /** Words of the contract's logs, which may be keys too. */
  readonly logged?: readonly string[];
}

export const noKeys: Keys = { variables: new Map(), labels: new Map() };

/** A named value that a mapping may have as a key. */
interface KnownKey {
  readonly name: string;
  readonly value: JsonValue;
}

/** Every named value, each once; addresses come first. */
const knownKeys = memoByObject(({ variables, labels }: Keys): readonly KnownKey[] => {
  const found = new Map<string, KnownKey>();
  for (const [address, name] of labels) found.set(address, { name: isName(name) ? name : address, value: address });
  for (const [name, value] of variables) {
    const key = String(value).toLowerCase();
    if (isAddress(value) && (!found.has(key) || found.get(key)?.name === key)) found.set(key, { name, value });
  }
  for (const [name, value] of variables)
    if (isName(name) && !isAddress(value) && !isObject(value) && !isArray(value))
      found.set(`variable ${name}`, { name, value });
  return [...found.values()];
});

/** Whether a name can be written between brackets without quotes. */
function isName(name: string): boolean {
  return /^[A-Za-z_$][^[\]"'{}\\]{0,60}$/.test(name);
}

/** Encodes the key of a mapping as it is hashed. */
export function keyHex(type: StorageType, { text, quoted }: KeyStep, keys: Keys, isOpen: IsOpen): Encoded {
  if (isOpen(text)) return { kind: "open" };
  const abi = keyType(type);
  if (!abi) return wrong(`keys of type \`${type.label}\` cannot be written`);
  const value = quoted ? text : namedValue(abi, text, keys);
  if (value === undefined) return wrong(`several addresses are called \`${text}\`: write the address`);
  if (abi.kind === "string" && !quoted && value === text && !keys.variables.has(text))
    return wrong("expected text in quotes, as in `['x']`, or a variable that holds it");
  const encoded = encodeKey(type, value);
  if (encoded.kind !== "faults") return encoded;
  const what = encoded.faults[0]?.what ?? "";
  const isNamed = abi.kind === "address" && !quoted && !isHex(text);
  return wrong(isNamed ? unknownName(text, keys) : withHint(what, type));
}

function unknownName(text: string, keys: Keys): string {
  const names = knownKeys(keys).flatMap(({ name }) => (isAddress(name) ? [] : name));
  const near = nearest(text.slice(0, 100), names, 1)[0];
  const similar = near === undefined ? "" : `: a similar name is \`${brief(near, 60)}\``;
  return `\`${brief(text, 60)}\` is not an address, a label or a variable${similar}`;
}

/** A key of a mapping, as it may be written and as it is hashed. */
export interface EncodedKey {
  readonly name: string;
  readonly hex: Hex;
}

/** Returns the named values that are keys of a type, then those of logs. */
export function namedKeys(type: StorageType, keys: Keys): readonly EncodedKey[] {
  const named = valuesNamed(type, keys);
  const known = new Set(named.map(({ hex }) => hex));
  const logged = (keys.logged ?? []).flatMap((word) => loggedKey(type, word) ?? []);
  return [...named, ...logged.filter(({ hex }) => !known.has(hex))];
}

/** A word that has the form of an address, of a count or of a hash is a key where the mapping has such keys. */
function loggedKey(type: StorageType, word: string): EncodedKey | undefined {
  const abi = keyType(type);
  const number = BigInt(word);
  switch (abi?.kind) {
    case "address": {
      const isOne = number >> 160n === 0n && number >> 96n > 0n; // a smaller number is rather an amount
      return isOne ? encodedKey(type, checksummed(`0x${word.slice(26)}`)) : undefined;
    }
    case "uint":
      return number >> 64n === 0n ? encodedKey(type, String(number)) : undefined;
    case "fixedBytes":
      return abi.size === 32 && number >> 160n > 0n ? encodedKey(type, word) : undefined;
    default:
      return undefined;
  }
}

function encodedKey(type: StorageType, name: string): EncodedKey | undefined {
  const encoded = encodeKey(type, name);
  return encoded.kind === "encoded" ? { name, hex: encoded.hex } : undefined;
}

function valuesNamed(type: StorageType, keys: Keys): readonly EncodedKey[] {
  return knownKeys(keys).flatMap(({ name, value }): readonly EncodedKey[] => {
    if (type.kind === "string" && isAddress(value)) return []; // text is rarely an address, and names of those are many
    const encoded = encodeKey(type, value);
    return encoded.kind === "encoded" ? [{ name, hex: encoded.hex }] : [];
  });
}

/** Encodes a value as the key of a mapping. */
function encodeKey(type: StorageType, value: JsonValue): Encoded {
  const abi = keyType(type);
  if (!abi) return wrong(`keys of type \`${type.label}\` cannot be written`);
  if (isUnclear(type) && isHex(value)) return wrong(`expected a number: the key has the type \`${type.label}\``);
  return encodePacked(abi, value, () => false);
}

/** Whether it depends on the type, of which only the size is known, on which side of its word a key is filled. */
function isUnclear(type: StorageType): boolean {
  return type.kind === "value" && type.guess && type.bytes < 32;
}

function keyType(type: StorageType): AbiType | undefined {
  if (type.kind === "value") return isUnclear(type) ? elementary(`uint${type.bytes * 8}`) : type.abi;
  return type.kind === "bytes" || type.kind === "string" ? elementary(type.kind) : undefined;
}

function withHint(what: string, { label }: StorageType): string {
  return label.startsWith("enum ") ? `${what}: the layout has no names for the members of \`${label}\`` : what;
}

function wrong(what: string): Encoded {
  return { kind: "faults", faults: [{ path: [], what }] };
}

/** @returns `undefined` if the name is of several addresses. */
function namedValue(abi: AbiType, text: string, { variables, labels }: Keys): JsonValue | undefined {
  const variable = variables.get(text);
  if (variable !== undefined && !isObject(variable) && !isArray(variable)) return variable;
  if (abi.kind === "address") {
    const addresses = [...labels].filter(([, name]) => name === text).map(([address]) => address);
    return addresses.length > 1 ? undefined : (addresses[0] ?? text);
  }
  return abi.kind === "bool" && (text === "true" || text === "false") ? text === "true" : text;
}
