import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { message } from "../../../server/src/analysis/message.ts";
import { codeActions } from "../../../server/src/features/codeActions.ts";
import { inlayHints } from "../../../server/src/features/inlayHints.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import type { Cadence } from "../../../server/src/rpc/cadence.ts";
import { type CadenceMemory, cadenceOf } from "../../../server/src/rpc/cadence.ts";
import { scopeOf } from "../../support/cell.ts";

const now = Date.UTC(2026, 10, 22);
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const balance = `{ "method": "eth_getBalance", "params": ["${address}", "pending"] }`;
const logs = `{ "method": "eth_getLogs", "params": [{ "address": "${address}", "fromBlock": "latest - 100", "toBlock": "pending" }] }`;
const subscribe = (kind: string): string => `{ "method": "eth_subscribe", "params": ["${kind}"] }`;

function known(chainId: bigint | undefined, memory: CadenceMemory = {}, preconfirmed?: boolean): Cadence {
  return cadenceOf({ preconfirmed, chainId }, memory, now);
}

const guess = {
  is: false,
  guess: true,
  by: "probe",
  at: now,
  why: "its pending transactions have no receipts yet",
} as const;
const alias = { is: false, by: "probe", at: now, why: "`pending` was block 7 when `latest` was 7" } as const;
const fast = known(undefined, { blockMs: 200 });

function told(text: string, cadence: Cadence): readonly string[] {
  const cell = readCell(text);
  const found = check(cell, scopeOf(cell, { endpoint: { cadence } }));
  return found.flatMap((problem) => (problem.code === "not-ahead" ? [message(problem)] : []));
}

describe("a request for pre-confirmed state", () => {
  const all = [balance, logs, ...["newFlashblocks", "newFlashblockTransactions", "pendingLogs"].map(subscribe)];

  for (const [what, cadence] of Object.entries({
    "blocks come every 200 ms": fast,
    "a probe found an alias of latest": known(undefined, { ahead: alias }),
    "its chain has given it up": known(8453n),
  }))
    it(`is told to ask for sealed state where ${what}`, () => {
      for (const text of all) assert.equal(told(text, cadence).length, 1, text);
    });

  for (const [what, cadence] of Object.entries({
    "its entry says that it is served": known(8453n, { ahead: alias }, true),
    "a probe found it": known(8453n, { ahead: { ...alias, is: true } }),
    "its chain is known for it": known(10n),
    "nothing is known": known(undefined),
  }))
    it(`is left alone where ${what}`, () => {
      for (const text of all) assert.deepEqual(told(text, cadence), []);
    });

  it("is left alone at `pending` where a node guesses the next block, and not in a subscription", () => {
    const cadence = known(1n, { ahead: guess });
    assert.deepEqual(told(balance, cadence), []);
    assert.equal(told(subscribe("newFlashblocks"), cadence).length, 1);
  });

  it("says what to use, and how that is known", () => {
    assert.deepEqual(told(balance, fast), [
      "`pending` is the same as `latest` on `local`: its blocks arrive fast. Use `latest`.",
    ]);
    assert.deepEqual(told(subscribe("newFlashblockTransactions"), fast), [
      "`newFlashblockTransactions` sends nothing on `local`, which has no pre-confirmed state: its blocks arrive fast. Use `newHeads`, and read the transactions of each block.",
    ]);
  });

  it("is not told of a cell that goes to another endpoint", () => {
    assert.deepEqual(told(balance.replace("{", `{ "endpoint": "https://rpc.example",`), fast), []);
  });

  it("is changed at one place, or in the whole notebook, by a click", () => {
    const cell = readCell(balance);
    const scope = scopeOf(cell, { cells: [logs, subscribe("pendingLogs")], endpoint: { cadence: fast } });
    const at = balance.indexOf("pending");
    const actions = codeActions(cell, { start: at, end: at }, scope).filter(({ kind }) => kind === "quickfix");
    assert.deepEqual(
      actions.map(({ title, edits }) => [title, edits.map(({ insert }) => insert)]),
      [
        [`Write "latest"`, [`"latest"`]],
        ["Use sealed state in the whole notebook (3 places)", [`"latest"`, `"logs"`, `"latest"`]],
      ],
    );
  });
});

describe("a number of blocks", () => {
  const hints = (text: string, cadence: Cadence): readonly string[] => {
    const cell = readCell(text);
    return inlayHints(cell, scopeOf(cell, { endpoint: { cadence } })).map(({ label }) => label);
  };

  it("is told as a time at the rate at which blocks come", () => {
    assert.deepEqual(hints(logs, fast), ["100 blocks, about 20 s"]);
    assert.deepEqual(hints(logs, known(1n)), ["100 blocks, about 20 min"]);
    const within = balance.replace("{", `{ "within": "3 blocks", "expect": { "result": "0x1" },`);
    assert.ok(hints(within, known(undefined, { blockMs: 2000 })).includes("3 blocks, about 6 s"));
  });

  it("is left alone where that is not known", () => assert.deepEqual(hints(logs, known(undefined)), []));
});
