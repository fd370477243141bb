import { checksummed } from "../abi/address.ts";
import { readCode } from "../abi/code.ts";
import { addressInWord } from "../abi/contractForm.ts";
import { decimalsCall, nameCall, shownSymbol, symbolCall, tokenDecimals } from "../abi/token.ts";
import { isHex, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { code, escaped, figure, joined, link, type Markdown, markdown } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import { type Span, span } from "../base/span.ts";
import { brief, plural } from "../base/text.ts";
import { formatWei } from "../base/units.ts";
import { slots } from "../catalog/slots.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { unusedAddress } from "../inspect/observer.ts";
import { quoted } from "../report/shown.ts";
import { symbolText } from "../report/tokens.ts";
import type { Cadence } from "../rpc/cadence.ts";
import { explain } from "../rpc/explain.ts";
import { type Outcome, type Refused, resultOf, type Unreachable } from "../rpc/outcome.ts";
import type { SafeOrDiamond } from "./safeOrDiamond.ts";

/** Facts about an address, as far as the endpoint answered. */
export interface AddressFacts {
  /** Wei. */
  readonly pending: bigint | undefined;
  readonly latest: bigint | undefined;
  readonly pendingNonce: bigint | undefined;
  readonly latestNonce: bigint | undefined;
  readonly what: AddressKind | undefined;
  /** Lower-case hex; `undefined` for an account that is not a contract. */
  readonly code: string | undefined;
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
  | { readonly kind: "proxy"; readonly to: string; readonly form: string }
  | SafeOrDiamond;

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
  const found = resultOf(code);
  return {
    head,
    pending: quantity(resultOf(pending)),
    latest: quantity(resultOf(latest)),
    pendingNonce: quantity(resultOf(pendingNonce)),
    latestNonce: quantity(resultOf(latestNonce)),
    what,
    code: isContract && isHex(found) ? found.toLowerCase() : undefined,
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
    const to = addressInWord(resultOf(outcome));
    if (to !== undefined) return { kind: "proxy", to, form: proxySlots[at]?.name ?? "proxy" };
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

/** An address in a text, with its span. */
export interface AddressSpan {
  readonly address: string;
  readonly span: Span;
}

/**
 * Returns the address at an offset: `0x` and 40 hex digits, with no letter, digit or underscore beside them. A part of a
 * hash or of an identifier is not an address.
 *
 * @param text - A line, or some text around the offset.
 */
export function addressIn(text: string, offset: number): AddressSpan | undefined {
  const from = Math.max(0, offset - 42);
  for (const { 0: address, index } of text.slice(from, offset + 43).matchAll(/0[xX][0-9a-fA-F]{40}/g)) {
    const start = from + index;
    const end = start + address.length;
    if (offset < start || offset > end) continue;
    if (isWordCharacter(text.charAt(start - 1)) || isWordCharacter(text.charAt(end))) continue;
    return { address: `0x${address.slice(2)}`, span: span(start, end) };
  }
  return undefined;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}

/** Where facts were read, and names for addresses. */
export interface AddressSource {
  readonly endpoint: string;
  readonly cadence: Cadence;
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** Name of this address; absent if the text beside the hover has it. */
  readonly name?: string | undefined;
  /** Signatures that were guessed from the code of the contract. */
  readonly functions?: readonly string[] | undefined;
  /** Page of a block explorer. */
  readonly page?: { readonly url: string; readonly host: string } | undefined;
}

/** Shows the facts about an address, the balance first and the source last. */
export function addressMarkdown(
  facts: AddressFacts,
  { endpoint, cadence, names, name, functions = [], page }: AddressSource,
): Markdown {
  const { failure } = facts;
  const source = [
    escaped(endpoint),
    facts.head === undefined ? undefined : markdown`block ${facts.head}`,
    cadence.kind === "pre-confirmed" ? markdown`\`pending\` is pre-confirmed` : undefined,
    page && link(page.host, page.url),
  ];
  return joined(
    [
      joined([name === undefined ? undefined : markdown`**${escaped(name)}**`, balance(facts)], " · "),
      joined([nonce(facts), facts.what && kindText(facts.what, names)], " · "),
      facts.token && token(facts.token),
      functions.length > 0 ? functionList(functions) : undefined,
      failure && failureText(failure),
      joined(source, " · "),
    ],
    "\n\n",
  );
}

/** Functions that are listed. */
const maxListed = 6;

function functionList(functions: readonly string[]): Markdown {
  const listed = functions.slice(0, maxListed).map((signature) => code(brief(signature, 60)));
  const more = functions.length - listed.length;
  const names = joined(listed, ", ");
  return more > 0
    ? markdown`functions guessed from its code: ${names} and ${more} more`
    : markdown`functions guessed from its code: ${names}`;
}

function failureText({ method, outcome }: NonNullable<AddressFacts["failure"]>): Markdown {
  if (outcome.reason === "not-recorded") return markdown`The rest is not in the recording.`;
  return escaped(explain(outcome, method).what);
}

function balance({ pending, latest }: AddressFacts): Markdown | undefined {
  const shown = pending ?? latest;
  if (shown === undefined) return undefined;
  const amount = markdown`**${figure(formatWei(shown))}**`;
  if (pending === undefined) return markdown`${amount} at latest`;
  if (latest === undefined) return markdown`${amount} pending`;
  if (latest === pending) return markdown`${amount} pending, the same at latest`;
  const difference = pending - latest;
  const change = `${difference > 0n ? "+" : "−"}${formatWei(difference > 0n ? difference : -difference)}`;
  return markdown`${amount} pending, ${figure(change)} since latest (${figure(formatWei(latest))})`;
}

function nonce({ pendingNonce, latestNonce }: AddressFacts): Markdown | undefined {
  const shown = pendingNonce ?? latestNonce;
  if (shown === undefined) return undefined;
  const ahead = pendingNonce !== undefined && latestNonce !== undefined ? pendingNonce - latestNonce : 0n;
  return ahead > 0n ? markdown`nonce ${shown} (${ahead} pending)` : markdown`nonce ${shown}`;
}

function kindText(kind: AddressKind, names: ReadonlyMap<string, string>): Markdown {
  const nameOf = (address: string): Markdown => {
    const name = names.get(address.toLowerCase());
    return joined([name === undefined ? undefined : escaped(name), code(checksummed(address))], " ");
  };
  switch (kind.kind) {
    case "account":
      return markdown`account`;
    case "delegated":
      return markdown`account that runs the code of ${nameOf(kind.to)} (EIP-7702)`;
    case "proxy":
      return kind.form.includes("beacon")
        ? markdown`proxy with the beacon ${nameOf(kind.to)}`
        : markdown`proxy of ${nameOf(kind.to)} (${escaped(kind.form)})`;
    case "contract":
      return markdown`contract, ${figure(plural(kind.bytes, "byte"))}`;
    case "diamond":
      return escaped(`diamond with ${plural(kind.facets, "facet")} (EIP-2535)`);
    case "safe":
      return joined(
        [
          escaped(kind.version === undefined ? "Safe" : `Safe ${kind.version}`),
          kind.owners && escaped(`${kind.owners.needed} of ${plural(kind.owners.all, "owner")} sign`),
          kind.to === undefined ? undefined : markdown`runs the code of ${nameOf(kind.to)}`,
        ],
        ", ",
      );
  }
}

function token({ name, symbol, decimals }: TokenFacts): Markdown {
  const isPlain = name === undefined || /^[\p{L}\p{N} .'-]*$/u.test(name);
  const title = [isPlain ? name : quoted(name, 60), symbol && `(${symbolText(symbol)})`]
    .filter((part) => part)
    .join(" ");
  const places = decimals === undefined ? undefined : figure(plural(decimals, "decimal"));
  return joined([markdown`token ${escaped(title, 120)}`, places], ", ");
}
