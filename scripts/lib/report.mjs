// What a process with tests says to `scripts/test.mjs`, in lines of its output.

/** @typedef {{ passed: number, failed: number }} Counts */

/** The line that a test run prints at its end. @param {Counts} counts */
export function countLine({ passed, failed }) {
  return `#tests: ${passed} passed, ${failed} failed`;
}

/**
 * The sum of all count lines.
 *
 * @param {string} output
 * @returns {Counts | undefined} `undefined` if no run came to its end.
 */
export function testCounts(output) {
  const lines = [...output.matchAll(/^#tests: (\d+) passed, (\d+) failed$/gm)];
  if (lines.length === 0) return undefined;
  const sum = (/** @type {number} */ group) => lines.reduce((total, line) => total + Number(line[group]), 0);
  return { passed: sum(1), failed: sum(2) };
}

/** @param {string} file @param {string} title */
export function failedLine(file, title) {
  return `#failed: ${file} › ${title.replaceAll(/\s+/g, " ")}`;
}

/** The files and titles of failed tests. @param {string} output */
export function failedTests(output) {
  return [...output.matchAll(/^#failed: (.+)$/gm)].map(([, test = ""]) => test);
}

/** @param {string} file @param {number} ms */
export function durationLine(file, ms) {
  return `#took: ${Math.round(ms)} ms ${file}`;
}

/** Files with their durations in milliseconds. @param {string} output @returns {readonly (readonly [string, number])[]} */
export function durations(output) {
  return [...output.matchAll(/^#took: (\d+) ms (.+)$/gm)].map(([, ms, file = ""]) => [file, Number(ms)]);
}

/** @param {number} done @param {number} all @param {string} unit */
export function progressLine(done, all, unit) {
  return `#progress: ${done} of ${all} ${unit}`;
}

/** The newest progress in a part of an output. @param {string} output */
export function progress(output) {
  return [...output.matchAll(/^#progress: (.+)$/gm)].at(-1)?.[1];
}
