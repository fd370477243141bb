import { randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, hiddenName, isRunning, machine } from "./processes.ts";

/** Milliseconds after which a lock is broken although its process may still run: its work takes a few. */
const staleMs = 10_000;
/** Milliseconds after which a lock without content is broken: its process was killed before it wrote any. */
const emptyMs = 1_000;
/** Milliseconds of waiting for a lock: longer than any lock lasts. */
const patienceMs = 15_000;

/** Another process held the lock for too long. */
export class LockBusyError extends Error {
  /** The name of the lock. */
  readonly lock: string;

  constructor(lock: string) {
    super("The lock is held.");
    this.lock = lock;
  }
}

/**
 * Does something while no other process, and nothing else in this one, holds the lock of a file. The lock is a file
 * beside it with the id of the process, so that the lock of a killed process is broken at once.
 *
 * @param work - Synchronous, so that nothing can come in between. Calls `holds` right before it changes something.
 * @throws LockBusyError
 */
export async function underLock<T>(target: string, work: (holds: () => boolean) => T): Promise<T> {
  const path = join(dirname(target), `${hiddenName(target)}.rpc-notebook-lock`);
  for (const since = performance.now(); performance.now() - since < patienceMs; ) {
    const token = take(path);
    if (token !== undefined) {
      const holds = (): boolean => read(path)?.token === token;
      try {
        return work(holds);
      } finally {
        release(path, holds);
      }
    }
    await sleep(breakIfStale(path) ? 0 : 1 + Math.random() * 10);
  }
  throw new LockBusyError(basename(path));
}

/** @returns What identifies this lock; `undefined` if there is one already. */
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
    rmSync(path, { force: true }); // the disk is full
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Never throws: the next process that wants a lock breaks one that could not be removed. */
function release(path: string, holds: () => boolean): void {
  try {
    if (!holds()) return;
    // this lock is not stale, so the process that was breaking it was killed
    const breaking = read(lockOf(path));
    if (breaking && isStale(breaking)) rmSync(lockOf(path), { force: true });
    rmSync(path, { force: true });
  } catch {
    // it is stale as soon as this process ends
  }
}

/** The lock that has to be held to break a lock. */
function lockOf(path: string): string {
  return `${path}-break`;
}

interface Held {
  /** Empty if the file is not a lock of ours, or has no content yet. */
  readonly token: string;
  /** Milliseconds since it was taken. */
  readonly ageMs: number;
}

/** @returns `undefined` if there is nothing. */
function read(path: string): Held | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  try {
    // a repository may contain a link to a device here
    const token = stats.isFile() && stats.size <= longestToken ? readFileSync(path, "latin1") : "";
    return { token, ageMs: Math.abs(Date.now() - stats.mtimeMs) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { token: "unreadable", ageMs: Math.abs(Date.now() - stats.mtimeMs) };
  }
}

const longestToken = 200;

function isStale({ token, ageMs }: Held): boolean {
  const [on, pid] = token.split(" ");
  if (token === "") return ageMs > emptyMs;
  return (on === machine && !isRunning(Number(pid))) || ageMs > staleMs;
}

/**
 * Removes the lock of a process that was killed. Needs the lock of the lock: otherwise two processes could
 * see the same stale lock, and the slower one would remove the lock that the faster one has taken since.
 *
 * @returns Whether it is worth trying at once to take the lock.
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
    if (codeOf(error) === "ERR_FS_EISDIR") return false; // not a lock of ours: a person has to remove it
    throw error;
  } finally {
    rmSync(breaking, { force: true });
  }
}
