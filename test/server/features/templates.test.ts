import assert from "node:assert/strict";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { plain } from "../../../server/src/features/snippet.ts";
import { templates } from "../../../server/src/features/templates.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, preconfirmed, scopeOf } from "../../support/cell.ts";
import { accepted, complete, completes } from "../../support/complete.ts";
import { pluck } from "../../support/pluck.ts";

const variables = {
  alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
};
const named: Around = { header: JSON.stringify({ endpoint: "local", variables }), endpoint: { cadence: preconfirmed } };

/** The label of the first completion that is found by a text. */
function found(marked: string, text: string, around?: Around): string | undefined {
  return complete(marked, around).find(({ filterText }) => filterText?.startsWith(text))?.label;
}

describe("templates", () => {
  for (const [where, around] of Object.entries({
    "an empty notebook": {},
    "a notebook with names": named,
    "one of Base": { endpoint: { chainId: 8453n, cadence: preconfirmed } },
    "one with a limit of logs": { endpoint: { chainId: 1n, logRange: 10n } },
  } satisfies Record<string, Around>))
    it(`have no problems in ${where}`, () => {
      const empty = readCell("");
      const made = templates(scopeOf(empty, around));
      assert.equal(made.length, 9);
      for (const { label, detail, insert } of made) {
        assert.doesNotMatch(`${label} ${detail}`, /undefined|NaN/);
        const cell = readCell(plain(insert));
        assert.deepEqual(diagnostics(cell, scopeOf(cell, around)), [], label);
        assert.ok(cell.text.split("\n").length > 4, `${label} is laid out over several lines`);
      }
    });

  it("take the names of the notebook, and the newest state of its chain", () => {
    completes(
      "Balance and nonce",
      `‹|→{
  "batch": [
    { "method": "eth_getBalance", "params": ["{{alice}}", "pending"] },
    { "method": "eth_getTransactionCount", "params": ["{{alice}}", "pending"] }
  ]
}›`,
      named,
    );
    assert.match(accepted("|", "Stream pending logs", named), /"pendingLogs",\n {4}\{ "address": "\{\{token\}\}" \}/);
    assert.match(accepted("|", "Stream logs"), /"logs",/);
    assert.match(
      accepted("tok|", "Token", { endpoint: { chainId: 1n } }),
      /"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"/,
    );
    assert.match(
      accepted("last|", "Logs of the last 10 blocks", { endpoint: { logRange: 10n, chainId: 1n } }),
      /"latest - 10"/,
    );
  });

  it("are first in an empty cell, and found by their words", () => {
    assert.deepEqual(pluck(complete("|").slice(0, 2), "label"), ["Balance and nonce", "Token"]);
    assert.equal(found("last|", "last 100 blocks", { endpoint: { chainId: 1n } }), "Logs of the last 100 blocks");
    assert.equal(found("last|", "last 100 blocks", { endpoint: {} }), "Logs of all blocks");
    assert.equal(found("non|", "nonce"), "eth_getTransactionCount");
  });

  for (const [typed, label, fromBlock] of [
    ["last 50", "Logs of the last 50 blocks", "latest - 50"],
    ["last 500 blo", "Logs of the last 500 blocks", "latest - 500"],
    ["1000 blocks", "Logs of the last 1000 blocks", "latest - 1000"],
    ["transfers last 50", "Logs of the last 50 blocks", "latest - 50"],
    ["approval 7", "Approval", "latest - 7"],
  ] as const)
    for (const chainId of [1n, 31337n])
      it(`use the number of ${typed} on chain ${chainId}`, () => {
        const around: Around = { endpoint: { chainId } };
        const found = complete(`${typed}|`, around).filter(({ insert }) => insert.includes("fromBlock"));
        assert.equal(found[0]?.label, label);
        for (const one of found)
          assert.equal(/"(?:\$\{\d+:)?(latest - \d+|earliest)/.exec(one.insert)?.[1], fromBlock, one.label);
      });

  it("have no address of another chain", () => {
    const elsewhere = "0x36E0D4B8bF60E2A6f3B2a8aD8F0A3d1E4fCb2A11";
    const cells = [`{ "method": "eth_getCode", "params": ["${elsewhere}"] }`];
    const endpoint = { host: "127.0.0.1:8545" };
    for (const method of ["eth_getStorageAt", "eth_call", "eth_getProof", "eth_subscribe", "eth_newFilter"]) {
      assert.doesNotMatch(accepted("|", method, { endpoint }), /833589|0x42000/i, method);
      assert.doesNotMatch(accepted("|", method, {}), /833589/i, method);
    }
    assert.match(accepted("|", "eth_getStorageAt", { endpoint }), /"0x5FbDB2315678afecb367f032d93F642f64180aa3"/);
    assert.match(accepted("|", "eth_getStorageAt", { endpoint, cells }), new RegExp(elsewhere));
  });

  it("use the number in a block that is being typed", () => {
    const found = complete(`{ "method": "eth_getLogs", "params": [{ "fromBlock": "latest - 5|" }] }`);
    assert.deepEqual(
      pluck(found, "label").filter((label) => /\d/.test(label)),
      ["latest - 5"],
    );
  });
});
