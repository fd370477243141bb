import { EventEmitter, once } from "node:events";
import { existsSync, type FSWatcher, watch as watchFolder } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { oneLine, plural } from "../base/text.ts";
import { foldedName } from "../base/uri.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** Milliseconds without a change after which an editor has finished writing. */
const quietMs = 100;

/**
 * Runs notebooks, and runs each again when it is saved with another content, until the signal aborts. A file that was
 * replaced or removed is still watched.
 *
 * @param run - Resolves to an exit code.
 * @returns 0 after Ctrl-C, which is not a failure. If the first run is wrong usage, its code at once.
 */
export async function watch(
  files: readonly string[],
  run: (files: readonly string[]) => Promise<number>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const changes = await openChanges(files, signal); // before the first run, so that no save is missed
  try {
    let last = await run(files);
    if (last === exitCodes.usage) return last;
    while (!signal.aborted) {
      const state = last === exitCodes.ok ? "" : "Not everything succeeded. ";
      terminal.note(`${state}Waiting for a change. Ctrl-C ends the command.`);
      const changed = await changes.next();
      if (changed.length === 0) break;
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
  /** Resolves to the files that have changed, after a pause without changes; to none if the signal aborts. */
  next(): Promise<readonly string[]>;
  close(): void;
}

async function openChanges(files: readonly string[], signal: AbortSignal): Promise<Changes> {
  const touched = new Set<string>();
  const events = new EventEmitter();
  const watchers = watchersOf(files, (file) => {
    touched.add(file);
    events.emit("touched");
  });
  const contents = new Map<string, string>();
  for (const file of files) contents.set(file, await contentOf(file));
  const next = async (): Promise<readonly string[]> => {
    if (touched.size === 0) await once(events, "touched", { signal });
    for (let count = 0; count !== touched.size; await wait(quietMs, undefined, { signal })) count = touched.size;
    const candidates = files.filter((file) => touched.has(file));
    touched.clear();
    const changed: string[] = [];
    for (const file of candidates) {
      const content = await contentOf(file);
      if (content !== contents.get(file) && content !== "") changed.push(file);
      contents.set(file, content);
    }
    return changed.length > 0 ? changed : next();
  };
  return {
    next: () =>
      next().catch((error: unknown) => {
        if (signal.aborted) return [];
        throw error;
      }),
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Watches the folders of files, since editors replace files. */
function watchersOf(files: readonly string[], touch: (file: string) => void): readonly FSWatcher[] {
  const folders = new Set(files.map((file) => dirname(resolve(file))));
  return [...folders].filter(existsSync).map((folder) =>
    watchFolder(folder, (_, name) => {
      const inside = files.filter((file) => dirname(resolve(file)) === folder);
      // a system can name a file in another case or Unicode form; one that is touched for nothing has not changed
      for (const file of inside) if (name === null || foldedName(name) === foldedName(basename(file))) touch(file);
    }).on("error", () => undefined),
  );
}

/** Reads a file. Empty if it does not exist, as while it is being replaced. */
async function contentOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
