// Runs test files one after the other in one process, so that what they import is loaded once and its coverage is whole.
import { readFileSync } from "node:fs";
import { format } from "node:util";
import Mocha from "mocha";
import { takeCases } from "./caseCounts.mjs";
import { closeAll } from "./processEnd.mjs";
import { mochaHooks } from "./testSetup.mjs";

/**
 * What a worker tells its parent.
 *
 * @typedef {{ kind: "ready" } | FileEnded} WorkerMessage
 *
 * @typedef {object} FileEnded
 * @property {"ended"} kind
 * @property {string} file
 * @property {number} passed
 * @property {readonly string[]} failed Titles. Skipped tests count as failed.
 * @property {readonly (readonly [title: string, cases: number])[]} cases
 * @property {string} report Mocha's own report of the file.
 */

const { EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** As for `npx mocha`. @type {{ timeout: number }} */
const { timeout } = JSON.parse(readFileSync(".mocharc.json", "utf8"));

/** @type {string[]} */
let lines = [];
Mocha.reporters.Base.consoleLog = (...args) => void lines.push(format(...args));

process.on("message", async (/** @type {string | undefined} */ file) => {
  if (!file) {
    await closeAll();
    process.exit(0);
  }
  tell(await runFile(file));
  tell({ kind: "ready" });
});
process.on("disconnect", () => process.exit(1));
tell({ kind: "ready" });

/** @param {string} file @returns {Promise<FileEnded>} */
async function runFile(file) {
  lines = [];
  try {
    const mocha = new Mocha({
      reporter: "spec",
      timeout,
      forbidOnly: true,
      forbidPending: true,
      rootHooks: mochaHooks,
    });
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    const { passed, failed } = await results(mocha);
    mocha.dispose(); // else its listeners of the process pass rejections to each other without end
    return { kind: "ended", file, passed, failed, cases: takeCases(), report: lines.join("\n") };
  } catch (error) {
    return { kind: "ended", file, passed: 0, failed: ["its loading"], cases: [], report: format(error) };
  }
}

/** @param {Mocha} mocha @returns {Promise<{ passed: number, failed: readonly string[] }>} */
function results(mocha) {
  /** @type {string[]} */
  const failed = [];
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve({ passed: runner.stats?.passes ?? 0, failed }));
    for (const event of [EVENT_TEST_FAIL, EVENT_TEST_PENDING])
      runner.on(event, (/** @type {Mocha.Test} */ test) => void failed.push(test.fullTitle()));
  });
}

/** @param {WorkerMessage} message */
function tell(message) {
  process.send?.(message);
}
