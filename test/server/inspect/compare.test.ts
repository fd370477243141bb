import assert from "node:assert/strict";
import type { ComparedOutput, CompareParams } from "../../../server/src/protocol/endpoints.ts";
import type { CellOutput } from "../../../server/src/report/report.ts";
import { createService } from "../../../server/src/service/service.ts";
import { countedChain } from "../../support/countedChain.ts";
import { person, testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";

describe("a comparison", () => {
  const counted = countedChain();

  const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const nonce = `{ "name": "n", "method": "eth_getTransactionCount", "params": ["${alice}", "latest"] }`;
  const compared = async (text: string, params: Omit<CompareParams, "uri"> = {}): Promise<ComparedOutput> => {
    const service = createService(testHost());
    service.openText(uri, text);
    const output = await service.compare(
      { uri, index: 0, endpoint: counted.proxy.url, ...params },
      new AbortController().signal,
    );
    return output ?? assert.fail("there is a cell");
  };
  const rows = ({ reports }: CellOutput): readonly (readonly string[])[] =>
    reports[0]?.sections.flatMap((one) =>
      one.kind === "table" ? one.rows.map((row) => row.map(({ text }) => text)) : [],
    ) ?? [];
  const columns = ({ reports }: CellOutput): readonly string[] =>
    reports[0]?.sections.flatMap((one) => (one.kind === "table" ? one.columns.map(({ name }) => name) : [])) ?? [];

  it("shows a request at four states in one body, and marks what differs", async () => {
    await counted.chain.rpc("eth_sendTransaction", [{ from: alice, to: alice, value: "0x1" }]);
    const output = await compared(nonce);
    await counted.chain.seal();
    assert.deepEqual(columns(output), ["", "field", "pending", "latest", "safe", "finalized"]);
    assert.deepEqual(rows(output), [["≠", "result", "1", "0", "0", "0"]]);
    assert.equal(output.reports[0]?.summary, "the answers differ");
    const [before, after] = [
      { name: "latest", value: "0", text: '0\n\n"0x0"\n' },
      { name: "pending", value: "1", text: '1\n\n"0x1"\n' },
    ];
    assert.deepEqual(output.pairs, [{ before, after }]);
    assert.equal(counted.proxy.bodies.length, 1);
  });

  it("goes by the fields of a larger answer", async () => {
    const output = await compared(`{ "method": "eth_getBlockByNumber", "params": ["latest", false] }`, {
      tags: ["latest", "safe"],
    });
    const marked = rows(output)
      .filter(([mark]) => mark === "≠")
      .map(([, field]) => field);
    assert.ok(marked.includes("number") && marked.includes("hash"), String(marked));
    assert.ok(!marked.includes("gasLimit"));
  });

  it("asks for logs of each block alone", async () => {
    await compared(`{ "method": "eth_getLogs", "params": [{ "address": "${alice}", "fromBlock": "0x1" }] }`, {
      tags: ["latest", "earliest"],
    });
    const bodies = counted.proxy.bodies.join();
    assert.match(bodies, /"fromBlock":"latest","toBlock":"latest"/);
    assert.match(bodies, /"fromBlock":"earliest","toBlock":"earliest"/);
  });

  it("sends no write that the cell refers to, also one that was allowed", async () => {
    const consent = person({ allowWrites: async () => true, allowMethods: async () => "always" });
    for (const method of ["eth_sendTransaction", "acme_unknown"]) {
      const cells = [
        { name: "tx", method, params: [{ from: alice, to: alice }] },
        { name: "seen", method: "eth_getTransactionByHash", params: ["{{tx.result}}"] },
        { method: "eth_getStorageAt", params: [alice, "{{seen.result.nonce}}", "latest"] },
      ];
      const service = createService(testHost({ consent }));
      service.openText(uri, JSON.stringify(cells));
      for (const more of [{ tags: ["pending", "latest"] }, { with: counted.proxy.url }]) {
        const params = { uri, index: 2, endpoint: counted.proxy.url, ...more };
        const output = await service.compare(params, new AbortController().signal);
        assert.ok(output && !output.ok);
        assert.match(output.text, new RegExp(`needs the result of \`${method}\`, which may change something`));
        assert.match(output.json, /"notSent"/);
      }
    }
    assert.deepEqual(counted.proxy.bodies, []);
  });

  it("calls cells by the numbers of a run, and says why one was not sent instead of finding no difference", async () => {
    const service = createService(testHost({ consent: person({ allowHost: async () => false }) }));
    service.openText(
      uri,
      `{ "endpoint": "https://a.example", "cells": [{ "markdown": "# A" }, ${nonce.replace('"name": "n",', "")}] }`,
    );
    const output = await service.compare({ uri, index: 1 }, new AbortController().signal);
    const [report] = output?.reports ?? [];
    assert.equal(report?.title, "cell 1: eth_getTransactionCount");
    assert.equal(report?.summary, "not sent");
    assert.equal(output?.text.match(/→/g)?.length, 1, "what to do is told, and once");
  });

  it("runs the cells that it refers to first", async () => {
    const text = `[{ "method": "eth_getBalance", "params": ["{{block.result.miner}}", "latest"] }, { "name": "block", "method": "eth_getBlockByNumber", "params": ["0x1", false] }]`;
    const output = await compared(text, { tags: ["latest", "safe"] });
    assert.equal(output.ok, true, output.text);
    assert.deepEqual(
      rows(output).map(([, field]) => field),
      ["result"],
    );
  });

  it("compares two endpoints", async () => {
    const output = await compared(`{ "method": "eth_getBlockReceipts", "params": ["0x1"] }`, {
      with: counted.chain.publicUrl,
    });
    assert.equal(columns(output).length, 4);
    const same = await compared(`{ "method": "eth_getBalance", "params": ["${alice}", "0x1"] }`, {
      with: counted.chain.url,
    });
    assert.equal(same.reports[0]?.summary, "no difference");
  });

  for (const [what, text] of [
    ["a batch", `{ "batch": [${nonce}] }`],
    ["a request that asks about no block", `{ "method": "eth_chainId" }`],
    ["a request that writes", `{ "method": "eth_sendTransaction", "params": [{}] }`],
  ] as const) {
    it(`sends nothing of ${what}`, async () => {
      const output = await compared(text);
      assert.equal(output.ok, false);
      assert.deepEqual(counted.proxy.bodies, []);
    });
  }
});
