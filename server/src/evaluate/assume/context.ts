import { isAddress } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import type { HeaderValues } from "../../notebook/header.ts";
import type { AssumeContext } from "./assumption.ts";
import type { KnownState } from "./stateQuestion.ts";

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
