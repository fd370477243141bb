import assert from "node:assert/strict";
import { retryAfter } from "../../../server/src/rpc/retry.ts";

describe("Retry-After", () => {
  const now = Date.parse("2026-09-20T10:00:00Z");
  for (const [header, want] of [
    ["2", 2000],
    [" 0.5 ", 500],
    ["Sun, 20 Sep 2026 10:00:30 GMT", 30_000],
    ["Sun, 20 Sep 2026 09:00:00 GMT", 0],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
    [undefined, undefined],
  ] as const) {
    it(`${header} → ${want}`, () => assert.equal(retryAfter(header, now), want));
  }
});
