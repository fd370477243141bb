import { hash64 } from "../base/hash.ts";
import { isAddress, isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { type DeployedCode, deployedCode } from "./deployedCode.ts";
import {
  type AbiItem,
  type ContractOfFile,
  itemFromJson,
  libraryFunctions,
  paramsFromJson,
  parseItem,
  strangeType,
  strangeTypeInJson,
} from "./item.ts";
import type { AbiParam } from "./type.ts";

/** The contracts and ABIs found in a JSON file. */
interface Artifact {
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
  const contract = contractOf(json);
  const said = isLookedUp(json) ? fromHost(json, source) : isGuessed(json) ? `${source} (guessed from code)` : source;
  const declared = abis.flatMap((abi) => abi.flatMap((entry) => itemOf(entry, said, contract) ?? []));
  const ofLibraries = isObject(json)
    ? compiledContracts(json).flatMap((one) => libraryFunctions(one.json, said, contract))
    : [];
  const items = [...declared, ...ofLibraries];
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
  readonly deployed?: DeployedCode | undefined;
}

/** @returns `undefined` if there is no code, as for interfaces, or if parts of it are not linked yet. */
function creatable({ name, abi, code, deployed }: Contract, source: string): Creatable | undefined {
  const bytes = typeof code === "string" ? code.replace(/^(?!0x)/, "0x").toLowerCase() : "0x";
  if (bytes.length <= 2 || !isHex(bytes)) return undefined;
  const built = abi.find((entry) => isObject(entry) && entry.type === "constructor");
  const inputs = paramsFromJson(isObject(built) ? built.inputs : undefined);
  const file =
    source
      .split("/")
      .at(-1)
      ?.replace(/\.json$/i, "") ?? source;
  return inputs && { name: name ?? file, print: printOf(bytes), inputs, source, deployed };
}

/** The contract's name, as Hardhat or Foundry write it beside the ABI. */
function nameIn(json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  if (typeof json.contractName === "string") return json.contractName;
  const [name] = Object.values(compilationTarget(json));
  return typeof name === "string" ? name : undefined;
}

function itemOf(entry: JsonValue, source: string, contract: ContractOfFile): AbiItem | undefined {
  return typeof entry === "string" ? parseItem(entry, source) : itemFromJson(entry, source, contract);
}

/** Returns the `address` of a file, as deployment tools and `rpc-notebook contracts add` write it. */
export function contractOf(json: JsonValue): ContractOfFile {
  if (!isObject(json) || !isAddress(json.address)) return {};
  const address = json.address.toLowerCase();
  return { address, ...(isLookedUp(json) && { isLookedUp: true }), ...(isGuessed(json) && { isGuessed: true }) };
}

/** Whether a file says that its ABI was guessed from the code of the contract. */
export function isGuessed(json: JsonValue): json is JsonObject {
  return isObject(json) && isObject(json.guessed) && isAddress(json.address);
}

/** The match of a contract without the functions that the lookup host says it has. */
export const misfit = "not its code";

/** Whether a file says that its ABI does not fit the code of its contract: nobody has named it, so it names nothing. */
export function isMisfit(json: JsonValue): boolean {
  return isLookedUp(json) && json.match === misfit;
}

/** Whether a file says that a lookup host described the contract. */
export function isLookedUp(json: JsonValue): json is LookedUp {
  const { lookedUp, match } = isObject(json) ? json : {};
  return isObject(lookedUp) && typeof lookedUp.host === "string" && typeof match === "string";
}

/** Returns the address and the name of a contract that was looked up: of a proxy, the name of its implementation. */
export function lookedUpName(json: JsonValue): readonly [address: string, name: string] | undefined {
  const { address } = contractOf(json);
  if (address === undefined || !isLookedUp(json)) return undefined;
  const [implementation, ...others] = isArray(json.implementations) ? json.implementations : [];
  const { contractName: name } = isObject(implementation) && others.length === 0 ? implementation : json;
  return isPlainName(name) ? [address, name] : undefined;
}

/** Whether a contract can be called so in results, and its file too: plain letters, as most compilers want them. */
export function isPlainName(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,79}$/.test(name);
}

/** @param file - Empty if the answer of the host is not in a file of the project. */
function fromHost({ lookedUp, match }: LookedUp, file: string): string {
  const origin = `${brief(lookedUp.host, 80)}, ${brief(match, 40)}`;
  return file === "" ? origin : `${file} (${origin})`;
}

type LookedUp = JsonObject & { readonly lookedUp: { readonly host: string }; readonly match: string };

function isNameless(entry: JsonValue): boolean {
  return isObject(entry) && entry.type !== undefined && nameless.includes(entry.type);
}

function contractsIn(json: JsonObject): readonly Contract[] {
  return compiledContracts(json).flatMap(({ name, json: contract }) => {
    const abi = abiOf(contract);
    if (!abi) return [];
    // a layout knows its contract by its code
    const deployed = contract.storageLayout === undefined ? deployedCode(contract) : undefined;
    return [{ name, abi, code: codeIn(contract), deployed }];
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

/** A contract of the project whose creation can be recognised. */
export interface Creatable {
  readonly name: string;
  /** The fingerprint of the creation code, as the compiler wrote it. */
  readonly print: CodePrint;
  /** Parameters of the constructor. */
  readonly inputs: readonly AbiParam[];
  readonly source: string;
  /** The code at its address; absent if the file has a storage layout, which has it. */
  readonly deployed?: DeployedCode | undefined;
}

/** A fingerprint that identifies code. Keeping the code of all contracts of a project would use too much memory. */
interface CodePrint {
  /** Characters of its hex, `0x` among them. */
  readonly length: number;
  /** Hashes, of parts first: they tell most codes apart, and cost little. */
  readonly head: string;
  readonly tail: string;
  readonly whole: string;
}

/** @param bytecode - `0x` and lower case. */
export function printOf(bytecode: string): CodePrint {
  const { length } = bytecode;
  return { length, head: headOf(bytecode, length), tail: tailOf(bytecode, length), whole: hash64(bytecode) };
}

function headOf(hex: string, length: number): string {
  return hash64(hex.slice(0, Math.min(length, 66)));
}

/** Hashes the compiler's metadata at the end, which differs from contract to contract. */
function tailOf(hex: string, length: number): string {
  return hash64(hex.slice(Math.max(0, length - 128), length));
}

/** Whether data begins with that code. */
export function beginsWith(hex: string, { length, head, tail, whole }: CodePrint): boolean {
  if (length <= 2 || hex.length < length) return false;
  return headOf(hex, length) === head && tailOf(hex, length) === tail && hash64(hex.slice(0, length)) === whole;
}

/**
 * Where a project that says nothing has its contracts: Foundry's folder, Hardhat's, what people make by hand, and what
 * they looked up.
 */
export const usualFolders: readonly string[] = ["out", "artifacts", "abi", "contracts"];

/**
 * The folders that a `foundry.toml` has artifacts written to, of all its profiles.
 *
 * @see https://getfoundry.sh/config/reference/project (out)
 */
export function foundryFolders(toml: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  for (const line of toml.slice(0, maxTextLength).split("\n")) {
    section = /^\s*\[{1,2}([^[\]]*)\]/.exec(line)?.[1] ?? section;
    const [, , basic, , literal] = /^\s*(["']?)out\1\s*=\s*(?:"([^"\\]*)"|(')([^']*)')/.exec(line) ?? [];
    const folder = basic ?? literal;
    if (folder !== undefined && /^(profile\.[^.]+|default)?$/.test(section.replace(/["'\s]/g, ""))) found.push(folder);
  }
  return [...new Set(found)];
}

/**
 * The folders that a `hardhat.config.*` names under `paths.artifacts`. The file is a program; it is read as text and
 * never run, so only a path that is there as such is found.
 *
 * @see https://hardhat.org/hardhat-runner/docs/config#path-configuration
 */
export function hardhatFolders(config: string): readonly string[] {
  const text = config.slice(0, maxTextLength).replace(comments, "");
  const found: string[] = [];
  for (const { 1: inside = "" } of text.matchAll(/\bpaths["']?\s*:\s*\{([^{}]*)\}/g)) {
    const [, , folder] = /(?:^|[\s,"'])artifacts["']?\s*:\s*(["'`])([^"'`$\\]*)\1/.exec(inside) ?? [];
    if (folder !== undefined) found.push(folder);
  }
  return [...new Set(found)];
}

/** Whole lines and blocks; one that never ends takes all that follows, so that each is looked at once. */
const comments = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|^[ \t]*\/\/.*$/gm;

/** UTF-16 code units of a configuration that are looked at. */
const maxTextLength = 200_000;
