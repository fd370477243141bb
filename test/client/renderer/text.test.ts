import assert from "node:assert/strict";
import { lengthNote } from "../../../client/src/renderer/reportView.ts";
import { markdownTable, rowsJson, tabSeparated } from "../../../client/src/renderer/tableText.ts";
import { countNote } from "../../../client/src/renderer/tableView.ts";
import { shortened } from "../../../client/src/renderer/text.ts";
import { everything } from "../../../client/src/renderer/value.ts";

describe("a value in a narrow place", () => {
  it("keeps head and tail of an address", () =>
    assert.equal(shortened("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 14), "0x7099…79C8"));
  it("says how long long data is", () =>
    assert.match(shortened(`0x${"ab".repeat(400)}`, 66), /^0x(ab)+a?…\w+ \(400 bytes\)$/));
  it("stays whole if it fits, and if it is not hex", () => {
    assert.equal(shortened("0x1", 14), "0x1");
    assert.equal(shortened("a long name that is no hex at all", 14), "a long name that is no hex at all");
  });
});

describe("a table in the notebook", () => {
  it("says how much of it is shown", () => {
    assert.equal(countNote(200, 12345), "200 of 12,345 rows");
    assert.equal(countNote(1, 1), "1 row");
    assert.equal(lengthNote(4000, 90000), "first 4,000 of 90,000 characters");
    assert.equal(lengthNote(12, 12), "");
  });
  const columns = [
    { name: "block", align: "right" as const },
    { name: "memo", align: "left" as const },
  ];
  const rows = [[{ text: "1,291", raw: "0x50b", plain: "1291" }, { text: "a\tb|\r\nc" }]];
  it("is copied for other programs, one line a row whatever the values hold", () => {
    assert.equal(tabSeparated(columns, rows), "block\tmemo\n1291\ta b| c");
    assert.deepEqual(JSON.parse(rowsJson(columns, rows)), [{ block: "1291", memo: "a\tb|\r\nc" }]);
  });
  it("cannot run as a formula where it is pasted", () => {
    const one = [{ name: "=a", align: "left" as const }];
    const texts = ['=HYPERLINK("x")', "\t=1", "+1+1", "@a", "-1+1", "＝1", "-5", "-1.5", "a=b"];
    assert.deepEqual(
      tabSeparated(
        one,
        texts.map((text) => [{ text }]),
      ).split("\n"),
      ["'=a", `'=HYPERLINK("x")`, "'=1", "'+1+1", "'@a", "'-1+1", "'＝1", "-5", "-1.5", "a=b"],
    );
  });
  it("is copied as Markdown with the texts that people read", () =>
    assert.equal(markdownTable(columns, rows), "| block | memo |\n| ---: | --- |\n| 1,291 | a b\\| c |"));
  it("has the other readings of a cell in its tooltip, each once", () =>
    assert.equal(
      everything({ text: "1 ether", raw: "0xde0b6b3a7640000", also: ["1 ether"] }),
      "1 ether\n0xde0b6b3a7640000",
    ));
});
