import type { StorageScope } from "../../abi/storageScope.ts";
import { isAddress } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Span } from "../../base/span.ts";
import type { HeaderValues } from "../../notebook/header.ts";
import type { KnownState, StateQuestion } from "./stateQuestion.ts";

export interface AssumeContext {
  /** Returns the addresses with a name, in lower case. */
  addressesOf(name: string): readonly string[];
  /** Every name that an account can have, to suggest one. */
  names(): Iterable<string>;
  /** Returns the decimals of a token that the notebook names. */
  decimalsOf(token: string): number | undefined;
  readonly known: KnownState;
}

export const nothingKnown: AssumeContext = {
  addressesOf: () => [],
  names: () => [],
  decimalsOf: () => undefined,
  known: () => undefined,
};

/** Something that a request assumes, in words and as it is sent. */
export interface Assumption {
  /** @example "alice has 1,000 USDC" */
  readonly text: string;
  /** The member of an account, or of the block, that it becomes. */
  readonly override: Override;
  /** The place in the cell of what is assumed. */
  readonly span: Span;
  /** The call that reads it, and what that must return. */
  readonly reading?: { readonly to: string; readonly data: string; readonly value: bigint };
}

export type Override =
  | { readonly kind: "balance" | "code"; readonly address: string; readonly value: string }
  | {
      readonly kind: "slot";
      readonly address: string;
      readonly slot: string;
      readonly value: string;
      /** The bits that are assumed, if they are not all. */
      readonly mask?: string;
    }
  | { readonly kind: "time"; readonly value: string; readonly timeAs?: "timestamp" };

/** The bits of a word that an override changes. */
export function maskOf({ mask }: { readonly mask?: string }): bigint {
  return mask === undefined ? 2n ** 256n - 1n : BigInt(mask);
}

export interface BadAssumption {
  readonly code: "bad-assumption";
  readonly span: Span;
  /** One or two sentences. */
  readonly what: string;
  /** The key that was probably meant. */
  readonly instead?: string | undefined;
}

/** An assumption needs a fact that only the chain has. */
export interface UnknownState {
  readonly code: "unknown-layout";
  readonly span: Span;
  readonly question: StateQuestion;
}

export type AssumptionProblem = BadAssumption | UnknownState;

export interface Assumptions {
  readonly list: readonly Assumption[];
  readonly problems: readonly AssumptionProblem[];
}

export interface Assuming {
  readonly text: string;
  readonly method: string;
  /** The block that it names, as it is sent. */
  readonly block: JsonValue;
  /** The project's storage layouts; `"unread"` until its contracts are searched. */
  readonly storage?: StorageScope | "unread" | undefined;
  /** Returns whether a string contains a value that only the run knows. */
  isOpen(text: string): boolean;
}

/** The names that a notebook gives to accounts. */
interface NamedAccounts {
  /** Name by address. */
  readonly labels: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, JsonValue>;
  readonly tokens: HeaderValues["tokens"];
}

/** Returns what `assume` is read with: a label, a token's symbol or a variable names an account. */
export function assumeContext({ labels, variables, tokens }: NamedAccounts, known: KnownState): AssumeContext {
  let index: Index | undefined;
  return {
    addressesOf(name) {
      index ??= indexOf(labels, tokens);
      const value = variables.get(name);
      const variable = isAddress(value) ? [value.toLowerCase()] : undefined;
      return index.labelled.get(name) ?? variable ?? index.symbols.get(name) ?? [];
    },
    *names() {
      yield* labels.values();
      for (const [name, value] of variables) if (isAddress(value)) yield name;
      for (const { symbol } of tokens.values()) yield symbol;
    },
    decimalsOf: (token) => tokens.get(token)?.decimals,
    known,
  };
}

/** Addresses in lower case, by their names. */
interface Index {
  readonly labelled: ReadonlyMap<string, readonly string[]>;
  readonly symbols: ReadonlyMap<string, readonly string[]>;
}

function indexOf(labels: NamedAccounts["labels"], tokens: NamedAccounts["tokens"]): Index {
  const symbols = [...tokens].map(([address, { symbol }]) => [address, symbol] as const);
  return { labelled: byName(labels), symbols: byName(symbols) };
}

function byName(named: Iterable<readonly [address: string, name: string]>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [address, name] of named) {
    if (!isAddress(address)) continue;
    const same = found.get(name);
    if (same) same.push(address.toLowerCase());
    else found.set(name, [address.toLowerCase()]);
  }
  return found;
}
