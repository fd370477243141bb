// Runs the unit tests in several processes side by side: `node scripts/unit.mjs [--quick] [--jobs=NUMBER] [--coverage=FOLDER] [FILE…]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { countLine } from "./lib/counts.mjs";
import { endWithParent } from "./lib/processes.mjs";
import { isThorough, quickTests, rememberDurations, slowestFirst, unitTests } from "./lib/unitFiles.mjs";

/** @typedef {import("./lib/unitWorker.mjs").WorkerMessage} WorkerMessage */

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean" }, coverage: { type: "string" }, jobs: { type: "string" } },
  allowPositionals: true,
});
/**
 * More space for what lives shortly saves some of the work. One loader for all modules: with `require` for some and `import`
 * for others a class would exist twice, and be covered by half.
 */
const nodeOptions = [
  "--max-semi-space-size=64",
  "--import=tsx",
  ...(process.features.require_module ? ["--no-experimental-require-module"] : []),
];
const progressMs = 10_000;
/** Of all tests of properties; a failure comes again with the same one. */
const seed = process.env.TEST_SEED ?? String(Math.trunc(Math.random() * 2 ** 31));
const started = performance.now();
const files = positionals.length > 0 ? positionals : values.quick ? quickTests() : unitTests();
/**
 * The files that no process has begun, by whether their coverage counts. Measuring it makes tests a quarter slower, and the
 * gate is reached without the tests of very many cases.
 */
const [covered, uncovered] = [true, false].map((counts) =>
  slowestFirst(files.filter((file) => counts === !(values.coverage && isThorough(file)))),
);
/** What failed, as the end repeats it. @type {string[]} */
const failures = [];
const total = { passed: 0, failed: 0 };
/** Milliseconds by file. @type {Map<string, number>} */
const durations = new Map();
/** @type {Set<string>} */
const running = new Set();

let shownAt = 0;

endWithParent();
console.log(`TEST_SEED=${seed}`);
// One more than there are processors, since many tests wait for a chain or a process; the quick ones wait for nothing.
const jobs = Math.min(Number(values.jobs ?? availableParallelism() + (values.quick ? 0 : 1)), files.length);
await Promise.all(
  Array.from({ length: jobs }, async (_, at) => {
    const queues = [covered, uncovered];
    for (const queue of at % 2 === 0 ? queues : queues.reverse()) await work(queue, queue === covered);
  }),
);
for (const file of [...covered, ...uncovered]) fail(file, "It did not run: no process was left to run it.");
if (positionals.length === 0) rememberDurations(durations);
printSlowest();
for (const failure of failures) console.log(failure);
console.log(countLine(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/**
 * Runs files in one process until none is left. A process that ends early fails the file that it was at.
 *
 * @param {string[]} waiting
 * @param {boolean} isCovered
 */
async function work(waiting, isCovered) {
  if (waiting.length === 0) return;
  const coverage = isCovered && values.coverage ? { NODE_V8_COVERAGE: values.coverage } : {};
  const env = { ...process.env, TEST_SEED: seed, ...coverage };
  const worker = fork(new URL("lib/unitWorker.mjs", import.meta.url), {
    execArgv: nodeOptions,
    env,
  });
  /** @type {string | undefined} */
  let current;
  let begun = 0;
  worker.on("message", (/** @type {WorkerMessage} */ message) => {
    switch (message.kind) {
      case "ready":
        current = waiting.shift();
        begun = performance.now();
        if (current) running.add(current);
        worker.send(current ?? "");
        return;
      case "progress":
        showProgress();
        return;
      case "ended":
        running.delete(message.file);
        durations.set(message.file, performance.now() - begun);
        total.passed += message.passed;
        total.failed += message.failed;
        console.log(`${message.failed > 0 ? "✗" : "✓"} ${message.file}  ${seconds(performance.now() - begun)}`);
        if (!values.quick || message.failed > 0) console.log(message.report);
        if (message.failed > 0) failures.push(`✗ ${message.file}\n${failingPart(message.report)}`);
        current = undefined;
    }
  });
  const [code, signal] = await once(worker, "exit");
  if (current !== undefined) fail(current, `Its process ended with ${signal ?? code}.`);
}

/** @param {string} file @param {string} why */
function fail(file, why) {
  total.failed += 1;
  failures.push(`✗ ${file}\n${why}`);
}

/** Of a report by Mocha, what comes after its list of tests. @param {string} report */
function failingPart(report) {
  return report.slice(Math.max(0, report.search(/^ +\d+ failing$/m)));
}

/** Prints a line now and then while tests end: silence means that one hangs. */
function showProgress() {
  if (performance.now() - shownAt < progressMs) return;
  shownAt = performance.now();
  const time = seconds(performance.now() - started);
  console.log(`… ${time}, ${durations.size} of ${files.length} files; now ${[...running].join(", ")}`);
}

function printSlowest() {
  const slowest = [...durations].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.log(`${files.length} files in ${seconds(performance.now() - started)}. The slowest:`);
  for (const [file, ms] of slowest) console.log(`  ${seconds(ms)}  ${file}`);
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
