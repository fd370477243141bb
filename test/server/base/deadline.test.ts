import assert from "node:assert/strict";
import { onAbort, tickClock, withDeadline } from "../../../server/src/base/deadline.ts";
import { clock } from "../../../server/src/node/environment.ts";

const never = new AbortController().signal;
const unending = () => new Promise<never>(() => {});

describe("onAbort", () => {
  it("calls once, at once if the signal has aborted", () => {
    const stop = new AbortController();
    let calls = 0;
    onAbort(stop.signal, () => calls++);
    assert.equal(calls, 0);
    stop.abort();
    assert.equal(calls, 1);
    onAbort(stop.signal, () => calls++);
    assert.equal(calls, 2);
  });

  it("does not call after it was stopped", () => {
    const stop = new AbortController();
    const stopListening = onAbort(stop.signal, () => assert.fail("called"));
    stopListening();
    stop.abort();
  });
});

describe("work with a deadline", () => {
  it("gives its result or its error, and ends its signal", async () => {
    let over: AbortSignal | undefined;
    const done = await withDeadline(clock, 60_000, never, async (signal) => {
      over = signal;
      return 7;
    });
    assert.deepEqual([done, over?.aborted], [7, true]);
    await assert.rejects(
      withDeadline(clock, 60_000, never, () => Promise.reject(new Error("own"))),
      /own/,
    );
  });

  it("ends at the deadline, even if it never settles", async () =>
    assert.equal(await withDeadline(clock, 1, never, unending), "timeout"));

  it("ends when it is cancelled, and does not begin after that", async () => {
    const stop = new AbortController();
    const result = withDeadline(clock, Number.POSITIVE_INFINITY, stop.signal, unending);
    stop.abort();
    assert.equal(await result, "cancelled");
    assert.equal(await withDeadline(clock, 1, stop.signal, async () => assert.fail("begun")), "cancelled");
  });
});

describe("tickClock", () => {
  it("is one time for all that happens at once, and another afterwards", async () => {
    let looks = 0;
    const clock = tickClock({ now: () => ++looks, date: () => 0, sleep: async () => {} });
    assert.deepEqual([clock.now(), clock.now(), clock.now()], [1, 1, 1]);
    await clock.sleep(1, new AbortController().signal);
    assert.deepEqual([clock.now(), clock.now()], [2, 2]);
  });
});
