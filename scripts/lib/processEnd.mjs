/** @typedef {() => Promise<unknown>} Close */

/**
 * What is still open in this process. Global, because `npx mocha` loads this module twice: with `require` for the set-up and
 * with `import` for tests.
 *
 * @type {{ [key: symbol]: { untilEnd: Close[], inFile: Close[], inTest: Close[] | undefined } | undefined }}
 */
const ofProcess = globalThis;
const key = Symbol.for("open in tests");
const open = ofProcess[key] ?? { untilEnd: [], inFile: [], inTest: undefined };
ofProcess[key] = open;

/** Has something closed when all tests of this process have ended. @param {Close} close */
export function closeAtEnd(close) {
  open.untilEnd.push(close);
}

export async function closeAll() {
  for (const close of open.untilEnd.splice(0).reverse()) await close();
}

/** Has something closed after the running test; what `before` opens, after all tests. @param {Close} close */
export function closeAfterTest(close) {
  (open.inTest ?? open.inFile).push(close);
}

export function beginOpening() {
  open.inTest = [];
}

export async function closeOpened() {
  const opened = open.inTest ?? open.inFile.splice(0);
  open.inTest = undefined;
  await Promise.all(opened.map((close) => close()));
}
