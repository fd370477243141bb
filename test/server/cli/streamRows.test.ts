import assert from "node:assert/strict";
import { openStreamRows } from "../../../server/src/cli/runFile.ts";
import { plain, type Terminal } from "../../../server/src/cli/terminal.ts";
import type { StreamUpdate } from "../../../server/src/run/result/runEvents.ts";

const hash = `0x${"ab".repeat(32)}`;
const terminalOf = (width?: number): Terminal => ({
  width,
  paint: plain,
  print: () => {},
  complain: () => {},
  note: () => {},
  clear: () => {},
  progress: () => {},
  drained: async () => {},
});

function event(index: number, names: readonly string[], ...rows: readonly (readonly string[])[]): StreamUpdate {
  const columns = names.map((name) => ({ name, align: name === "Block" ? ("right" as const) : ("left" as const) }));
  const shown = rows.map((row) => row.map((text) => ({ text })));
  const reports = [
    {
      title: `sub ${index}`,
      summary: "",
      status: "ok" as const,
      sections: [{ kind: "table" as const, columns, rows: shown, total: rows.length }],
      facts: [],
    },
  ];
  const output = { ok: true, reports, text: "", json: "", startedAt: 0, durationMs: 0 };
  return { cell: { index }, index, output, rows: shown, connectionMessages: [] };
}

describe("rows of subscriptions", () => {
  it("appear below the names of their columns", () => {
    const rows = openStreamRows();
    const text = (one: StreamUpdate): string => rows.text(one, terminalOf());
    assert.equal(
      text(event(0, ["Block", "Fee", "Hash"], ["9", "", hash])),
      `sub 0\nBlock  Fee  Hash\n    9       ${hash}`,
    );
    assert.equal(text(event(0, ["Block", "Fee", "Hash"], ["10", "8 wei", "0x"])), "   10  8 wei  0x");
    assert.equal(text(event(1, ["Value"], ["tick"])), "sub 1\ntick", "one column needs no name");
    assert.match(
      text(event(0, ["Block", "Fee", "Hash"], ["11", "1", "0x"])),
      /^sub 0\nBlock {2}Fee {2}Hash\n {3}11 {2}1/,
    );
  });

  it("have short hashes on a narrow terminal", () => {
    const rows = openStreamRows();
    assert.equal(
      rows.text(event(0, ["Block", "Hash"], ["1", hash]), terminalOf(40)),
      "sub 0\nBlock  Hash\n    1  0xabab…abab",
    );
  });

  it("follow the events of their connection", () => {
    const back = { ...event(0, ["Value"]), connectionMessages: ["The connection is back."] };
    assert.equal(openStreamRows().text(back, terminalOf()), "The connection is back.");
  });
});
