import assert from "node:assert/strict";
import { decodeFunctionData, encodeAbiParameters, parseAbi, parseTransaction, type TransactionSerialized } from "viem";
import { createService } from "../../../server/src/service/service.ts";
import { cursor } from "../../support/cell.ts";
import { runText, testHost } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const oracle = "0x420000000000000000000000000000000000000F";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const estimate = { method: "eth_estimateGas", params: [{ to: bob, value: "0x1", data: "0x1234" }, "pending"] };

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [{ readonly to: string; readonly data: `0x${string}` }, string];
}

describe("the fee for data on layer 1", () => {
  let server: HostileServer;
  /** Requests, body by body. */
  let bodies: readonly Sent[][];
  let fee: unknown;
  beforeEach(async () => {
    bodies = [];
    fee = encodeAbiParameters([{ type: "uint256" }], [1_234_000_000_000n]);
    const block = {
      number: "0x10",
      timestamp: "0x66a0b6c4",
      calls: [{ status: "0x1", gasUsed: "0x5208", logs: [], returnData: "0x" }],
    };
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: "0x2105",
      eth_estimateGas: "0x5208",
      eth_getBlockByNumber: block,
      eth_simulateV1: [block],
    };
    const answer = answering((method) => (method === "eth_call" ? fee : results[method]), {
      code: -32000,
      message: "execution reverted",
    });
    server = await hostileServer((seen, response, socket) => {
      bodies = [...bodies, [JSON.parse(seen.body)].flat()];
      answer(seen, response, socket);
    });
  });

  const host = (chainId: number | undefined, more: object = {}) => ({
    settings: {
      rpcNotebook: {
        tokenLookup: false,
        endpoints: { node: { url: server.url, ...(chainId && { chainId }), ...more } },
      },
    },
  });
  const run = (chainId: number | undefined, cells: readonly object[] = [estimate], more?: object) =>
    runText(JSON.stringify({ cells }), { endpoint: "node", host: host(chainId, more) });
  const questions = (): readonly Sent[] => bodies.flat().filter(({ method }) => method === "eth_call");

  it("is asked in the body of the estimate, for the transaction that is tried, and named as an estimate", async () => {
    const done = await run(8453);
    const text = done.cells[0]?.output.text ?? "";
    assert.match(text, /21,000 gas/);
    assert.match(text, /L1 data fee +0\.000001234 ether \(estimate, on top of the gas\)/);
    const [asked] = questions();
    assert.ok(
      asked && bodies.some((body) => body.includes(asked) && body.some((one) => one.method === estimate.method)),
    );
    assert.deepEqual([asked.params[0].to, asked.params[1]], [oracle, "pending"]);
    const { args } = decodeFunctionData({ abi: parseAbi(["function getL1Fee(bytes)"]), data: asked.params[0].data });
    const { to, data, value, chainId } = parseTransaction(args[0] as TransactionSerialized);
    assert.deepEqual([to, data, value, chainId], [bob.toLowerCase(), "0x1234", 1n, 8453]);
    const [json] = done.cells[0]?.answers() ?? [];
    assert.equal((json as { l1DataFeeEstimate?: string }).l1DataFeeEstimate, `0x${(1_234_000_000_000).toString(16)}`);
  });

  it("is that of all calls of a simulation", async () => {
    const calls = [{ to: bob }, { data: "0x6080" }];
    const simulation = { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls }] }, "latest"] };
    const done = await run(8453, [simulation]);
    assert.match(done.cells[0]?.output.text ?? "", /L1 data fee +0\.000002468 ether/);
    assert.equal(questions().length, 2);
  });

  it("is not asked of other chains, of unknown ones, if requests are counted, or for other methods", async () => {
    await run(1);
    await run(undefined);
    await run(8453, [estimate], { rate: 5 });
    await run(8453, [{ method: "eth_chainId" }]);
    assert.deepEqual(questions(), []);
  });

  it("is waited for once by all cells of a run", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const done = await run(
      8453,
      Array.from({ length: 40 }, () => estimate),
    );
    process.off("warning", note);
    assert.ok(done.cells.every(({ output }) => output.text.includes("L1 data fee")));
    assert.deepEqual(warnings, []);
  });

  it("is not asked of a transaction that cannot be", async () => {
    const fees = { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x2" };
    const done = await run(8453, [{ ...estimate, params: [{ to: bob, ...fees }] }]);
    assert.deepEqual([questions(), done.cells[0]?.ok], [[], true]);
  });

  it("is left out if the chain does not tell it, and the estimate is shown all the same", async () => {
    for (const answer of ["0x", undefined, "0x12", 5]) {
      fee = answer;
      const text = (await run(8453)).cells[0]?.output.text ?? "";
      assert.match(text, /^✓ .*21,000 gas/);
      assert.doesNotMatch(text, /L1 data fee/);
    }
  });

  it("is in the hover of what a request would do, in the body of the simulation", async () => {
    const service = createService(testHost(host(8453)));
    const { text, offset } = cursor(JSON.stringify({ cells: [estimate] }).replace("eth_est", "eth_|est"));
    const uri = "file:///nowhere/a.rpc.json";
    service.openText(uri, text);
    service.pickEndpoint(uri, "node");
    await service.settled(uri);
    const shown = await service.liveHover(uri, offset, new AbortController().signal);
    assert.match(shown ?? "", /L1 data fee: 0\\?\.000001234 ether \\?\(estimate/);
    const body = bodies.find((one) => one.some(({ method }) => method === "eth_simulateV1"));
    assert.ok(body?.some(({ params }) => params[0]?.to === oracle));
  });
});
