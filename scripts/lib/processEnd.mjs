/**
 * Where this process keeps what is still open. Global, because `npx mocha` loads this module twice: with `require` for the
 * set-up and with `import` for tests.
 *
 * @type {Partial<Record<symbol, (() => Promise<void>)[]>>}
 */
const ofProcess = globalThis;
const key = Symbol.for("open until the last test has ended");
const open = ofProcess[key] ?? [];
ofProcess[key] = open;

/** Has something closed when all tests of this process have ended. @param {() => Promise<void>} close */
export function closeAtEnd(close) {
  open.push(close);
}

export async function closeAll() {
  for (const close of open.splice(0).reverse()) await close();
}
