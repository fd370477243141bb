import assert from "node:assert/strict";
import { tickClock } from "../../../server/src/base/clock.ts";

describe("tickClock", () => {
  it("is one time for all that happens at once, and another afterwards", async () => {
    let looks = 0;
    const clock = tickClock({ now: () => ++looks, date: () => 0, sleep: async () => {} });
    assert.deepEqual([clock.now(), clock.now(), clock.now()], [1, 1, 1]);
    await clock.sleep(1, new AbortController().signal);
    assert.deepEqual([clock.now(), clock.now()], [2, 2]);
  });
});
