import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import type { Page } from "playwright-core";
import { type MachineOptions, startMachine } from "./machine.ts";
import { type Host, openWindow, type WindowOptions } from "./workbench.ts";

export interface SuiteOptions extends Pick<MachineOptions, "extensionsDir" | "env">, WindowOptions {
  /** A CommonJS file that exports `run`; for the web it lies in the extension's folder and imports nothing. */
  readonly extensionTestsPath: string;
  /** How long the whole run may take, in milliseconds. */
  readonly limitMs?: number;
}

export interface SuiteEnd {
  /** 0 means that the suite's `run` succeeded; every other value is a failure. */
  readonly exitCode: number;
  /** The reason why the suite did not end by itself. */
  readonly reason?: string;
}

/** Print everything that the server, the page and the workbench log. */
const verbose = Boolean(process.env.TEST_HOST_VERBOSE);

/** Lines of the workbench itself in the log that also has the extension host's console. */
const NOISE =
  /^(Resolv(ing|ed) connection token|Creating a socket|(Ignoring fetching|Updating) additional builtin|\[Service Worker\]|ChatSessionStore|No search provider registered)/;

/** Runs a suite in the extension host of a window, with a server and a browser of its own. */
export async function runSuite(options: SuiteOptions): Promise<SuiteEnd> {
  const { limitMs = 300_000, shots = process.env.TEST_HOST_SHOTS ?? process.cwd() } = options;
  let host: Host | undefined;
  const control = await startControl(async (name) => host?.screenshot(name));
  const suite = suiteInside(options, control.address);
  const machine = await startMachine({
    ...options,
    env: { ...options.env, ...suite.env },
    onOutput: (text) => void (verbose && process.stderr.write(text)),
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`The suite had no result after ${limitMs / 1000} seconds.`)), limitMs);
      void machine.server.ended.then((why) => reject(new Error(why)));
      const prepare = (page: Page) => listen(page, control.passed, resolve, reject);
      openWindow(machine, { ...options, ...suite.path, shots }, prepare).then((opened) => {
        host = opened;
      }, reject);
    });
    return { exitCode };
  } catch (error) {
    await host?.screenshot("host-failure").catch(() => {});
    return { exitCode: 1, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    await machine.close();
    suite.remove();
    control.close();
  }
}

/** Waits for the suite's exit code. Rejects when the end was not the suite's own. */
async function listen(
  page: Page,
  passed: () => boolean,
  resolve: (exitCode: number) => void,
  reject: (error: Error) => void,
): Promise<void> {
  page.on("crash", () => reject(new Error("The page crashed.")));
  if (verbose) page.on("console", (message) => console.error("[page]", message.text()));
  await page.exposeFunction("codeAutomationExit", (code: number) => {
    if (code !== 0 || passed()) resolve(code);
    else reject(new Error("The extension host ended before the suite did."));
  });
  await page.exposeFunction("codeAutomationLog", (_level: string, values: unknown[]) => {
    const line = format(...values);
    if (verbose || !NOISE.test(line)) console.log(line);
  });
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
function suiteInside(options: SuiteOptions, control: string) {
  const file = path.resolve(options.extensionTestsPath);
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
