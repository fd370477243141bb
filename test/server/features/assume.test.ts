import assert from "node:assert/strict";
import type { KnownState } from "../../../server/src/evaluate/assume/stateQuestion.ts";
import { inlayHints } from "../../../server/src/features/inlayHints.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { hoverText, scopeOf } from "../../support/cell.ts";
import { completes, labels } from "../../support/complete.ts";
import { pluck } from "../../support/pluck.ts";

const [alice, usdc] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
] as const;
const header = JSON.stringify({ labels: { [alice]: "alice" }, tokens: { [usdc]: { symbol: "USDC", decimals: 6 } } });
const call = `"method": "eth_call", "params": [{ "to": "${usdc}" }, "latest"]`;
const assuming = (assumed: string): string => `{ ${call}, "assume": { ${assumed} } }`;

describe("assume in an editor", () => {
  it("completes itself, its members, accounts, tokens and amounts", () => {
    completes("assume", `{ ${call}, |‹ }→"assume": {  } }›`, { header });
    assert.deepEqual(labels(assuming("|"), { header }), ["balance", "token", "allowance", "code", "storage", "time"]);
    completes("USDC", assuming(`"token": { |‹ }→"USDC": {  } }›`), { header });
    completes("alice", assuming(`"token": { "USDC": { |‹→"alice": "1000"› } }`), { header });
    completes("1000", assuming(`"token": { "USDC": { "alice": |‹→"1000"› } }`), { header });
    completes("+1 day", assuming(`"time": |‹→"+1 day"›`), { header });
    const allowances = labels(assuming(`"allowance": { "USDC": { "alice": { "alice": | } } }`), { header });
    assert.ok(allowances.includes("unlimited"));
  });

  it("writes an amount after an account", () => {
    completes("alice", assuming(`"balance": { |‹→"alice": "1 ether"› }`), { header });
    completes("alice", assuming(`"allowance": { "USDC": { "alice": { |‹→"alice": "unlimited"› } } }`), { header });
  });

  it("offers each account once", () => {
    const accounts = labels(assuming(`"balance": { | }`), { header });
    assert.equal(accounts.filter((label) => label === "alice").length, 1);
  });

  it("offers no time for an estimate, which takes none", () => {
    const estimate = `"method": "eth_estimateGas", "params": [{ "to": "${usdc}" }, "latest"]`;
    assert.ok(!labels(`{ ${estimate}, "assume": { | } }`, { header }).includes("time"));
  });

  it("is not offered where nothing can be assumed", () =>
    assert.ok(!labels(`{ "method": "eth_chainId", "params": [], | }`).includes("assume")));

  it("explains its members", () => {
    const explained = (marked: string): string => hoverText(marked, { header });
    assert.match(explained(`{ ${call}, "ass|ume": {} }`), /becomes state and block overrides/);
    assert.match(explained(assuming(`"tok|en": {}`)), /token balances of accounts/);
    assert.match(explained(assuming(`"time": "+1| day"`)), /Time after the block/);
    assert.match(explained(assuming(`"balance": { "al|ice": "1 ether" }`)), new RegExp(alice));
    assert.doesNotMatch(explained(assuming(`"tok|en": {}`)), /Source/, "no specification has it");
  });

  it("says what it becomes", () => {
    const cell = readCell(assuming(`"storage": { "alice": { "0x0": true } }, "time": "2040-01-01"`));
    assert.deepEqual(pluck(inlayHints(cell, scopeOf(cell, { header })), "label"), [
      "= 0x1 in slot 0x0000…0000",
      "= 2040-01-01 00:00:00 UTC",
    ]);
  });

  it("says what a time becomes at the block that is named, and at no other", () => {
    const hintsAt = (block: string): readonly string[] => {
      const text = `{ "method": "eth_call", "params": [{ "to": "alice" }${block}], "assume": { "time": "+1 day" } }`;
      const cell = readCell(text);
      const knownState: KnownState = (question) => {
        if (question.kind !== "time") return { kind: "yes" };
        const seconds = new Map([
          ["latest", 0n],
          ["0x7b", 86_400n],
        ]).get(String(question.block));
        return seconds === undefined ? undefined : { kind: "seconds", seconds };
      };
      const hints = inlayHints(cell, { ...scopeOf(cell, { header }), knownState }).map(({ label }) => label);
      return hints.filter((label) => label.includes("UTC"));
    };
    assert.deepEqual(hintsAt(""), ["= 1970-01-02 00:00:00 UTC"]);
    assert.deepEqual(hintsAt(", null"), ["= 1970-01-02 00:00:00 UTC"]);
    for (const block of [`"0x7b"`, "123"]) assert.deepEqual(hintsAt(`, ${block}`), ["= 1970-01-03 00:00:00 UTC"]);
    for (const block of ["124", `"latest - 5"`, `{ "blockHash": "0x12" }`, "1.5"])
      assert.deepEqual(hintsAt(`, ${block}`), []);
  });
});
