import type { CursorContext } from "../analysis/cursorContext.ts";
import { addressesIn, labels } from "../analysis/labels.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Hex, isAddress } from "../base/hex.ts";
import { memoByObject } from "../base/memo.ts";
import { brief, shortHex } from "../base/text.ts";
import { fallbackAddresses } from "../catalog/contracts.ts";
import type { FieldSpec } from "../catalog/spec.ts";
import { staysHere } from "../endpoints/site.ts";
import { parsePath } from "../notebook/placeholder.ts";
import { string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** An address that the notebook knows. */
interface KnownAddress {
  readonly address: Hex;
  /** Its label or variable; `undefined` for an address in a cell that has no name. */
  readonly name: string | undefined;
  /** `{{alice}}` where a variable holds it. */
  readonly placeholder: string | undefined;
}

/** Addresses of a notebook, each once: those of variables, those with labels, then what its cells spell out. */
export const knownAddresses = memoByObject(collect);

/** The most addresses to suggest: longer lists are hard to read. */
const most = 50;

function collect(scope: Scope): readonly KnownAddress[] {
  const names = labels(scope);
  const found = new Map<string, KnownAddress>();
  const add = (address: Hex, name: string | undefined, placeholder: string | undefined): void => {
    const key = address.toLowerCase();
    if (!found.has(key) && found.size < most) found.set(key, { address, name, placeholder });
  };
  for (const [name, value] of scope.variables) {
    if (isAddress(value)) add(value, name, parsePath(name)?.length === 1 ? `{{${name}}}` : undefined);
  }
  const inHeader = scope.header ? addressesIn(scope.header) : [];
  for (const address of inHeader) {
    const name = names.get(address.toLowerCase());
    if (isAddress(address) && name !== undefined) add(address, name, undefined);
  }
  for (const cell of scope.cells) {
    if (found.size >= most) break;
    for (const address of addressesIn(cell)) if (isAddress(address)) add(address, undefined, undefined);
  }
  return [...found.values()];
}

/** Names that people give to contracts; only the order of suggestions goes by it. */
const contractNames = /token|contract|proxy|vault|pool|router|factory|registry|oracle|market|bridge|usd|eth$|nft|erc/i;

/** Named addresses of a notebook: contracts, by what their names say, and all others. */
export const namedAddresses = memoByObject((scope: Scope) => {
  const named = knownAddresses(scope).filter(({ name }) => name !== undefined);
  const contracts = named.filter(({ name = "" }) => contractNames.test(name));
  return { contracts, accounts: named.filter((one) => !contracts.includes(one)) };
});

/** Named addresses of the notebook, the likely ones first: contracts where a contract is expected, else accounts. */
function likelyAddresses(scope: Scope, contract: boolean): readonly KnownAddress[] {
  const { contracts, accounts } = namedAddresses(scope);
  return contract ? [...contracts, ...accounts] : [...accounts, ...contracts];
}

/**
 * Addresses for a new request: those of the notebook, then those that a local chain has.
 *
 * @param always - Ends with an address that any chain is likely to have.
 */
export function defaultAddresses(scope: Scope, contract: boolean, always: boolean): readonly string[] {
  const unnamed = knownAddresses(scope).filter(({ name }) => name === undefined);
  const found = [...likelyAddresses(scope, contract), ...unnamed];
  const chainId = likelyChainId(scope);
  const { contract: known, account, recipient } = fallbackAddresses(chainId);
  const likely = contract ? [known] : [account, recipient];
  return [
    ...found.map(({ address, placeholder }) => placeholder ?? address),
    ...(chainId === localChain || (always && found.length === 0) ? likely : []),
  ];
}

/**
 * Whether a field wants a contract: the catalogue says so, or the object around it holds call data.
 *
 * @param siblings - The other keys of that object.
 */
export function wantsContract(field: FieldSpec | undefined, siblings: readonly string[]): boolean {
  if (/^The contract\b/.test(field?.summary ?? "")) return true;
  return field?.name === "to" && (siblings.includes("data") || siblings.includes("input"));
}

/** Suggests addresses: as placeholders in parameters, in words of their own elsewhere. */
export function addresses(scope: Scope, place: CursorContext): readonly Suggestion[] {
  const field = place.role.kind === "typed" ? place.role.field : undefined;
  const named = likelyAddresses(scope, wantsContract(field, place.siblings));
  const unnamed = knownAddresses(scope).filter(({ name }) => name === undefined);
  return [...named, ...unnamed].map((one) => suggestion(one, place.param !== undefined));
}

function suggestion({ address, name, placeholder }: KnownAddress, inParams: boolean): Suggestion {
  const shown = name === undefined ? undefined : brief(name, 40);
  if (inParams && placeholder !== undefined) {
    const typed = `${name ?? ""} ${placeholder} ${address}`;
    return { label: placeholder, kind: "reference", detail: address, insert: string(placeholder), typed };
  }
  return {
    label: shown ?? shortHex(address),
    kind: "address",
    detail: address,
    insert: string(address),
    typed: shown === undefined ? address : `${shown} ${address}`,
  };
}

/** The id of anvil and Hardhat. */
export const localChain = 31337n;

/** Returns the chain of the endpoint, also before its first answer if it is probably on this computer. */
export function likelyChainId({ endpoint }: Scope): bigint | undefined {
  if (endpoint?.chainId !== undefined) return endpoint.chainId;
  const isHere =
    endpoint !== undefined && URL.canParse(`http://${endpoint.host}`) && staysHere(`http://${endpoint.host}`);
  return isHere ? localChain : undefined;
}
