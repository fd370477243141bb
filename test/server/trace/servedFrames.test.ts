import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { unusableWhy } from "../../../server/src/trace/servedFrames.ts";

const called = { type: "CALL", from: `0x${"11".repeat(20)}`, to: `0x${"22".repeat(20)}`, value: "0x0", input: "0x" };
const frame = (more: JsonObject = {}): JsonObject => ({ ...called, gas: "0x2710", gasUsed: "0x64", ...more });
const inside = (more: JsonObject): JsonObject => frame({ calls: [frame(), frame(more)] });

describe("a trace of an endpoint", () => {
  for (const [what, trace] of [
    ["as callTracer writes it", frame({ calls: [frame({ gas: "0x2000", output: "0x01", logs: [] })] })],
    ["without what a node may leave out", { type: "CALL" }],
    ["of a creation that failed", frame({ type: "CREATE", to: null, error: "out of gas" })],
    ["of a transaction that got gas back", frame({ gasUsed: "0x64", calls: [frame({ gasUsed: "0x70" })] })],
    ["with the gas of the block so far", frame({ gasUsed: "0x999999" })],
    [
      "with a wide, flat tree",
      frame({ gasUsed: "0x2700", calls: Array.from({ length: 200 }, () => frame({ gasUsed: "0x1" })) }),
    ],
  ] satisfies readonly (readonly [string, JsonObject])[])
    it(`can be used: ${what}`, () => assert.equal(unusableWhy(trace), undefined));

  for (const [what, trace] of [
    ["a number", 5],
    ["a call of an unknown kind", frame({ type: "FROBNICATE" })],
    ["a call of an unknown kind inside", frame({ calls: [{ type: "FROBNICATE" }] })],
    ["a list", [frame()]],
    ["text", "0x"],
    ["an object without a type", { gas: "0x1" }],
    ["a type that is not a name", frame({ type: "CALL\u001b[2J" })],
    ["a call that is missing", frame({ calls: [null] })],
    ["a call without a type", inside({ type: null })],
    ["calls that are not a list", frame({ calls: { 0: frame() } })],
    ["logs that are not a list", inside({ logs: "0x" })],
    ["negative gas", inside({ gasUsed: "-0x5" })],
    ["a negative number", frame({ gasUsed: -5 })],
    ["a fraction", inside({ gas: 1.5 })],
    ["gas as text", inside({ gas: "a lot" })],
    ["gas without an end", inside({ gas: `0x${"f".repeat(64)}` })],
    ["gas as a list", frame({ gas: [] })],
    ["a negative value", inside({ value: -1 })],
    ["a value that no account has", inside({ value: `0x1${"0".repeat(64)}` })],
    ["an address that is a number", inside({ to: 5 })],
    ["input that is text", inside({ input: "<img src=x>" })],
    ["output that is text", frame({ output: "0xzz" })],
    ["more gas than the call around it", inside({ gas: "0x2711" })],
    ["more used than there was", inside({ gas: "0x63" })],
    ["less used than the calls inside it", inside({ calls: [frame({ gasUsed: "0xc9" })] })],
  ] satisfies readonly (readonly [string, JsonValue])[])
    it(`cannot be used: ${what}`, () => assert.equal(typeof unusableWhy(trace), "string"));

  it("has as many calls inside each other as a chain allows", () => {
    const deep = (levels: number): JsonObject => {
      let trace = frame();
      for (let level = 1; level < levels; level++) trace = frame({ calls: [trace] });
      return trace;
    };
    assert.equal(unusableWhy(deep(1025)), undefined);
    assert.match(unusableWhy(deep(1026)) ?? "", /allows/);
    assert.match(unusableWhy(deep(50_000)) ?? "", /allows/);
  });
});
