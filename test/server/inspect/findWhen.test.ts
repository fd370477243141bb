import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { CellOutput } from "../../../server/src/report/report.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countedChain } from "../../support/countedChain.ts";
import { testHost } from "../../support/host.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const uri = "file:///nowhere/a.rpc.json";
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const poor = `0x${"cd".repeat(20)}`;

describe("Find When", () => {
  const counted = countedChain();
  let first: number;

  /** Sixty blocks: alice sends to the poor account in each from the 20th on, and the token moves in the 40th. */
  before(async () => {
    const { chain } = counted;
    first = Number(await chain.rpc("eth_blockNumber")) + 1;
    const token = chain.contracts.token.address;
    const data = `0xa9059cbb${poor.slice(2).padStart(64, "0")}${5n.toString(16).padStart(64, "0")}`;
    for (let at = 0; at < 60; at++) {
      if (at >= 20) await chain.rpc("eth_sendTransaction", [{ from: alice, to: poor, value: "0x1" }]);
      if (at === 40) await chain.rpc("eth_sendTransaction", [{ from: bob, to: token, data, gas: "0x30d40" }]);
      await chain.seal();
    }
  });

  async function find(cell: string, range: readonly [string, string], index = 0): Promise<CellOutput> {
    const service = createService(testHost());
    service.openText(uri, `[${cell}]`);
    const output = await service.findWhen(
      { uri, index, range, endpoint: counted.proxy.url },
      new AbortController().signal,
    );
    return output ?? assert.fail("there is a cell");
  }
  const requestsOf = (method: string): number =>
    counted.proxy
      .methods()
      .flat()
      .filter((one) => one === method).length;
  const balance = (expect: string): string =>
    `{ "method": "eth_getBalance", "params": ["${poor}", "latest"], "expect": { "result": ${expect} } }`;
  const call = (data: string, expect: string): string =>
    `{ "method": "eth_call", "params": [{ "to": "${counted.chain.contracts.token.address}", "data": ${data} }, "latest"], "expect": ${expect} }`;

  for (const [name, cell, begins] of [
    ["a balance", () => balance(`{ ">": 0 }`), 20],
    ["a balance of some size", () => balance(`{ ">=": 30 }`), 49],
    [
      "a nonce",
      () =>
        `{ "method": "eth_getTransactionCount", "params": ["${alice}", "latest"], "expect": { "result": { ">=": "{{base.result}}" } } },
         { "name": "base", "method": "eth_getTransactionCount", "params": ["${alice}", "0x${(first + 33).toString(16)}"] }`,
      33,
    ],
    [
      "a call",
      () =>
        call(
          `{ "function": "balanceOf(address) returns (uint256)", "args": ["${poor}"] }`,
          `{ "decoded[0]": { ">": 0 } }`,
        ),
      40,
    ],
    [
      "what a block has",
      () =>
        `{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { "result.transactions": { "length": 1 } } }`,
      20,
    ],
  ] as const)
    it(`finds the first block of ${name} in ⌈log₂ n⌉ + 2 requests`, async () => {
      const [from, to] = [first, first + (begins === 20 ? 39 : 59)];
      const text = cell();
      const method = /"method": "(\w+)"/.exec(text)?.[1] ?? "";
      const before = requestsOf(method);
      const output = await find(text, [`0x${from.toString(16)}`, `0x${to.toString(16)}`]);
      const { first: found, requests, isMonotonic } = JSON.parse(output.json);
      assert.deepEqual([output.ok, found, isMonotonic], [true, first + begins, true], output.text);
      const most = Math.ceil(Math.log2(to - from + 1)) + 2;
      assert.ok(requests <= most, `${requests} of ${most}`);
      assert.equal(requestsOf(method) - before, requests + (name === "a nonce" ? 1 : 0));
    });

  it("counts to the newest block, and warns of what does not stay true", async () => {
    const empty = `{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { "result.transactions": { "length": 0 } } }`;
    const output = await find(empty, [`0x${first.toString(16)}`, "latest"]);
    assert.match(
      output.text,
      /it holds at block [\d,]+, and not at the later block [\d,]+\n[\s\S]*It does not stay so/,
    );
  });

  it("ends at the newest block for pending, which has no number that nodes take", async () => {
    for (const pending of ["pending", "pending - 1"]) {
      const output = await find(balance(`{ ">": 0 }`), [`0x${first.toString(16)}`, pending]);
      assert.deepEqual([output.ok, JSON.parse(output.json).first], [true, first + 20], output.text);
    }
  });

  it("says that it was not found, and what cannot be searched for", async () => {
    const never = await find(balance(`{ ">": "1 ether" }`), ["earliest", "latest"]);
    assert.deepEqual([never.ok, /it holds at none of \d+ blocks from 0 to/.test(never.text)], [false, true]);
    for (const [cell, why] of [
      [`{ "method": "eth_chainId", "expect": { "result": "0x1" } }`, /nothing to search for/],
      [`{ "method": "eth_getBalance", "params": ["${poor}", "latest"] }`, /nothing to search for/],
      [
        `{ "method": "eth_getBalance", "params": ["${poor}", "{{b}}"], "expect": {}, "each": { "b": [1] } }`,
        /nothing to search for/,
      ],
      [balance(`"0x1"`), /ends before it begins/],
      [`{ "method": "eth_getBalance", "params": ["0x12", "latest"], "expect": { "result": 1 } }`, /Block 5: refused/],
    ] as const)
      assert.match((await find(cell, ["0x5", /ends before/.test(why.source) ? "0x1" : "0x9"])).text, why);
  });

  it("is a command", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "a.rpc.json"), `[${balance(`{ ">": 0 }`).replace("{", `{ "name": "poor",`)}]`);
    const args = ["find-when", "a.rpc.json", "poor", "--range", `${first}..latest`, "-e", counted.proxy.url];
    const { code, out } = await runCommand(args, folder);
    assert.deepEqual([code, out.split("\n")[0]], [0, `✓ poor: eth_getBalance: it holds from block ${first + 20} on`]);
  });
});
