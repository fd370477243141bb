import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { inPlace } from "../../../server/src/save/logOrder.ts";

describe("logs in the order of the chain", () => {
  const log = (block: number, transaction: number, index: number, data = "0x") => ({
    blockNumber: `0x${block.toString(16)}`,
    transactionIndex: `0x${transaction.toString(16)}`,
    logIndex: `0x${index.toString(16)}`,
    topics: [],
    data,
  });

  it("stay as they are if they have it", () => {
    const logs = [log(1, 0, 0), log(1, 0, 1), log(1, 1, 2), log(16, 0, 0)];
    const placed = inPlace(logs, {});
    assert.equal("logs" in placed && placed.logs, logs);
  });
  it("are put in order, each once, also those that come twice in a row", () => {
    const [a, b, c] = [log(1, 0, 0), log(9, 0, 0), log(16, 0, 0)];
    assert.deepEqual(inPlace([c, a, b, a], {}), { logs: [a, b, c], repeated: 1 });
    assert.deepEqual(inPlace([a, a, b], {}), { logs: [a, b], repeated: 1 });
  });
  it("are not logs of one chain if two at a place differ, or if one has no place", () => {
    assert.ok("fault" in inPlace([log(1, 0, 0), log(1, 0, 0, "0x01")], {}));
    assert.ok("fault" in inPlace([{ ...log(1, 0, 0), logIndex: null }], {}));
  });
  it("are those that the filter allows, wherever the topic is", () => {
    const [a, b] = [`0x${"0a".repeat(32)}`, `0x${"0B".repeat(32)}`];
    const isFine = (topics: unknown, ...filter: readonly JsonValue[]): boolean =>
      !("fault" in inPlace([{ ...log(1, 0, 0), topics: topics as JsonValue }], { topics: filter }));
    for (const filter of [[], [a], [a.toUpperCase().replace("X", "x")], [null, b], [[b, a], [b]], [[], b], [[null]]])
      assert.ok(isFine([a, b], ...filter), `${filter}`);
    for (const filter of [[b], [null, a], [null, null, a], [[b], b], [a, [a]]])
      assert.ok(!isFine([a, b], ...filter), `${filter}`);
  });
});
