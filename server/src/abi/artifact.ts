import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { type AbiItem, itemFromJson, parseItem } from "./item.ts";

/** What a JSON file says of contracts. */
export interface Artifact {
  readonly items: readonly AbiItem[];
  /** The Solidity file that it was compiled from, where the compiler says so: `src/Token.sol`. */
  readonly compiledFrom: string | undefined;
}

/** Entries of an ABI that name nothing: a fault only where nothing else is there. */
const nameless: readonly JsonValue[] = ["constructor", "fallback", "receive"];

/**
 * Reads the ABIs in a JSON file: an ABI by itself, a list of signatures, an artifact of Foundry or Hardhat, or the
 * output of solc with all of its contracts.
 *
 * @param source - What people know the file by; every item carries it.
 * @returns `undefined` where no ABI is in it.
 * @see https://docs.soliditylang.org/en/latest/using-the-compiler.html#output-description
 */
export function artifact(json: JsonValue, source: string): Artifact | undefined {
  const abis = isArray(json) ? [json] : isObject(json) ? abisIn(json) : [];
  const items = abis.flatMap((abi) => abi.flatMap((entry) => itemOf(entry, source) ?? []));
  // an empty ABI is one as well: that of a library without public functions
  const some = items.length > 0 || abis.some((abi) => isObject(json) || abi.length === 0 || abi.some(isNameless));
  return abis.length > 0 && some ? { items, compiledFrom: compiledFrom(json) } : undefined;
}

function itemOf(entry: JsonValue, source: string): AbiItem | undefined {
  return typeof entry === "string" ? parseItem(entry, source) : itemFromJson(entry, source);
}

function isNameless(entry: JsonValue): boolean {
  return isObject(entry) && entry.type !== undefined && nameless.includes(entry.type);
}

/** One of an artifact; of the compiler's output all. */
function abisIn(json: JsonObject): readonly (readonly JsonValue[])[] {
  const abi = abiOf(json);
  if (abi) return [abi];
  const output = isObject(json.output) ? json.output : json; // Hardhat's build-info holds the compiler's output
  if (!isObject(output.contracts)) return [];
  // the standard output has contracts by file and name, the combined one by `file:name`
  return Object.values(output.contracts).flatMap((one) => {
    if (!isObject(one)) return [];
    const direct = abiOf(one);
    return direct
      ? [direct]
      : Object.values(one).flatMap((contract) => (isObject(contract) ? asList(abiOf(contract)) : []));
  });
}

function asList<T>(one: T | undefined): readonly T[] {
  return one === undefined ? [] : [one];
}

/** Old compilers wrote ABIs as text. */
function abiOf({ abi }: JsonObject): readonly JsonValue[] | undefined {
  const value = typeof abi === "string" ? parseJson(abi) : abi;
  return isArray(value) ? value : undefined;
}

function compiledFrom(json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  if (typeof json.sourceName === "string") return json.sourceName; // Hardhat
  const settings = isObject(json.metadata) ? json.metadata.settings : undefined; // Foundry
  const target = isObject(settings) && isObject(settings.compilationTarget) ? settings.compilationTarget : {};
  return Object.keys(target)[0];
}
