import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** How long each file took last time, in milliseconds. */
const durationsFile = ".cache/unit-durations.json";

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

/** Folders of tests that try very many cases. */
const thoroughFolders = ["test/safety/", "test/suites/"];

/** Files elsewhere that do so, and take a second or more. */
const thoroughFiles = [
  "test/server/analysis/mutation.test.ts",
  "test/server/analysis/readable.test.ts",
  "test/server/base/markdown.test.ts",
  "test/server/base/mask.test.ts",
  "test/server/catalog/schema.test.ts",
  "test/server/convert/import.test.ts",
  "test/server/endpoints/endpoints.test.ts",
  "test/server/features/everywhere.test.ts",
  "test/server/notebook/brokenText.test.ts",
  "test/server/notebook/laws.test.ts",
  "test/server/run/logRange.test.ts",
];

/** The test files that start no process, chain or server and try few cases: what one runs after every change. */
export function quickTests() {
  const all = unitTests();
  const gone = thoroughFiles.filter((file) => !all.includes(file));
  if (gone.length > 0) throw new RangeError(`Not test files any more: ${gone.join(", ")}.`);
  return all.filter((file) => !isThorough(file) && !startsSomething(file));
}

/** Whether a test file tries very many cases. @param {string} file */
export function isThorough(file) {
  return thoroughFiles.includes(file) || thoroughFolders.some((folder) => file.startsWith(folder));
}

/** Modules of Node that a test needs to start a process or a server. What the server's own code imports does not count. */
const slowModules = /"node:(?:child_process|worker_threads|https?|net|tls)"/;

/** @type {Map<string, boolean>} */
const judged = new Map();

/** Whether a file under `test/` or `devchain/`, or one that it imports there, can start a process or a server. @param {string} file @returns {boolean} */
function startsSomething(file) {
  const known = judged.get(file);
  if (known !== undefined) return known;
  judged.set(file, false); // ends a circle
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/from "(\.[^"]+)"/g)]
    .map(([, name = ""]) => path.posix.join(path.posix.dirname(file), name))
    .filter((name) => /^(?:test|devchain)\//.test(name) && name.endsWith(".ts"));
  const starts = slowModules.test(text) || imported.some(startsSomething);
  judged.set(file, starts);
  return starts;
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

/** @param {ReadonlyMap<string, number>} durations */
export function rememberDurations(durations) {
  const rounded = Object.fromEntries([...durations].map(([file, ms]) => [file, Math.round(ms)]));
  mkdirSync(path.dirname(durationsFile), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify({ ...lastDurations(), ...rounded }));
}

/** @returns {Record<string, number>} */
function lastDurations() {
  try {
    return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, "utf8")) : {};
  } catch {
    return {}; // a run was cut short while it wrote
  }
}
