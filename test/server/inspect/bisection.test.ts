import assert from "node:assert/strict";
import fc from "fast-check";
import { Bisection } from "../../../server/src/inspect/bisection.ts";
import { times } from "../../support/depth.ts";

/** Looks at blocks until the end, and returns how many there were. */
function looked(bisection: Bisection, holds: (block: bigint) => boolean): number {
  let count = 0;
  for (let block = bisection.next(); block !== undefined; block = bisection.next()) {
    bisection.add({ block, holds: holds(block) });
    count++;
  }
  return count;
}

describe("a bisection", () => {
  const range = fc.record({
    from: fc.bigInt(0n, 1n << 40n),
    size: fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 1n << 40n)),
  });
  const most = (size: bigint): number => Math.ceil(Math.log2(Number(size))) + 2;

  it("finds the first block of what stays true, and looks at ⌈log₂ n⌉ + 2 blocks at most", () =>
    fc.assert(
      fc.property(range, fc.bigInt(0n, (1n << 41n) + 2n), ({ from, size }, at) => {
        const begins = from + (at % (size + 1n)); // of size + 1, at the last one it never holds
        const bisection = new Bisection(from, from + size - 1n);
        const count = looked(bisection, (block) => block >= begins);
        assert.equal(bisection.first, begins < from + size ? begins : undefined);
        assert.equal(bisection.reversal, undefined);
        assert.ok(count <= most(size), `${count} of ${size}`);
      }),
      { numRuns: times(2000) },
    ));

  it("never looks at more, nor outside of the range, and says what does not stay true", () =>
    fc.assert(
      fc.property(range, fc.infiniteStream(fc.boolean()), ({ from, size }, answers) => {
        const bisection = new Bisection(from, from + size - 1n);
        const count = looked(bisection, () => answers.next().value === true);
        const { samples, reversal } = bisection;
        assert.ok(count <= most(size) && samples.length === count, `${count} of ${size}`);
        assert.ok(samples.every(({ block }) => from <= block && block < from + size));
        const begun = samples.findIndex(({ holds }) => holds);
        assert.equal(reversal !== undefined, begun >= 0 && samples.slice(begun).some(({ holds }) => !holds));
      }),
      { numRuns: times(2000) },
    ));

  it("sees what holds only between the ends, or not between them", () => {
    const island = new Bisection(0n, 1000n);
    looked(island, (block) => block >= 400n && block < 700n);
    assert.ok(island.first !== undefined && island.first >= 400n && island.reversal !== undefined);
    const gap = new Bisection(0n, 1000n);
    looked(gap, (block) => block < 400n || block >= 700n);
    assert.ok(gap.first === 0n && gap.reversal !== undefined);
  });
});
