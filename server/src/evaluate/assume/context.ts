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
  return {
    addressesOf(name) {
      const labelled = [...labels].flatMap(([address, label]) => (label === name ? address.toLowerCase() : []));
      const symbols = [...tokens].flatMap(([address, { symbol }]) => (symbol === name ? address : []));
      const value = variables.get(name);
      const named = labelled.length > 0 ? labelled : isAddress(value) ? [value.toLowerCase()] : symbols;
      return named.filter(isAddress);
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
