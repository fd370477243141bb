import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** How long each file took last time, in milliseconds. */
const durationsFile = ".cache/test-durations.json";

/** The test files that need no editor, in the order of their names. */
export function unitTests() {
  return testsIn("test").sort();
}

/** The tests of end-to-end parts are left out with what is installed beside them: tens of thousands of files. @param {string} folder @returns {string[]} */
function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return file === "test/e2e" || entry.name === "node_modules" ? [] : testsIn(file);
    return file.endsWith(".test.ts") ? [file] : [];
  });
}

/**
 * Orders files so that the longest begin first, by what they took last time, else by their size.
 *
 * @param {readonly string[]} files
 */
export function slowestFirst(files) {
  const last = lastDurations();
  const weight = (/** @type {string} */ file) => last[file] ?? statSync(file).size / 10;
  return files.toSorted((one, other) => weight(other) - weight(one));
}

/** @param {Iterable<readonly [string, number]>} durations Names, such as files, with milliseconds. */
export function rememberDurations(durations) {
  const rounded = Object.fromEntries([...durations].map(([name, ms]) => [name, Math.round(ms)]));
  mkdirSync(path.dirname(durationsFile), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify({ ...lastDurations(), ...rounded }, undefined, 1));
}

/** @returns {Record<string, number>} */
export function lastDurations() {
  try {
    return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, "utf8")) : {};
  } catch {
    return {}; // a run was cut short while it wrote
  }
}
