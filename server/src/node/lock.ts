import { randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, rmSync, utimesSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, hiddenName, isRunning, machine, untilFree } from "./processes.ts";

/** Milliseconds after which a lock is broken even if its process may still run. Work under a lock takes a few. */
const staleMs = 10_000;
/** Milliseconds after which a lock without content is broken: its process was killed before it wrote any. */
const emptyMs = 1_000;
/** Milliseconds to wait for a lock: longer than any lock lasts. */
const maxWaitMs = 15_000;

/** Another process held the lock for too long. */
export class LockBusyError extends Error {
  readonly lock: string;

  constructor(lock: string) {
    super("Another process holds the lock.");
    this.lock = lock;
  }
}

/**
 * Does work under the lock of a file, which excludes other processes and other work of this one. The lock is a file beside
 * it that contains the id of the process, so that the lock of a killed process is broken at once.
 *
 * @param work - Synchronous, so that nothing happens in between. Calls `holds` right before it changes something.
 * @throws LockBusyError
 */
export async function underLock<T>(target: string, work: (holds: () => boolean) => T): Promise<T> {
  const path = lockOfFile(target);
  for (const since = performance.now(); performance.now() - since < maxWaitMs; ) {
    const token = take(path) ?? takeAgain(path);
    if (token !== undefined) {
      const holds = (): boolean => read(path)?.token === token;
      try {
        return work(holds);
      } finally {
        release(path, token);
      }
    }
    await sleep(breakIfStale(path) ? 0 : 1 + Math.random() * 10);
  }
  throw new LockBusyError(basename(path));
}

/** A lock that lasts as long as a file is open. */
export interface HeldLock {
  /** Returns whether it was not broken, as happens to a process that was stopped for long. */
  holds(): boolean;
  release(): void;
}

/** Milliseconds after which a held lock is made young again. */
const renewMs = 2_000;
/** Milliseconds to wait for a lock that may last for hours. */
const maxHeldWaitMs = 1_000;

/**
 * Takes the lock of a file until it is released.
 *
 * @throws LockBusyError
 */
export async function holdLock(target: string): Promise<HeldLock> {
  const path = lockOfFile(target);
  for (const since = performance.now(); performance.now() - since < maxHeldWaitMs; ) {
    const token = take(path) ?? takeAgain(path);
    if (token !== undefined) return held(path, token);
    await sleep(breakIfStale(path) ? 0 : 50);
  }
  throw new LockBusyError(basename(path));
}

function held(path: string, token: string): HeldLock {
  const holds = (): boolean => read(path)?.token === token;
  const renewal = setInterval(() => {
    const now = new Date();
    try {
      if (holds()) utimesSync(path, now, now);
    } catch {
      // it was deleted meanwhile, which the next change notices
    }
  }, renewMs).unref();
  return {
    holds,
    release() {
      clearInterval(renewal);
      release(path, token);
    },
  };
}

function lockOfFile(target: string): string {
  return join(dirname(target), `${hiddenName(target)}.rpc-notebook-lock`);
}

/** @returns The content of the new lock; `undefined` if there is a lock already. */
function take(path: string): string | undefined {
  const token = `${machine} ${process.pid} ${randomBytes(6).toString("hex")}`;
  let file: number;
  try {
    file = openSync(path, "wx", 0o644);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  try {
    writeSync(file, token);
    return token;
  } catch (error) {
    rmSync(path, { force: true }); // the disk is probably full
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Locks of this process that could not be deleted, by content. A virus scanner may have a file open that is just a few
 * milliseconds old.
 */
const released = new Set<string>();

/** @returns The content of a lock that this process has released but could not delete. */
function takeAgain(path: string): string | undefined {
  const token = released.size > 0 ? read(path)?.token : undefined;
  return token !== undefined && released.delete(token) ? token : undefined;
}

/** Never throws: a lock that cannot be removed at once is removed later. */
function release(path: string, token: string): void {
  try {
    if (read(path)?.token !== token) return;
    // this lock is not stale, so a process that began to break it was killed, and so may have been one that broke that one's
    let breaking = path;
    for (let level = 0; level < maxLevels; level++) {
      breaking = lockOf(breaking);
      const held = read(breaking);
      if (held && isStale(held)) rmSync(breaking, { force: true });
    }
    rmSync(path, { force: true });
  } catch {
    released.add(token);
    const remove = (): void => {
      if (!released.has(token)) return; // it was taken again
      if (read(path)?.token === token) rmSync(path, { force: true });
      released.delete(token);
    };
    untilFree(remove, false).catch(() => undefined); // it is stale as soon as this process ends
  }
}

/** Locks of locks that killed processes leave behind. Each level needs one more process that is killed at the same place. */
const maxLevels = 3;

/** Returns the path of the lock that a process must hold to break a lock. */
function lockOf(path: string): string {
  return `${path}-break`;
}

interface Held {
  /** Its content; empty if the file is not a lock of ours, or not written yet. */
  readonly token: string;
  /** Milliseconds since it was taken. */
  readonly ageMs: number;
}

/** @returns `undefined` if there is no file. */
function read(path: string): Held | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  try {
    // a repository can contain a link to a device here
    const token = stats.isFile() && stats.size <= maxTokenBytes ? readFileSync(path, "latin1") : "";
    return { token, ageMs: Math.abs(Date.now() - stats.mtimeMs) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { token: "unreadable", ageMs: Math.abs(Date.now() - stats.mtimeMs) };
  }
}

const maxTokenBytes = 200;

function isStale({ token, ageMs }: Held): boolean {
  const [on, pid] = token.split(" ");
  if (token === "") return ageMs > emptyMs;
  return (on === machine && !isRunning(Number(pid))) || ageMs > staleMs;
}

/**
 * Removes the lock of a process that was killed. Takes the lock of the lock first: otherwise two processes could see the
 * same stale lock, and the slower one would remove the lock that the faster one has taken since.
 *
 * @returns Whether to try at once to take the lock.
 */
function breakIfStale(path: string): boolean {
  const held = read(path);
  if (!held) return true;
  if (!isStale(held)) return false;
  const breaking = lockOf(path);
  if (take(breaking) === undefined) return breakIfStale(breaking);
  try {
    if (read(path)?.token === held.token) rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) === "ERR_FS_EISDIR") return false; // not a lock of ours, so a person has to remove it
    throw error;
  } finally {
    rmSync(breaking, { force: true });
  }
}
