// Starts the embedded chain and VS Code with the examples, and runs until it is stopped. Needs built bundles.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Devchain, startDevchain } from "../devchain/devchain.ts";
import { PortTakenError } from "../devchain/proxy.ts";
import { startServer, workbenchAddress, writeSettings } from "../test/e2e/host/server.ts";
import { startOf } from "./lib/processes.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const examples = path.join(root, "examples");
const undo: (() => unknown)[] = [];

const ended = new Promise<string>((resolve) => {
  // Not `once`: the same Ctrl-C also arrives through npm, and must not interrupt the clean-up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve("Ending it all."));
});
try {
  const scratch = mkdtempSync(path.join(tmpdir(), "rpc-notebook-vscode-"));
  undo.push(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const chain = await chainWherePossible();
  undo.push(() => chain.stop());
  console.log(`The embedded chain listens on ${chain.url}.`);
  // Where 8545 belongs to another program, `local` means our chain all the same.
  const settings = { "rpcNotebook.endpoints": { local: chain.url } };
  const open = process.argv[2] === "desktop" ? openDesktop : openInBrowser;
  const { closed } = await open(scratch, settings);
  console.log("Ctrl-C ends it all.");
  console.log(await Promise.race([ended, closed]));
} finally {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
}
process.exit();

async function chainWherePossible(): Promise<Devchain> {
  try {
    return await startDevchain({ port: 8545 });
  } catch (error) {
    if (error instanceof PortTakenError) return startDevchain();
    throw error;
  }
}

interface Opened {
  /** Resolves to a sentence when it is gone by itself. */
  readonly closed: Promise<string>;
}

function openDesktop(scratch: string, settings: object): Opened {
  mkdirSync(path.join(scratch, "User"));
  writeFileSync(path.join(scratch, "User/settings.json"), JSON.stringify(settings));
  const flags = ["--new-window", "--wait", "--disable-workspace-trust", `--user-data-dir=${scratch}`];
  const start = startOf("code", [...flags, `--extensionDevelopmentPath=${root}`, examples]);
  const window = spawn(start.file, start.args, { stdio: "inherit", ...start.options });
  undo.push(() => {
    window.kill();
    endMainProcess(scratch);
  });
  console.log("VS Code opens on the examples.");
  const closed = new Promise<string>((resolve) => {
    window.once("exit", () => resolve("The window was closed."));
    window.once("error", (error) => resolve(`VS Code did not start: ${error.message}`));
  });
  return { closed };
}

/** The command `code` only waits; the program itself leaves its process id in the folder of its data. */
function endMainProcess(userData: string): void {
  try {
    process.kill(Number(readFileSync(path.join(userData, "code.lock"), "utf8")));
  } catch {
    // It has ended already.
  }
}

async function openInBrowser(scratch: string, settings: Record<string, unknown>): Promise<Opened> {
  const server = await startServer({ scratch });
  writeSettings(server.userDataDir, settings);
  undo.push(() => server.stop());
  const workbench = workbenchAddress(server.port, { open: examples, extensionDevelopmentPath: [root] });
  // The workbench's address is long; a short one leads there.
  const door = createServer((_request, response) => response.writeHead(302, { location: workbench }).end());
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  undo.push(() => {
    door.closeAllConnections();
    door.close();
  });
  const { port } = door.address() as AddressInfo; // a TCP server has no other kind
  console.log(`\nVS Code on the examples: http://127.0.0.1:${port}/\n`);
  return { closed: server.ended };
}
