import assert from "node:assert/strict";
import { ageText, blocksText, widestAge } from "../../../client/src/renderer/age.ts";
import { clockText } from "../../../client/src/renderer/text.ts";

describe("an age in the notebook", () => {
  it("is in the unit that people would pick", () => {
    const ages = [0, 1999, 2000, 59_999, 60_000, 3_600_000, 90_000_000].map(ageText);
    const texts = "now|now|2 seconds ago|59 seconds ago|1 minute ago|1 hour ago|1 day ago";
    assert.equal(ages.join("|"), texts);
  });
  it("is in blocks too, if their interval is known", () => {
    assert.equal(blocksText(940_000, 2000), ", about 470 blocks");
    assert.equal(blocksText(1000, 2000), "");
    assert.equal(blocksText(940_000, undefined), "");
  });
  it("has room for what it becomes in the first day", () => {
    for (const blockMs of [200, 2000, 12_000, undefined]) {
      const room = widestAge(blockMs).length;
      for (let age = 0; age < 86_400_000; age += 7_000)
        assert.ok(`${ageText(age)}${blocksText(age, blockMs)}`.length <= room, String(age));
    }
  });
  it("names the day of another day", () => {
    const now = Date.parse("2026-11-22T12:04:00");
    assert.equal(clockText(now, now), "12:04");
    assert.equal(clockText(now - 86_400_000, now), "2026-11-21 12:04");
  });
});
