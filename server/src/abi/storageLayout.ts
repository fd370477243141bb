import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { type CompiledContract, compiledContracts, contractOf } from "./artifact.ts";
import { type DeployedCode, deployedCode } from "./deployedCode.ts";
import { itemFromJson, libraryFunctions, selectorOf } from "./item.ts";
import { membersInText } from "./membersInText.ts";
import {
  type AbiType,
  elementary,
  type ValueTypes,
  valueTypesByTree,
  valueTypesInAbi,
  valueTypesInText,
} from "./type.ts";

/** The places of a contract's variables in storage, by its compiler. */
export interface StorageLayout {
  /** `Vault`. */
  readonly contract: string;
  /** `src/Vault.sol:Vault`; `undefined` if no variable says it. */
  readonly qualified: string | undefined;
  /** The file that it was read from. */
  readonly source: string;
  /** Of the functions of the contract; absent if its ABI is not beside the layout. */
  readonly selectors?: ReadonlySet<string>;
  /** It has no other functions than these, and no fallback. */
  readonly isClosed?: boolean;
  readonly code?: DeployedCode | undefined;
  /** The contract that the file is about, in lower case; absent if it names none. */
  readonly address?: string;
  /** A lookup host said so earlier, and no file of the project does. */
  readonly isRemembered?: boolean;
  /** In the order of inheritance, the most basic contract's first. */
  readonly variables: readonly StorageVariable[];
  /** Names of variables in transient storage. */
  readonly transient: readonly string[];
  /** By the compiler's name for them: `t_uint256`. Structs may contain themselves, by way of mappings and lists. */
  readonly types: ReadonlyMap<string, StorageType>;
}

/** A variable of a contract, or a member of a struct. */
export interface StorageVariable {
  readonly name: string;
  /** From the start of the struct, for its members. */
  readonly slot: bigint;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
  /** Key in `types`. */
  readonly type: string;
}

export type StorageType =
  | StoredValue
  | { readonly kind: "bytes" | "string"; readonly label: string; readonly slots: bigint }
  | StoredMapping
  | StoredArray
  | {
      readonly kind: "struct";
      readonly label: string;
      readonly slots: bigint;
      readonly members: readonly StorageVariable[];
    };

/** A value in one slot, which others may share. */
export interface StoredValue {
  readonly kind: "value";
  /** As in the source: `enum Vault.State`; with a mark if only the size is known. */
  readonly label: string;
  readonly slots: bigint;
  readonly bytes: number;
  /** Bytes if only the size is known. */
  readonly abi: AbiType;
  /** Nothing says which type it has: only its size is known. */
  readonly guess: boolean;
}

export interface StoredMapping {
  readonly kind: "mapping";
  readonly label: string;
  readonly slots: bigint;
  /** Keys in `types`. */
  readonly key: string;
  readonly value: string;
}

export interface StoredArray {
  readonly kind: "array";
  readonly label: string;
  readonly slots: bigint;
  readonly item: string;
  /** `undefined` if it can grow. */
  readonly length: bigint | undefined;
}

/** Limits of one layout; the largest contracts that are known have some hundred variables. */
const most = { variables: 5_000, types: 20_000, members: 2_000, label: 200, layouts: 5_000 };

/**
 * Reads the storage layouts in a JSON file: an artifact of Foundry, the output of solc with all of its contracts, the
 * build information of Hardhat, or a layout alone, as `forge inspect` prints it. Members that make no sense are left out.
 *
 * @param source - The name by which people know the file.
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#json-output
 */
export function storageLayouts(json: JsonValue, source: string): readonly StorageLayout[] {
  if (!isObject(json)) return [];
  const declared = valueTypesByTree(json);
  return compiledContracts(json).flatMap((one) => layoutOf(one, source, declared) ?? []);
}

/**
 * Finds the storage layouts in the text of a large JSON file without reading the rest of it. Its contracts are named by
 * their variables, so one without variables is left out.
 */
export function layoutsInText(text: string, source: string): readonly StorageLayout[] {
  const found: StorageLayout[] = [];
  const declared = valueTypesInText(text);
  for (const storageLayout of membersInText(text, "storageLayout")) {
    if (found.length >= most.layouts) break;
    const layout = layoutOf({ name: undefined, json: { storageLayout } }, source, declared);
    if (layout?.qualified !== undefined) found.push(layout);
  }
  return found;
}

/** The type of a variable. A name without a type is one word of which nothing is known. */
export function storedType({ types }: { readonly types: StorageLayout["types"] }, name: string): StorageType {
  return types.get(name) ?? unknownType;
}

const anyWord: AbiType = { kind: "fixedBytes", text: "bytes32", size: 32, words: 1, dynamic: false };
const unknownType: StoredValue = { kind: "value", label: "unknown", slots: 1n, bytes: 32, abi: anyWord, guess: true };

function layoutOf(contract: CompiledContract, source: string, declared: ValueTypes): StorageLayout | undefined {
  const { json } = contract;
  const layout = json.storageLayout ?? json["storage-layout"] ?? (isArray(json.storage) ? json : undefined);
  const transient = json.transientStorageLayout ?? json["transient-storage-layout"];
  return isObject(layout) ? layoutFrom(layout, transient, contract, source, declared) : undefined;
}

function layoutFrom(
  layout: JsonObject,
  transient: JsonValue | undefined,
  { name, json }: CompiledContract,
  source: string,
  declared: ValueTypes,
): StorageLayout | undefined {
  if (!isArray(layout.storage)) return undefined;
  const used = valueTypesInAbi(json.abi);
  const { address } = contractOf(json);
  const types = new Map<string, StorageType>();
  for (const [key, value] of Object.entries(isObject(layout.types) ? layout.types : {}).slice(0, most.types)) {
    const id = /^t_userDefinedValueType\(.*\)(\d+)$/.exec(key)?.[1] ?? "";
    const own = isObject(value) ? (declared.get(id) ?? used.get(String(value.label))) : undefined;
    const type = isObject(value) ? typeFrom(value, own) : undefined;
    if (type) types.set(key, type);
  }
  for (const [key, type] of types)
    if (type.kind === "struct") types.set(key, { ...type, members: inTheirWords(type.members, types) });
  const [first] = layout.storage;
  const qualified = isObject(first) && typeof first.contract === "string" ? text(first.contract) : undefined;
  return {
    contract: text(name ?? qualified?.split(":").at(-1) ?? fileName(source)),
    qualified,
    source,
    ...(address !== undefined && { address }),
    ...(isArray(json.abi) && { ...functionsIn(json.abi, json, source), code: deployedCode(json) }),
    variables: inTheirWords(variablesFrom(layout.storage, most.variables), types),
    transient: isObject(transient) ? variablesFrom(transient.storage, most.variables).map(({ name }) => name) : [],
    types,
  };
}

function functionsIn(
  abi: readonly JsonValue[],
  contract: JsonObject,
  source: string,
): Required<Pick<StorageLayout, "selectors" | "isClosed">> {
  const entries = abi.filter(isObject);
  const kinds = entries.map(({ type = "function" }) => type);
  const items = entries.flatMap((entry) => itemFromJson(entry, source) ?? []);
  const functions = [...items.filter(({ kind }) => kind === "function"), ...libraryFunctions(contract, source)];
  const isWhole =
    entries.length === abi.length && kinds.filter((kind) => kind === "function").length <= functions.length;
  return { selectors: new Set(functions.map(selectorOf)), isClosed: isWhole && !kinds.includes("fallback") };
}

function fileName(source: string): string {
  return (source.split("/").at(-1) ?? source).replace(/\.json$/i, "");
}

function text(value: string): string {
  return brief(value, most.label);
}

function variablesFrom(list: JsonValue | undefined, limit: number): readonly StorageVariable[] {
  return (isArray(list) ? list.slice(0, limit) : []).flatMap((one): readonly StorageVariable[] => {
    if (!isObject(one)) return [];
    const { label, slot, offset, type } = one;
    const at = size(slot, maxSlot);
    const isPlaced = typeof offset === "number" && Number.isInteger(offset) && offset >= 0 && offset < 32;
    if (typeof label !== "string" || typeof type !== "string" || at === undefined || !isPlaced) return [];
    return [{ name: text(label), slot: at, offset, type }];
  });
}

/** Leaves out values that begin in one word and end in another, which no compiler writes. */
function inTheirWords(
  list: readonly StorageVariable[],
  types: ReadonlyMap<string, StorageType>,
): readonly StorageVariable[] {
  return list.filter(({ type, offset }) => {
    const stored = storedType({ types }, type);
    return offset + (stored.kind === "value" ? stored.bytes : 32) <= 32;
  });
}

const maxSlot = (1n << 256n) - 1n;
const maxBytes = maxSlot * 32n;

/** Compilers write numbers as decimal strings, since they may be large. */
function size(value: JsonValue | undefined, limit: bigint): bigint | undefined {
  const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  const number = typeof digits === "string" && /^\d{1,80}$/.test(digits) ? BigInt(digits) : undefined;
  return number !== undefined && number <= limit ? number : undefined;
}

/** @param own - The type that a user-defined value type is defined on. */
function typeFrom(json: JsonObject, own: AbiType | undefined): StorageType | undefined {
  const bytes = size(json.numberOfBytes, maxBytes);
  if (typeof json.label !== "string" || bytes === undefined || bytes === 0n) return undefined;
  const label = text(json.label);
  const shared = { label, slots: (bytes + 31n) / 32n };
  const { encoding, base, key, value, members } = json;
  if (encoding === "bytes") return { kind: label.startsWith("bytes") ? "bytes" : "string", ...shared };
  if (encoding === "mapping")
    return typeof key === "string" && typeof value === "string"
      ? { kind: "mapping", ...shared, key, value }
      : undefined;
  if (typeof base === "string") {
    if (encoding === "dynamic_array") return { kind: "array", ...shared, item: base, length: undefined };
    const length = size(/\[(\d+)\]$/.exec(json.label)?.[1], maxSlot);
    return length === undefined ? undefined : { kind: "array", ...shared, item: base, length };
  }
  if (isArray(members)) return { kind: "struct", ...shared, members: variablesFrom(members, most.members) };
  return bytes <= 32n ? valueType(label, Number(bytes), own) : undefined;
}

function valueType(label: string, bytes: number, own: AbiType | undefined): StoredValue {
  const known = declaredType(label, bytes) ?? own;
  const abi = known && "size" in known && known.size === bytes ? known : undefined;
  if (abi) return { kind: "value", label, slots: 1n, bytes, abi, guess: false };
  const raw = elementary(`bytes${bytes}`) ?? anyWord;
  return { kind: "value", label: `${label} (type unknown)`, slots: 1n, bytes, abi: raw, guess: true };
}

function declaredType(label: string, bytes: number): AbiType | undefined {
  if (label.startsWith("enum ")) return elementary(`uint${bytes * 8}`);
  if (label.startsWith("contract ") || label === "address payable") return elementary("address");
  // what is outside is an address and a selector, what is inside a place in the code
  if (label.startsWith("function ")) return elementary(bytes === 24 ? "function" : `uint${bytes * 8}`);
  return elementary(label);
}
