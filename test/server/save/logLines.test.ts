import assert from "node:assert/strict";
import { logReader } from "../../../server/src/abi/decodeLog.ts";
import { openMask } from "../../../server/src/base/mask.ts";
import { openLogLines } from "../../../server/src/save/logLines.ts";
import { logColumns } from "../../../server/src/save/logRows.ts";

describe("a row of a file of logs, before the file goes on", () => {
  const hex = `0x${"12".repeat(32)}`;
  const values = [7, 0, 1, hex, `0x${"34".repeat(20)}`, hex, null, null, null, "0x", 1, null];
  const row = (block: unknown) =>
    Object.fromEntries(logColumns.map((name, at) => [name, at === 0 ? block : (values[at] ?? null)]));

  it("is left out of the comparison if a number in it is hidden, in both forms", () => {
    for (const block of ["‹hidden›", "1.5"]) {
      const json = openLogLines("ndjson", {}, logReader(), openMask());
      assert.equal(json.readsAlike?.(`${JSON.stringify(row(block))}\n`), true);
      const csv = openLogLines("csv", {}, logReader(), openMask());
      assert.equal(csv.readsAlike?.(`${Object.values(row(block)).join(",")},\n`), true);
    }
  });
});
