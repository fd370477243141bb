import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { main } from "../cli/main.ts";
import { exitCodes, terminal } from "../cli/terminal.ts";

/** Reads the version of the package that contains the bundle at this address. */
function versionOf(bundle: string): string {
  const file: { version: string } = createRequire(bundle)("../package.json"); // npm publishes no package without it
  return file.version;
}

setMaxListeners(0); // one signal ends many requests
const controller = new AbortController();
const { fstatSync, writeSync }: typeof import("node:fs") = createRequire(import.meta.url)("node:fs"); // an import would load its streams too
const screen = terminal(
  isFile(process.stdout.fd) ? { write: writeToFile } : process.stdout,
  process.stderr,
  process.env,
);

/** Ends the process after a bug. The stack is printed only on demand. */
function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  screen.complain(`This is a bug in rpc-notebook: ${message}`, "Set NODE_DEBUG=rpc-notebook to see where it is.");
  const place = error instanceof Error && /\brpc-notebook\b/.test(process.env.NODE_DEBUG ?? "") ? error.stack : "";
  for (const line of place ? place.split("\n") : []) screen.note(line);
  process.exit(exitCodes.failed);
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
process.stderr.on("error", () => undefined);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // the reader has closed its end, as `head` does; Windows says EOF
  if (error.code === "EPIPE" || error.code === "EOF") process.exit(exitCodes.pipe);
  failBroken(error);
});

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // the descriptor is closed
  }
}

let isBroken = false;

/** Writes all of a text. The stream of Node drops, without an error, bytes that do not fit on the disk. */
function writeToFile(text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length && !isBroken; ) at += writeSync(process.stdout.fd, bytes, at);
  } catch (error) {
    isBroken = true;
    failBroken(error);
  }
}

function failBroken(error: unknown): void {
  void import("./processes.ts").then(({ brokenOutput }) => {
    const { what, todo } = brokenOutput(error);
    screen.complain(what, todo);
    process.exit(exitCodes.failed);
  }, fail);
}

/** Milliseconds that a cancelled command has to end. */
const maxEndingMs = 5000;
let isCancelled = false;

/** Cancels the command at the first signal, so that it prints the results so far. The next signal, or time, ends the process. */
function cancelOnSignal(): void {
  if (isCancelled) stopNow();
  isCancelled = true;
  controller.abort();
  setTimeout(stopNow, maxEndingMs).unref();
}

function stopNow(): never {
  screen.complain("Stopped: the output is not complete.");
  process.exit(exitCodes.stopped);
}

/** Ends the process when all output is written, whatever is still open. */
async function end(code: number): Promise<void> {
  const { stdout, stderr } = process;
  await new Promise<void>((written) => stderr.write("", () => written()));
  if (isBroken) return; // failBroken ends the process
  stdout.write("", (error) => {
    if (!error) process.exit(code);
  });
}

/**
 * V8 would take 30 MB more for new objects. What a command makes is soon garbage, or stays to the end.
 *
 * @param saves - It writes a file while it reads. What it has written is garbage, which V8 would let grow to more than
 *   half of 300 MB.
 */
async function keepHeapSmall(saves: boolean): Promise<void> {
  if (Number.parseInt(process.versions.v8, 10) > 13) return; // whether it still has this flag is not known
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  if (saves) setFlagsFromString("--heap-growing-percent=80");
}

let isOver = false;
process.on("beforeExit", () => {
  if (!isOver) fail(new Error("the command waits for something that cannot happen."));
});

/**
 * Runs the command of this process.
 *
 * @param bundle - The address of the bundle that was started: other files of the package are beside it.
 */
export async function runCommandLine(bundle: string): Promise<void> {
  const code = await main(process.argv.slice(2), {
    terminal: screen,
    version: versionOf(bundle),
    get signal() {
      // a signal ends commands that do not read this at once
      for (const name of ["SIGINT", "SIGTERM"]) if (process.listenerCount(name) === 0) process.on(name, cancelOnSignal);
      return controller.signal;
    },
    async input() {
      if (process.stdin.isTTY) return undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk);
      return Buffer.concat(chunks).toString("utf8");
    },
    async host(options) {
      const { cliHost } = await import("./cliHost.ts");
      await keepHeapSmall((options.save ?? []).length > 0);
      return cliHost(options, screen);
    },
    async recording(path) {
      const { readRecordingFile } = await import("./readRecording.ts");
      return readRecordingFile(path);
    },
    async pageScript() {
      const { readFile } = await import("node:fs/promises");
      return readFile(new URL("page.js", bundle), "utf8");
    },
    async serve(replay, port) {
      const { serveReplay } = await import("./recordingServer.ts");
      return serveReplay(replay, port);
    },
    async lsp() {
      const { startServer } = await import("./main.ts");
      if (!process.argv.includes("--stdio")) process.argv.push("--stdio"); // the library reads the arguments
      startServer();
    },
  });
  isOver = true;
  if (code !== undefined) await end(code);
}
