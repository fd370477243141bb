import { keccak256 } from "viem/utils";
import { type Hex, toWord } from "../base/hex.ts";
import type { PaymentFacts, SigningDomain } from "./paymentFacts.ts";

/** Returns the value that `DOMAIN_SEPARATOR()` has for a domain. @see https://eips.ethereum.org/EIPS/eip-712 */
export function separatorOf({ name, version, chainId, verifyingContract, salt }: SigningDomain): Hex {
  const members = [
    ...(name === undefined ? [] : [["string name", textHash(name)]]),
    ...(version === undefined ? [] : [["string version", textHash(version)]]),
    ...(chainId === undefined ? [] : [["uint256 chainId", toWord(chainId)]]),
    ...(verifyingContract === undefined ? [] : [["address verifyingContract", toWord(BigInt(verifyingContract))]]),
    ...(salt === undefined ? [] : [["bytes32 salt", salt]]),
  ];
  const type = textHash(`EIP712Domain(${members.map(([declared]) => declared).join()})`);
  return keccak256(joinedHex([type, ...members.map(([, value]) => value ?? "0x")]));
}

export function textHash(text: string): Hex {
  return keccak256(new TextEncoder().encode(text));
}

export function joinedHex(parts: readonly string[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join("")}`;
}

/** The names and versions that a domain may have, the token's own words first. */
export function domainNames({ tokenFacts }: PaymentFacts): readonly string[] {
  const { name, symbol, domain } = tokenFacts;
  return unique([domain?.name, name, symbol, ...(usdc.some((one) => one === name || one === symbol) ? usdc : [])]);
}

export function domainVersions({ tokenFacts }: PaymentFacts): readonly (string | undefined)[] {
  return [...unique([tokenFacts.domain?.version, tokenFacts.version, "1", "2"]), undefined];
}

/** Names of one token, by chain and bridge. @see https://github.com/x402-foundation/x402/issues/837 */
const usdc = ["USD Coin", "USDC", "Bridged USDC", "USD Coin (PoS)", "USD Coin (Arb1)"];

/** The token's own domain. */
export interface OwnDomain {
  readonly separator: Hex;
  /** Its members; `undefined` if none that were tried give the separator. */
  readonly members: SigningDomain | undefined;
}

/** Returns the token's own domain: its separator, and the members that give it. `undefined` if the token tells neither. */
export function ownDomain(facts: PaymentFacts, chainIds: readonly bigint[]): OwnDomain | undefined {
  const { tokenFacts } = facts;
  const { separator, domain } = tokenFacts;
  if (separator === undefined) {
    const members = domain ?? guessedDomain(facts);
    return members && { separator: separatorOf(members), members };
  }
  if (domain && separatorOf(domain) === separator) return { separator, members: domain };
  for (const members of possibleDomains(facts, chainIds))
    if (separatorOf(members) === separator) return { separator, members };
  return { separator, members: undefined };
}

function guessedDomain(facts: PaymentFacts): SigningDomain | undefined {
  const [name] = domainNames(facts);
  if (name === undefined || facts.chainId === undefined) return undefined;
  return {
    name,
    version: domainVersions(facts)[0],
    chainId: facts.chainId,
    verifyingContract: facts.token,
  };
}

function* possibleDomains(facts: PaymentFacts, chainIds: readonly bigint[]): Generator<SigningDomain> {
  const { token: verifyingContract, chainId: own, tokenFacts } = facts;
  const contracts = [
    verifyingContract,
    ...(tokenFacts.implementation === undefined ? [] : [tokenFacts.implementation]),
  ];
  for (const chainId of uniqueIds([own, ...chainIds]))
    for (const name of domainNames(facts))
      for (const version of domainVersions(facts))
        for (const contract of contracts) {
          yield { name, version, chainId, verifyingContract: contract };
          // tokens of Polygon's bridge have the chain as a salt
          yield { name, version, verifyingContract: contract, salt: toWord(chainId) };
        }
  for (const name of domainNames(facts))
    for (const version of domainVersions(facts)) yield { name, version, verifyingContract };
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

export function uniqueIds(values: readonly (bigint | undefined)[]): readonly bigint[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
