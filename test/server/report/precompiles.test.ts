import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { contracts } from "../../../server/src/catalog/contracts.ts";
import { alice, bob, topic } from "./outcomes.ts";
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
