import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { openMask } from "../../../server/src/base/mask.ts";
import { callFrames, maxFrames, revertPath } from "../../../server/src/report/callFrames.ts";
import { profileOf } from "../../../server/src/report/flame.ts";
import { person, runText } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";
import { hostileTexts } from "../../support/hostileText.ts";
import { frame, only, traceReport, treeLines } from "./traces.ts";

/** Calls in each other. The last one fails, and all pass that on. */
function deepTrace(levels: number): JsonValue {
  let trace = frame({ error: "stack underflow" });
  for (let level = 1; level < levels; level++) trace = frame({ error: "execution reverted", calls: [trace] });
  return trace;
}

const wide = (count: number): JsonValue =>
  frame({ calls: Array.from({ length: count }, (_, at) => frame({ gasUsed: `0x${(at + 1).toString(16)}` })) });

describe("a trace of 1024 levels", () => {
  it("is read from a node, and shows the call in which the revert began", async () => {
    const node = await hostileServer(answering((method) => (method === "eth_chainId" ? "0x1" : deepTrace(1025))));
    const consent = person({ allowHost: async () => true });
    const params = [`0x${"ab".repeat(32)}`, { tracer: "callTracer" }];
    const cell = JSON.stringify({ method: "debug_traceTransaction", params });
    const run = await runText(cell, { endpoint: node.url, host: { consent } });
    await node.close();
    const output = run.cells[0]?.output;
    const [report] = output?.reports ?? [];
    assert.match(report?.summary ?? "", /^failed in 0x3C44…93BC: stack underflow, 1,025 calls, 100 gas$/);
    const lines = treeLines(report?.sections ?? []);
    assert.match(lines.join("\n"), /… 1,009 more levels of calls/);
    assert.match(lines.at(-2) ?? "", /failed here!/);
    assert.match(lines.at(-1) ?? "", /stack underflow!/);
    assert.ok(JSON.stringify(report).length < 1_000_000 && (output?.json.length ?? 0) > 0);
  });
  it("is one profile, in which each call ends after those inside it", () => {
    const profile = profileOf(only(traceReport(deepTrace(1025)).sections, "flame"));
    assert.equal(profile?.events.length, 2050);
    assert.deepEqual(profile?.events.at(-1), { type: "C", frame: 0, at: 100 });
  });
  it("is masked without an overflow", () => {
    const mask = openMask();
    mask.add("stack underflow", "hidden");
    const path = revertPath(callFrames([mask.value(deepTrace(1025))]).roots[0]);
    assert.deepEqual([path.length, path.at(-1)?.error], [1025, "hidden"]);
  });
});

describe("a trace of very many calls", () => {
  it("says what the tree and the picture leave out; the table has all", () => {
    const { summary, sections } = traceReport(wide(50_000));
    assert.equal(summary, "50,001 calls, 100 gas");
    assert.match(treeLines(sections).at(-1) ?? "", /^ {4}… 49,701 more calls$/);
    const flame = only(sections, "flame");
    assert.deepEqual([flame.frames.length, flame.note], [500, "Not drawn: 49,501 calls with less gas."]);
    assert.equal(only(sections, "table").total, 50_001);
    assert.equal(profileOf(flame)?.events.length, 100_002);
  });
  it("is read up to a limit, and that is said", () => {
    const { sections } = traceReport(wide(maxFrames + 5));
    assert.deepEqual(sections[0], {
      kind: "note",
      text: "The trace has 100,006 calls. Only the first 100,000 are read.",
    });
  });
  it("lists few events of many", () => {
    const log = { address: `0x${"12".repeat(20)}`, topics: [], data: "0x" };
    const { sections } = traceReport(frame({ logs: Array.from({ length: 5000 }, () => log) }));
    assert.match(treeLines(sections).at(-1) ?? "", /… 4,700 more events/);
    assert.equal(treeLines(sections).length, 302);
  });
});

describe("a trace with hostile values", () => {
  it("is shown as text, whatever is in it", () => {
    for (const { text } of hostileTexts) {
      const members = ["type", "from", "to", "value", "gas", "gasUsed", "input", "output"];
      const one = Object.fromEntries(members.map((name) => [name, text]));
      const bad = { ...one, error: text, revertReason: text, logs: [text, null, { position: text }], calls: [text] };
      for (const trace of [bad, frame({ ...bad, type: "CALL" }), { ...one, calls: [bad, null, 5] }]) {
        const shown = JSON.stringify(traceReport(trace));
        assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/, text);
      }
      const action = { ...one, callType: text };
      const flat = { type: text, action, result: one, error: text, traceAddress: [text, 1] };
      traceReport([flat, flat, null], { method: "trace_transaction" });
    }
  });
  it("has no gas that is not possible", () => {
    for (const gasUsed of ["0xffffffffffffffffffff", -5, "0x", "1", null, 1.5]) {
      const { sections } = traceReport(frame({ gasUsed, calls: [frame({ gasUsed })] }));
      for (const { kind } of sections) assert.notEqual(kind, "flame", String(gasUsed));
    }
  });
});
