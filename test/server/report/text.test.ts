import assert from "node:assert/strict";
import type { Report } from "../../../server/src/report/report.ts";
import { reportText } from "../../../server/src/report/text.ts";

const report: Report = {
  title: "logs: eth_getLogs",
  summary: "2 logs",
  status: "ok",
  sections: [
    {
      kind: "table",
      title: "Logs",
      columns: [
        { name: "n", align: "right" },
        { name: "who", align: "left" },
      ],
      rows: [
        [{ text: "1" }, { text: "日本 🙂" }],
        [{ text: "10,000" }, { text: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", role: "bad" }],
      ],
      total: 5,
    },
    { kind: "note", text: "One sentence that is long enough to be broken over lines." },
    {
      kind: "fields",
      fields: [
        { name: "a", value: { text: "1.5 ether", raw: "0x1", also: ["1 wei"], role: "amount" } },
        { name: "long", value: { text: "x".repeat(90), raw: "y" } },
      ],
    },
  ],
  facts: [
    { name: "endpoint", value: "local" },
    { name: "block", value: "pending" },
    { name: "time", value: "1 ms" },
  ],
};

describe("reportText", () => {
  it("aligns columns, also those of wide letters, and cuts nothing without a width", () =>
    assert.equal(
      reportText(report),
      `
✓ logs: eth_getLogs: 2 logs
  Logs
       n  who
       1  日本 🙂
  10,000  0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  … the first 2 of 5
  One sentence that is long enough to be broken over lines.

  a     1.5 ether (1 wei)
  long  ${"x".repeat(90)} (y)
  local · block pending · 1 ms`.trim(),
    ));
  it("keeps every line of a table and every sentence within the width", () => {
    const text = reportText(report, { width: 40 });
    for (const line of text.split("\n")) assert.ok([...line].length <= 40 || line.startsWith("  long"), line);
    assert.match(text, /\n {2}long {2}x{33}…x{32}\n/);
    assert.match(text, /10,000 {2}0x7099…79C8\n/);
  });
  it("breaks the quiet line where the terminal ends", () => {
    const facts = ["pre (127.0.0.1:8545)", "block latest", "head 5,000", "batch of 8"].map((value) => ({
      name: "time",
      value,
    }));
    const text = reportText({ ...report, sections: [], facts }, { width: 40 });
    assert.equal(
      text.split("\n").slice(1).join("|"),
      "  pre (127.0.0.1:8545) · block latest ·|  head 5,000 · batch of 8",
    );
  });
  it("breaks the exact value where the terminal ends", () => {
    const exact = {
      kind: "exact" as const,
      forms: ["2,024,999,330 in units of 10^−6", "symbol and decimals from its contract"],
    };
    const text = reportText({ ...report, sections: [exact], facts: [] }, { width: 40 });
    for (const line of text.split("\n")) assert.ok([...line].length <= 40, line);
  });
  it("never cuts numbers, however narrow it is", () =>
    assert.match(reportText(report, { width: 10 }), /10,000 {2}0x7099…79C8\n/));
  it("shortens hashes inside a sentence before the sentence flows over several lines", () => {
    const args = { text: `to: 0x${"ab".repeat(20)}, memo: "invoice 2", and more of it` };
    const columns = [{ name: "Arguments", align: "left" as const }];
    const table = { kind: "table" as const, columns, rows: [[args]], total: 1 };
    const lines = (width: number): string =>
      reportText({ ...report, sections: [table], facts: [] }, { width })
        .split("\n")
        .slice(2)
        .join("\n");
    assert.equal(lines(90), `  ${args.text}`);
    assert.equal(lines(56), `  to: 0xabab…abab, memo: "invoice 2", and more of it`);
    assert.equal(lines(42), `  to: 0xabab…abab, memo: "invoice 2", and\n  more of it`);
    assert.equal(lines(23), `  to: 0xabab…abab,\n  memo: "invoice 2",\n  and more of it`);
    const long = { ...table, rows: [[{ text: "a word ".repeat(40) }]] };
    const tall = reportText({ ...report, sections: [long], facts: [] }, { width: 22 })
      .split("\n")
      .slice(2);
    assert.equal(tall.length, 4);
    assert.match(tall.at(-1) ?? "", /…$/);
  });
  it("breaks the name of a stored value before its keys", () => {
    const columns = ["Stored in", "After"].map((name) => ({ name, align: "left" as const }));
    const place = `Token.allowance[0x${"ab".repeat(20)}][0x${"cd".repeat(20)}].since`;
    const table = { kind: "table" as const, columns, rows: [[{ text: place }, { text: "1,000,000,000" }]], total: 1 };
    const text = reportText({ ...report, sections: [table], facts: [] }, { width: 40 });
    assert.deepEqual(text.split("\n").slice(2), [
      "  Token.allowance          1,000,000,000",
      "  [0xabab…abab]",
      "  [0xcdcd…cdcd].since",
    ]);
  });
  it("names the columns at the end of a table for which there is no room", () => {
    const names = ["Event", "Arguments", "Contract", "Transaction"];
    const columns = names.map((name) => ({ name, align: "left" as const }));
    const hex = { text: `0x${"ab".repeat(20)}`, role: "address" as const };
    const row = [{ text: "Transfer" }, { text: "from: me, to: you, value: 1,000,000 DUSD in all" }, hex, hex];
    const table = { kind: "table" as const, columns, rows: [row], total: 1 };
    const text = (width: number): string => reportText({ ...report, sections: [table], facts: [] }, { width });
    assert.match(text(90), /0xabab…abab {2}0xabab…abab$/);
    assert.match(text(72), /0xabab…abab\n {2}… left out to save space: Transaction$/);
    assert.match(text(60), /in all\n {2}… left out to save space: Contract, Transaction$/);
  });
  it("styles with what it is handed, and not by itself", () => {
    assert.doesNotMatch(reportText(report, { width: 80 }), /\u001b/);
    const text = reportText(report, { paint: (style, text) => `<${style}>${text}</>` });
    assert.match(text, /^<green>✓<\/> <bold>logs: eth_getLogs<\/>: 2 logs\n/);
    assert.equal(text.replace(/<\/?\w*>/g, ""), reportText(report));
  });
  it("prints a tree in place of its table: what is open, and what is beyond the limit counted", () => {
    const leaf = (text: string) => ({ parts: [{ text }], children: [] });
    const failed = { parts: [{ text: "b" }, { text: "reverted here" }], open: true as const, children: [leaf("why")] };
    const closed = { ...leaf("a"), children: [leaf("inside")] };
    const root = { ...leaf("root"), open: true as const, children: [closed, leaf("x"), leaf("y"), failed] };
    const tree = { kind: "tree" as const, title: "Logs", isText: true as const, nodes: [root] };
    const text = reportText({ ...report, sections: [tree, ...report.sections.slice(0, 1)], facts: [] }, { rows: 1 });
    assert.deepEqual(text.split("\n").slice(1), [
      "  Logs",
      "  root",
      "  · a · 1 line inside",
      "  · b reverted here",
      "  · · why",
      "  · … 2 more",
    ]);
  });
  it("names what a sentence about gas is about, so that it does not seem to belong to what is above", () => {
    const flame = { kind: "flame", title: "Gas by call", frames: [], total: 9, text: "9 gas in 2 calls." } as const;
    const text = reportText({ ...report, facts: [], sections: [...report.sections.slice(2), flame] });
    assert.match(text, /\n\n {2}Gas by call\n {2}9 gas in 2 calls\.$/);
  });

  it("leaves the mark to others when asked", () =>
    assert.match(reportText(report, { mark: false }), /^logs: eth_getLogs: 2 logs\n/));
  it("marks failures by a sign, not by colour alone", () =>
    assert.match(reportText({ ...report, status: "failed", sections: [] }), /^✗ /));
});
