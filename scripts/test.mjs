// All checks of the project; `npm test -- --help` lists the options.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { canHaveNeovim, ensure, root, testComponents, testPackages } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";
import { announce, showTimeLeft, tail } from "./lib/progress.mjs";
import { durations, failedTests, progress, testCounts } from "./lib/report.mjs";
import { runTasks } from "./lib/schedule.mjs";
import { stages } from "./lib/stages.mjs";
import { lastDurations, rememberDurations } from "./lib/testFiles.mjs";

/** @typedef {import("./lib/stages.mjs").Stage} Stage */
/** @typedef {{ passed: number, failed: readonly string[], unsteady?: readonly string[] }} Result What is unsteady failed, and passed the second time. */

const help = `npm test [-- OPTIONS]

  --thorough           Tries all cases of each property, not only some, and measures the coverage.
  --only=STAGE,…       Runs the stages whose names begin so, and what they need.
  --repeat=NUMBER      Runs them several times, and lists which tests failed how often.
  --load               Keeps all processors busy beside the tests.
  --again              Runs a stage with windows of VS Code a second time if tests of it fail, and lists these.

Stages: ${stages({ thorough: true, processors: 1 })
  .map(({ name }) => name)
  .join(", ")}`;

const logs = path.join(root, ".cache/test");
const processors = availableParallelism();

process.chdir(root);
endChildrenOnSignal();
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;

/** @param {readonly string[]} args */
async function main(args) {
  const options = optionsOf(args);
  if (typeof options === "string") {
    console.log(options);
    return options === help;
  }
  const chosen = chooseStages(options);
  if (typeof chosen === "string") {
    console.log(chosen);
    return false;
  }
  const stopLoad = options.load ? keepBusy() : () => {};
  /** How often each test failed. @type {Map<string, number>} */
  const failures = new Map();
  for (let round = 1; round <= options.repeat; round++) {
    if (options.repeat > 1) console.log(`\nRun ${round} of ${options.repeat}`);
    for (const test of await runAll(chosen, options)) failures.set(test, (failures.get(test) ?? 0) + 1);
  }
  stopLoad();
  if (options.repeat > 1) printFailures(failures, options.repeat);
  return failures.size === 0;
}

/** @typedef {{ thorough: boolean, load: boolean, again: boolean, only: readonly string[], repeat: number }} Options */

/** @param {readonly string[]} args @returns {Options | string} What to print instead, if the arguments are not right. */
function optionsOf(args) {
  const flag = { type: /** @type {const} */ ("boolean"), default: false };
  const text = { type: /** @type {const} */ ("string") };
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { thorough: flag, load: flag, again: flag, help: flag, only: text, repeat: text },
    });
    const { thorough, load, again, only } = values;
    const repeat = Number(values.repeat ?? 1);
    if (values.help) return help;
    if (!Number.isInteger(repeat) || repeat < 1) return `--repeat takes a number from 1.\n\n${help}`;
    return { thorough, load, again, only: only?.split(",") ?? [], repeat };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${help}`;
  }
}

/** @param {Options} options @returns {readonly Stage[] | string} What is wrong with the names, if anything. */
function chooseStages({ thorough, only }) {
  const all = stages({ thorough, processors });
  const unknown = only.find((prefix) => !all.some(({ name }) => name.startsWith(prefix)));
  if (unknown !== undefined) return `Unknown stage ${unknown}. Stages: ${all.map(({ name }) => name).join(", ")}.`;
  if (only.length === 0) return all;
  const wanted = new Set(all.filter(({ name }) => only.some((prefix) => name.startsWith(prefix))));
  for (const stage of [...wanted]) addNeeds(stage);
  return all.filter((stage) => wanted.has(stage));

  /** @param {Stage} stage */
  function addNeeds(stage) {
    wanted.add(stage);
    for (const one of all) if (stage.needs?.includes(one.name)) addNeeds(one);
  }
}

/**
 * Runs the stages once, prints what came of them, and ends with one line of numbers.
 *
 * @param {readonly Stage[]} chosen
 * @param {Options} options
 * @returns {Promise<readonly string[]>} What failed.
 */
async function runAll(chosen, { thorough, only, load, again }) {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const kind = `${["npm test", ...(thorough ? ["--thorough"] : []), ...only].join(" ")}${load ? " --load" : ""}`;
  const last = lastDurations()[kind];
  showTimeLeft(() =>
    last === undefined ? "" : `about ${Math.max(5, Math.round((last - elapsed()) / 1000))} s left: `,
  );
  rmSync(logs, { recursive: true, force: true });
  rmSync(path.join(root, "coverage"), { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });

  /** @type {Map<string, Result>} */
  const results = new Map();
  /** What cannot run on this system. @type {Set<string>} */
  const leftOut = new Set();
  /** @type {(readonly [string, number])[]} */
  const files = [];
  const missing = await ensure([testPackages]);
  if (missing) results.set("installation", failure("installation", missing));
  else {
    // Windows that wait leave a processor idle. Beside all cases of the unit tests they would be so slow that they show little.
    const places = thorough ? processors : processors + 1;
    await runTasks([...installations(chosen, results, leftOut), ...chosen.map(task)], places);
  }

  const all = [...results.values()];
  const failed = all.flatMap((result) => result.failed);
  const passed = all.reduce((sum, result) => sum + result.passed, 0);
  if (files.length > 10) printSlowest(files);
  printTests("Failed", failed);
  printTests(
    "Failed, and passed the second time",
    all.flatMap(({ unsteady = [] }) => unsteady),
  );
  if (failed.length === 0) rememberDurations([[kind, elapsed()], ...files]);
  console.log(`\n${passed} passed, ${failed.length} failed in ${Math.round(elapsed() / 1000)} s (logs: .cache/test)`);
  if (leftOut.size > 0) console.log(`Left out on this system: ${[...leftOut].join(", ")}`);
  return failed;

  /** @param {Stage} stage @returns {import("./lib/schedule.mjs").Task} */
  function task(stage) {
    return {
      name: stage.name,
      needs: [...(stage.needs ?? []), ...(stage.components ?? []).map((name) => `installation of ${name}`)],
      processors: stage.processors ?? 1,
      async run() {
        const result = await runStage(stage, { thorough, again }, (output) => files.push(...durations(output)));
        results.set(stage.name, result);
        return result.failed.length === 0;
      },
      skip(needs) {
        const why = `It did not run, because of: ${needs.join(", ")}.`;
        if (needs.every((name) => leftOut.has(name))) {
          console.log(`- ${stage.name} is left out. ${why}`);
          leftOut.add(stage.name);
        } else results.set(stage.name, failure(stage.name, why));
      },
    };
  }
}

/**
 * Installs what stages need beside each other. Only on Linux is it a failure if that is not possible: elsewhere some of it
 * does not exist.
 *
 * @param {readonly Stage[]} chosen @param {Map<string, Result>} results @param {Set<string>} leftOut
 */
function installations(chosen, results, leftOut) {
  return Object.entries(testComponents)
    .filter(([name]) =>
      chosen.some(({ components }) => /** @type {readonly string[] | undefined} */ (components)?.includes(name)),
    )
    .map(([component, parts]) => ({
      name: `installation of ${component}`,
      needs: [],
      processors: 0,
      async run() {
        const missing = await ensure(parts);
        if (missing && process.platform !== "linux") {
          console.log(indent(missing));
          leftOut.add(`installation of ${component}`);
        } else if (missing) results.set(component, failure(`installation of ${component}`, missing));
        return missing === undefined;
      },
      skip: () => {},
    }));
}

/**
 * @param {Stage} stage
 * @param {{ thorough: boolean, again: boolean }} options
 * @param {(output: string) => void} whenDone
 * @returns {Promise<Result>}
 */
async function runStage(stage, { thorough, again }, whenDone) {
  if (stage.components?.includes("neovim") && !canHaveNeovim()) {
    console.log(`- ${stage.name} is left out: there is no Neovim (nvim) here.`);
    return { passed: 0, failed: [] };
  }
  const shown = announce(stage.name);
  const { ok, output } = await run(process.execPath, stage.command, {
    ...(thorough && { env: { TEST_DEPTH: "thorough" } }),
    onOutput: (text) => shown.progress(progress(text) ?? ""),
  });
  appendFileSync(path.join(logs, `${stage.name}.log`), output);
  whenDone(output);
  const result = resultOf(stage, ok, output);
  const { passed, failed } = result;
  shown.done(
    failed.length === 0,
    stage.counts ? `${passed} passed${failed.length > 0 ? `, ${failed.length} failed` : ""}` : undefined,
  );
  if (failed.length === 0) return result;
  console.log(indent(tail(whatFailed(output), 120)));
  if (!again || !stage.inWindow) return result;
  const second = await runStage(stage, { thorough, again: false }, whenDone);
  return second.failed.length === 0 ? { ...second, unsteady: failed } : second;
}

/** Leaves out the files of unit tests that passed. @param {string} output */
function whatFailed(output) {
  const shown = output.replaceAll(/^#(?:took|progress): .*\n/gm, "");
  return shown.replaceAll(/^✓ test\/.*\n(?:(?!^[✓✗] test\/).*\n)*/gmu, "");
}

/**
 * What a stage adds to the total. A bad end is a failure, whatever the count says, and so is a run without a test.
 *
 * @param {Stage} stage
 * @param {boolean} ok
 * @param {string} output
 * @returns {Result}
 */
function resultOf(stage, ok, output) {
  if (!stage.counts) return ok ? { passed: 1, failed: [] } : { passed: 0, failed: [stage.name] };
  const counts = testCounts(output) ?? { passed: 0, failed: 0 };
  const failed = failedTests(output);
  const isWrong = counts.passed === 0 || (!ok && counts.failed === 0) || failed.length < counts.failed;
  return { passed: counts.passed, failed: isWrong ? [...failed, `${stage.name}: its end`] : failed };
}

/** @param {string} name @param {string} why @returns {Result} */
function failure(name, why) {
  announce(name).done(false);
  console.log(indent(why));
  return { passed: 0, failed: [name] };
}

/** @param {string} title @param {readonly string[]} tests */
function printTests(title, tests) {
  if (tests.length > 0) console.log(`\n${title}:\n${tests.map((name) => `  ${name}`).join("\n")}`);
}

/** @param {readonly (readonly [string, number])[]} files */
function printSlowest(files) {
  const slowest = files.toSorted(([, one], [, other]) => other - one).slice(0, 10);
  console.log("\nThe slowest:");
  for (const [file, ms] of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
}

/** @param {ReadonlyMap<string, number>} failures @param {number} runs */
function printFailures(failures, runs) {
  console.log(`\n${failures.size === 0 ? "No test failed" : `${failures.size} tests failed`} in ${runs} runs.`);
  for (const [test, times] of [...failures].sort(([, one], [, other]) => other - one))
    console.log(`  ${times} of ${runs}: ${test}`);
}

/** Keeps every processor busy with a process of its own. @returns {() => void} Ends them. */
function keepBusy() {
  const script = `setInterval(() => { try { process.kill(${process.pid}, 0); } catch { process.exit(); } }, 500);
    (function work() { for (const end = Date.now() + 100; Date.now() < end; ); setImmediate(work); })();`;
  const children = Array.from({ length: processors }, () =>
    spawn(process.execPath, ["-e", script], { stdio: "ignore" }),
  );
  return () => {
    for (const child of children) child.kill();
  };
}

/** @param {string} text */
function indent(text) {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
