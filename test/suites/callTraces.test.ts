import assert from "node:assert/strict";
import { encodeFunctionData, type Hex, padHex, size } from "viem";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { quantity } from "../../server/src/base/hex.ts";
import type { JsonValue } from "../../server/src/base/json.ts";
import { type CallFrame, callFrames, ownGas, revertPath, totalGas } from "../../server/src/report/callFrames.ts";
import { calling, creating, program, push, returning, reverting } from "../support/evm.ts";
import { person, runText } from "../support/host.ts";
import { pluck } from "../support/pluck.ts";

/**
 * Traces of a real node (anvil) in both of its forms, go-ethereum's `callTracer` and OpenEthereum's flat list, against the
 * calls that the bytecode makes. go-ethereum's own fixtures are in no package: they were compared once, from outside.
 */
describe("reports of call traces", () => {
  const [outer, main, leaf, failing] = ["cf", "c0", "c1", "c2"].map((end) => `0x${end.padStart(40, "0")}`) as [
    string,
    string,
    string,
    string,
  ];
  /** `STATICCALL` (fa) and `DELEGATECALL` (f4), without data. */
  const passing = (opcode: "fa" | "f4", to: string): readonly string[] => [
    ...[push(0), push(0), push(0), push(0), push(BigInt(to))],
    ...["5a", opcode, "50"],
  ];
  const create = (code: Hex): readonly string[] => [
    ...[push(BigInt(padHex(code, { dir: "right" }))), push(0), "52"],
    ...[push(size(code)), push(0), push(0), "f0", "50"],
  ];
  /** The steps of the bytecode, one per line: depth and kind, address, value, result. */
  let calls: readonly string[];
  let chain: Devchain;
  let hash: string;

  before(async () => {
    chain = await startDevchain({ sealEveryMs: 0, traffic: false });
    const { deployer, alice } = chain.accounts;
    const code: Readonly<Record<string, Hex>> = {
      [leaf]: program(returning(push(7))),
      [failing]: program(reverting(1)),
      [main]: program(
        passing("fa", leaf),
        passing("f4", leaf),
        calling({ to: failing }),
        calling({ to: alice.address, value: 1n }),
        create(creating("0x00")),
        returning(push(1)),
      ),
      [outer]: program(calling({ to: main, value: 2n }), calling({ to: leaf })),
    };
    for (const [address, bytes] of Object.entries(code)) await chain.rpc("anvil_setCode", [address, bytes]);
    await chain.rpc("anvil_setBalance", [outer, "0xff"]);
    const request = { from: deployer.address, to: outer, gas: "0xf4240" };
    hash = String(await chain.rpc("eth_sendTransaction", [request]));
    await chain.seal();
    calls = [
      `call ${outer}`,
      `· call ${main} 2 wei 1`,
      `· · staticcall ${leaf} 7`,
      `· · delegatecall ${leaf} 2 wei 7`,
      `· · call ${failing} reverted`,
      `· · call ${alice.address.toLowerCase()} 1 wei`,
      "· · create a contract 1 byte of code",
      `· call ${leaf} 7`,
    ];
  });
  after(() => chain?.stop());

  for (const [name, method, options] of [
    ["callTracer", "debug_traceTransaction", [{ tracer: "callTracer" }]],
    ["the flat form", "trace_transaction", []],
  ] as const) {
    it(`${name}: every call in its order, with its kind, its place, its value and its failure`, async () => {
      const cell = JSON.stringify({ method, params: [hash, ...options] });
      const consent = person({ allowHost: async () => true });
      const run = await runText(cell, { endpoint: chain.url, host: { consent } });
      const table = run.cells[0]?.output.reports[0]?.sections.find((section) => section.kind === "table");
      assert.ok(table?.kind === "table", run.cells[0]?.output.text);
      const at = (name: string): number => table.columns.findIndex((column) => column.name === name);
      const shown = table.rows.map((row) => {
        const [call, to, value, result] = ["Does", "To", "Value", "Result"].map((name) => row[at(name)]?.text ?? "");
        const parts = call?.includes("create")
          ? [call.replace(/creates (.*):.*/, "$1"), result]
          : [call, to?.toLowerCase(), value, /reverted/i.test(result ?? "") ? "reverted" : result];
        return parts.filter((part) => part !== "").join(" ");
      });
      assert.deepEqual(shown, calls);
    });
  }

  it("both forms: equal frames, gas and failures, as the receipt has them", async () => {
    const nested = callFrames([
      (await chain.rpc("debug_traceTransaction", [hash, { tracer: "callTracer" }])) as JsonValue,
    ]);
    const flat = callFrames((await chain.rpc("trace_transaction", [hash])) as readonly JsonValue[]);
    const shape = ({ type, from, to, value, depth, parent, children, error, output }: CallFrame) => [
      type,
      from,
      to,
      quantity(value) ?? 0n,
      depth,
      parent?.index,
      children.length,
      error !== undefined,
      output ?? "0x",
    ];
    assert.deepEqual(nested.frames.map(shape), flat.frames.map(shape));
    const inside = nested.frames.slice(1);
    assert.deepEqual(inside.map(totalGas), flat.frames.slice(1).map(totalGas));
    const receipt = (await chain.rpc("eth_getTransactionReceipt", [hash])) as { readonly gasUsed: string };
    const [root] = nested.frames;
    assert.equal(root?.gasUsed, receipt.gasUsed);
    const own = nested.frames.map((frame) => ownGas(frame) ?? Number.NaN);
    assert.equal(
      own.reduce((sum, gas) => sum + gas, 0),
      Number(receipt.gasUsed),
      "all gas is of exactly one call",
    );
  });

  it("the call in which a revert began is three calls deep, behind a proxy", async () => {
    const { payments, proxiedToken, token } = chain.contracts;
    const { alice, bob } = chain.accounts;
    const args = [proxiedToken.address, bob.address, 5n, padHex("0x12", { size: 32 })];
    const data = encodeFunctionData({ abi: payments.abi, functionName: "pay", args });
    const call = { from: alice.address, to: payments.address, data };
    const trace = await chain.rpc("debug_traceCall", [call, "latest", { tracer: "callTracer" }]);
    const { roots } = callFrames([trace as JsonValue]);
    const targets = [payments, proxiedToken, token].map(({ address }) => address.toLowerCase());
    assert.deepEqual(pluck(revertPath(roots[0]), "to"), targets);
  });
});
