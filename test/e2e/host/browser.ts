import { type Browser, chromium } from "playwright-core";
import { chromiumPath } from "../../../scripts/lib/chromium.mjs";

export type { Page } from "playwright-core";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** Starts a headless Chromium that reaches nothing but this machine. The caller closes it. */
export function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (!executablePath)
    throw new Error("There is no Chromium on PATH. `node scripts/install.mjs chromium` installs it.");
  // Playwright's own signal handlers would end this process before its other clean-up is through.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ executablePath, args: flags, ...signals });
}

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a process, started at first use. Mocha closes it after all tests. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= startBrowser();
  return shared;
}
if ("after" in globalThis) after(async () => (await shared)?.close());
