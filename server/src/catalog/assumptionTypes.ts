import type { TypeRef, TypeSpec } from "./spec.ts";

const names = "An address, a name of `labels`, or a variable that holds an address.";

/** The types of directives that have one. */
export const directiveTypes: ReadonlyMap<string, TypeRef> = new Map([["assume", "assumptions"]]);

/** What a request may assume: the types of `assume`. None of them is sent; they become overrides. */
export const assumptionTypes = {
  assumptions: {
    kind: "object",
    open: false,
    summary: "What is different when the request is simulated. It becomes state and block overrides.",
    fields: [
      { name: "balance", type: "assumedBalances", summary: "Who has how much of the native currency." },
      { name: "token", type: "assumedTokens", summary: "Of each token, who has how much." },
      { name: "allowance", type: "assumedAllowances", summary: "Of each token, who lets whom spend how much." },
      { name: "code", type: "assumedCodes", summary: "Contract → its bytecode." },
      { name: "storage", type: "assumedStorage", summary: "Contract → slots and what they hold." },
      { name: "time", type: "assumedTime", summary: "The time of the block." },
    ],
  },
  assumedBalances: { kind: "map", keys: "account", values: "wei", summary: "Account → its balance in wei." },
  assumedTokens: { kind: "map", keys: "account", values: "assumedHolders", summary: "Token → balances of accounts." },
  assumedHolders: { kind: "map", keys: "account", values: "tokenAmount", summary: "Account → its balance." },
  assumedAllowances: {
    kind: "map",
    keys: "account",
    values: "assumedOwners",
    summary: "Token → allowances of owners.",
  },
  assumedOwners: { kind: "map", keys: "account", values: "assumedSpenders", summary: "Owner → what others may spend." },
  assumedSpenders: {
    kind: "map",
    keys: "account",
    values: "tokenAllowance",
    summary: "Spender → how much it may spend.",
  },
  assumedCodes: { kind: "map", keys: "account", values: "code", summary: "Contract → its bytecode." },
  assumedStorage: { kind: "map", keys: "account", values: "assumedSlots", summary: "Contract → its slots." },
  assumedSlots: { kind: "map", keys: "slotName", values: "storedValue", summary: "Slot → what it holds." },
  account: { kind: "string", summary: names },
  slotName: {
    kind: "string",
    summary:
      "A slot: a number, `0x` and up to 64 hexadecimal digits, a name such as `eip1967.proxy.implementation`, or the path of a variable: `paused`, `Vault.balances[alice]`.",
  },
  storedValue: {
    kind: "any",
    summary: "`true`, `false`, a number, an address, or `0x` and up to 64 hexadecimal digits.",
  },
  tokenAmount: {
    kind: "string",
    pattern: String.raw`^\s*[0-9][0-9,]*(\.[0-9]+)?\s*$`,
    summary: 'An amount in whole tokens, with at most as many decimals as the token has: `"1000"`, `"0.5"`.',
  },
  unlimitedAmount: {
    kind: "oneOf",
    summary: "Without a limit.",
    values: [{ value: "unlimited", summary: "The greatest number that the token can hold." }],
  },
  tokenAllowance: {
    kind: "union",
    of: ["unlimitedAmount", "tokenAmount"],
    summary: 'An amount in whole tokens, or `"unlimited"`.',
  },
  assumedTime: {
    kind: "string",
    pattern: String.raw`^\s*([+-]\s*\d{1,9}(\.\d{1,3})?\s*[a-z]+|\d{1,15}|\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?)\s*$`,
    summary: 'Time after the block, `"+1 day"`; or a date in UTC, `"2026-12-01T12:00Z"`; or seconds since 1970.',
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
