import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { bob } from "./outcomes.ts";
import { frame, traceReport, treeLines } from "./traces.ts";

const [proxy, code] = ["0x5FbDB2315678afecb367f032d93F642f64180aa3", "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"];
const input = "0x12345678";
const reverted = { error: "execution reverted" };
const outOfGas = { error: "out of gas", gas: "0x64", gasUsed: "0x64" };

/** A call of a proxy whose code runs out of gas, which the proxy passes on without a reason. */
const proxied = frame({
  ...{ to: proxy, input, ...reverted },
  calls: [frame({ type: "DELEGATECALL", from: proxy, to: code, input, ...outOfGas })],
});

/** Calls in each other, of which the last one has calls before it and fails. */
function deep(levels: number): JsonValue {
  let trace = frame({ error: "stack underflow", calls: Array.from({ length: 100 }, () => frame()) });
  for (let level = 1; level < levels; level++) trace = frame({ ...reverted, calls: [trace] });
  return trace;
}

const printed = (report: Report): string => reportText(report, { width: 100, rows: 200, short: true });

describe("a trace of a call that failed", () => {
  it("says why a call behind a proxy failed, also if that was caught", () => {
    const caught = frame({ output: "0x12345678", ...reverted, calls: [proxied] });
    for (const trace of [
      frame({ calls: [proxied] }),
      caught,
      frame({ calls: [frame({ ...reverted, calls: [proxied] })] }),
    ])
      assert.match(treeLines(traceReport(trace).sections).join("\n"), /code of 0xe7f1…0512 failed: out of gas/);
  });

  it("says that a call before it ran no code", () => {
    const lines = (more: Readonly<Record<string, JsonValue>>): readonly string[] =>
      treeLines(traceReport(frame({ ...reverted, calls: [frame({ input, gasUsed: "0x0", ...more })] })).sections);
    assert.match(lines({})[1] ?? "", /no reason given, after a call of 0x\w+…\w+, where no code ran!/);
    assert.match(lines({})[2] ?? "", /→ no code ran · 0 gas/);
    const others = [{ input: "0x" }, { gasUsed: "0x2" }, { output: input }, { to: `0x${"0".repeat(38)}64` }];
    for (const other of others) assert.doesNotMatch(lines(other).join("\n"), /no code/);
  });

  it("is printed as its tree, with the call in which it began and the calls to it", () => {
    const text = printed(traceReport(deep(600)));
    const lines = text.split("\n");
    assert.match(text, /Calls\n/);
    assert.equal(lines.filter((line) => /failed here/.test(line)).length, 1);
    assert.match(text, /failed here.*\n.*stack underflow\n/);
    assert.equal(lines.filter((line) => /passed the revert on/.test(line)).length, 15);
    assert.match(text, /… 584 more levels of calls\n/);
    assert.doesNotMatch(text, /in the table/);
  });

  it("is a table of calls if none failed that was not caught", () => {
    assert.match(printed(traceReport(frame({ calls: [frame({ to: bob, ...reverted })] }))), /Call +Does/);
  });

  it("marks in the table where it began, and is quiet about calls that passed it on", () => {
    const trace = frame({ ...reverted, calls: [frame(), frame({ ...reverted, calls: [frame(outOfGas)] })] });
    const { sections } = traceReport(trace);
    const table = sections.flatMap((one) => (one.kind === "table" && one.title === "Calls" ? [one] : []))[0];
    const at = table?.columns.findIndex(({ name }) => name === "Result") ?? -1;
    assert.deepEqual(
      table?.rows.map((row) => [row[at]?.text.replace(/:.*/, ""), row[at]?.role]),
      [
        ["passed the revert on", undefined],
        ["", undefined],
        ["passed the revert on", undefined],
        ["failed here", "bad"],
      ],
    );
  });
});
