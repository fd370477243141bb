// How programs are found, started and ended, on each system: nothing else here and in the tests decides by it.
import { execFile, spawn } from "node:child_process";
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

/** The processes that run now, each with all that it started. @type {Set<number>} */
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
        if (pid !== undefined) endTree(pid);
      }, maxSilenceMs);
    let silence = waitForOutput();
    const add = (/** @type {string} */ text) => {
      output += text;
      clearTimeout(silence);
      silence = waitForOutput();
      onOutput?.(text);
    };
    const start = startOf(command, args);
    const child = spawn(start.file, start.args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...ownTree(),
      ...start.options,
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

/**
 * The system that programs run on.
 *
 * @typedef {{ readonly platform: string, readonly env: Readonly<Record<string, string | undefined>> }} System
 */

/** @type {System} */
const here = { platform: process.platform, env: process.env };

/** Whether a program of that name can be started. @param {string} program @param {System} [system] */
export function onPath(program, system) {
  return programFile(program, system) !== undefined;
}

/** The file of a program on `PATH`; Windows adds an ending of `PATHEXT`. @param {string} program */
function programFile(program, { platform, env } = here) {
  const isWindows = platform === "win32";
  const folders = (env.PATH ?? "").split(isWindows ? ";" : ":").filter(Boolean);
  const endings = isWindows ? (env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  return folders.flatMap((folder) => endings.map((end) => path.join(folder, program + end))).find(existsSync);
}

/**
 * What starts a program. npm is started by this Node; on Windows, where npm and `code` are batch files, those are started by the
 * command prompt, because Node refuses to.
 *
 * @param {string} program
 * @param {readonly string[]} args Without `"` and `%` for a batch file: they have no safe form there.
 * @param {System} [system]
 * @returns {{ file: string, args: readonly string[], options: { windowsVerbatimArguments?: boolean } }}
 */
export function startOf(program, args, system = here) {
  const { platform, env } = system;
  const npm = program === "npm" && /npm-cli\.c?js$/.test(env.npm_execpath ?? "") ? env.npm_execpath : undefined;
  if (npm) return { file: process.execPath, args: [npm, ...args], options: {} };
  const file = platform === "win32" ? programFile(program, system) : undefined;
  if (!file || !/\.(?:cmd|bat)$/i.test(file)) return { file: program, args, options: {} };
  const unsafe = [file, ...args].find((text) => /["%]/.test(text));
  if (unsafe !== undefined) throw new Error(`The command prompt cannot be given ${unsafe}.`);
  const line = [file, ...args].map((text) => `"${text}"`).join(" ");
  const prompt = ["/d", "/s", "/c", `"${line}"`];
  return { file: env.ComSpec ?? "cmd.exe", args: prompt, options: { windowsVerbatimArguments: true } };
}

/** Options of `spawn` for a process that `killTree` ends with all that it starts. */
export function ownTree(platform = process.platform) {
  // a process group; Windows has none, and would open a window
  return { detached: platform !== "win32", windowsHide: true };
}

/**
 * Ends a process and all that it started. A process that has ended is no error.
 *
 * @param {number} leader @param {NodeJS.Signals} signal Windows has only the end at once.
 */
export function killTree(leader, signal, platform = process.platform) {
  if (platform === "win32") {
    execFile("taskkill", ["/pid", String(leader), "/t", "/f"], () => {});
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // All of it has ended already.
  }
}

/** Lets Ctrl-C, and the end of what started this process, end what runs now, with all that it started, before this process ends. */
export function endChildrenOnSignal() {
  let ending = false;
  endWithParent();
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // Not `once`: the same Ctrl-C also comes through npm, and must not cut the clean-up short.
    process.on(signal, () => {
      if (ending) return;
      ending = true;
      for (const leader of running) endTree(leader);
      setTimeout(() => process.exit(130), 2_000);
    });
  }
}

/** @param {number} leader */
function endTree(leader) {
  killTree(leader, "SIGTERM");
  setTimeout(() => killTree(leader, "SIGKILL"), 5_000).unref();
}

/** Ends this process as Ctrl-C does when what started it is gone: a killed npm tells nobody. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    // Windows gives an orphan no other parent.
    if (process.ppid !== parent || !isAlive(parent)) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM"; // it belongs to another person
  }
}
