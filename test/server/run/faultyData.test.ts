import assert from "node:assert/strict";
import { keccak256, toBytes } from "viem";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { runText } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const word = (value: number): string => value.toString(16).padStart(64, "0");
/** Says that it has three items, and has one. */
const cut = `0x${word(32)}${word(3)}${word(1)}`;
const log = { address: to, topics: [keccak256(toBytes("L(uint256[])"))], data: cut, blockNumber: "0x1" };
const results: Readonly<Record<string, unknown>> = {
  eth_call: cut,
  eth_getLogs: [log],
  eth_simulateV1: [{ number: "0x1", calls: [{ status: "0x1", gasUsed: "0x1", returnData: cut, logs: [log] }] }],
};

interface Answer {
  readonly decoded: unknown;
  readonly faults?: readonly string[];
}

describe("data of the wrong type", () => {
  let server: HostileServer;
  before(async () => {
    server = await hostileServer(answering((method) => results[method] ?? "0x1"));
  });

  const header = `"abi":["event L(uint256[] list)","function f() returns (uint256[] list)"]`;
  const call = { to, data: { function: "f() returns (uint256[])", args: [] } };
  const cells = {
    call: { method: "eth_call", params: [call, "latest"] },
    logs: { method: "eth_getLogs", params: [{ address: to }] },
    simulation: { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [call] }] }, "latest"] },
  };
  const run = async (kind: keyof typeof cells, expect?: object): Promise<CellResult> => {
    const text = `{${header},"cells":[${JSON.stringify({ ...cells[kind], expect })}]}`;
    const settings = { rpcNotebook: { tokenLookup: false } };
    const [cell] = (await runText(text, { endpoint: server.url, host: { settings } })).cells;
    assert.ok(cell);
    return cell;
  };
  it("fails its cell if the answer is not of the method's type, unless the cell expects it", async () => {
    const results: Record<string, unknown> = {};
    const server = await hostileServer(answering((method) => results[method] ?? null));
    const cellOf = async (cell: object): Promise<CellResult | undefined> =>
      (await runText(JSON.stringify([cell]), { endpoint: server.url })).cells[0];
    for (const [method, params, answer] of [
      ["eth_getBalance", [to, "latest"], "zz"],
      ["eth_getBalance", [to, "latest"], null],
      ["eth_getCode", [to, "latest"], 5],
      ["eth_getLogs", [{ address: to }], "0x"],
      ["eth_getBlockByNumber", ["latest", false], "zz"],
    ] as const) {
      results[method] = answer;
      const wrong = await cellOf({ method, params });
      assert.deepEqual([wrong?.ok, wrong?.output.reports[0]?.status], [false, "failed"], `${method} ${answer}`);
      assert.match(wrong?.output.text ?? "", /^✗ .*unexpected: /);
      const expected = await cellOf({ method, params, expect: { result: answer } });
      assert.equal(expected?.ok, true, expected?.output.text);
      assert.match(expected?.output.text ?? "", /^✓ (?!unexpected).*, as expected/);
    }
    results.eth_getBlockByNumber = null;
    assert.equal((await cellOf({ method: "eth_getBlockByNumber", params: ["0x99", false] }))?.ok, true);
    await server.close();
  });
  const fault = "an array of 3 ends after 1";
  const answerOf = (cell: CellResult): Answer => JSON.parse(JSON.stringify(cell.answers()[0])) as Answer;

  it("is marked as faulty in JSON, beside the result of a call", async () => {
    const { decoded, faults } = answerOf(await run("call"));
    assert.deepEqual([decoded, faults], [[["1", null]], [fault]]);
  });
  it("says so to machines, in the event and in the simulated call", async () => {
    const [event] = answerOf(await run("logs")).decoded as readonly { args: unknown; faults: unknown }[];
    assert.deepEqual([event?.args, event?.faults], [{ list: ["1", null] }, [fault]]);
    const [block] = answerOf(await run("simulation")).decoded as readonly {
      calls: readonly [Record<string, unknown>];
    }[];
    assert.deepEqual([block?.calls[0].returnData, block?.calls[0].faults], [[["1", null]], [fault]]);
  });
  for (const [kind, path] of [
    ["call", "decoded[0]"],
    ["call", "decoded[0][0]"],
    ["logs", "decoded[0].args.list"],
    ["logs", "decoded[0].args.list[0]"],
    ["simulation", "decoded[0].calls[0].returnData[0]"],
    ["simulation", "decoded[0].calls[0].logs[0].args.list"],
  ] as const)
    it(`meets no expectation at ${path} of ${kind}`, async () => {
      const expectations =
        path.endsWith("[0][0]") || path.endsWith("list[0]") ? ["1"] : [{ length: 1 }, { length: 2 }, { length: 3 }];
      for (const wanted of expectations) {
        const cell = await run(kind, { [path]: wanted });
        assert.equal(cell.ok, false);
        if (wanted !== "1" && wanted.length !== 2) continue;
        assert.match(cell.output.text, /does not fit its declaration: an array of 3 ends after 1/);
      }
    });
  it("meets those that are not about the values", async () => {
    assert.equal((await run("call", { result: cut })).ok, true);
    assert.equal((await run("logs", { "decoded[0].faults[0]": fault, "result[0].data": cut })).ok, true);
    assert.equal((await run("logs", { "decoded[0].signature": "L(uint256[])" })).ok, true);
  });
});
