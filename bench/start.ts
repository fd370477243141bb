import { spawn } from "node:child_process";
import path from "node:path";
import { medians, type Row, round } from "./row.ts";

const dist = path.resolve("dist") + path.sep; // scripts/bench.mjs starts this in the project's folder

/** Start-up times above that of Node alone, measured in turn. */
export async function start(): Promise<readonly Row[]> {
  const rounds = 15;
  const [node = 0, version = 0, server = 0] = await medians(
    rounds,
    () => exit(["-e", "0"]),
    () => exit([`${dist}cli.mjs`, "--version"]),
    initialized,
  );
  const baseline = `node -e 0: ${round(node)} ms`;
  return [
    {
      area: "start",
      name: "rpc-notebook --version, above node",
      value: round(version - node),
      unit: "ms",
      budget: 60,
      baseline,
    },
    {
      area: "start",
      name: "server: spawn to initialized, above node",
      value: round(server - node),
      unit: "ms",
      budget: 100,
      baseline,
    },
  ];
}

function exit(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { stdio: "ignore" }).once("exit", () => resolve());
  });
}

/** From spawning the server to the answer to `initialize`; its end is not waited for within the time. */
async function initialized(): Promise<void> {
  const server = spawn(process.execPath, [`${dist}server/main.mjs`, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const message = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { processId: null, rootUri: null, capabilities: {} },
  });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
  await new Promise<void>((resolve) => server.stdout.once("data", () => resolve()));
  server.kill("SIGKILL");
}
