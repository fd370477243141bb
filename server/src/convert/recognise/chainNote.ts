import { printJson } from "../../base/json.ts";
import { chainText } from "../../catalog/catalog.ts";
import { chains, explorerHosts } from "../../catalog/chains.ts";
import type { ChainSpec } from "../../catalog/spec.ts";
import { chainCell } from "./cells.ts";
import type { Reading, RecogniseScope } from "./reading.ts";

/** Names that prefixes had before, and still have in old links. */
const formerNames: ReadonlyMap<string, number> = new Map([
  ["matic", 137],
  ["gor", 5],
  ["bnb", 56],
]);

/** The chain of a prefix. @see https://eips.ethereum.org/EIPS/eip-3770 */
export function chainOfPrefix(prefix: string): bigint | undefined {
  const found = chains.find((one: ChainSpec) => one.shortName === prefix)?.id ?? formerNames.get(prefix);
  return found === undefined ? undefined : BigInt(found);
}

/** The chain whose explorer has this host. */
export function chainOfHost(host: string): bigint | undefined {
  const bare = host.toLowerCase().replace(/^www\./, "");
  const listed = chains.find((one: ChainSpec) => one.explorer !== undefined && new URL(one.explorer).host === bare);
  const id = listed?.id ?? explorerHosts.get(bare);
  return id === undefined ? undefined : BigInt(id);
}

/**
 * Adds to a reading which chain its text is about, and whether the endpoint is another one. If that is not certain, a cell
 * asks the endpoint.
 */
export function ofChain(read: Reading, id: bigint | undefined, scope: RecogniseScope): Reading {
  if (id === undefined) return read;
  const check = scope.endpoint?.chainId === id ? [] : [printJson(chainCell(id))];
  return { ...read, what: `${read.what}${chainNote(id, scope)}`, cells: [...read.cells, ...check] };
}

function chainNote(id: bigint, { endpoint }: RecogniseScope): string {
  const other = endpoint?.chainId !== undefined && endpoint.chainId !== id;
  const is = ` It is for ${chainText(id)}`;
  return other
    ? `${is}, but the endpoint ${endpoint.name} is ${chainText(endpoint.chainId ?? 0n)}: choose another endpoint.`
    : `${is}.`;
}
