import assert from "node:assert/strict";
import { printOf } from "../../../server/src/abi/artifact.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, expectProblems, scopeOf } from "../../support/cell.ts";

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
    it(`takes ${right}`, () => finds(right));

  for (const marked of [
    // accounts without an address
    `"balance": { ‹bad→"alic"›: "1 ether", ‹bad→"count"›: "1 ether", ‹bad→"twin"›: "1 ether" }`,
    // amounts with more digits than the token has, and those that are none
    `"token": { "USDC": { "alice": ‹bad→"0.0000001"›, "router": ‹bad→"many"› } }`,
    // unknown members, and values of other kinds
    `"time": ‹bad→1900000000000›`,
    `‹bad→"balances"›: {}, "time": ‹bad→"soon"›, "storage": { "router": { ‹bad→"paused"›: false, "0x1": ‹bad→"off"› } }`,
    // unknown tokens
    `"token": { ‹bad→"DOGE2"›: { "alice": "1" } }, "allowance": { ‹bad→"USD"›: {} }`,
    // an amount for an account that only the run knows
    `"token": { "USDC": { "{{router}}": ‹wrong-type→"1000 USDC"› } }`,
    // what is assumed twice
    `"balance": { "alice": "1 wei", "${alice}": ‹bad→"2 wei"› }`,
  ])
    it(`finds what is wrong in ${marked}`, () => finds(marked));

  it("names the setting of the compiler for a contract of the project without a layout", () => {
    const cell = readCell(`{ ${call}, "assume": { "storage": { "router": { "Vault.paused": false } } } }`);
    const [{ message } = { message: "" }] = diagnostics(cell, scopeOf(cell, { header, abis }));
    assert.match(message, /`extra_output/);
  });

  it("says nothing about variables until the contracts of the project are read", () => {
    const cell = readCell(`{ ${call}, "assume": { "storage": { "router": { "paused": false } } } }`);
    assert.deepEqual(diagnostics(cell, scopeOf(cell, { header })), []);
  });

  it("is for calls, estimates and simulations, and an estimate takes no time", () => {
    const balance = `"method": "eth_getBalance", "params": ["${alice}", "latest"]`;
    expectProblems(`{ ${balance}, ‹bad-assumption→"assume"›: { "balance": { "alice": "1 wei" } } }`, { header, abis });
    finds(`"time": ‹bad→"+1 day"›`, call.replace("eth_call", "eth_estimateGas"));
  });
});

/** Checks the problems of a cell that assumes something. */
function finds(assumed: string, request = call): void {
  expectProblems(`{ ${request}, "assume": { ${assumed.replaceAll("‹bad→", "‹bad-assumption→")} } }`, { header, abis });
}
