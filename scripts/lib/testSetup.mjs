// Loaded before the tests of every process.
import assert from "node:assert/strict";
import fc from "fast-check";

// Without a message Node looks for the expression in the source, which takes minutes in what `tsx` makes of a long file.
const { ok } = assert;
assert.ok = (/** @type {unknown} */ value, /** @type {string | Error | undefined} */ message) => {
  ok(value, message ?? `${String(value)} is not truthy`);
};

// A failure is repeated with the same seed: `TEST_SEED=… npx mocha …`. Numbers of runs are fixed, one by one.
const seed = process.env.TEST_SEED;
if (seed) fc.configureGlobal({ seed: Number(seed) });
