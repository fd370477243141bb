import assert from "node:assert/strict";
import type { JsonValue } from "../../../../server/src/base/json.ts";
import type { Outcome } from "../../../../server/src/rpc/outcome.ts";
import { SeenHeads } from "../../../../server/src/run/observe/seenHeads.ts";

const answered = (value: JsonValue, startedAt: number, durationMs: number): Outcome => ({
  kind: "answered",
  result: { value, text: "" },
  exchange: {
    ...{ endpoint: "x", host: "x", status: 200, headers: {} },
    ...{ startedAt, durationMs, bytes: 1, batch: 1, attempts: 1 },
  },
});

/** @param shown - Heads, each with the milliseconds at which it was asked for and shown: `100 at 0-10`. */
function apart(
  shown: string,
  { between, blockMs = 200 }: { between?: string; blockMs?: number } = {},
): bigint | undefined {
  const seen = new SeenHeads();
  for (const [at, one] of shown.split(", ").entries()) {
    if (at > 0 && between) seen.note(between, [], answered("0x1", 0, 0));
    const [number = 0, askedAt = 0, shownAt = 0] = one.split(/ at |-/).map(Number);
    const outcome = answered(`0x${number.toString(16)}`, askedAt, shownAt - askedAt);
    seen.note("eth_blockNumber", [], outcome, blockMs);
  }
  return seen.apart;
}

describe("heads that one node cannot have shown", () => {
  for (const [what, shown, want] of [
    ["one head", "100 at 0-10", undefined],
    ["the same again", "100 at 0-10, 100 at 20-30", undefined],
    ["a block later", "100 at 0-10, 101 at 20-30", undefined],
    ["a block earlier, asked at the same time", "101 at 0-10, 100 at 5-12", undefined],
    ["a block earlier, asked after the later one was shown", "101 at 0-10, 100 at 20-30", 1n],
    ["many blocks later, after a long time", "100 at 0-10, 150 at 10000-10010", undefined],
    ["many blocks later, at once", "100 at 0-10, 160 at 5-12", 60n],
    ["the widest of several", "100 at 0-10, 90 at 20-30, 95 at 40-50", 10n],
  ] as const)
    it(what, () => assert.equal(apart(shown), want));

  it("are none after a request that may have set the chain back", () =>
    assert.equal(apart("101 at 0-10, 100 at 20-30", { between: "evm_revert" }), undefined));

  it("are those of faster blocks further apart", () =>
    assert.equal(apart("100 at 0-10, 105 at 90-100", { blockMs: 20 }), undefined));
});
