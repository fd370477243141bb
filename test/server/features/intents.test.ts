import assert from "node:assert/strict";
import { itemFromJson } from "../../../server/src/abi/item.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { intents } from "../../../server/src/features/intents.ts";
import { plain } from "../../../server/src/features/snippet.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, preconfirmed, scopeOf } from "../../support/cell.ts";
import { complete, completes } from "../../support/complete.ts";

const vault = [
  { type: "function", name: "settle", stateMutability: "nonpayable", inputs: [{ name: "amount", type: "uint256" }] },
  { type: "function", name: "rate", stateMutability: "view", outputs: [{ type: "uint256" }] },
  { type: "event", name: "Settled", inputs: [{ name: "by", type: "address", indexed: true }] },
].flatMap((json) => itemFromJson(json, "Vault.sol") ?? []);
const around: Around = {
  header: JSON.stringify({
    endpoint: "local",
    variables: {
      alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      vault: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    },
  }),
  endpoint: { cadence: preconfirmed, host: "rpc.example.org" },
  abis: { files: new Map(), contracts: vault },
};

describe("a function or an event in an empty cell", () => {
  it("becomes a call that reads", () =>
    completes(
      "rate",
      `‹rat|→{
  "method": "eth_call",
  "params": [
    {
      "to": "{{vault}}",
      "data": { "function": "rate() returns (uint256)", "args": [] }
    },
    "pending"
  ]
}›`,
      around,
    ));

  it("becomes a call of an account if it changes something", () =>
    completes(
      "settle",
      `‹|→{
  "method": "eth_call",
  "params": [
    {
      "from": "{{alice}}",
      "to": "{{vault}}",
      "data": { "function": "settle(uint256)", "args": [0] }
    },
    "pending"
  ]
}›`,
      around,
    ));

  it("becomes the logs of the last blocks", () =>
    completes(
      "Settled",
      `‹sett|→{
  "method": "eth_getLogs",
  "params": [
    {
      "address": "{{vault}}",
      "event": "Settled(address indexed by)",
      "args": {  },
      "fromBlock": "latest - 100",
      "toBlock": "pending"
    }
  ]
}›`,
      around,
    ));

  it("is a request without problems, whichever it is", () => {
    const empty = readCell("");
    const made = intents(empty, scopeOf(empty, around));
    assert.ok(made.length > 50, "well-known functions are offered too");
    for (const { label, insert } of made) {
      const cell = readCell(plain(insert));
      assert.deepEqual(diagnostics(cell, scopeOf(cell, around)), [], label);
    }
  });

  it("shows its signature and its source in the list", () => {
    const rows = complete("balanceOf|").filter(({ label }) => label === "balanceOf");
    const shown = rows.map(({ signature, source }) => `${signature} ${source}`);
    assert.equal(shown[0], "(address owner) returns (uint256 balance) ERC-20");
    assert.equal(new Set(shown).size, shown.length);
    const settle = complete("settle|", around).find(({ label }) => label === "settle");
    assert.equal(`${settle?.signature} ${settle?.source}`, "(uint256 amount) Vault.sol");
  });
});
