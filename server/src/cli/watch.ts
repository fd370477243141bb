import { existsSync, type FSWatcher, watch as watchFolder } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { oneLine, plural } from "../base/text.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** Milliseconds without a change after which an editor has written what it wanted to write. */
const quietMs = 100;

/**
 * Runs notebooks, and again those that are saved with another content, until the signal comes. A file that was replaced
 * or removed is still watched.
 *
 * @param run - Resolves to an exit code.
 * @returns 0 when somebody has ended it, for that is no failure; at once what a first run gives that was wrong use.
 */
export async function watch(
  files: readonly string[],
  run: (files: readonly string[]) => Promise<number>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const changes = await openChanges(files, signal); // before the first run: what is saved meanwhile counts
  try {
    let last = await run(files);
    if (last === exitCodes.usage) return last;
    while (!signal.aborted) {
      terminal.note(`${last === exitCodes.ok ? "" : "Not all is well. "}Waiting for a change; Ctrl-C ends it.`);
      const changed = await changes.next();
      if (changed.length === 0 || signal.aborted) break;
      terminal.clear();
      const [first = ""] = changed;
      terminal.note(`${changed.length === 1 ? oneLine(first) : plural(changed.length, "notebook")} changed.`);
      last = await run(changed);
    }
  } finally {
    changes.close();
  }
  return exitCodes.ok;
}

interface Changes {
  /** Files that have another content than before, once they are quiet; none where the signal came. */
  next(): Promise<readonly string[]>;
  close(): void;
}

async function openChanges(files: readonly string[], signal: AbortSignal): Promise<Changes> {
  const seen = new Map<string, string>();
  const touched = new Set<string>();
  let wake = (): void => {};
  const wait = (ms?: number): Promise<void> =>
    new Promise((done) => {
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort, { once: true });
  const watchers = watchersOf(files, (file) => {
    touched.add(file);
    wake();
  });
  for (const file of files) seen.set(file, await contentOf(file));
  return {
    async next() {
      while (!signal.aborted) {
        if (touched.size === 0) await wait();
        for (let count = -1; count !== touched.size && !signal.aborted; ) {
          count = touched.size;
          await wait(quietMs);
        }
        const changed: string[] = [];
        for (const file of touched) {
          const content = await contentOf(file);
          if (content !== seen.get(file) && content !== "") changed.push(file);
          seen.set(file, content);
        }
        touched.clear();
        if (changed.length > 0) return files.filter((file) => changed.includes(file));
      }
      return [];
    },
    close() {
      signal.removeEventListener("abort", onAbort);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Editors replace files, so their folders are watched. */
function watchersOf(files: readonly string[], touch: (file: string) => void): readonly FSWatcher[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = dirname(resolve(file));
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const there = [...folders].filter(([folder]) => existsSync(folder));
  return there.map(([folder, inIt]) =>
    watchFolder(folder, (_, name) => {
      for (const file of inIt) if (name === null || name === basename(file)) touch(file);
    }).on("error", () => undefined),
  );
}

/** Empty while there is no such file: it is being replaced. */
async function contentOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
