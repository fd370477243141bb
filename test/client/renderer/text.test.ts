import assert from "node:assert/strict";
import { shortened } from "../../../client/src/renderer/hex.ts";
import { countNote } from "../../../client/src/renderer/pages.ts";
import { lengthNote } from "../../../client/src/renderer/reportView.ts";
import { tabSeparated } from "../../../client/src/renderer/tableView.ts";
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
    assert.equal(countNote(200, 12345), "first 200 of 12,345 rows");
    assert.equal(countNote(1, 1), "1 row");
    assert.equal(lengthNote(4000, 90000), "first 4,000 of 90,000 characters");
    assert.equal(lengthNote(12, 12), "");
  });
  it("is copied in wire form, one line a row whatever the values hold", () =>
    assert.equal(
      tabSeparated({
        kind: "table",
        columns: [
          { name: "block", align: "right" },
          { name: "memo", align: "left" },
        ],
        rows: [[{ text: "291", raw: "0x123" }, { text: "a\tb\r\nc" }]],
        total: 1,
      }),
      "block\tmemo\n0x123\ta b c",
    ));
  it("has the other readings of a cell in its tooltip, each once", () =>
    assert.equal(
      everything({ text: "1 ether", raw: "0xde0b6b3a7640000", also: ["1 ether"] }),
      "1 ether\n0xde0b6b3a7640000",
    ));
});
