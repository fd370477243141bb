// Loaded before the tests of every process.
import assert from "node:assert/strict";
import fc from "fast-check";
import { beginTest, countCases } from "./caseCounts.mjs";

import { beginOpening, closeOpened } from "./processEnd.mjs";

export { closeAll as mochaGlobalTeardown } from "./processEnd.mjs";

// Without a message Node looks for the expression in the source, which takes minutes in what `tsx` makes of a long file.
const { ok } = assert;
Object.assign(assert, {
  ok: (/** @type {unknown} */ value, /** @type {string | Error | undefined} */ message) =>
    ok.call(assert, value, message ?? `${String(value)} is not truthy`),
});

// A failure is repeated with the same seed: `TEST_SEED=… node scripts/unit.mjs FILE`. `test/support/depth.ts` decides how many cases there are.
const seed = process.env.TEST_SEED;
fc.configureGlobal({
  ...(seed && { seed: Number(seed) }),
  reporter: (details) => {
    countCases(details.numRuns);
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  },
});

// Mocha alone ignores it: the rejection that nothing waits for, which ends the command line.
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** @type {import("mocha").RootHookObject} */
export const mochaHooks = {
  /** @this {import("mocha").Context} */
  beforeEach() {
    beginTest(this.currentTest?.fullTitle() ?? "");
    beginOpening();
  },
  afterEach: closeOpened,
  afterAll: closeOpened,
};
