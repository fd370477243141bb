import assert from "node:assert/strict";
import { isObject, type JsonValue } from "../../../server/src/base/json.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { type Run, runText, summaries } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";

describe("a run of readable values", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
  });

  /** Runs cells, with `holder` and `token` as variables. */
  const run = (cells: readonly string[], header = ""): Promise<Run> =>
    runText(
      `{ ${header}"variables": { "holder": "${chain.accounts.deployer.address}", "token": "${chain.contracts.token.address}" }, "cells": [${cells.join(", ")}] }`,
      { endpoint: proxy.url },
    );
  /** The result of each cell. */
  const results = ({ cells }: Run): readonly JsonValue[] =>
    cells.flatMap((cell) => cell.answers().map((answer) => (isObject(answer) ? (answer.result ?? null) : null)));
  const call = (data: string): string =>
    `{ "method": "eth_call", "params": [{ "to": "{{token}}", "data": ${data} }, "latest"] }`;

  it("decodes what a declared function returns, for people, placeholders and expectations", async () => {
    const cells = [
      `{ "name": "supply", "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "totalSupply() returns (uint256)" } }, "latest"], "expect": { "decoded[0]": { ">=": "1000000" } } }`,
      call(`{ "function": "symbol" }`),
      call(`"0x313ce567"`),
      `{ "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "allowance", "args": ["{{holder}}", "{{holder}}"] }, "gas": "{{supply.decoded[0]}}" }, "latest"] }`,
      call(`{ "function": "totalSupply() returns (bool paid, uint8 count)" }`),
    ];
    const done = await run(cells, `"abi": ["function decimals() returns (uint8)"], `);
    assert.equal(done.cells[0]?.ok, true);
    assert.match(summaries(done)[0] ?? "", /^✓ [\d,]+ DUSD, as expected$/);
    assert.deepEqual(summaries(done).slice(1, 3), [`✓ "DUSD"`, "✓ 6"]);
    assert.match(summaries(done)[4] ?? "", /not what the function is declared to return: a bool is neither 0 nor 1/);
  });

  it("counts blocks from a head that it asks for once", async () => {
    const head = Number(await chain.rpc("eth_blockNumber"));
    const at = (block: string): string => `{ "method": "eth_getBlockByNumber", "params": [${block}, false] }`;
    const done = await run([at(`"latest - 5"`), at(`"latest - 7"`), at(`"earliest + 3"`), at("2"), at(`"latest"`)]);
    const numbers = results(done).map((block) => isObject(block) && Number(block.number));
    assert.deepEqual(numbers, [head - 5, head - 7, 3, 2, head]);
    const asked = proxy.methods().flat();
    assert.equal(asked.filter((method) => method === "eth_blockNumber").length, 1);
    assert.ok(proxy.bodies.some((body) => body.includes(`"earliest",false`)));
  });

  it("sends nothing that it cannot encode, and says why", async () => {
    const done = await run([
      call(`{ "function": "balanceOf", "args": ["0x12"] }`),
      call(`{ "function": "balanceOff", "args": [] }`),
      `{ "method": "eth_getBalance", "params": ["{{holder}}", "latest - 1000000000"] }`,
      `{ "method": "eth_getBalance", "params": ["{{holder}}", "latest"] }`,
    ]);
    assert.deepEqual(summaries(done).slice(0, 2), [
      "✗ not sent: `args[0]` (`address owner`): expected an address: `0x` and 40 hexadecimal digits.",
      "✗ not sent: Unknown function `balanceOff`.",
    ]);
    assert.match(summaries(done)[2] ?? "", /^✗ not sent: `latest - 1000000000` is before the first block/);
    assert.equal(done.cells[3]?.ok, true);
    assert.equal(done.cells[1]?.notSent?.todo, "Did you mean `balanceOf`?");
    assert.ok(!proxy.bodies.some((body) => body.includes("eth_call")));
  });

  it("says so if the endpoint does not tell its head", async () => {
    const done = await runText(`{ "cells": [{ "method": "eth_getBlockByNumber", "params": ["latest - 1", false] }] }`, {
      endpoint: "http://127.0.0.1:9",
    });
    assert.match(
      summaries(done)[0] ?? "",
      /^✗ not sent: The number of `latest`, from which a block is counted, is not known: .*127.0.0.1:9.*refused/,
    );
  });
});
