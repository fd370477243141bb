import type { TypeRef, TypeSpec } from "./spec.ts";

const names = "An address, a name of `labels`, a symbol of the header's `tokens`, or a variable that holds an address.";

/** The types of directives that have one. */
export const directiveTypes: ReadonlyMap<string, TypeRef> = new Map([["assume", "assumptions"]]);

/** What a request may assume: the types of `assume`. None of them is sent; they become overrides. */
export const assumptionTypes = {
  assumptions: {
    kind: "object",
    open: false,
    summary: "What is different when the request is simulated. It becomes state and block overrides.",
    fields: [
      { name: "balance", type: "assumedBalances", summary: "The balances of accounts, as in `10 ether`." },
      { name: "token", type: "assumedTokens", summary: "The token balances of accounts, in whole tokens." },
      { name: "allowance", type: "assumedAllowances", summary: "The tokens that a spender may take from an owner." },
      { name: "code", type: "assumedCodes", summary: "The code of contracts." },
      { name: "storage", type: "assumedStorage", summary: "The variables or slots of contracts." },
      { name: "time", type: "assumedTime", summary: "The time of the block." },
    ],
  },
  assumedBalances: {
    kind: "map",
    keys: "account",
    values: "wei",
    summary: "Account → its balance: `10 ether`, or a number of wei.",
  },
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
  assumedStorage: {
    kind: "map",
    keys: "account",
    values: "assumedSlots",
    summary: "Contract → its variables or slots, and what they hold.",
  },
  assumedSlots: { kind: "map", keys: "slotName", values: "storedValue", summary: "Variable or slot → what it holds." },
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
    kind: "union",
    of: ["amountText", "amountNumber"],
    summary: 'An amount in whole tokens, with at most as many decimals as the token has: `"1000"`, `"0.5"`.',
  },
  amountText: {
    kind: "string",
    pattern: String.raw`^\s*[0-9][0-9,]*(\.[0-9]+)?\s*$`,
    form: "an amount of whole tokens, such as `1000` or `0.5`",
    summary: "An amount in decimal digits, as text.",
  },
  amountNumber: { kind: "integer", fraction: true, summary: "An amount as a number." },
  unlimitedAmount: {
    kind: "oneOf",
    summary: "Without a limit.",
    values: [{ value: "unlimited", summary: "The greatest number that the token can hold." }],
  },
  tokenAllowance: {
    kind: "union",
    of: ["unlimitedAmount", "amountText", "amountNumber"],
    summary: 'An amount in whole tokens, or `"unlimited"`.',
  },
  assumedTime: {
    kind: "union",
    of: ["timeText", "integer"],
    summary: 'Time after the block, `"+1 day"`; or a date in UTC, `"2026-12-01T12:00Z"`; or seconds since 1970.',
  },
  timeText: {
    kind: "string",
    pattern: String.raw`^\s*([+-]\s*\d{1,9}(\.\d{1,3})?\s*[a-z]+|\d{1,15}|\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?)\s*$`,
    form: "a time, such as `+1 day` or `2026-12-01T12:00Z`",
    summary: "A time as text.",
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
