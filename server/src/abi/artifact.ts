import { isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { type Creatable, printOf } from "./creatable.ts";
import { type AbiItem, itemFromJson, paramsFromJson, parseItem, strangeType, strangeTypeInJson } from "./item.ts";

/** The contracts and ABIs found in a JSON file. */
export interface Artifact {
  readonly items: readonly AbiItem[];
  /** Those of the contracts whose code is there. */
  readonly creatables: readonly Creatable[];
  /** The Solidity file that it was compiled from, where the compiler says so: `src/Token.sol`. */
  readonly compiledFrom: string | undefined;
}

/** Entries of an ABI without a name: a fault only if the ABI has no other entries. */
const nameless: readonly JsonValue[] = ["constructor", "fallback", "receive"];

/**
 * Reads the ABIs in a JSON file: an ABI by itself, a list of signatures, an artifact of Foundry or Hardhat, or the
 * output of solc with all of its contracts.
 *
 * @param source - What people know the file by; every item carries it.
 * @returns `undefined` if the file has no ABI.
 * @see https://docs.soliditylang.org/en/latest/using-the-compiler.html#output-description
 */
export function artifact(json: JsonValue, source: string): Artifact | undefined {
  const contracts = isArray(json)
    ? [{ name: undefined, abi: json, code: undefined }]
    : isObject(json)
      ? contractsIn(json)
      : [];
  const abis = contracts.map(({ abi }) => abi);
  const items = abis.flatMap((abi) => abi.flatMap((entry) => itemOf(entry, source) ?? []));
  // an empty ABI is one as well: that of a library without public functions
  const some = items.length > 0 || abis.some((abi) => isObject(json) || abi.length === 0 || abi.some(isNameless));
  if (abis.length === 0 || !some) return undefined;
  const from = compiledFrom(json);
  const creatables = contracts.flatMap((one) => creatable(one, source) ?? []);
  return { items, creatables, compiledFrom: from };
}

/** The first type of the ABIs in a file that is not one of the ABI. */
export function strangeTypeIn(json: JsonValue): string | undefined {
  const abis = isArray(json) ? [json] : isObject(json) ? contractsIn(json).map(({ abi }) => abi) : [];
  for (const entry of abis.flat()) {
    const found = typeof entry === "string" ? strangeType(entry) : strangeTypeInJson(entry);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Contract {
  readonly name: string | undefined;
  readonly abi: readonly JsonValue[];
  /** The code that creates the contract, if it is in the file. */
  readonly code: JsonValue | undefined;
}

/** @returns `undefined` if there is no code, as for interfaces, or if parts of it are not linked yet. */
function creatable({ name, abi, code }: Contract, source: string): Creatable | undefined {
  const bytes = typeof code === "string" ? code.replace(/^(?!0x)/, "0x").toLowerCase() : "0x";
  if (bytes.length <= 2 || !isHex(bytes)) return undefined;
  const built = abi.find((entry) => isObject(entry) && entry.type === "constructor");
  const inputs = paramsFromJson(isObject(built) ? built.inputs : undefined);
  const file =
    source
      .split("/")
      .at(-1)
      ?.replace(/\.json$/i, "") ?? source;
  return inputs && { name: name ?? file, print: printOf(bytes), inputs, source };
}

/** The contract's name, as Hardhat or Foundry write it beside the ABI. */
function nameIn(json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  if (typeof json.contractName === "string") return json.contractName;
  const [name] = Object.values(compilationTarget(json));
  return typeof name === "string" ? name : undefined;
}

function itemOf(entry: JsonValue, source: string): AbiItem | undefined {
  return typeof entry === "string" ? parseItem(entry, source) : itemFromJson(entry, source);
}

function isNameless(entry: JsonValue): boolean {
  return isObject(entry) && entry.type !== undefined && nameless.includes(entry.type);
}

function contractsIn(json: JsonObject): readonly Contract[] {
  return compiledContracts(json).flatMap(({ name, json: contract }) => {
    const abi = abiOf(contract);
    return abi ? [{ name, abi, code: codeIn(contract) }] : [];
  });
}

/** A contract as its compiler describes it. */
export interface CompiledContract {
  readonly name: string | undefined;
  readonly json: JsonObject;
}

/** Returns the contract of an artifact, or all of the compiler's output. */
export function compiledContracts(json: JsonObject): readonly CompiledContract[] {
  if (isContract(json)) return [{ name: nameIn(json), json }];
  const output = isObject(json.output) ? json.output : json; // Hardhat's build-info holds the compiler's output
  if (!isObject(output.contracts)) return [];
  // the standard output has contracts by file and name, the combined one by `file:name`
  return Object.entries(output.contracts).flatMap(([key, one]): readonly CompiledContract[] => {
    if (!isObject(one)) return [];
    if (isContract(one)) return [{ name: key.split(":").at(-1), json: one }];
    return Object.entries(one).flatMap(([name, contract]) => (isObject(contract) ? [{ name, json: contract }] : []));
  });
}

function isContract(json: JsonObject): boolean {
  return (
    abiOf(json) !== undefined ||
    ["storageLayout", "storage-layout"].some((key) => isObject(Object.hasOwn(json, key) ? json[key] : undefined)) ||
    (isArray(json.storage) && isObject(json.types))
  );
}

/** `bytecode` by itself or with its object; of solc `evm.bytecode`, combined `bin`. */
function codeIn({ bytecode, evm, bin }: JsonObject): JsonValue | undefined {
  const code = bytecode ?? (isObject(evm) ? evm.bytecode : undefined) ?? bin;
  return isObject(code) ? code.object : code;
}

/** Old compilers wrote ABIs as text. */
function abiOf({ abi }: JsonObject): readonly JsonValue[] | undefined {
  const value = typeof abi === "string" ? parseJson(abi) : abi;
  return isArray(value) ? value : undefined;
}

function compiledFrom(json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  if (typeof json.sourceName === "string") return json.sourceName; // Hardhat
  return Object.keys(compilationTarget(json))[0];
}

/** Foundry keeps what solc says of what it compiled: the contract's name by its file. */
function compilationTarget({ metadata }: JsonObject): JsonObject {
  const settings = isObject(metadata) ? metadata.settings : undefined;
  return isObject(settings) && isObject(settings.compilationTarget) ? settings.compilationTarget : {};
}
