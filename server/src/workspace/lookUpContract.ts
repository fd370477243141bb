import {
  absentFunctions,
  type ChainAddress,
  type ContractFile,
  type VerifiedContract,
  verifiedContract,
  verifiedFields,
} from "../abi/verifiedContract.ts";
import type { Explanation } from "../base/error.ts";
import { isAddress, isHex } from "../base/hex.ts";
import type { Clock, Downloads, Wording } from "../base/ports.ts";
import { listed, oneLine, plural } from "../base/text.ts";
import { defaultLookupHost } from "../catalog/lookupHost.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { lookupApi } from "../endpoints/site.ts";
import type { QuestionClient } from "../gate/backgroundClient.ts";
import { resultOf } from "../rpc/outcome.ts";
import { askLookupHost, failed, type Lookup, unverified } from "./askLookupHost.ts";
import { type ContractOnChain, contractOnChain, maxImplementations, type NotFound } from "./contractOnChain.ts";

/** Which contract to look up, and where. */
export interface LookUpContractParams {
  readonly address: string;
  /** Absent if the endpoint says it. */
  readonly chainId?: bigint | undefined;
  /** The endpoint to ask for the chain, the code and the implementation; absent if there is a chain, then nothing is asked. */
  readonly client?: QuestionClient | undefined;
  /** URL of an API like that of Sourcify, without a slash at the end. */
  readonly api: string;
}

/** Returns the question before a contract is looked up, or why it cannot be. */
export function lookupQuestion(
  address: string,
  lookupHost: string = defaultLookupHost,
): { readonly words: Wording; readonly host: string; readonly api: string } | Explanation {
  const api = lookupApi(lookupHost);
  if (!isAddress(address))
    return { what: `${oneLine(address, 80)} is not an address.`, todo: "Write 0x and 40 hex digits." };
  if (api === undefined)
    return { what: "`rpcNotebook.lookupHost` is not the address of a lookup host.", todo: `Use ${defaultLookupHost}.` };
  const { host } = new URL(api);
  const words = {
    question: `Look up ${address} at ${host}?`,
    detail: [
      `${host} learns the chain id, the address and, if it is a proxy, the addresses of its implementations. Its ABI and storage layout are saved as a file in the folder "contracts" of the project. The host is not asked again, except for the sources if you open them.`,
    ],
    yes: [`Look Up at ${host}`],
    no: "Don't Look Up",
  };
  return { words, host, api };
}

/** A contract that was looked up, and sentences about what is not certain. */
interface FoundContract {
  readonly file: ContractFile;
  readonly notes: readonly string[];
}

/** Chain ids of chains that only this machine knows. */
const localChains: ReadonlySet<bigint> = new Set([1337n, 31337n]);

/**
 * Asks a lookup host for the verified sources of a contract, and of the contracts to which it passes calls on. With an
 * endpoint, the chain says which chain that is, what the code is, and which implementation a proxy has now.
 *
 * @returns The contract, or why it was not found.
 */
export async function lookUpContract(
  { address, chainId, client, api }: LookUpContractParams,
  signal: AbortSignal,
  { clock, downloads }: { readonly clock: Clock; readonly downloads?: Downloads | undefined },
): Promise<FoundContract | NotFound> {
  if (!downloads) return failed("Contracts cannot be looked up here.", "Use the command line.");
  const seen = client && (await contractOnChain({ address, chainId }, client, signal));
  if (seen && "what" in seen) return seen;
  const place = { address: address.toLowerCase(), chainId: seen?.chainId ?? chainId ?? 0n };
  if (isLocalChain(place.chainId))
    return {
      what: `Chain ${place.chainId} is a local chain, which no lookup host knows.`,
      todo: "Use the artifacts of the project.",
      reason: "local-chain",
    };
  const lookup = { api, downloads, signal };
  const found = seen?.form?.startsWith("a minimal proxy") ? undefined : await verifiedAt(place, lookup);
  const refused = found && "what" in found ? found : undefined;
  if (refused && (refused.reason === "failed" || !seen || seen.passesTo.length === 0)) return refused;
  const own = found && !("what" in found) ? found : undefined;
  const called = seen && seen.passesTo.length > 0 ? seen.passesTo : (own?.implementations ?? []);
  const behind = await verifiedOf(called, place.chainId, lookup);
  if ("what" in behind) return behind;
  const { implementations, notes } = behind;
  const contract = own ?? standIn(place, implementations, called.length > 1);
  if (!contract) return unverified(place, api);
  if (!own) notes.unshift(`Only the ABI of what it calls is verified, not ${address} itself.`);
  if (seen?.form) notes.unshift(`${address} is ${seen.form}.`);
  const compared = seen && (await comparedWithCode(contract, implementations, seen, signal));
  const unread = [contract, ...implementations].reduce((sum, one) => sum + one.unread, 0);
  if (unread > 0) notes.push(`${plural(unread, "entry", "entries")} of the ABI cannot be read, and were left out.`);
  const { host } = new URL(api);
  const date = new Date(clock.date()).toISOString().slice(0, 10);
  return {
    file: { contract, implementations, fits: compared?.fits, host, date },
    notes: [...notes, ...(compared?.notes ?? ["It was not compared with the code of the contract: no endpoint."])],
  };
}

/** Returns the usual lookup host. An entry that names another one is not a person's yes to it. */
export function defaultHostUnlessNamed(endpoint: Endpoint | undefined): string | NotFound {
  const named = endpoint?.contracts;
  if (named === undefined || named === defaultLookupHost) return defaultLookupHost;
  const what = `No host was asked: the entry of the endpoint "${endpoint?.name}" names the lookup host ${new URL(named).host}.`;
  return { what, todo: "To ask it, set --lookup to the `contracts` URL of the entry.", reason: "failed" };
}

export function isLocalChain(chainId: bigint): boolean {
  return localChains.has(chainId);
}

/** A contract that only passes calls on, described by the contracts that it calls; `undefined` if none of them is verified. */
function standIn(
  place: ChainAddress,
  implementations: readonly VerifiedContract[],
  isDiamond: boolean,
): VerifiedContract | undefined {
  const [first] = implementations;
  if (!first) return undefined;
  return {
    ...place,
    name: isDiamond ? "Diamond" : first.name,
    match: isDiamond ? "partial" : first.match,
    ...{ abi: [], items: [], unread: 0, storageLayout: undefined },
    implementations: implementations.map(({ address }) => address),
  };
}

/**
 * Looks up the contracts to which one passes calls on.
 *
 * @returns What failed: then the contract would lack functions that the host may know.
 */
async function verifiedOf(
  addresses: readonly string[],
  chainId: bigint,
  lookup: Lookup,
): Promise<{ readonly implementations: readonly VerifiedContract[]; readonly notes: string[] } | NotFound> {
  const found: VerifiedContract[] = [];
  const notes: string[] = [];
  if (addresses.length > maxImplementations)
    notes.push(`Only ${maxImplementations} of its ${addresses.length} implementations were looked up.`);
  for (const address of addresses.slice(0, maxImplementations)) {
    const one = await verifiedAt({ address, chainId }, lookup);
    if (!("what" in one)) found.push(one);
    else if (one.reason === "failed") return one;
    else notes.push(`The functions of its implementation are not known. ${one.what}`);
  }
  return { implementations: found, notes };
}

/** Compares the ABIs with the code at their addresses, and says which do not fit and which could not be compared. */
async function comparedWithCode(
  contract: VerifiedContract,
  implementations: readonly VerifiedContract[],
  { code, client }: ContractOnChain,
  signal: AbortSignal,
): Promise<{ readonly fits: boolean; readonly notes: readonly string[] }> {
  const questions = implementations.map(({ address }) => ({ method: "eth_getCode", params: [address, "latest"] }));
  const answers = questions.length > 0 ? (await client.ask(questions, signal)).map(resultOf) : [];
  const codes = [code, ...answers];
  let fits = true;
  const notes = [contract, ...implementations].flatMap(({ name, address, items }, at) => {
    const own = codes[at];
    if (!isHex(own)) return `The code at ${address} could not be read, so the ABI of ${name} was not compared with it.`;
    const absent = absentFunctions(items, own);
    if (absent.length === 0) return [];
    fits = false;
    const names = listed(absent.slice(0, 3).map(({ signature }) => oneLine(signature, 80)));
    const more = absent.length > 3 ? ` and of ${absent.length - 3} more` : "";
    return `The code at ${address} does not have the selectors of ${names}${more}, so that this is not the ABI of ${name}.`;
  });
  return { fits, notes };
}

function verifiedAt(place: ChainAddress, lookup: Lookup): Promise<VerifiedContract | NotFound> {
  return askLookupHost(place, verifiedFields, verifiedContract, lookup);
}
