import assert from "node:assert/strict";
import type { Settings } from "../../../../server/src/protocol/settings.ts";
import { createService } from "../../../../server/src/service/service.ts";
import { countedChain } from "../../../support/countedChain.ts";
import { runText, summaries, testHost } from "../../../support/host.ts";

describe("amounts of tokens", () => {
  const counted = countedChain();

  const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const balance = (contract: string): string =>
    `{ "method": "eth_call", "params": [{ "to": "${contract}", "data": { "function": "balanceOf(address) returns (uint256)", "args": ["${alice}"] } }, "latest"] }`;
  const lookups = (): number => counted.proxy.bodies.filter((body) => body.includes("0x313ce567")).length;
  const run = (text: string, settings: Settings = {}) =>
    runText(text, { endpoint: counted.proxy.url, host: { settings } });

  it("are shown with the symbol and decimals of the contract, read once, all together", async () => {
    const { token, proxiedToken } = counted.chain.contracts;
    const done = await run(`[${[token, proxiedToken, token].map(({ address }) => balance(address)).join()}]`);
    for (const line of summaries(done)) assert.match(line, /^✓ [\d,.]+ DUSD$/);
    assert.equal(lookups(), 1);
    assert.equal(counted.proxy.bodies.length, 2);
  });

  it("are asked for once by a service, and not by another run", async () => {
    const service = createService(testHost());
    service.openText("file:///a.rpc.json", balance(counted.chain.contracts.token.address));
    const shown: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      await service.run(
        { uri: "file:///a.rpc.json", endpoint: counted.proxy.url },
        { started: () => {}, finished: ({ output }) => shown.push(output.reports[0]?.summary) },
        new AbortController().signal,
      );
    }
    assert.equal(shown[0], shown[1]);
    assert.match(String(shown[0]), / DUSD$/);
    assert.equal(lookups(), 1);
  });

  it("are shown for logs, and not for the ids of collections", async () => {
    const { token, collectible } = counted.chain.contracts;
    const logs = (address: string): string =>
      `{ "method": "eth_getLogs", "params": [{ "fromBlock": "earliest", "toBlock": "latest", "address": "${address}", "event": "Transfer" }] }`;
    const done = await run(`[${logs(token.address)}, ${logs(collectible.address)}]`);
    const [dollars = "", collected = ""] = done.cells.map(({ output }) => output.text);
    assert.match(dollars, /\d DUSD\b/);
    assert.match(collected, /Transfer/);
    assert.doesNotMatch(collected, /DCOL/);
  });

  it("take the header's word before the contract's, and ask nothing then", async () => {
    const { address } = counted.chain.contracts.token;
    const header = `"tokens": { "${address}": { "symbol": "BUCKS", "decimals": 0 } }`;
    assert.match(summaries(await run(`{ ${header}, "cells": [${balance(address)}] }`))[0] ?? "", /^✓ [\d,]+ BUCKS$/);
    assert.equal(lookups(), 0);
  });

  it("are beside the decoded values as JSON, inside multicalls as well", async () => {
    const { address } = counted.chain.contracts.token;
    const word = (digits: string): string => digits.padStart(64, "0");
    const returnData = `0x${word("20")}${word("1")}${word("20")}${word("20")}${word("1312d00")}`;
    await counted.holding((body) =>
      body.includes('"eth_call"') && body.includes("0x252dba42")
        ? `{ "jsonrpc": "2.0", "id": 1, "result": "0x${word("5")}${word("40")}${returnData.slice(66)}" }`
        : false,
    );
    const header = `"tokens": { "${address}": { "symbol": "USD", "decimals": 6 } }`;
    const inner = `{ "target": "${address}", "callData": "0x70a08231${word(alice.slice(2))}" }`;
    const data = `{ "function": "aggregate((address target, bytes callData)[] calls) returns (uint256 block, bytes[] returned)", "args": [[${inner}]] }`;
    const cell = `{ "id": 1, "method": "eth_call", "params": [{ "to": "${alice}", "data": ${data} }, "latest"] }`;
    const [done] = (await run(`{ ${header}, "cells": [${cell}] }`)).cells;
    const [answer] = done?.answers() ?? [];
    const { amounts, decoded } = JSON.parse(JSON.stringify(answer));
    assert.equal(decoded[1][0].values[0], "20000000");
    assert.deepEqual(amounts, [
      {
        ...{ path: "decoded[1][0].values[0]", token: address.toLowerCase(), symbol: "USD", decimals: 6 },
        ...{ amount: "20000000", formatted: "20" },
      },
    ]);
  });

  it("are not looked up if that is turned off", async () => {
    const done = await run(balance(counted.chain.contracts.token.address), { rpcNotebook: { tokenLookup: false } });
    assert.match(summaries(done)[0] ?? "", /^✓ [\d,]+$/);
    assert.equal(lookups(), 0);
  });

  it("stay plain numbers if the contract is not a token", async () => {
    const done = await run(balance(counted.chain.contracts.collectible.address));
    assert.match(summaries(done)[0] ?? "", /^✓ [\d,]+$/);
    assert.equal(lookups(), 1);
  });
});
