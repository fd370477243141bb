import assert from "node:assert/strict";
import type { JsonValue } from "../../../../server/src/base/json.ts";
import type { CellResult } from "../../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy } from "../../../support/countingProxy.ts";
import { testHost } from "../../../support/host.ts";
import { answering, hostileServer, replying } from "../../../support/hostileServer.ts";
import { sharedChain } from "../../../support/sharedChain.ts";

const uri = "file:///nowhere/a.rpc.json";
const cellFor = (block: string): string => `{ "method": "eth_getBlockReceipts", "params": [${block}] }`;

describe("receipts of a block", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  before(async () => {
    proxy = await countingProxy(chain.publicUrl);
  });
  after(async () => {
    await proxy.close();
  });

  /** Runs the cells as often as said; what came the last time. */
  async function run(
    cells: string,
    refuses: readonly string[],
    times = 1,
    url = proxy.url,
  ): Promise<readonly CellResult[]> {
    const endpoints = { base: { url, refuses } };
    const service = createService(
      testHost({ settings: { rpcNotebook: { endpoint: "base", endpoints, tokenLookup: false } } }),
    );
    service.openText(uri, `[${cells}]`);
    let finished: CellResult[] = [];
    for (let time = 0; time < times; time++) {
      finished = [];
      const events = { started: () => {}, finished: (cell: CellResult) => void finished.push(cell) };
      await service.run({ uri }, events, new AbortController().signal);
    }
    return finished;
  }
  const result = ([cell]: readonly CellResult[]): JsonValue | undefined =>
    (cell?.answers()[0] as { readonly result?: JsonValue } | undefined)?.result;

  it("are read one by one from an endpoint that refuses them, in two requests, and are the same", async () => {
    const block = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as { number: string; hash: string };
    const own = (await chain.rpc("eth_getBlockReceipts", [block.number])) as JsonValue[];
    assert.ok(own.length > 0);
    for (const named of [`"${block.number}"`, `"${block.hash}"`, `{ "blockHash": "${block.hash}" }`]) {
      const before = proxy.bodies.length;
      const done = await run(cellFor(named), ["eth_getBlockReceipts"]);
      assert.deepEqual(result(done), own);
      assert.equal(done[0]?.ok, true);
      assert.deepEqual(JSON.parse(done[0]?.output.json ?? ""), own);
      assert.equal(proxy.bodies.length - before, 2);
    }
  });

  it("are read one by one if they are refused, and at once the next time", async () => {
    const before = proxy.bodies.length;
    const own = await chain.rpc("eth_getBlockReceipts", ["latest"]);
    const [once] = await run(cellFor(`"latest"`), []);
    assert.deepEqual([once?.ok, result(once ? [once] : [])], [true, own]);
    assert.match(once?.output.text ?? "", /The receipts were fetched one by one/);
    assert.deepEqual(result(await run(cellFor(`"latest"`), [], 2)), own);
    const refused = proxy
      .methods()
      .slice(before)
      .flat()
      .filter((method) => method === "eth_getBlockReceipts");
    assert.equal(refused.length, 2, "once in each session");
  });

  it("are null for a block that there is not, and none for one that is empty", async () => {
    assert.equal(result(await run(cellFor(`"0xfffffff"`), ["eth_getBlockReceipts"])), null);
    assert.deepEqual(result(await run(cellFor(`"earliest"`), ["eth_getBlockReceipts"])), []);
  });

  it("fail if one is missing, and show the others", async () => {
    const [block, error] = [{ transactions: ["0x1", "0x2"] }, { code: -32602, message: "invalid argument" }];
    const server = await hostileServer(replying((_, _params, at) => (at === 1 ? { error } : { result: block })));
    const [cell] = await run(cellFor(`"latest"`), ["eth_getBlockReceipts"], 1, server.url);
    assert.equal(cell?.ok, false);
    assert.match(cell?.output.text ?? "", /does not accept these params/);
    assert.match(cell?.output.text ?? "", /1 of 2 receipts did not arrive\./);
    const [{ partial }] = (cell?.answers() ?? []) as unknown as readonly [{ partial: { result: unknown } }];
    assert.deepEqual(partial.result, [{ transactions: ["0x1", "0x2"] }]);
  });

  const [zeros, one, two] = ["00", "11", "22"].map((byte) => `0x${byte.repeat(32)}`);
  for (const [what, asked, receipt, isMoved, block = { number: "0x5", hash: one }] of [
    ["zeros for the hash, as pre-confirmed ones have", "pending", { blockNumber: "0x5", blockHash: zeros }, false],
    [
      "no hash of their block",
      "pending",
      { blockNumber: "0x5", blockHash: null },
      false,
      { number: "0x5", hash: null },
    ],
    ["the hash of the block that was sealed meanwhile", "pending", { blockNumber: "0x5", blockHash: two }, false],
    ["another number at pending", "pending", { blockNumber: "0x6", blockHash: two }, true],
    ["the hash of their block", "latest", { blockNumber: "0x5", blockHash: one }, false],
    ["another hash at latest", "latest", { blockNumber: "0x5", blockHash: two }, true],
    ["another number, and zeros for the hash", "latest", { blockNumber: "0x6", blockHash: zeros }, true],
  ] as const)
    it(`${isMoved ? "are" : "are not"} said to be of another block if they have ${what}`, async () => {
      const whole = { ...block, transactions: [one], timestamp: "0x1" };
      const server = await hostileServer(
        answering((method) => (method === "eth_getTransactionReceipt" ? receipt : whole)),
      );
      const [cell] = await run(cellFor(`"${asked}"`), ["eth_getBlockReceipts"], 1, server.url);
      assert.match(cell?.output.text ?? "", /fetched one by one/);
      assert.equal(/The block was replaced/.test(cell?.output.text ?? ""), isMoved);
    });

  it("are sent as they are in a batch, and read one by one if they are refused there", async () => {
    const before = proxy.bodies.length;
    const done = await run(`[${cellFor(`"latest"`)}]`, ["eth_getBlockReceipts"]);
    assert.deepEqual(proxy.methods().slice(before, before + 3), [
      ["eth_getBlockByNumber"],
      ["eth_getBlockReceipts"],
      ["eth_getBlockByNumber"],
    ]);
    assert.deepEqual(result(done), await chain.rpc("eth_getBlockReceipts", ["latest"]));
  });

  it("are read one by one in a batch as in a cell of their own", async () => {
    const [done] = await run(`{ "batch": [{ "method": "eth_chainId" }, ${cellFor(`"latest"`)}] }`, []);
    assert.equal(done?.ok, true);
    assert.match(done?.output.text ?? "", /The receipts were fetched one by one/);
  });
});
