import assert from "node:assert/strict";
import type { JsonObject } from "../../../../server/src/base/json.ts";
import { contradictionWith } from "../../../../server/src/run/observe/servedTrace.ts";

const log = (data: string, position: string | null = "0x0") => ({
  address: `0x${"ab".repeat(20)}`,
  topics: [],
  data,
  position,
});
const called = { from: `0x${"11".repeat(20)}`, to: `0x${"ab".repeat(20)}`, gas: "0x100", input: "0x" };
const inner = (more: JsonObject = {}): JsonObject => ({ ...called, type: "CALL", gasUsed: "0x1", ...more });
/** Calls twice: logs 1 before, 2 in the first call, and 3 after it. */
const trace: JsonObject = {
  ...{ ...called, type: "CALL", gasUsed: "0x64", logs: [log("0x01"), log("0x03", "0x1")] },
  calls: [
    inner({ logs: [log("0x02")] }),
    inner({ error: "execution reverted", calls: [inner({ logs: [log("0x09")] })] }),
  ],
};
const receipt: JsonObject = {
  ...{ status: "0x1", gasUsed: "0x64", cumulativeGasUsed: "0xc8" },
  logs: [log("0x01"), log("0x02"), log("0x03")],
};

describe("a trace that an endpoint serves", () => {
  it("agrees with its receipt: also if failed calls keep logs, no call has any, or the gas is that of the block so far", () => {
    assert.equal(contradictionWith(receipt, trace), undefined);
    assert.equal(contradictionWith(receipt, inner({ gasUsed: "0x64" })), undefined);
    assert.equal(contradictionWith(receipt, { ...trace, gasUsed: "0xc8" }), undefined);
    assert.equal(contradictionWith(undefined, trace), undefined);
    assert.equal(
      contradictionWith({ ...receipt, status: "0x0", logs: [] }, { ...trace, error: "out of gas" }),
      undefined,
    );
  });
  it("agrees with its receipt if it does not say where among the calls the logs were", () => {
    const unordered = { ...trace, logs: [log("0x01", null), log("0x03", null)] };
    assert.equal(contradictionWith(receipt, unordered), undefined);
    assert.match(
      contradictionWith({ ...receipt, logs: [log("0x01"), log("0x02"), log("0x04")] }, unordered) ?? "",
      /a log is/,
    );
  });
  for (const [name, value] of [
    ["from", `0x${"22".repeat(20)}`],
    ["to", `0x${"cd".repeat(20)}`],
    ["value", "0x1"],
    ["input", "0x1234"],
  ] as const)
    it(`contradicts its transaction: ${name}`, () => {
      const { from, to, input } = called;
      const transaction = { from, to: to.toUpperCase().replace("0X", "0x"), input, value: "0x00" };
      assert.equal(contradictionWith(receipt, { ...trace, value: "0x0" }, transaction), undefined);
      const found = contradictionWith(receipt, { ...trace, [name]: value }, transaction);
      assert.ok(found?.includes(`\`${name}\` is ${value} in the trace`), found);
    });
  for (const [what, change] of [
    ["the status", { status: "0x0" }],
    ["the gas used", { gasUsed: "0x65" }],
    ["the number of logs", { logs: [log("0x01")] }],
    ["log 2 is another one", { logs: [log("0x01"), log("0x04"), log("0x03")] }],
  ] as const)
    it(`contradicts its receipt: ${what}`, () =>
      assert.ok(contradictionWith({ ...receipt, ...change }, trace)?.includes(what)));
});
