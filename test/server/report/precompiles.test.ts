import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { contracts } from "../../../server/src/catalog/contracts.ts";
import { alice, bob, callOf, encoded, item, reportFor, topic } from "./outcomes.ts";
import { frame, traceReport, treeLines } from "./traces.ts";

/** Data for modexp, which begins as `transfer(address,uint256)` does. */
const input = `0xa9059cbb${topic(bob).slice(2)}${topic("0x5").slice(2)}`;
const tableText = (trace: JsonValue): string => JSON.stringify(traceReport(trace, {}).sections);

describe("a call of a contract that is part of the EVM", () => {
  const precompiles = contracts.filter(({ summary }) => summary.includes("part of the EVM"));
  it("has its name, and its data is not read as that of a function", () => {
    assert.equal(precompiles.length, 18);
    for (const { address, name } of precompiles) {
      const trace = frame({ to: bob, calls: [frame({ type: "STATICCALL", to: address, input })] });
      const line = treeLines(traceReport(trace, {}).sections).at(-1) ?? "";
      assert.ok(line.includes(name), line);
      assert.doesNotMatch(tableText(trace), /transfer|unknown function|a guess/);
    }
  });
  it("is no other contract with a low address", () => {
    for (const address of [`0x${"0".repeat(38)}12`, `0x${"0".repeat(37)}101`, `0x${"0".repeat(38)}64`])
      assert.match(tableText(frame({ to: address, input })), /transfer/);
  });
});

describe("a table of calls", () => {
  it("says once which names are guesses", () => {
    const text = tableText(frame({ from: alice, to: bob, input, calls: [frame({ from: bob, to: alice, input })] }));
    assert.equal(text.split("a guess").length, 2, text);
  });
});

describe("a list of calls", () => {
  const aggregate3 = item(
    "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)",
  );
  const precompile = (number: number): string => `0x${String(number).padStart(40, "0")}`;
  const asked = [
    [bob, false, callOf("function balanceOf(address owner) returns (uint256 balance)", alice)],
    [precompile(2), false, `0x70a08231${topic(alice).slice(2)}ff`],
    [precompile(1), false, "0x18160ddd"],
    [bob, false, "0xdeadbeef"],
  ];
  const answer = encoded(
    aggregate3.outputs,
    [asked.map(() => [true, topic("0x7")])], // a list of results
  );
  const call = { to: alice, data: callOf(aggregate3, asked) };

  it("names the precompiled contracts in it, and reads no function there", () => {
    const { summary, sections } = reportFor("eth_call", [call, "latest"], answer);
    assert.match(summary, /4 calls inside: balanceOf .*, sha256 7, ecRecover 7/);
    assert.doesNotMatch(summary + JSON.stringify(sections), /0x70a08231"|totalSupply|unknown function 0x70a08231/);
  });
  it("counts all of them", () => {
    const simulated = { calls: [{ status: "0x1", returnData: answer, gasUsed: "0x1", logs: [] }] };
    const { sections } = reportFor("eth_simulateV1", [{ blockStateCalls: [{ calls: [call] }] }, "latest"], [simulated]);
    const text = JSON.stringify(sections);
    assert.match(text, /aggregate3\(calls: 4 calls\)/);
    assert.doesNotMatch(text, /totalSupply|unknown function 0x70a08231/);
  });
});
