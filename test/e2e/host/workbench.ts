import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import type { Machine } from "./machine.ts";
import { chooseCommand } from "./palette.ts";
import { type WorkbenchOptions, workbenchAddress, writeKey, writeSettings } from "./server.ts";

/** Milliseconds in which something has to appear. A machine that does other work is slow. */
export const patience = 60_000;

/** Runs all cells. The command palette takes half a second of a processor, and the toolbar has no place for its button in narrow editors. */
export const runAllKey = "Control+F9";

export interface WindowOptions extends WorkbenchOptions {
  /** Where this window keeps its settings; without it, where the server does. */
  readonly userDataDir?: string;
  /** Written over the user's settings before the window opens. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Without it every folder counts as trusted. */
  readonly workspaceTrust?: boolean;
  /** Where screenshots go. */
  readonly shots?: string;
  /** CSS pixels. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
}

/** A window of VS Code. Its storage, settings and clipboard permissions are its own. */
export interface Host {
  readonly page: Page;
  /** Runs a command by the title that the command palette shows. */
  command(title: string): Promise<void>;
  /** Writes `name.png` into the folder of screenshots. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a window. @param prepare - Runs before the page has an address. */
export async function openWindow(
  { server, browser }: Machine,
  options: WindowOptions,
  prepare?: (page: Page) => Promise<void>,
): Promise<Host> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    colorScheme: options.colorScheme ?? "dark",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const { userDataDir, settings, workspaceTrust = false } = options;
  if (settings) writeSettings(userDataDir ?? server.userDataDir, settings);
  writeKey(userDataDir ?? server.userDataDir, runAllKey, "notebook.execute");
  await page.addInitScript(configure, {
    enableWorkspaceTrust: workspaceTrust,
    ...(userDataDir && { userDataPath: path.resolve(userDataDir) }),
  });
  await prepare?.(page);
  await page.goto(workbenchAddress(server.port, options));
  return {
    page,
    command: (title) => chooseCommand(page, title),
    async screenshot(name) {
      const shots = options.shots ?? process.cwd();
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: path.join(shots, `${path.basename(name)}.png`) });
    },
    close: () => context.close(),
  };
}

/** Waits until the workbench has loaded its extensions. */
export async function extensionsLoaded({ page }: Host): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName("code/didLoadExtensions").length > 0);
}

/** Runs in the page: stops what moves, which is drawn all the time, and changes what the server tells the workbench, before the workbench reads it. */
function configure(changes: object): void {
  document.addEventListener(
    "readystatechange",
    () => {
      const still = document.createElement("style");
      still.textContent = "*, *::before, *::after { animation: none !important; transition: none !important }";
      document.head?.append(still);
      const element = document.getElementById("vscode-workbench-web-configuration");
      const configuration = JSON.parse(element?.dataset.settings ?? "{}");
      if (element) element.dataset.settings = JSON.stringify({ ...configuration, ...changes });
    },
    { once: true },
  );
}
