import type { Hex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { once } from "../base/memo.ts";
import { lowerHex } from "./decodeLog.ts";
import { parseItem, selectorOf } from "./item.ts";

export type PaymentKind = "transfer" | "receive" | "cancel" | "permit" | "dai-permit";

/** A call that a token accepts because of a signature in it. */
export interface PaymentCall {
  readonly kind: PaymentKind;
  /** The function's name. */
  readonly name: string;
  /** Names of the arguments, in order; those of the signature are the last. */
  readonly args: readonly string[];
  /** Values of the arguments that are signed, as 32 bytes, by name. */
  readonly words: Readonly<Record<string, Hex>>;
  /** The account that must have signed, in lower case. */
  readonly signer: Hex;
  /** The signature as bytes; `v`, `r` and `s` are joined as `r`, `s`, `v`. */
  readonly signature: Hex;
  /** The signature is one argument of bytes, in place of `v`, `r` and `s`. */
  readonly isBytes: boolean;
}

interface Shape {
  readonly kind: PaymentKind;
  readonly name: string;
  readonly types: string;
  readonly args: readonly string[];
}

const authorizationArgs = ["from", "to", "value", "validAfter", "validBefore", "nonce"] as const;
const authorizationTypes = "address,address,uint256,uint256,uint256,bytes32";

/** @see https://eips.ethereum.org/EIPS/eip-3009 @see https://eips.ethereum.org/EIPS/eip-2612 */
const shapes: readonly Shape[] = [
  { kind: "transfer", name: "transferWithAuthorization", types: authorizationTypes, args: authorizationArgs },
  { kind: "receive", name: "receiveWithAuthorization", types: authorizationTypes, args: authorizationArgs },
  { kind: "cancel", name: "cancelAuthorization", types: "address,bytes32", args: ["authorizer", "nonce"] },
  {
    kind: "permit",
    name: "permit",
    types: "address,address,uint256,uint256",
    args: ["owner", "spender", "value", "deadline"],
  },
  {
    kind: "dai-permit",
    name: "permit",
    types: "address,address,uint256,uint256,bool",
    args: ["holder", "spender", "nonce", "expiry", "allowed"],
  },
];

const shapesBySelector = once(
  (): ReadonlyMap<string, { readonly shape: Shape; readonly isBytes: boolean }> =>
    new Map(
      shapes.flatMap((shape) =>
        [false, true].flatMap((isBytes) => {
          const item = parseItem(`${shape.name}(${shape.types},${isBytes ? "bytes" : "uint8,bytes32,bytes32"})`, "");
          return item ? [[selectorOf(item), { shape, isBytes }] as const] : [];
        }),
      ),
    ),
);

/** Longer signatures are not read. */
const maxSignature = 65_536;

/** Reads call data as a payment by signature; `undefined` if it is not one, or is cut short. */
export function paymentCall(data: JsonValue | undefined): PaymentCall | undefined {
  const hex = lowerHex(data);
  const found = hex === undefined ? undefined : shapesBySelector().get(hex.slice(0, 10));
  if (hex === undefined || !found) return undefined;
  const { shape, isBytes } = found;
  const count = shape.args.length;
  const body = hex.slice(10);
  if (body.length < (count + (isBytes ? 2 : 3)) * 64) return undefined;
  const words = Object.fromEntries(shape.args.map((name, at) => [name, wordAt(body, at)]));
  const signature = isBytes ? bytesAt(body, count) : joined(body, count);
  const signer = words[shape.args[0] ?? ""];
  if (signature === undefined || signer === undefined) return undefined;
  const args = [...shape.args, ...(isBytes ? ["signature"] : ["v", "r", "s"])];
  const { kind, name } = shape;
  return { kind, name, args, words, signer: addressOf(signer), signature, isBytes };
}

/** Returns the address that a word holds. */
export function addressOf(word: Hex): Hex {
  return `0x${word.slice(-40)}`;
}

function wordAt(body: string, at: number): Hex {
  return `0x${body.slice(at * 64, at * 64 + 64)}`;
}

function joined(body: string, at: number): Hex {
  const [v, r, s] = [0, 1, 2].map((next) => wordAt(body, at + next).slice(2));
  return `0x${r}${s}${v?.slice(-2)}`;
}

function bytesAt(body: string, at: number): Hex | undefined {
  const offset = BigInt(wordAt(body, at)) * 2n;
  if (offset + 64n > BigInt(body.length)) return undefined;
  const start = Number(offset) + 64;
  const length = BigInt(`0x${body.slice(start - 64, start)}`);
  if (length > maxSignature || BigInt(start) + length * 2n > BigInt(body.length)) return undefined;
  return `0x${body.slice(start, start + Number(length) * 2)}`;
}

/** What separates signatures for one contract from those for others; a member that is absent is not part of it (EIP-712). */
export interface SigningDomain {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly chainId?: bigint | undefined;
  readonly verifyingContract?: Hex | undefined;
  readonly salt?: Hex | undefined;
}

/** What the token says at the state in which a payment failed; `undefined`: it does not say. Text of it is hostile. */
export interface TokenFacts {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly version: string | undefined;
  readonly decimals: number | undefined;
  /** EIP-5267. */
  readonly domain: SigningDomain | undefined;
  readonly separator: Hex | undefined;
  /** The contract whose code it runs (EIP-1967). */
  readonly implementation: Hex | undefined;
  /** EIP-3009: the authorization is used or cancelled. */
  readonly isUsed: boolean | undefined;
  /** The same after the block of a transaction that failed. */
  readonly isUsedInBlock: boolean;
  /** It knows neither a domain separator nor nonces. */
  readonly isSilent: boolean;
  /** EIP-2612: the nonce that the next permit needs. */
  readonly nonce: bigint | undefined;
  readonly balance: bigint | undefined;
  readonly isPaused: boolean;
  /** Accounts of the call that it has blocked, by the name of the argument. */
  readonly blocked: readonly string[];
}

/** Everything that is known about a payment that failed. */
export interface PaymentFacts {
  readonly payment: PaymentCall;
  readonly token: Hex;
  /** The account that calls the token. */
  readonly caller: Hex | undefined;
  /** Seconds since 1970, of the block. */
  readonly time: bigint | undefined;
  readonly block: bigint | undefined;
  readonly chainId: bigint | undefined;
  readonly tokenFacts: TokenFacts;
  /** The code of the account that must have signed. */
  readonly code: Hex | undefined;
}
