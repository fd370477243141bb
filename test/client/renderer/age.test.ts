import assert from "node:assert/strict";
import { mock } from "node:test";
import { ageText, blocksText, keepAge, widestAge } from "../../../client/src/renderer/age.ts";
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
  it("is written again while its element is in the page, and then no more", () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: 100_000 });
    const page = { hidden: false, addEventListener: () => undefined };
    Object.assign(globalThis, { document: page });
    try {
      let written = 0;
      const element = { isConnected: true, textContent: "" };
      keepAge(element as unknown as HTMLElement, 98_000, (ageMs) => `${++written} ${ageMs}`); // no more of it is used
      mock.timers.tick(5000);
      assert.equal(element.textContent, "2 7000");
      element.isConnected = false;
      mock.timers.tick(5000);
      element.isConnected = true;
      mock.timers.tick(3_600_000);
      assert.equal(element.textContent, "2 7000");
    } finally {
      mock.timers.reset();
      Reflect.deleteProperty(globalThis, "document");
    }
  });
});
