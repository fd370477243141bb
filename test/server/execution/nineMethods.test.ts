import assert from "node:assert/strict";
import { type Run, runText, summaries } from "../../support/host.ts";
import { type NineMethods, nineMethods } from "../../support/nineMethods.ts";
import { pluck } from "../../support/pluck.ts";

describe("a service with nothing but the nine methods", function () {
  this.timeout(30_000);
  let nine: NineMethods;
  before(async () => {
    nine = await nineMethods();
  });
  after(() => nine.close());

  const run = (cells: string, service: NineMethods = nine, settings: object = {}): Promise<Run> =>
    runText(`{ "variables": { "alice": "${nine.alice}", "token": "${nine.token}" }, "cells": [${cells}] }`, {
      endpoint: service.url,
      host: { settings: { rpcNotebook: { timeout: 20, ...settings } } },
    });
  const text = ({ cells }: Run, at = 0): string => cells[at]?.output.text ?? "";

  it("answers each of them, and the badge shows the head", async () => {
    const done = await run(`
      { "method": "eth_getBalance", "params": ["{{alice}}", "latest"] },
      { "method": "eth_getTransactionCount", "params": ["{{alice}}", "pending"] },
      { "method": "eth_getCode", "params": ["{{token}}", "latest"] },
      { "method": "eth_getStorageAt", "params": ["{{token}}", "0x0", "latest"] },
      { "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "decimals() returns (uint8)" } }, "latest"] },
      { "method": "eth_estimateGas", "params": [{ "to": "{{token}}", "data": "0x313ce567" }, "pending"] },
      { "method": "eth_getLogs", "params": [{ "fromBlock": "pending", "toBlock": "pending", "address": "{{token}}" }] },
      { "method": "eth_getBlockReceipts", "params": ["latest"] },
      { "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [{ "to": "{{token}}", "data": "0x313ce567" }] }] }, "pending"] }`);
    assert.deepEqual(
      done.cells.map(({ ok }) => ok),
      Array(9).fill(true),
      done.cells.map((cell) => cell.output.text).join("\n"),
    );
    for (const at of [0, 1, 2, 3, 4, 5]) assert.match(text(done, at), /head 5,0\d\d, .* old/);
  });

  it("reads a range of any size up to each tag, with the head from other methods", async () => {
    const done = await run(
      ["latest", "safe", "finalized", "pending"]
        .map(
          (tag) =>
            `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "${tag}", "address": "{{token}}" }] }`,
        )
        .join(","),
    );
    for (const [at] of done.cells.entries())
      assert.match(text(done, at), /Read in [3-9] parts of up to 2,000 blocks/, text(done, at));
    assert.match(summaries(done)[0] ?? "", /5,0\d\d Transfer logs/);
  });

  it("reads a range in parts if it never answers the whole", async () => {
    const silent = await nineMethods({ isSilentOnWideRanges: true });
    try {
      const done = await run(
        `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest", "address": "{{token}}" }] }`,
        silent,
        { timeout: 1 },
      );
      assert.match(text(done), /Read in 3 parts of up to 2,000 blocks/);
      assert.equal(done.cells[0]?.ok, true);
    } finally {
      await silent.close();
    }
  });

  it("counts blocks from the head, and waits for some", async () => {
    const done = await run(`
      { "method": "eth_getLogs", "params": [{ "fromBlock": "latest - 20", "toBlock": "latest", "address": "{{token}}" }] },
      { "method": "eth_getBalance", "params": ["{{alice}}", "latest - 3"] },
      { "method": "eth_getTransactionCount", "params": ["{{alice}}", "latest"], "within": "2 blocks", "expect": { "result": "0x0" } }`);
    assert.deepEqual(pluck(done.cells, "ok"), [true, true, false]);
    assert.match(text(done, 2), /The time of `within` is over: sent \d+ times in [2-6]/);
  });

  it("shows receipts from logs if it refuses receipts, and says what is missing", async () => {
    const refusing = await nineMethods({ refusesReceipts: true, takesBatches: true });
    try {
      const done = await run(`{ "method": "eth_getBlockReceipts", "params": ["latest"] }`, refusing);
      assert.equal(done.cells[0]?.ok, false);
      assert.match(
        text(done),
        /serves no blocks and receipts to read instead[\s\S]*logged something are known by eth_getLogs: no gas/,
      );
    } finally {
      await refusing.close();
    }
  });

  for (const method of ["eth_getLogs", "eth_call", "eth_simulateV1", "eth_getBlockReceipts", "eth_getCode"]) {
    it(`works without ${method} as well, and says so in a cell that needs it`, async () => {
      const lesser = await nineMethods({ without: [method] });
      try {
        const done = await run(
          `
          { "method": "eth_getBalance", "params": ["{{alice}}", "latest - 2"] },
          { "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest", "address": "{{token}}" }] },
          { "method": "eth_call", "params": [{ "to": "{{token}}", "data": "0x313ce567" }, "latest"] },
          { "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [] }] }, "pending"] },
          { "method": "eth_getBlockReceipts", "params": ["latest"] },
          { "method": "eth_getCode", "params": ["{{token}}", "latest"] }`,
          lesser,
        );
        for (const { ok, output } of done.cells) {
          const isOf = output.text.includes(`: ${method}: `);
          assert.equal(ok, !isOf, output.text.slice(0, 1000));
          if (isOf) assert.match(output.text, new RegExp(`does not serve ${method}`));
        }
      } finally {
        await lesser.close();
      }
    });
  }

  const forms = [
    { code: -32600, message: "Invalid Request" },
    { code: -32000, message: "unsupported" },
    { code: -32004, message: "" },
    { code: 0, message: "", status: 403 },
    { code: 0, message: "", status: 404 },
    { code: 0, message: "", status: 400 },
  ];
  for (const refusesBy of forms) {
    it(`works whatever it says of other methods: ${JSON.stringify(refusesBy)}`, async () => {
      const odd = await nineMethods({ refusesBy, takesBatches: true });
      try {
        const done = await run(
          `
          { "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest", "address": "{{token}}" }] },
          { "method": "eth_getBalance", "params": ["{{alice}}", "latest - 2"] },
          { "method": "eth_getBalance", "params": ["{{alice}}", "pending"] }`,
          odd,
        );
        assert.deepEqual(pluck(done.cells, "ok"), [true, true, true], text(done, 1));
        assert.match(text(done, 2), /head 5,0\d\d/);
      } finally {
        await odd.close();
      }
    });
  }

  it("says so if no remaining method returns the head", async () => {
    const lesser = await nineMethods({ without: ["eth_simulateV1", "eth_getLogs"], refusesReceipts: true });
    try {
      const done = await run(`{ "method": "eth_getBalance", "params": ["{{alice}}", "latest - 2"] }`, lesser);
      assert.match(text(done), /`latest`.* is not known: .* serves nothing that tells its number/);
    } finally {
      await lesser.close();
    }
  });
});
