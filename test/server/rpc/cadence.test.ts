import assert from "node:assert/strict";
import { type CadenceMemory, cadenceOf, noteAhead, recordHead } from "../../../server/src/rpc/cadence.ts";

const at = (iso: string): number => Date.parse(iso);
const nothing = { preconfirmed: undefined, chainId: undefined };
const ahead = { is: true, by: "probe", at: 1, why: "its pending transactions have receipts" } as const;

describe("how new state reaches an endpoint", () => {
  it("is that of its entry, then of a measurement, then of its chain, then ordinary", () => {
    const memory: CadenceMemory = { ahead };
    const date = at("2026-11-22T00:00:00Z");
    const told = (entry: boolean | undefined, measured: CadenceMemory, chainId: bigint | undefined) => {
      const { kind, source } = cadenceOf({ preconfirmed: entry, chainId }, measured, date);
      return `${kind} by ${source}`;
    };
    assert.equal(told(false, memory, 10n), "ordinary by entry");
    assert.equal(told(undefined, memory, 8453n), "pre-confirmed by probe");
    assert.equal(
      told(undefined, { ahead: { ...ahead, is: false, by: "observation" } }, 10n),
      "ordinary by observation",
    );
    assert.equal(told(undefined, {}, 10n), "pre-confirmed by catalogue");
    assert.equal(told(undefined, {}, 8453n), "fast by catalogue");
    assert.equal(told(undefined, { blockMs: 250 }, undefined), "fast by observation");
    assert.equal(told(undefined, {}, undefined), "ordinary by default");
  });

  it("depends on the date if a chain has changed", () => {
    const kind = (iso: string): string => cadenceOf({ ...nothing, chainId: 8453n }, {}, at(iso)).kind;
    assert.deepEqual(["2026-11-05T17:59:59Z", "2026-11-05T18:00:00Z"].map(kind), ["pre-confirmed", "fast"]);
    assert.equal(cadenceOf({ ...nothing, chainId: 84532n }, {}, at("2026-10-22T00:00:00Z")).kind, "fast");
  });

  it("says since when it is known, and tells only of changes", () => {
    let changes = 0;
    const memory: CadenceMemory = { changed: () => changes++ };
    for (const time of [10, 20, 30]) noteAhead(memory, { ...ahead, at: time });
    assert.deepEqual([changes, cadenceOf(nothing, memory, 40).since], [1, 10]);
    noteAhead(memory, { ...ahead, is: false, at: 50 });
    assert.deepEqual([changes, cadenceOf(nothing, memory, 60).since], [2, 50]);
  });

  it("has the time of a block from heads that were seen, once there are enough of them", () => {
    const memory: CadenceMemory = {};
    for (let n = 0; n < 4; n++) recordHead(memory, BigInt(n), n * 200);
    assert.equal(memory.blockMs, undefined);
    for (let n = 4; n < 60; n++) recordHead(memory, BigInt(n), n * 200);
    assert.equal(memory.blockMs, 200);
    for (let n = 60; n < 90; n++) recordHead(memory, BigInt(n), 12_000 + (n - 60) * 2000);
    assert.ok((memory.blockMs ?? 0) > 1900, "the rate of the last twenty seconds counts");
  });

  it("does not take another node, a few blocks behind, for the chain", () => {
    const memory: CadenceMemory = {};
    for (let n = 0; n < 40; n++) recordHead(memory, BigInt(n - (n % 3) * 2 + 10), n * 1000);
    assert.ok(Math.abs((memory.blockMs ?? 0) - 1000) < 200, String(memory.blockMs));
  });
});
