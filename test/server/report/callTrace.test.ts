import assert from "node:assert/strict";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { tracedCallJson, withTracedCall } from "../../../server/src/report/callTrace.ts";
import type { Report, Section } from "../../../server/src/report/report.ts";
import { contextOf } from "../../../server/src/report/reportOf.ts";
import type { TracedCallFacts } from "../../../server/src/report/tracedCall.ts";
import { frame, only } from "./traces.ts";

const call = frame({ calls: [frame()] }) as JsonObject; // it is one
const word = (digit: string): string => `0x${digit.padStart(64, "0")}`;
const change = { address: `0x${"12".repeat(20)}`, slot: word("5"), before: word("0"), after: word("7") };
const computed: TracedCallFacts = {
  ...{
    kind: "computed",
    host: "node:1",
    calls: [call],
    block: 1000n,
    isPending: false,
    fork: "osaka",
    changes: [change],
    hashed: [],
    codes: new Map(),
    reads: [],
  },
  ...{ equal: ["status", "output"], rounds: 2, requests: 30 },
};
const partial: Section = { kind: "tree", title: "Calls", partial: "not all", nodes: [] };
const report: Report = { title: "t", summary: "s", status: "ok", sections: [partial], facts: [] };

function traced(facts: TracedCallFacts): readonly Section[] {
  return withTracedCall(report, facts, contextOf({ params: [] })).sections;
}
const noteOf = (facts: TracedCallFacts): string =>
  traced(facts).flatMap((one) => (one.kind === "note" ? one.text : []))[0] ?? "";

describe("the calls inside a call, in its report", () => {
  it("take the place of a tree that has only a part of them", () => {
    const trees = traced(computed).flatMap((section) => (section.kind === "tree" ? section : []));
    assert.deepEqual(
      trees.map((tree) => tree.partial),
      [undefined],
    );
    assert.equal(traced({ kind: "failed", host: "node:1", why: "No." })[0], partial);
  });
  it("have the storage that changes, whole below what is short", () => {
    const { rows } = only(
      traced(computed).filter((one) => one.kind === "table" && one.title === "Storage changes"),
      "table",
    );
    assert.deepEqual(
      rows[0]?.slice(1).map(({ text, raw }) => [text, raw]),
      [
        ["0x5", word("5")],
        ["0x0", word("0")],
        ["0x7", word("7")],
      ],
    );
  });
  it("give the reason of a revert that gave none", () => {
    const silent: Section = { kind: "failure", what: "w", todo: "t", fields: [], isSilent: true };
    const inner = frame({ error: "out of gas", gas: "0x64", gasUsed: "0x64" });
    const calls = [frame({ error: "execution reverted", calls: [inner] }) as JsonObject]; // it is one
    const of = (section: Section) =>
      withTracedCall({ ...report, sections: [section] }, { ...computed, calls }, contextOf({ params: [] })).summary;
    assert.match(of(silent), /^reverted: out of gas, in .*, 2 calls deep$/);
    assert.equal(of(partial), report.summary);
  });
  it("count a proxy and the code that it borrows as one call, as the tree does", () => {
    const [proxy, input] = [`0x${"aa".repeat(20)}`, "0x12345678"];
    const failed = { error: "execution reverted", input };
    const borrowed = frame({ ...failed, type: "DELEGATECALL", from: proxy, to: `0x${"bb".repeat(20)}` });
    const called = frame({ ...failed, to: proxy, calls: [borrowed] });
    const silent: Section = { kind: "failure", what: "w", todo: "t", fields: [], isSilent: true };
    const of = (call: ReturnType<typeof frame>) =>
      withTracedCall(
        { ...report, sections: [silent] },
        { ...computed, calls: [call as JsonObject] }, // it is one
        contextOf({ params: [] }),
      ).summary;
    assert.match(of(frame({ ...failed, calls: [called] })), /, in 0xbb\S*, 2 calls deep$/i);
    assert.match(of(called), /, in 0xbb\S*$/i);
  });
  it("say how sure they are", () => {
    assert.match(
      noteOf(computed),
      /at block 1,000 \(30 requests in 2 rounds\)\. Status and output equal .* Gas and logs are not checked\./,
    );
    assert.match(noteOf({ ...computed, equal: [] }), /Not checked/);
    assert.match(
      noteOf({ kind: "served", host: "node:1", calls: [call], block: 5n }),
      /^These calls are the trace of node:1 at block 5\./,
    );
    assert.match(
      noteOf({ ...computed, isPending: true }),
      /at `pending`, which may have changed meanwhile, in block 1,000 /,
    );
    const differs = { kind: "differs", host: "node:1", what: "gas used", here: "1", there: "2".repeat(1000) } as const;
    assert.ok(noteOf(differs).length < 400);
  });
  it("are in the JSON report with exact values", () => {
    assert.deepEqual(tracedCallJson(computed), {
      trace: {
        source: "computed",
        block: "0x3e8",
        fork: "osaka",
        equal: ["status", "output"],
        calls: [call],
        storage: [change],
      },
    });
  });
});
