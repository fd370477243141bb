import { keccak256 } from "viem/utils";
import { type Hex, toWord } from "../base/hex.ts";
import type { PaymentCall, PaymentFacts, PaymentKind, SigningDomain } from "./paymentCall.ts";

const authorization = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";

/** The types of the messages that are signed, with their members. */
const types: Readonly<Record<PaymentKind, string>> = {
  transfer: `TransferWithAuthorization${authorization}`,
  receive: `ReceiveWithAuthorization${authorization}`,
  cancel: "CancelAuthorization(address authorizer,bytes32 nonce)",
  permit: "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
  "dai-permit": "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)",
};

/** A message that may have been signed. */
export interface PaymentMessage {
  readonly kind: PaymentKind;
  /** By name, with the nonce of a permit, which is not an argument of its call. */
  readonly words: Readonly<Record<string, Hex>>;
}

export function typeName(kind: PaymentKind): string {
  return types[kind].split("(")[0] ?? "";
}

/** Returns the message that the token expects; `undefined` if it does not tell the nonce. */
export function expectedMessage({ kind, words }: PaymentCall, nonce: bigint | undefined): PaymentMessage | undefined {
  if (kind !== "permit") return { kind, words };
  return nonce === undefined ? undefined : { kind, words: { ...words, nonce: toWord(nonce) } };
}

/** Returns the hash that is signed. @see https://eips.ethereum.org/EIPS/eip-712 */
export function digestOf(separator: Hex, { kind, words }: PaymentMessage): Hex {
  const type = types[kind];
  const names = [...type.matchAll(/ (\w+)/g)].map(([, name]) => name ?? "");
  const struct = keccak256(joinedHex([textHash(type), ...names.map((name) => words[name] ?? "0x")]));
  return keccak256(joinedHex(["0x1901", separator, struct]));
}

/** Returns the hash that `personal_sign` signs in its place. @see https://eips.ethereum.org/EIPS/eip-191 */
export function personalDigest(digest: Hex): Hex {
  const prefix = [...new TextEncoder().encode("\x19Ethereum Signed Message:\n32")];
  return keccak256(joinedHex([`0x${prefix.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`, digest]));
}

/** One value of a message that may have been signed in place of the one in the call. */
interface OtherValue {
  readonly message: PaymentMessage;
  /** The member that differs; `undefined` for the type of the message. */
  readonly name: string | undefined;
}

/** Returns messages that differ in one value, as mistakes do: another unit, milliseconds, another account, another type. */
export function otherMessages(message: PaymentMessage, accounts: readonly Hex[]): readonly OtherValue[] {
  const { kind, words } = message;
  const others = Object.entries(words).flatMap(([name, value]) =>
    otherValues(name, BigInt(value), accounts).map((other): OtherValue => {
      return { message: { kind, words: { ...words, [name]: toWord(other) } }, name };
    }),
  );
  const sibling = kind === "transfer" ? "receive" : kind === "receive" ? "transfer" : undefined;
  return [...(sibling ? [{ message: { kind: sibling, words }, name: undefined } as const] : []), ...others];
}

const greatest = 2n ** 256n - 1n;

function otherValues(name: string, value: bigint, accounts: readonly Hex[]): readonly bigint[] {
  const different = (values: readonly bigint[]): readonly bigint[] =>
    [...new Set(values)].filter((one) => one !== value && one >= 0n && one <= greatest);
  switch (name) {
    case "to":
    case "spender":
      return different([...accounts.map(BigInt), 0n]);
    case "value":
      return different([...powers.flatMap((power) => scaled(value, power)), 0n, greatest]);
    case "validAfter":
    case "validBefore":
    case "deadline":
    case "expiry":
      return different([value * 1000n, value / 1000n, 0n, greatest]);
    case "nonce":
      // that of a permit counts; that of an authorization is random
      return value < 2n ** 32n ? different(near.map((step) => value + step)) : [];
    case "allowed":
      return different([1n - (value & 1n)]);
    default:
      return [];
  }
}

const powers = [6n, 12n, 18n, 8n, 2n, 1n, 3n, 9n] as const;
const near = [-1n, 1n, -2n, 2n, -3n, 3n, -4n, 4n, -5n, 5n] as const;

function scaled(value: bigint, power: bigint): readonly bigint[] {
  const factor = 10n ** power;
  return value % factor === 0n ? [value * factor, value / factor] : [value * factor];
}

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

function textHash(text: string): Hex {
  return keccak256(new TextEncoder().encode(text));
}

function joinedHex(parts: readonly string[]): Hex {
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
