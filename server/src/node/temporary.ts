import { randomBytes } from "node:crypto";
import { rmSync, type Stats } from "node:fs";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hiddenName, isRunning, machine, untilFree } from "./processes.ts";

const suffix = ".rpc-notebook-tmp";

/** Milliseconds after which a temporary file of another machine counts as abandoned. */
const abandonedMs = 3_600_000;

/**
 * Writes a new file beside a target and flushes it to the disk. It has the mode, and if possible the owner, of the target.
 * Removes the files of killed processes in that folder first.
 *
 * @param old - Stats of the target; `undefined` if it does not exist.
 * @returns The path. The caller moves the file or removes it, and calls {@link removeTemporary} in either case.
 */
export async function writeTemporary(target: string, bytes: Uint8Array, old: Stats | undefined): Promise<string> {
  const folder = dirname(target);
  await removeAbandoned(folder);
  const unique = `${machine}-${process.pid}-${randomBytes(6).toString("hex")}`;
  const path = join(folder, `${hiddenName(target)}.${unique}${suffix}`);
  track(path);
  try {
    const file = await open(path, "wx", old ? 0o600 : 0o666);
    try {
      await file.writeFile(bytes);
      if (old) await copyOwnerAndMode(file, old);
      await file.sync();
    } finally {
      await file.close();
    }
    return path;
  } catch (error) {
    await removeTemporary(path);
    throw error;
  }
}

/** Never rejects; does nothing if the file has been moved. */
export async function removeTemporary(path: string): Promise<void> {
  await untilFree(() => rm(path, { force: true })).catch(() => undefined); // the next process that writes here tries again
  untrack(path);
}

async function copyOwnerAndMode(file: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await file.stat();
  const isSameOwner = (uid === old.uid && gid === old.gid) || (await succeeds(file.chown(old.uid, old.gid)));
  const isSameGroup = isSameOwner || gid === old.gid || (await succeeds(file.chown(uid, old.gid)));
  // another group must not get more access than everyone has
  const mode = isSameGroup ? old.mode & 0o777 : (old.mode & 0o707) | ((old.mode & 0o007) << 3);
  await succeeds(file.chmod(mode)); // some file systems have no modes
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const cleaned = new Set<string>();

/** Does so once for each folder: a process that writes many files would find nothing the next time. */
async function removeAbandoned(folder: string): Promise<void> {
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  const names = await readdir(folder).catch(() => []);
  const ours = names.filter((name) => name.endsWith(suffix));
  await Promise.all(ours.map((name) => removeIfAbandoned(join(folder, name), name)));
}

async function removeIfAbandoned(path: string, name: string): Promise<void> {
  const [, on, pid] = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]+\.rpc-notebook-tmp$/.exec(name) ?? [];
  if (on === undefined || pid === undefined) return;
  if (on === machine && isRunning(Number(pid))) return;
  if (on !== machine) {
    const found = await stat(path).catch(() => undefined);
    if (!found || Date.now() - found.mtimeMs < abandonedMs) return;
  }
  await rm(path, { force: true }).catch(() => undefined); // another process may do the same
}

/** Files that this process has created and not yet moved. They are removed if it ends. */
const tracked = new Set<string>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function track(path: string): void {
  if (tracked.size === 0) {
    process.on("exit", removeAll);
    for (const signal of signals) process.on(signal, onSignal);
  }
  tracked.add(path);
}

function untrack(path: string): void {
  if (!tracked.delete(path) || tracked.size > 0) return;
  process.off("exit", removeAll);
  for (const signal of signals) process.off(signal, onSignal);
}

function removeAll(): void {
  for (const path of tracked) rmSync(path, { force: true });
}

/** If nothing else handles the signal, it ends the process as it would have without this handler. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
