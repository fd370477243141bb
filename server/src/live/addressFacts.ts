import { readCode } from "../abi/code.ts";
import { decimalsCall, nameCall, shownSymbol, symbolCall, tokenDecimals } from "../abi/token.ts";
import { isHex, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { slots } from "../catalog/slots.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { unusedAddress } from "../inspect/observer.ts";
import type { Outcome, Refused, Unreachable } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";

/** Facts about an address, as far as the endpoint answered. */
export interface AddressFacts {
  /** Wei. */
  readonly pending: bigint | undefined;
  readonly latest: bigint | undefined;
  readonly pendingNonce: bigint | undefined;
  readonly latestNonce: bigint | undefined;
  readonly what: AddressKind | undefined;
  readonly token: TokenFacts | undefined;
  /** Number of the latest block when the facts were read. */
  readonly head: bigint | undefined;
  /** The first needed question without an answer. The head is not needed. */
  readonly failure: { readonly method: string; readonly outcome: Refused | Unreachable } | undefined;
}

export type AddressKind =
  | { readonly kind: "account" }
  | { readonly kind: "delegated"; readonly to: string }
  | { readonly kind: "contract"; readonly bytes: number }
  | { readonly kind: "proxy"; readonly to: string; readonly form: string };

export interface TokenFacts {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
}

/** Slots in which proxies keep the address of their implementation, with the names of the proxies. */
const proxySlots = slots.flatMap(({ slot, name, holds }) =>
  holds === "address" && /implementation|beacon|PROXIABLE/.test(name) ? [{ slot, name }] : [],
);

/** Returns all questions about an address, for one batch. The question for the head comes before them. */
export function addressQuestions(address: string): readonly Question[] {
  const call = (data: string): Question => ({ method: "eth_call", params: [{ to: address, data }, "pending"] });
  return [
    ...(["pending", "latest"] as const).flatMap((tag) => [
      { method: "eth_getBalance", params: [address, tag] },
      { method: "eth_getTransactionCount", params: [address, tag] },
    ]),
    { method: "eth_getCode", params: [address, "pending"] },
    call(nameCall),
    call(symbolCall),
    call(decimalsCall),
    ...proxySlots.map(({ slot }) => ({ method: "eth_getStorageAt", params: [address, slot, "pending"] })),
  ];
}

/** @param outcomes - Of {@link addressQuestions}, in order. */
export function addressFacts(outcomes: readonly Outcome[], head: bigint | undefined, mask: Mask): AddressFacts {
  const [pending, pendingNonce, latest, latestNonce, code, name, symbol, decimals, ...stored] = outcomes;
  const what = kindOf(resultOf(code), stored);
  const isContract = what?.kind === "contract" || what?.kind === "proxy";
  return {
    head,
    pending: quantity(resultOf(pending)),
    latest: quantity(resultOf(latest)),
    pendingNonce: quantity(resultOf(pendingNonce)),
    latestNonce: quantity(resultOf(latestNonce)),
    what,
    token: isContract ? tokenFacts(resultOf(name), resultOf(symbol), resultOf(decimals), mask) : undefined,
    // a call may revert, and a node may not serve storage: neither is a failure
    failure: failureOf(outcomes.slice(0, neededQuestions)),
  };
}

/** The first questions, which every endpoint should answer. */
const neededQuestions = 5;

function failureOf(outcomes: readonly (Outcome | undefined)[]): AddressFacts["failure"] {
  const questions = addressQuestions(unusedAddress);
  return outcomes.flatMap((outcome, at) => {
    const method = questions[at]?.method;
    return outcome && outcome.kind !== "answered" && method !== undefined ? [{ method, outcome }] : [];
  })[0];
}

function kindOf(code: JsonValue | undefined, stored: readonly Outcome[]): AddressKind | undefined {
  const read = readCode(code);
  switch (read?.kind) {
    case undefined:
      return undefined;
    case "none":
      return { kind: "account" };
    case "delegation":
      return { kind: "delegated", to: read.to };
    case "proxy":
      return { kind: "proxy", to: read.to, form: read.form };
    case "contract":
      return implementation(stored) ?? { kind: "contract", bytes: read.bytes };
  }
}

function implementation(stored: readonly Outcome[]): AddressKind | undefined {
  for (const [at, outcome] of stored.entries()) {
    const word = resultOf(outcome);
    if (!isHex(word) || word.length !== 66 || !word.startsWith(`0x${"0".repeat(24)}`)) continue;
    const to = `0x${word.slice(26)}`;
    if (BigInt(to) !== 0n) return { kind: "proxy", to, form: proxySlots[at]?.name ?? "proxy" };
  }
  return undefined;
}

function tokenFacts(
  name: JsonValue | undefined,
  symbol: JsonValue | undefined,
  decimals: JsonValue | undefined,
  mask: Mask,
): TokenFacts | undefined {
  const facts = { name: shownSymbol(name, mask), symbol: shownSymbol(symbol, mask), decimals: tokenDecimals(decimals) };
  return facts.symbol || facts.decimals !== undefined ? facts : undefined;
}
