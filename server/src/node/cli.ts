#!/usr/bin/env node
import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { main } from "../cli/main.ts";
import { exitCodes, terminal } from "../cli/terminal.ts";

/** The version of the package that this bundle is part of. */
function version(): string {
  const file: { version: string } = createRequire(import.meta.url)("../package.json"); // npm publishes none without one
  return file.version;
}

setMaxListeners(0); // many requests end with one signal
const controller = new AbortController();
const { fstatSync, writeSync }: typeof import("node:fs") = createRequire(import.meta.url)("node:fs"); // as an import it would load its streams too
const screen = terminal(
  isFile(process.stdout.fd) ? { write: writeToFile } : process.stdout,
  process.stderr,
  process.env,
);

/** A bug: what is needed to report it comes only to those who ask. */
function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  screen.complain(`This is a bug in rpc-notebook: ${message}`, "NODE_DEBUG=rpc-notebook shows where it is.");
  const place = error instanceof Error && /\brpc-notebook\b/.test(process.env.NODE_DEBUG ?? "") ? error.stack : "";
  for (const line of place ? place.split("\n") : []) screen.note(line);
  process.exit(exitCodes.failed);
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
process.stderr.on("error", () => undefined);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCodes.ok); // the reader has seen enough, as `head` does
  tellBroken(error);
});

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // it is closed
  }
}

let isBroken = false;

/** Writes all of a text: the stream of Node leaves out, and says nothing of, what a full disk does not take. */
function writeToFile(text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length && !isBroken; ) at += writeSync(process.stdout.fd, bytes, at);
  } catch (error) {
    isBroken = true;
    tellBroken(error);
  }
}

function tellBroken(error: unknown): void {
  void import("./brokenOutput.ts").then(({ brokenOutput }) => {
    const { what, todo } = brokenOutput(error);
    screen.complain(what, todo);
    process.exit(exitCodes.failed);
  }, fail);
}

/** Milliseconds in which a command that was told to end does so. */
const patience = 5000;
let isTold = false;

/** The first signal ends what is under way, with what came so far. The next one, or time, ends the process. */
function cancelOnSignal(): void {
  if (isTold) stopNow();
  isTold = true;
  controller.abort();
  setTimeout(stopNow, patience).unref();
}

function stopNow(): never {
  screen.complain("Stopped at once: the output is not complete.");
  process.exit(exitCodes.stopped);
}

/** Ends the process once all is written, whatever is still open. */
async function end(code: number): Promise<void> {
  const { stdout, stderr } = process;
  await new Promise<void>((written) => stderr.write("", () => written()));
  if (isBroken) return; // it says so, and ends the process
  stdout.write("", (error) => {
    if (!error) process.exit(code);
  });
}

let isOver = false;
process.on("beforeExit", () => {
  if (!isOver) fail(new Error("it waits for something that cannot come."));
});

const code = await main(process.argv.slice(2), {
  terminal: screen,
  version: version(),
  get signal() {
    // Signals end a command that does not ask for this at once
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
    return cliHost(options, screen);
  },
  async lsp() {
    const { startServer } = await import("./main.ts");
    if (!process.argv.includes("--stdio")) process.argv.push("--stdio"); // the library goes by the arguments
    startServer();
  },
});
isOver = true;
if (code !== undefined) await end(code);
