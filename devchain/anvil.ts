import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { member } from "./json.ts";

/** A running anvil, on a separate port that only the proxy knows. */
export interface Anvil {
  readonly pid: number;
  /** `host:port`, for HTTP and for WebSocket. */
  readonly host: string;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Sends one body and returns the answer's, both as they are. */
  post(body: string): Promise<string>;
  /** Ends the process at once. */
  kill(): Promise<void>;
}

export interface AnvilOptions {
  /** Seconds since 1970. */
  readonly genesisTime: number;
  /** The fork whose rules it follows, such as `prague`; by default the newest that it knows as active. */
  readonly hardfork?: string;
}

/** No anvil for this machine, or none that starts. */
export class AnvilError extends Error {
  override readonly name = "AnvilError";
}

/** A request that anvil refused: a bug in this code, because the requests are its own. */
export class AnvilRefusal extends Error {
  override readonly name = "AnvilRefusal";
}

export async function startAnvil({ genesisTime, hardfork }: AnvilOptions): Promise<Anvil> {
  const child = spawn(
    anvilBinary(),
    [
      ...["--port", "0", "--no-mining", "--order", "fifo", "--slots-in-an-epoch", "1"],
      ...["--timestamp", String(genesisTime), "--no-request-size-limit", "--disable-console-log", "--color", "never"],
      ...(hardfork === undefined ? [] : ["--hardfork", hardfork]),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(child, "close").then(
    () => undefined,
    () => undefined,
  );
  const watchdog = watch(child);
  void ended.then(() => watchdog.kill("SIGKILL"));
  const host = await listeningOn(child);
  const agent = new Agent({ keepAlive: true });
  void ended.then(() => agent.destroy());
  return {
    pid: child.pid ?? 0,
    host,
    ended,
    post: (body) => post(host, agent, body),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Sends one request of our own. */
export async function ask<T>(anvil: Pick<Anvil, "post">, method: string, params: readonly unknown[] = []): Promise<T> {
  const answer = await anvil.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const result = member(answer, "result");
  if (result === undefined) throw new AnvilRefusal(`${method}: ${member(answer, "error")}`);
  return JSON.parse(result) as T; // the caller names the type that anvil documents
}

const platforms: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "win32" };
const architectures: Readonly<Record<string, string>> = { arm64: "arm64", x64: "amd64" };

/** The platform's own binary: going through the package's launcher costs another 150 ms. */
function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`;
  const launcher = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  const file = process.platform === "win32" ? "anvil.exe" : "anvil";
  const path = join(dirname(launcher), "..", name.slice("@foundry-rs/".length), "bin", file);
  if (existsSync(path)) return path;
  throw new AnvilError(
    `${name} is not installed. Run npm ci. If that does not help, anvil does not support this platform.`,
  );
}

/**
 * Ends anvil when this process has ended, for any reason. The watchdog reads a pipe that only this process holds open;
 * the system closes it even after SIGKILL. It has a session of its own, so that Ctrl-C does not take it first.
 */
function watch(anvil: ChildProcess): ChildProcess {
  const script = `process.stdin.resume().on("end", () => { try { process.kill(${anvil.pid}, "SIGKILL"); } catch {} process.exit(); })`;
  const watchdog = spawn(process.execPath, ["-e", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
    env: { ...process.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" },
  });
  watchdog.on("error", () => undefined);
  watchdog.unref();
  return watchdog;
}

/** Waits for the line that names the port. */
async function listeningOn(child: ChildProcess): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const host = /Listening on (\S+:\d+)/.exec(text)?.[1];
      if (host === undefined) return;
      child.stdout?.off("data", read).resume();
      resolve(host);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once("error", (cause) => reject(new AnvilError(`anvil does not start: ${cause.message}`, { cause })));
    child.once("exit", () => reject(new AnvilError(`anvil ended before it listened: ${text.trim().slice(-300)}`)));
  });
}

function post(host: string, agent: Agent, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(`http://${host}`, { method: "POST", agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
