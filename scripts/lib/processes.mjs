import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Ended
 * @property {boolean} ok It ended by itself, with 0.
 * @property {string} output What it wrote to both streams, in the order it came.
 *
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string>>} [env] Added to this process's own.
 * @property {number} [maxSilenceMs] A process that writes nothing for so long hangs: it is ended, with all that it started.
 * @property {(text: string) => void} [onOutput]
 */

/** Ten minutes: on a slow machine the quietest tools, such as `npm ci`, write nothing for several. */
const maxSilence = 600_000;

/** The leaders of the process groups that run now. @type {Set<number>} */
const running = new Set();

/**
 * Runs a program without input to its end. A failure to start is an end like any other.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ended>}
 */
export function run(command, args, { cwd, env, maxSilenceMs = maxSilence, onOutput } = {}) {
  return new Promise((resolve) => {
    let output = "";
    const waitForOutput = () =>
      setTimeout(() => {
        output += `\n${command} wrote nothing for ${maxSilenceMs / 1000} seconds and was ended.\n`;
        if (pid !== undefined) endGroup(pid);
      }, maxSilenceMs);
    let silence = waitForOutput();
    const add = (/** @type {string} */ text) => {
      output += text;
      clearTimeout(silence);
      silence = waitForOutput();
      onOutput?.(text);
    };
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a group of its own, so that a time-out ends what it started, too
    });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
    const end = (/** @type {boolean} */ ok) => {
      clearTimeout(silence);
      if (pid !== undefined) running.delete(pid);
      resolve({ ok, output });
    };
    child.once("error", (error) => {
      add(`${command} did not start: ${error.message}\n`);
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

/** Whether a program of that name can be started. @param {string} program */
export function onPath(program) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

/** Lets Ctrl-C end what runs now, with all that it started, before this process ends. */
export function endChildrenOnSignal() {
  let ending = false;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Not `once`: the same Ctrl-C also comes through npm, and must not cut the clean-up short.
    process.on(signal, () => {
      if (ending) return;
      ending = true;
      for (const leader of running) endGroup(leader);
      setTimeout(() => process.exit(130), 2_000);
    });
  }
}

/** @param {number} leader */
function endGroup(leader) {
  signalGroup(leader, "SIGTERM");
  setTimeout(() => signalGroup(leader, "SIGKILL"), 5_000).unref();
}

/** @param {number} leader @param {NodeJS.Signals} signal */
function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of it has ended already.
  }
}

/** Ends this process as Ctrl-C does when what started it is gone: a killed npm tells nobody. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
