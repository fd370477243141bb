/** @typedef {{ passed: number, failed: number }} Counts */

/** The line that a test run prints at its end. @param {Counts} counts */
export function countLine({ passed, failed }) {
  return `#tests: ${passed} passed, ${failed} failed`;
}

/**
 * The sum of all count lines in what test runs printed.
 *
 * @param {string} output
 * @returns {Counts | undefined} `undefined` where no run came to its end.
 */
export function testCounts(output) {
  const lines = [...output.matchAll(/^#tests: (\d+) passed, (\d+) failed$/gm)];
  if (lines.length === 0) return undefined;
  const sum = (/** @type {number} */ group) => lines.reduce((total, line) => total + Number(line[group]), 0);
  return { passed: sum(1), failed: sum(2) };
}
