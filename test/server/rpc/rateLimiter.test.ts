import assert from "node:assert/strict";
import type { Clock } from "../../../server/src/base/ports.ts";
import { type RateLimiter, reserveSlot, waitForRate } from "../../../server/src/rpc/rateLimiter.ts";
import { steppedClock } from "../../support/steppedClock.ts";

async function departures(rate: number | undefined, counts: readonly number[], held = 0): Promise<readonly number[]> {
  const clock = steppedClock();
  const limiter: RateLimiter = { heldUntil: 0, usedUntil: 0 };
  const left: number[] = [];
  const { signal } = new AbortController();
  for (const count of counts)
    void reserveSlot(limiter, count, rate, clock, signal, () => {}).then(() => left.push(clock.now() - 1000));
  if (held > 0) waitForRate(limiter, 1000 + held);
  await clock.run();
  return left;
}

describe("the limiter of an endpoint", () => {
  it("sends everything at once without a rate", async () =>
    assert.deepEqual(await departures(undefined, [5, 5]), [0, 0]));

  it("counts requests, not bodies", async () =>
    assert.deepEqual(await departures(10, [10, 5, 1, 1]), [0, 1000, 1500, 1600]));

  it("holds back what waits already when the endpoint asks for a pause", async () =>
    assert.deepEqual(await departures(10, [10, 10, 10], 1500), [0, 1500, 2000]));

  it("ends when the run is cancelled", async () => {
    const stop = new AbortController();
    const clock: Clock = { now: () => 0, date: () => 0, sleep: async () => stop.abort() };
    await reserveSlot({ heldUntil: 60_000, usedUntil: 0 }, 1, undefined, clock, stop.signal, () => {});
    assert.ok(stop.signal.aborted);
  });
});
