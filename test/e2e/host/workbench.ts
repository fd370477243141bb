import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import type { Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { chooseCommand } from "./palette.ts";
import { type Server, type ServerOptions, startServer, type WorkbenchOptions, workbenchAddress } from "./server.ts";

export interface HostOptions extends Omit<ServerOptions, "scratch" | "onOutput" | "port">, WorkbenchOptions {
  /** Where screenshots go. */
  readonly shots?: string;
  /** CSS pixels. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** Print everything that the server, the page and the workbench log. */
  readonly verbose?: boolean;
}

export interface Host {
  readonly page: Page;
  readonly server: Server;
  /** The suite's exit code; never settles without a suite. Rejects when the end was not the suite's own. */
  readonly exit: Promise<number>;
  /** Runs a command by the title that the command palette shows. */
  command(title: string): Promise<void>;
  /** Writes `name.png` into the folder of screenshots. */
  screenshot(name: string): Promise<void>;
  /** Ends all that was started and removes its files. */
  close(): Promise<void>;
}

/** Lines of the workbench itself in the log that also has the extension host's console. */
const NOISE =
  /^(Resolv(ing|ed) connection token|Creating a socket|(Ignoring fetching|Updating) additional builtin|\[Service Worker\]|ChatSessionStore|No search provider registered)/;

/**
 * Starts a VS Code server and opens its workbench in headless Chromium: with a suite to run, or for a UI test to drive.
 *
 * @returns once the workbench has loaded its extensions; with a suite, as soon as the page is there.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const undo: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= runBackwards(undo);
    return closing;
  };
  closeOnSignal(close, undo);
  try {
    return { ...(await open(options, undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(options: HostOptions, undo: (() => unknown)[]): Promise<Omit<Host, "close">> {
  const verbose = options.verbose ?? Boolean(process.env.TEST_HOST_VERBOSE);
  const shots = options.shots ?? process.env.TEST_HOST_SHOTS ?? process.cwd();
  const scratch = mkdtempSync(path.join(tmpdir(), "vscode-host-"));
  undo.push(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

  const control = await startControl((name) => screenshot(name));
  undo.push(() => control.close());
  const suite = suiteInside(options, control.address);
  undo.push(() => suite.remove());

  const server = await startServer({
    ...options,
    scratch,
    env: { ...options.env, ...suite.env },
    onOutput: (text) => void (verbose && process.stderr.write(text)),
  });
  undo.push(() => server.stop());

  const browser = await startBrowser();
  undo.push(() => browser.close());
  const page = await browser.newPage({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    colorScheme: options.colorScheme ?? "dark",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  async function screenshot(name: string): Promise<void> {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: path.join(shots, `${path.basename(name)}.png`) });
  }

  const exit = new Promise<number>((resolve, reject) => {
    page
      .exposeFunction("codeAutomationExit", (code: number) => {
        if (code !== 0 || control.passed()) resolve(code);
        else reject(new Error("The extension host ended before the suite did."));
      })
      .catch(reject);
    page.on("crash", () => reject(new Error("The page crashed.")));
    void server.ended.then((why) => reject(new Error(why)));
  });
  exit.catch(() => {}); // no code awaits it if there is no suite
  await page.exposeFunction("codeAutomationLog", (_level: string, values: unknown[]) => {
    const line = format(...values);
    if (verbose || !NOISE.test(line)) console.log(line);
  });
  if (verbose) page.on("console", (message) => console.error("[page]", message.text()));

  await page.goto(workbenchAddress(server.port, { ...options, ...suite.path }));
  if (!options.extensionTestsPath) {
    await page.waitForFunction(() => performance.getEntriesByName("code/didLoadExtensions").length > 0);
  }
  return { page, server, exit, screenshot, command: (title) => chooseCommand(page, title) };
}

/**
 * Where the word arrives that a suite went through (`POST /passed`), and where one asks for a picture of the window
 * (`POST /screenshot?name=x`).
 */
async function startControl(screenshot: (name: string) => Promise<void>) {
  let passed = false;
  const control = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://host");
    if (url.pathname === "/passed") passed = true;
    const done =
      url.pathname === "/screenshot" ? screenshot(url.searchParams.get("name") ?? "window") : Promise.resolve();
    done.then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));
  const { port } = control.address() as AddressInfo; // a TCP server has no other kind
  return {
    address: `http://127.0.0.1:${port}`,
    passed: () => passed,
    close: () => {
      control.closeAllConnections();
      control.close();
    },
  };
}

/** The suite as the extension host is to load it: wrapped, so that its real end can be distinguished from any other. */
function suiteInside(options: HostOptions, control: string) {
  const file = options.extensionTestsPath && path.resolve(options.extensionTestsPath);
  if (!file) return { env: {}, path: {}, remove: () => {} };
  if (options.extensionDevelopmentKind === "web") {
    const wrapped = `${file.replace(/\.js$/, "")}.wrapped.js`;
    writeFileSync(wrapped, wrapForWorker(readFileSync(file, "utf8"), control));
    return { env: {}, path: { extensionTestsPath: wrapped }, remove: () => rmSync(wrapped, { force: true }) };
  }
  const wrapper = fileURLToPath(new URL("inside.cjs", import.meta.url));
  const env = { TEST_HOST_SUITE: file, TEST_HOST_CONTROL: control };
  return { env, path: { extensionTestsPath: wrapper }, remove: () => {} };
}

/** Replaces `inside.cjs` in the extension host of a web worker, which has no environment and loads one file only. */
function wrapForWorker(suite: string, control: string): string {
  return `const suite = { exports: {} };
((module, exports) => {
${suite}
})(suite, suite.exports);
exports.run = async () => {
  const ran = suite.exports.run();
  if (typeof ran?.then !== "function") throw new Error("The suite's run gives no promise.");
  await ran;
  await fetch("${control}/passed", { method: "POST", mode: "no-cors" });
};
`;
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
