import { isAddress } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { checksummed } from "./address.ts";
import { isPlainName, misfit } from "./artifact.ts";
import { type AbiItem, itemFromJson, selectorOf } from "./item.ts";

/** A contract and its chain. */
export interface ChainAddress {
  readonly chainId: bigint;
  /** In lower case. */
  readonly address: string;
}

/** A contract with verified sources, as a lookup host describes it. All of it is untrusted text. */
export interface VerifiedContract extends ChainAddress {
  /** An identifier. */
  readonly name: string;
  /** `exact` if the hash of the metadata is equal too. */
  readonly match: "exact" | "partial";
  /** Entries that can be read, and those without a name. */
  readonly abi: readonly JsonObject[];
  readonly items: readonly AbiItem[];
  /** Entries that cannot be read. */
  readonly unread: number;
  readonly storageLayout: JsonObject | undefined;
  /** Addresses to which it passes calls on, in lower case. */
  readonly implementations: readonly string[];
}

/** Members that {@link verifiedContract} reads, as the API of Sourcify names them. */
export const verifiedFields = ["abi", "compilation.name", "storageLayout", "proxyResolution"];

/** Members that {@link verifiedSources} reads. They are large, so that they are asked for when a person opens them. */
export const sourceFields = ["sources", "compilation.fullyQualifiedName"];

/** Files of one contract. */
const maxSources = 1_000;
/** Entries of one ABI. */
const maxEntries = 5_000;
/** Implementations of one proxy: a diamond has dozens. */
const maxImplementations = 64;

/**
 * Reads the answer of a lookup host.
 *
 * @returns Why it cannot be used, as a clause.
 * @see https://docs.sourcify.dev/docs/api/ (GET /v2/contract/{chainId}/{address})
 */
export function verifiedContract(
  json: JsonValue | undefined,
  { chainId, address }: ChainAddress,
): VerifiedContract | string {
  const answer = answerAbout(json, { chainId, address });
  if (typeof answer === "string") return answer;
  if (!isArray(answer.abi)) return "it has no ABI";
  const { compilation, storageLayout, proxyResolution } = answer;
  const { name } = isObject(compilation) ? compilation : {};
  const entries = answer.abi.slice(0, maxEntries);
  const abi = entries.filter((entry) => isObject(entry)).filter(isReadable);
  return {
    chainId,
    address,
    name: isPlainName(name) ? name : "Contract",
    match: answer.match === "exact_match" ? "exact" : "partial",
    abi,
    items: itemsOf(abi),
    unread: answer.abi.length - abi.length,
    storageLayout: isObject(storageLayout) && isArray(storageLayout.storage) ? storageLayout : undefined,
    implementations: implementationsIn(proxyResolution).filter((one) => one !== address),
  };
}

/** A source file of a contract. Both members are untrusted text. */
export interface SourceFile {
  /** Often a path. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the source files of a contract, the one that declares it first.
 *
 * @returns Why the answer cannot be used, as a clause.
 */
export function verifiedSources(json: JsonValue | undefined, place: ChainAddress): readonly SourceFile[] | string {
  const answer = answerAbout(json, place);
  if (typeof answer === "string") return answer;
  const { compilation, sources } = answer;
  const main = isObject(compilation) ? String(compilation.fullyQualifiedName) : "";
  const files = Object.entries(isObject(sources) ? sources : {}).flatMap(([name, file]) =>
    isObject(file) && typeof file.content === "string" ? [{ name, text: file.content }] : [],
  );
  if (files.length === 0) return "it has no sources";
  const isMain = ({ name }: SourceFile): boolean => main.startsWith(`${name}:`);
  return [...files.filter(isMain), ...files.filter((file) => !isMain(file))].slice(0, maxSources);
}

/** Whether an answer says that this contract has no verified sources. A page that is missing at a host says nothing of the kind. */
export function saysUnverified(json: JsonValue | undefined, place: ChainAddress): boolean {
  const answer = about(json, place);
  return typeof answer !== "string" && answer.match === null;
}

/** Returns an answer that is about this contract, and says that it is verified. */
function answerAbout(json: JsonValue | undefined, place: ChainAddress): JsonObject | string {
  const answer = about(json, place);
  if (typeof answer === "string" || answer.match === "exact_match" || answer.match === "match") return answer;
  return "it does not say that the contract is verified";
}

/** Returns an answer that is about this contract. */
function about(json: JsonValue | undefined, { chainId, address }: ChainAddress): JsonObject | string {
  if (!isObject(json)) return "it is not a JSON object";
  if (json.match === undefined) return "it is not about a contract";
  if (String(json.chainId) !== String(chainId)) return "it is about another chain";
  if (!isAddress(json.address) || json.address.toLowerCase() !== address) return "it is about another address";
  return json;
}

function isReadable(entry: JsonObject): boolean {
  const { type } = entry;
  const isNameless = type === "constructor" || type === "fallback" || type === "receive";
  return isNameless || itemFromJson(entry, "") !== undefined;
}

function itemsOf(abi: readonly JsonObject[]): readonly AbiItem[] {
  return abi.flatMap((entry) => itemFromJson(entry, "") ?? []);
}

function implementationsIn(resolution: JsonValue | undefined): readonly string[] {
  if (!isObject(resolution) || resolution.isProxy !== true || !isArray(resolution.implementations)) return [];
  const addresses = resolution.implementations.map((one) => (isObject(one) ? one.address : undefined));
  return addresses
    .filter((one) => isAddress(one))
    .map((one) => one.toLowerCase())
    .slice(0, maxImplementations);
}

/**
 * Returns the functions of an ABI whose selectors are not in the code: it cannot have been compiled from that source.
 *
 * @param code - In hex.
 */
export function absentFunctions(items: readonly AbiItem[], code: string): readonly AbiItem[] {
  const bytes = code.toLowerCase();
  return items.filter((item) => {
    if (item.kind !== "function") return false;
    const pushed = selectorOf(item)
      .slice(2)
      .replace(/^(?:00)+/, ""); // a compiler pushes no leading zero bytes
    return !bytes.includes(pushed);
  });
}

/** A contract as its file describes it. */
export interface ContractFile {
  readonly contract: VerifiedContract;
  /** The contracts to which it passes calls on. */
  readonly implementations: readonly VerifiedContract[];
  /** All selectors of the ABI are in the code; `undefined` if the code is not known. */
  readonly fits: boolean | undefined;
  readonly host: string;
  /** `2026-11-27` */
  readonly date: string;
}

/** Returns the text of the file of a contract: an artifact with an `address`, which all of the project reads. */
export function contractFileText({ contract, implementations, fits, host, date }: ContractFile): string {
  const { name, address, chainId, match } = contract;
  const layout = [contract, ...implementations].findLast(({ storageLayout }) => storageLayout)?.storageLayout;
  const entries = new Map([contract, ...implementations].flatMap(({ abi }) => abi.map((one) => [printJson(one), one])));
  const json: JsonObject = {
    contractName: name,
    address: checksummed(address),
    chainId,
    match: fits === false ? misfit : `${match} match`,
    lookedUp: { host, date },
    ...(implementations.length > 0 && {
      implementations: implementations.map((one) => ({
        contractName: one.name,
        address: checksummed(one.address),
        match: one.match,
      })),
    }),
    abi: [...entries.values()],
    ...(layout && { storageLayout: layout }),
  };
  return `${printJson(json, 2)}\n`;
}
