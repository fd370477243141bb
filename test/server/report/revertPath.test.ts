import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { callFrames, revertPath } from "../../../server/src/report/callFrames.ts";
import { times } from "../../support/depth.ts";

/**
 * A call that failed, with calls inside it. `passes` is which of those it failed because of; the others it caught, or they
 * succeeded. Without it, the call failed for a reason of its own.
 */
interface Failure {
  readonly id: number;
  readonly wraps: boolean;
  readonly passes: Failure | undefined;
  readonly before: readonly (Failure | "fine")[];
}

/** A failure that may be anywhere in the tree; each has a reason of its own. */
function failure(depth: number): fc.Arbitrary<Failure> {
  const inner = depth === 0 ? fc.constant("fine" as const) : fc.oneof(fc.constant("fine" as const), failure(depth - 1));
  return fc.record({
    id: fc.integer({ min: 1, max: 0xffffffff }),
    wraps: fc.boolean(),
    passes: depth === 0 ? fc.constant(undefined) : fc.option(failure(depth - 1), { nil: undefined }),
    before: fc.array(inner, { maxLength: 3 }),
  });
}

/** The revert data: a custom error with one argument, which may contain the data of another one. */
function dataOf({ id, wraps, passes }: Failure): string {
  const own = `${id.toString(16).padStart(8, "0")}${(id * 7919).toString(16).padStart(64, "e")}`;
  if (!passes) return own;
  return wraps ? own + dataOf(passes) : dataOf(passes);
}

const address = `0x${"11".repeat(20)}`;
const call = { type: "CALL", from: address, to: address, gas: "0x5000", gasUsed: "0x100", input: "0x12345678" };

function traceOf(failed: Failure, path: readonly string[] = ["0"]): JsonObject {
  const calls = [...failed.before, ...(failed.passes ? [failed.passes] : [])].map((inner, at) =>
    inner === "fine" ? { ...call, output: "0x" } : traceOf(inner, [...path, String(at)]),
  );
  return {
    ...call,
    to: `0x${path.join("").padEnd(40, "a")}`,
    error: "execution reverted",
    output: `0x${dataOf(failed)}`,
    calls,
  };
}

function origin(failed: Failure): Failure {
  return failed.passes ? origin(failed.passes) : failed;
}

describe("where a revert began", () => {
  it("is the call that failed for a reason of its own, whatever was caught before", () => {
    fc.assert(
      fc.property(failure(4), (root) => {
        const { frames, roots } = callFrames([traceOf(root)]);
        const found = revertPath(roots[0]).at(-1);
        assert.equal(found?.output, `0x${dataOf(origin(root))}`);
        assert.ok(frames.length > 0);
      }),
      { numRuns: times(5000) },
    );
  });
});
