import type { Hex } from "../base/hex.ts";
import { addressOf, type PaymentFacts, type SigningDomain } from "./paymentCall.ts";
import {
  digestOf,
  domainNames,
  domainVersions,
  expectedMessage,
  type OwnDomain,
  otherMessages,
  type PaymentMessage,
  personalDigest,
  separatorOf,
  typeName,
  uniqueIds,
} from "./paymentMessage.ts";
import { type ReadSignature, recovered, type SignatureFault, type SignatureReading } from "./paymentSignature.ts";

/** A part of what was signed that is not what the token expects. */
export type SignedChange =
  | { readonly part: "domain"; readonly member: keyof SigningDomain; readonly signed: Said; readonly expected: Said }
  /** The domain differs, and the members of the token's own are not known. */
  | { readonly part: "unknown domain"; readonly signed: SigningDomain }
  | { readonly part: "type"; readonly signed: string; readonly expected: string }
  | { readonly part: "argument"; readonly name: string; readonly signed: bigint; readonly expected: bigint }
  | { readonly part: "personal" };

type Said = string | bigint | undefined;

/** What the signature says about its signer. */
export interface SearchedSignature {
  /** It is by the account that must have signed; `undefined` if none of what was tried gives that account. */
  readonly match: SignatureMatch | undefined;
  /** The account that it would be by, if all that the token expects had been signed. */
  readonly recovered: Hex | undefined;
}

export interface SignatureMatch {
  readonly changes: readonly SignedChange[];
  readonly faults: readonly SignatureFault[];
}

/** What a search may try. */
export interface SearchScope {
  readonly chainIds: readonly bigint[];
  /** Accounts of the call and of the notebook, those of the call first. */
  readonly accounts: readonly Hex[];
  /** Lets other work go on; `true` ends the search. */
  pause(): Promise<boolean>;
}

/** Recoveries in one search; each takes about a millisecond. */
const maxTries = 200;
/** Recoveries without a pause. */
const triesAtOnce = 16;

/** Accounts that are tried in the place of another. */
const maxAccounts = 12;

/** Finds out what was signed: the expected message first, then what differs from it in as little as possible. */
export async function searchSignature(
  facts: PaymentFacts,
  own: OwnDomain | undefined,
  signature: ReadSignature,
  scope: SearchScope,
): Promise<SearchedSignature> {
  const [plain] = signature.readings;
  if (!plain || !own) return { match: undefined, recovered: undefined };
  const { signer } = facts.payment;
  let base: Hex | undefined;
  let tries = 0;
  for (const { digest, changes, reading } of attempts(facts, own, signature, scope)) {
    if (tries++ >= maxTries || (tries % triesAtOnce === 0 && (await scope.pause()))) break;
    const account = await recovered(digest, reading);
    if (account === signer) return { match: { changes, faults: reading.faults }, recovered: base ?? account };
    if (tries > 1) continue;
    base = account;
    if (account !== undefined && scope.accounts.includes(account)) break; // another account that is known signed it
  }
  return { match: undefined, recovered: base };
}

interface Attempt {
  readonly digest: Hex;
  readonly changes: readonly SignedChange[];
  readonly reading: SignatureReading;
}

function* attempts(
  facts: PaymentFacts,
  own: OwnDomain,
  { readings }: ReadSignature,
  scope: SearchScope,
): Generator<Attempt> {
  const [reading] = readings;
  const message = expectedMessage(facts.payment, facts.tokenFacts.nonce ?? 0n);
  if (!reading || !message) return;
  const digest = digestOf(own.separator, message);
  for (const one of readings) yield { digest, changes: [], reading: one };
  yield { digest: personalDigest(digest), changes: [{ part: "personal" }], reading };
  const domains = otherDomains(facts, own, scope);
  const one = domains.filter(({ changes }) => changes.length <= 1);
  for (const { domain, changes } of one) yield { digest: digestOf(separatorOf(domain), message), changes, reading };
  for (const { message: other, name } of otherMessages(message, scope.accounts.slice(0, maxAccounts)))
    yield { digest: digestOf(own.separator, other), changes: [messageChange(message, other, name)], reading };
  const more = domains.filter(({ changes }) => changes.length > 1);
  for (const { domain, changes } of more) yield { digest: digestOf(separatorOf(domain), message), changes, reading };
}

function messageChange(expected: PaymentMessage, signed: PaymentMessage, name: string | undefined): SignedChange {
  if (name === undefined) return { part: "type", signed: typeName(signed.kind), expected: typeName(expected.kind) };
  const value = ({ words }: PaymentMessage): bigint => BigInt(words[name] ?? "0x0");
  return { part: "argument", name, signed: value(signed), expected: value(expected) };
}

interface OtherDomain {
  readonly domain: SigningDomain;
  readonly changes: readonly SignedChange[];
}

/** Returns domains that may have been signed for, those with the fewest and likeliest differences first. */
export function otherDomains(
  facts: PaymentFacts,
  own: OwnDomain,
  { chainIds, accounts }: SearchScope,
): readonly OtherDomain[] {
  const { members } = own;
  const found: OtherDomain[] = [];
  const names = [...new Set([members?.name, ...domainNames(facts), undefined])];
  const versions = [...new Set([members?.version, ...domainVersions(facts)])];
  const chains = [...uniqueIds([members?.chainId, facts.chainId, ...chainIds]), undefined];
  const { token, tokenFacts } = facts;
  const contracts = new Set(
    [token, tokenFacts.implementation, ...accounts.slice(0, maxAccounts)].filter((one) => one !== undefined),
  );
  for (const name of names)
    for (const version of versions)
      for (const chainId of chains)
        for (const verifyingContract of contracts) {
          const domain = { name, version, chainId, verifyingContract };
          const changes = members ? domainChanges(domain, members) : unknownChange(domain);
          if (changes.length > 0 && changes.length <= 3) found.push({ domain, changes });
        }
  return found
    .map((one) => ({ ...one, cost: one.changes.reduce((sum, change) => sum + costOf(change), 0) }))
    .sort((a, b) => a.cost - b.cost);
}

function unknownChange(signed: SigningDomain): readonly SignedChange[] {
  return [{ part: "unknown domain", signed }];
}

/** Names and versions are confused together, chains and contracts together. */
function costOf(change: SignedChange): number {
  if (change.part !== "domain") return 1;
  return { name: 10, version: 11, chainId: 13, verifyingContract: 14, salt: 30 }[change.member];
}

const memberNames = ["name", "version", "chainId", "verifyingContract", "salt"] as const;

function domainChanges(signed: SigningDomain, expected: SigningDomain): readonly SignedChange[] {
  return memberNames.flatMap((member): readonly SignedChange[] =>
    signed[member] === expected[member]
      ? []
      : [{ part: "domain", member, signed: signed[member], expected: expected[member] }],
  );
}

/** Returns the accounts of a call, which other places may have been meant for. */
export function accountsOf({ payment, caller, token }: PaymentFacts, near: readonly Hex[]): readonly Hex[] {
  const { from, to, spender } = payment.words;
  const called = [to, spender, from].flatMap((one) => (one === undefined ? [] : [addressOf(one)]));
  return [...new Set([...called, ...(caller === undefined ? [] : [caller]), token, ...near])];
}
