import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";
import { SeenHeads } from "../../../server/src/run/seenHeads.ts";

/** A head, and when it was asked for and shown, in milliseconds. */
type Shown = readonly [number: number, askedAt: number, shownAt: number];

const answered = (value: JsonValue, startedAt: number, durationMs: number): Outcome => ({
  kind: "answered",
  result: { value, text: "" },
  exchange: {
    ...{ id: 1, endpoint: "x", host: "x", request: "", status: 200, headers: {} },
    ...{ startedAt, durationMs, bytes: 1, batch: 1, attempts: 1 },
  },
});

function apart(shown: readonly Shown[], between?: string, blockMs = 200): bigint | undefined {
  const seen = new SeenHeads();
  for (const [at, [number, askedAt, shownAt]] of shown.entries()) {
    if (at > 0 && between) seen.note({ method: between, params: [] }, answered("0x1", 0, 0));
    const outcome = answered(`0x${number.toString(16)}`, askedAt, shownAt - askedAt);
    seen.note({ method: "eth_blockNumber", params: [] }, outcome, blockMs);
  }
  return seen.apart;
}

describe("heads that one node cannot have shown", () => {
  const cases: readonly (readonly [what: string, shown: readonly Shown[], apart: bigint | undefined])[] = [
    ["one head", [[100, 0, 10]], undefined],
    [
      "the same again",
      [
        [100, 0, 10],
        [100, 20, 30],
      ],
      undefined,
    ],
    [
      "a block later",
      [
        [100, 0, 10],
        [101, 20, 30],
      ],
      undefined,
    ],
    [
      "a block earlier, asked at the same time",
      [
        [101, 0, 10],
        [100, 5, 12],
      ],
      undefined,
    ],
    [
      "a block earlier, asked after the later one was shown",
      [
        [101, 0, 10],
        [100, 20, 30],
      ],
      1n,
    ],
    [
      "many blocks later, after a long time",
      [
        [100, 0, 10],
        [150, 10_000, 10_010],
      ],
      undefined,
    ],
    [
      "many blocks later, at once",
      [
        [100, 0, 10],
        [160, 5, 12],
      ],
      60n,
    ],
    [
      "the widest of several",
      [
        [100, 0, 10],
        [90, 20, 30],
        [95, 40, 50],
      ],
      10n,
    ],
  ];
  for (const [what, shown, want] of cases) it(what, () => assert.equal(apart(shown), want));

  it("are none after a request that may have set the chain back", () =>
    assert.equal(
      apart(
        [
          [101, 0, 10],
          [100, 20, 30],
        ],
        "evm_revert",
      ),
      undefined,
    ));

  it("are those of faster blocks further apart", () =>
    assert.equal(
      apart(
        [
          [100, 0, 10],
          [105, 90, 100],
        ],
        undefined,
        20,
      ),
      undefined,
    ));
});
