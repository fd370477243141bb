import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";

export type MachineOptions = Pick<ServerOptions, "extensionsDir" | "userDataDir" | "env" | "onOutput">;

/** A VS Code server, and a browser that shows its windows. */
export interface Machine {
  readonly server: Server;
  readonly browser: Browser;
  /** Ends both, and removes their files. */
  close(): Promise<void>;
}

/** What notebooks need of VS Code's own extensions. The others begin with each window, and take a fifth of its start. */
const builtIn = ["json", "json-language-features", "markdown-basics", "markdown-language-features"].concat(
  ["theme-defaults", "theme-seti"], // for pictures
);

export async function startMachine(options: MachineOptions): Promise<Machine> {
  const undo: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= runBackwards(undo);
    return closing;
  };
  closeOnSignal(close, undo);
  try {
    const scratch = mkdtempSync(path.join(tmpdir(), "vscode-host-"));
    undo.push(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
    const server = await startServer({ ...options, builtIn, scratch });
    undo.push(() => server.stop());
    const browser = await startBrowser();
    undo.push(() => browser.close());
    return { server, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function closeOnSignal(close: () => Promise<void>, undo: (() => unknown)[]): void {
  const stop = () => void close().finally(() => process.exit(130));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // Not `once`: the same Ctrl-C can come twice, through npm, and must not cut the clean-up short.
  for (const signal of signals) process.on(signal, stop);
  undo.push(() => {
    for (const signal of signals) process.removeListener(signal, stop);
  });
}

async function runBackwards(undo: (() => unknown)[]): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
}
