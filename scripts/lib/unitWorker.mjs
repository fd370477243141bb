// Runs test files one after the other in one process, so that what they import is loaded once and its coverage is whole.
import { readFileSync } from "node:fs";
import { format } from "node:util";
import Mocha from "mocha";
import "./testSetup.mjs";

/**
 * What a worker tells its parent. `progress` comes for every test, so that a test that hangs can be told from many tests.
 *
 * @typedef {{ kind: "ready" } | { kind: "progress" } | FileEnded} WorkerMessage
 *
 * @typedef {object} FileEnded
 * @property {"ended"} kind
 * @property {string} file
 * @property {number} passed
 * @property {number} failed Skipped tests count as failed.
 * @property {string} report Mocha's own report of the file.
 */

const { EVENT_TEST_END } = Mocha.Runner.constants;

/** As for `npx mocha`. @type {{ timeout: number }} */
const { timeout } = JSON.parse(readFileSync(".mocharc.json", "utf8"));

/** @type {string[]} */
let lines = [];
Mocha.reporters.Base.consoleLog = (...args) => void lines.push(format(...args));

process.on("message", async (/** @type {string | undefined} */ file) => {
  if (!file) process.exit(0);
  tell(await runFile(file));
  tell({ kind: "ready" });
});
process.on("disconnect", () => process.exit(1));
tell({ kind: "ready" });

/** @param {string} file @returns {Promise<FileEnded>} */
async function runFile(file) {
  lines = [];
  try {
    const mocha = new Mocha({ reporter: "spec", timeout, forbidOnly: true, forbidPending: true });
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    const { passes = 0, failures = 0, pending = 0 } = await stats(mocha);
    mocha.dispose(); // else its listeners of the process pass rejections to each other without end
    return { kind: "ended", file, passed: passes, failed: failures + pending, report: lines.join("\n") };
  } catch (error) {
    return { kind: "ended", file, passed: 0, failed: 1, report: format(error) };
  }
}

/** @param {Mocha} mocha @returns {Promise<Partial<Mocha.Stats>>} */
function stats(mocha) {
  return new Promise((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats ?? {}));
    runner.on(EVENT_TEST_END, () => tell({ kind: "progress" }));
  });
}

/** @param {WorkerMessage} message */
function tell(message) {
  process.send?.(message);
}
