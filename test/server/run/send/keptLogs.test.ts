import assert from "node:assert/strict";
import type { LogMemory, LogPiece } from "../../../../server/src/rpc/logMemory.ts";
import { hasKept, keep, type LogCell } from "../../../../server/src/run/send/keptLogs.ts";

describe("logs that are kept of an unfinished reading", () => {
  const piece = (from: bigint, to: bigint, bytes = 1): LogPiece => {
    return { from, to, logs: [], text: "[]", bytes, strays: 0, isNull: false };
  };
  const anchor = (block: bigint) => ({ block, hash: `0x${block}` });
  const cell = { queue: { routes: { maxBytes: 0 } } } as unknown as LogCell; // no more of it is read
  const memory = (): LogMemory => ({ limits: {}, unfinished: new Map() });

  for (const [first, second] of [
    [10n, 20n],
    [20n, 10n],
  ] as const)
    it(`are checked at the later of two blocks: of ${first} and ${second}`, () => {
      const kept = memory();
      keep(kept, "a", { pieces: [piece(first - 9n, first)], anchor: anchor(first) }, cell);
      keep(kept, "a", { pieces: [piece(second - 9n, second)], anchor: anchor(second) }, cell);
      assert.deepEqual(kept.unfinished.get("a")?.anchor, anchor(20n));
      assert.deepEqual(
        kept.unfinished.get("a")?.pieces.map(({ from }) => from),
        [1n, 11n],
      );
    });

  it("give way to newer ones of the same blocks, and to those of other filters if there are too many", () => {
    const kept = memory();
    for (const key of ["a", "b", "c"])
      keep(kept, key, { pieces: [piece(1n, 9n, 150_000_000)], anchor: undefined }, cell);
    assert.deepEqual([...kept.unfinished.keys()], ["b", "c"]);
    keep(kept, "c", { pieces: [piece(9n, 12n)], anchor: undefined }, cell);
    assert.deepEqual([hasKept(kept, "c", { from: 1n, to: 12n }), kept.unfinished.get("c")?.pieces.length], [true, 1]);
  });
});
