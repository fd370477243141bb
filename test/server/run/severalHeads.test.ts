import assert from "node:assert/strict";
import { createService } from "../../../server/src/service/service.ts";
import { runText, testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";

describe("heads of several nodes behind one address", () => {
  const chain = sharedChain();
  before(async () => {
    await chain.rpc("anvil_mine", ["0x3c"]);
  });
  afterEach(() => chain.play({ nodes: [{ behind: 0 }], kind: "preconfirmed", sealEveryMs: 0 }));

  const latest = `"latest"`;
  const asking = `[
    { "method": "eth_getBlockByNumber", "params": [${latest}, false] },
    { "method": "eth_getBlockReceipts", "params": [${latest}] },
    { "method": "eth_getBlockByNumber", "params": [${latest}, true] },
    { "method": "eth_getBalance", "params": ["{{last}}", ${latest}] }
  ]`;
  const run = async (cells: string) => {
    const text = `{ "variables": { "last": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "cells": ${cells} }`;
    const endpoints = { x: { url: chain.url, batch: false } };
    const { cells: done } = await runText(text, { host: { settings: { rpcNotebook: { endpoint: "x", endpoints } } } });
    return done.map(({ output }) => output.text);
  };

  it("are shown in the badge, with their distance", async () => {
    await chain.play({ nodes: [{ behind: 0 }, { behind: 40 }] });
    assert.match((await run(asking)).join("\n"), /nodes several, whose heads are 40 blocks apart/);
  });

  it("are shown after a probe that saw them", async () => {
    await chain.play({ nodes: [{ behind: 0 }, { behind: 7 }] });
    const [uri, signal] = ["file:///nowhere/a.rpc.json", new AbortController().signal];
    const service = createService(testHost({ settings: { rpcNotebook: { endpoint: chain.url } } }));
    service.openText(
      uri,
      `[{ "method": "eth_getBalance", "params": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", ${latest}] }]`,
    );
    await service.probe(uri, undefined, signal);
    const texts: string[] = [];
    await service.run(
      { uri },
      { started() {}, finished: ({ output }) => void texts.push(output.text, output.json) },
      signal,
    );
    assert.match(texts[0] ?? "", /nodes several, whose heads are 7 blocks apart/);
  });

  it("are not reported for one node, however fast its blocks come", async () => {
    assert.doesNotMatch((await run(asking)).join("\n"), /nodes/);
    await chain.play({ kind: "native", sealEveryMs: 200 });
    const cells = Array.from(
      { length: 12 },
      () => `{ "method": "eth_getBlockByNumber", "params": [${latest}, false] }`,
    );
    assert.doesNotMatch((await run(`[${cells}]`)).join("\n"), /nodes/);
  });
});
