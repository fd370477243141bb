import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { callFrames, caughtIn, revertPath } from "../../../server/src/report/callFrames.ts";
import { times } from "../../support/depth.ts";

/**
 * A call that failed, with calls inside it. `passes` is which of those it failed because of; the others it caught, or they
 * succeeded. Without it, the call failed for a reason of its own.
 */
interface Failure {
  readonly id: number;
  readonly wraps: boolean;
  /** It gives no reason. */
  readonly silent: boolean;
  readonly passes: Failure | undefined;
  readonly before: readonly (Failure | "fine")[];
  /** Calls between what it caught and passing that on. */
  readonly after: readonly (Failure | "fine")[];
}

/** A failure that may be anywhere in the tree. */
function failure(depth: number): fc.Arbitrary<Failure> {
  const inner = depth === 0 ? fc.constant("fine" as const) : fc.oneof(fc.constant("fine" as const), failure(depth - 1));
  return fc.record({
    id: fc.constant(0),
    wraps: fc.boolean(),
    silent: fc.boolean(),
    passes: depth === 0 ? fc.constant(undefined) : fc.option(failure(depth - 1), { nil: undefined }),
    before: fc.array(inner, { maxLength: 3 }),
    after: fc.array(inner, { maxLength: 1 }),
  });
}

/** Gives each failure of a tree a reason of its own; drawn numbers can be equal. */
function numbered(root: Failure, nextId: () => number): Failure {
  const calls = (list: Failure["before"]) => list.map((one) => (one === "fine" ? one : numbered(one, nextId)));
  const passes = root.passes && numbered(root.passes, nextId);
  return { ...root, id: nextId(), passes, before: calls(root.before), after: calls(root.after) };
}

function failures(depth: number): fc.Arbitrary<Failure> {
  return failure(depth).map((root) => {
    let last = 0;
    return numbered(root, () => ++last);
  });
}

/** The revert data: a custom error with one argument, which may contain the data of another one. */
function dataOf({ id, wraps, silent, passes, before }: Failure): string {
  // a call that caught a failure and then gave no reason looks like one that passed it on
  if (silent && !passes && before.every((one) => one === "fine")) return "";
  const own = `${id.toString(16).padStart(8, "0")}${(id * 7919).toString(16).padStart(64, "e")}`;
  if (!passes) return own;
  const passed = dataOf(passes);
  return wraps && passed !== "" ? own + passed : passed;
}

const address = `0x${"11".repeat(20)}`;
const call = { type: "CALL", from: address, to: address, gas: "0x5000", gasUsed: "0x100", input: "0x12345678" };

function traceOf(failed: Failure, path: readonly string[] = ["0"]): JsonObject {
  const { passes, before, after } = failed;
  // a failure without a reason is passed on only by the call behind it
  const passed = passes ? [passes, ...(dataOf(passes) === "" ? [] : after)] : [];
  const calls = [...before, ...passed].map((inner, at) =>
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

/** The same calls as a flat list, outer calls first. */
function flatTraceOf(trace: JsonObject, traceAddress: readonly number[] = []): readonly JsonObject[] {
  const { from, to, gas, input, gasUsed, output, error, calls } = trace as JsonObject & {
    readonly calls?: JsonObject[];
  };
  const action = { callType: "call", from, to, gas, input, value: "0x0" } as JsonObject;
  const one = {
    type: "call",
    action,
    result: { gasUsed, output } as JsonObject,
    traceAddress,
    subtraces: calls?.length ?? 0,
  };
  const inner = (calls ?? []).flatMap((call, at) => flatTraceOf(call, [...traceAddress, at]));
  return [error === undefined ? one : { ...one, error }, ...inner];
}

function origin(failed: Failure): Failure {
  return failed.passes ? origin(failed.passes) : failed;
}

describe("where a revert began", () => {
  it("is the call that failed for a reason of its own, whatever was caught before", () => {
    fc.assert(
      fc.property(failures(4), (root) => {
        const trace = traceOf(root);
        const first = origin(root);
        const caught = first.before.at(-1);
        for (const traces of [[trace], flatTraceOf(trace)]) {
          const { roots } = callFrames(traces);
          const found = revertPath(roots[0]).at(-1);
          assert.equal(found?.output ?? "0x", `0x${dataOf(first)}`);
          assert.equal(found?.children.length, first.before.length);
          const isCaught = caught !== undefined && caught !== "fine";
          assert.equal(found && caughtIn(found)?.output, isCaught ? `0x${dataOf(caught)}` : undefined);
        }
      }),
      { numRuns: times(2000) },
    );
  });
});
