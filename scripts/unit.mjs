// Runs the unit tests in several processes side by side: `node scripts/unit.mjs [--jobs=NUMBER] [--coverage=FOLDER] [FILE…]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { endWithParent } from "./lib/processes.mjs";
import { countLine, durationLine, failedLine, progressLine } from "./lib/report.mjs";
import { slowestFirst, unitTests } from "./lib/testFiles.mjs";

/** @typedef {import("./lib/unitWorker.mjs").WorkerMessage} WorkerMessage */

const { values, positionals } = parseArgs({
  options: { coverage: { type: "string" }, jobs: { type: "string" } },
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
/** Of all tests of properties; a failure comes again with the same one. */
const seed = process.env.TEST_SEED ?? String(Math.trunc(Math.random() * 2 ** 31));
const env = { ...process.env, TEST_SEED: seed, ...(values.coverage && { NODE_V8_COVERAGE: values.coverage }) };
const files = positionals.length > 0 ? positionals : unitTests();
/** The files that no process has begun. */
const waiting = slowestFirst(files);
const total = { passed: 0, failed: 0 };
/** The number of cases by property. @type {(readonly [string, number])[]} */
const cases = [];
let done = 0;

endWithParent();
console.log(`TEST_SEED=${seed}`);
/** One more than there are processors: many tests wait for a chain, a file or a process. */
const jobs = Math.min(Number(values.jobs ?? availableParallelism() + 1), files.length);
await Promise.all(Array.from({ length: jobs }, work));
for (const file of waiting) fail(file, "It did not run: no process was left to run it.");
if (process.env.TEST_DEPTH === "thorough") printCases();
console.log(countLine(total));
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

/** Runs files in one process until none is left. A process that ends early fails the file that it was at. */
async function work() {
  const worker = fork(new URL("lib/unitWorker.mjs", import.meta.url), { execArgv: nodeOptions, env });
  /** @type {string | undefined} */
  let current;
  let begun = 0;
  worker.on("message", (/** @type {WorkerMessage} */ message) => {
    if (message.kind === "ready") {
      current = waiting.shift();
      begun = performance.now();
      worker.send(current ?? "");
      return;
    }
    done++;
    total.passed += message.passed;
    total.failed += message.failed.length;
    cases.push(...message.cases);
    console.log(`${message.failed.length > 0 ? "✗" : "✓"} ${message.file}\n${message.report}`);
    for (const title of message.failed) console.log(failedLine(message.file, title));
    console.log(durationLine(message.file, performance.now() - begun));
    console.log(progressLine(done, files.length, "files"));
    current = undefined;
  });
  const [code, signal] = await once(worker, "exit");
  if (current !== undefined) fail(current, `Its process ended with ${signal ?? code}.`);
}

/** @param {string} file @param {string} why */
function fail(file, why) {
  total.failed += 1;
  console.log(failedLine(file, why));
}

function printCases() {
  const sum = cases.reduce((all, [, count]) => all + count, 0);
  console.log(`${cases.length} properties and tables with ${sum.toLocaleString("en")} cases:`);
  for (const [title, count] of cases.sort(([, one], [, other]) => other - one))
    console.log(`  ${count.toLocaleString("en").padStart(9)}  ${title}`);
}
