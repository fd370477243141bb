// Loaded into a command by `NODE_OPTIONS`: ends it as `kill -9` does, right before the nth change that it makes to files of a
// folder. A change that writes bytes is cut in the middle.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { KILL_FOLDER: folder = "", KILL_AT: at } = process.env;
let left = Number(at);

/** Counts a change. @param {() => void} [half] What is done of it before the process ends. */
function change(half) {
  if (--left > 0) return;
  half?.();
  process.kill(process.pid, "SIGKILL");
}

/** @param {unknown} path */
const isInside = (path) => String(path).startsWith(folder);
/** @param {unknown} flags */
const isRead = (flags) => flags === undefined || flags === "r";

for (const name of /** @type {const} */ (["linkSync", "renameSync", "rmSync", "truncateSync"])) {
  const real = /** @type {(...args: unknown[]) => unknown} */ (fs[name]);
  Object.assign(fs, {
    [name]: (/** @type {unknown[]} */ ...args) => {
      if (args.some(isInside)) change();
      return real(...args);
    },
  });
}

const { openSync, writeSync, closeSync } = fs;
/** @type {Set<number>} */
const opened = new Set();
Object.assign(fs, {
  openSync: (/** @type {Parameters<typeof openSync>} */ ...args) => {
    const counts = isInside(args[0]) && !isRead(args[1]);
    if (counts) change();
    const file = openSync(...args);
    if (counts) opened.add(file);
    return file;
  },
  writeSync: (/** @type {number} */ file, /** @type {string} */ text, /** @type {unknown[]} */ ...rest) => {
    if (opened.has(file)) change(() => writeSync(file, text.slice(0, text.length / 2)));
    return /** @type {(...args: unknown[]) => number} */ (writeSync)(file, text, ...rest);
  },
  closeSync: (/** @type {number} */ file) => {
    opened.delete(file);
    closeSync(file);
  },
});

const { open, rm } = fs.promises;
Object.assign(fs.promises, {
  rm: (/** @type {Parameters<typeof rm>} */ ...args) => {
    if (isInside(args[0])) change();
    return rm(...args);
  },
  open: async (/** @type {Parameters<typeof open>} */ ...args) => {
    const counts = isInside(args[0]) && !isRead(args[1]);
    if (counts) change();
    const file = await open(...args);
    if (counts) watchHandle(file);
    return file;
  },
});

/** @param {fs.promises.FileHandle} file */
function watchHandle(file) {
  const { fd } = file;
  for (const name of /** @type {const} */ (["writeFile", "write", "truncate", "chmod", "sync", "datasync", "close"])) {
    const real = /** @type {(...args: unknown[]) => unknown} */ (file[name]).bind(file);
    Object.assign(file, {
      [name]: (/** @type {unknown[]} */ ...args) => {
        const [bytes, , , position = null] = args;
        change(() => {
          if (bytes instanceof Uint8Array)
            writeSync(fd, bytes, 0, bytes.length >> 1, /** @type {number?} */ (position));
        });
        return real(...args);
      },
    });
  }
}

syncBuiltinESMExports();
