import assert from "node:assert/strict";
import { printOf } from "../../../server/src/abi/creatable.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, scopeOf } from "../../support/cell.ts";

const [alice, bob, usdc] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
] as const;
const header = JSON.stringify({
  variables: { router: bob, count: 5 },
  labels: { [alice]: "alice", [bob]: "twin", [usdc]: "twin" },
  tokens: { [usdc]: { symbol: "USDC", decimals: 6 } },
});
const abis: NonNullable<Around["abis"]> = {
  files: new Map(),
  contracts: [],
  creatables: [{ name: "Vault", print: printOf("0x00"), inputs: [], source: "out/Vault.json" }],
  layouts: [],
};
const call = `"method": "eth_call", "params": [{ "to": "${usdc}" }, "latest"]`;

describe("assume, as it is written", () => {
  for (const right of [
    ``,
    `"balance": { "alice": "10 ether", "router": "0x1", "${usdc}": "5 gwei" }`,
    `"token": { "USDC": { "alice": "1,000.5" } }, "allowance": { "USDC": { "alice": { "router": "unlimited" } } }`,
    `"code": { "router": "0x6001" }, "storage": { "router": { "0x0": true, "5": 1, "eip1967.proxy.admin": "${alice}" } }`,
    `"time": "+1 day"`,
    `"time": "2026-12-01T12:00Z"`,
    `"time": 1900000000`,
    `"token": { "USDC": { "alice": 1000, "router": 0.5 } }, "allowance": { "USDC": { "alice": { "router": 2.5 } } }`,
    `"token": { "{{router}}": { "{{router}}": "{{count}}" } }`,
  ])
    it(`takes ${right}`, () => finds(right, []));

  it("finds accounts without an address", () =>
    finds(`"balance": { "alic": "1 ether", "count": "1 ether", "twin": "1 ether" }`, [
      ['"alic"', "bad-assumption: Unknown account `alic`. Did you mean `alice`?"],
      ['"count"', "bad-assumption: Unknown account `count`."],
      ['"twin"', "bad-assumption: Ambiguous account `twin`. Several addresses have this name. Write the address."],
    ]));

  it("finds amounts with more digits than the token has, and those that are none", () =>
    finds(`"token": { "USDC": { "alice": "0.0000001", "router": "many" } }`, [
      [
        '"0.0000001"',
        "bad-assumption: This amount cannot be assumed: it has 7 digits after the point, and the token has 6.",
      ],
      ['"many"', "bad-assumption: This amount cannot be assumed: expected an amount of whole tokens"],
    ]));

  it("finds unknown members, and values of other kinds", () =>
    finds(`"balances": {}, "time": "soon", "storage": { "router": { "paused": false, "0x1": "off" } }`, [
      ['"balances"', "bad-assumption: `assume` has no member `balances`. Did you mean `balance`?"],
      ['"soon"', "bad-assumption: Expected a time, such as `+1 day`"],
      ['"paused"', "bad-assumption: `paused` cannot be assumed: it is not a slot, and no storage layout is known"],
      [
        '"off"',
        "bad-assumption: This value cannot be assumed: expected a boolean, a number, an address, or up to 32 bytes.",
      ],
    ]));

  it("calls a token a token", () =>
    finds(`"token": { "DOGE2": { "alice": "1" } }, "allowance": { "USD": {} }`, [
      [
        '"DOGE2"',
        "bad-assumption: Unknown token `DOGE2`. Write an address, or give one this name in `labels` or `tokens`.",
      ],
      ['"USD"', "bad-assumption: Unknown token `USD`. Did you mean `USDC`?"],
    ]));

  it("says how an amount is written if the account is known only to the run", () =>
    finds(`"token": { "USDC": { "{{router}}": "1000 USDC" } }`, [
      ['"1000 USDC"', "wrong-type: Expected an amount of whole tokens, such as `1000` or `0.5`, not `1000 USDC`."],
    ]));

  it("names the setting of the compiler for a contract of the project without a layout", () =>
    finds(`"storage": { "router": { "Vault.paused": false } }`, [
      [
        '"Vault.paused"',
        "bad-assumption: `Vault.paused` cannot be assumed: no storage layout of `Vault` was found: set `extra_output",
      ],
    ]));

  it("says nothing about variables until the contracts of the project are read", () => {
    const cell = readCell(`{ ${call}, "assume": { "storage": { "router": { "paused": false } } } }`);
    assert.deepEqual(diagnostics(cell, scopeOf(cell, { header })), []);
  });

  it("finds what is assumed twice", () =>
    finds(`"balance": { "alice": "1 wei", "${alice}": "2 wei" }`, [
      ['"2 wei"', "bad-assumption: This is assumed twice"],
    ]));

  it("is for calls, estimates and simulations", () =>
    finds(
      `"balance": { "alice": "1 wei" }`,
      [['"assume"', "bad-assumption: Only `eth_call`, `eth_estimateGas` and `eth_simulateV1` can assume something."]],
      `"method": "eth_getBalance", "params": ["${alice}", "latest"]`,
    ));

  it("knows that an estimate takes no time", () =>
    finds(
      `"time": "+1 day"`,
      [['"+1 day"', "bad-assumption: `eth_estimateGas` takes no block overrides."]],
      `"method": "eth_estimateGas", "params": [{ "to": "${usdc}" }, "latest"]`,
    ));
});

/** Checks the problems of a cell that assumes something: the text of each, and how its message begins. */
function finds(assumed: string, wanted: readonly (readonly [at: string, message: string])[], request = call): void {
  const text = `{ ${request}, "assume": { ${assumed} } }`;
  const cell = readCell(text);
  const found = diagnostics(cell, scopeOf(cell, { header, abis })).map(({ span, code, message }) => [
    text.slice(span.start, span.end),
    `${code}: ${message}`,
  ]);
  assert.deepEqual(
    found.map(([at = "", message = ""], index) => [at, message.slice(0, wanted[index]?.[1].length)]),
    wanted,
  );
}
