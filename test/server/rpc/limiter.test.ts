import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Limiter } from "../../../server/src/rpc/limiter.ts";

describe("a limit of tasks at the same time", () => {
  it("lets others begin after one that waited was cancelled", async () => {
    const limiter = new Limiter(1);
    const cancelled = new AbortController();
    let end = (): void => {};
    const began: string[] = [];
    const task = (name: string, signal?: AbortSignal) => limiter.run(async () => void began.push(name), signal);
    const first = limiter.run(() => new Promise<void>((resolve) => (end = resolve)));
    void task("cancelled", cancelled.signal); // it begins at once, to end as a cancelled one
    void task("other", new AbortController().signal);
    void task("plain");
    cancelled.abort();
    await setImmediate();
    assert.deepEqual(began, ["cancelled"]);
    end();
    await first;
    await setImmediate();
    assert.deepEqual(began, ["cancelled", "other", "plain"]);
  });
});
