// Draws the pictures of README.md in a real VS Code with the package: `npx tsx scripts/pictures.ts [pattern of names]`.
// Needs `npm run package`.
import { rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Host } from "../test/e2e/host/workbench.ts";
import { endInstallations, type Installation, install, openWorkbench } from "../test/e2e/installed.ts";
import { alice, files, hovered } from "./pictureFiles.ts";

type Locator = ReturnType<Host["page"]["locator"]>;

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const pattern = new RegExp(process.argv[2] ?? "");
/** Bytes of one picture. */
const maxBytes = 150_000;

const settings = {
  "workbench.colorTheme": "Default Light Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "breadcrumbs.enabled": false,
  "editor.minimap.enabled": false,
  "editor.guides.indentation": false,
  "editor.renderLineHighlight": "none",
  "editor.codeLens": false,
  "editor.inlayHints.enabled": "off",
  "notebook.markup.fontSize": 13,
  "testing.automaticallyOpenTestResults": "neverOpen",
};

const installation = await install();
try {
  prepare(installation);
  await transfers(installation);
  const host = await openWorkbench(installation, {
    settings: { ...settings, "rpcNotebook.endpoints": { local: installation.chain.url } },
    viewport: { width: 1200, height: 760 },
    colorScheme: "light",
  });
  try {
    await draw(host, installation);
  } finally {
    await host.close();
  }
} finally {
  await installation.remove();
  await endInstallations();
}
process.exit();

function prepare({ workspace }: Installation): void {
  for (const name of ["ci", "quickstart.rpc.json", "quickstart.recorded.rpc.json", "rpc-endpoints.private.json"])
    rmSync(path.join(workspace, name), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(workspace, name), text);
}

/** Sends tokens, so that the logs have rows. */
async function transfers({ chain }: Installation): Promise<void> {
  const { alice, bob, carol } = chain.accounts;
  for (const [from, to, units] of [
    [alice, bob, 250_000_000n],
    [alice, carol, 75_500_000n],
    [alice, bob, 12_250_000n],
    [alice, carol, 120_000_000n],
  ] as const) {
    const words = [to.address.slice(2).toLowerCase(), units.toString(16)].map((word) => word.padStart(64, "0"));
    const data = `0xa9059cbb${words.join("")}`;
    await chain.rpc("eth_sendTransaction", [
      { from: from.address, to: chain.contracts.token.address, data, gas: "0x186a0" },
    ]);
    await chain.seal();
  }
}

async function draw({ page, screenshot, command }: Host, { chain }: Installation): Promise<void> {
  const editor = page.locator(".part.editor");
  const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const cell = (at: number) => page.locator(`.code-cell-row[data-index="${at}"] .cell-editor-part`);

  /** Writes a picture of the window, or of a part of it. */
  async function picture(name: string, part?: Locator): Promise<void> {
    const clip = await part?.boundingBox();
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file, animations: "disabled", caret: "hide", ...(clip && { clip }) });
    const bytes = statSync(file).size;
    console.log(`${name}: ${Math.round(bytes / 1000)} kB`);
    if (bytes > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes.`);
  }
  /** Opens a file alone, in a window of a height in CSS pixels. */
  async function open(name: string, height: number): Promise<void> {
    await page.setViewportSize({ width: 1200, height });
    await command("View: Close All Editors");
    await command("View: Show Explorer");
    await page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
    await page.locator(".tab.active", { hasText: name }).waitFor();
    await page.locator(".statusbar-item", { hasText: "local" }).waitFor();
    await moveAway();
  }
  /** Moves the mouse to an empty place of the status bar, where it shows no tooltip. */
  const moveAway = (): Promise<void> => page.mouse.move(500, (page.viewportSize()?.height ?? 0) - 6);
  /** A hidden window does not draw, so that screenshots are what makes it go on. */
  async function shown(what: Locator): Promise<void> {
    for (const end = Date.now() + 20_000; !(await what.isVisible()); await page.screenshot())
      if (Date.now() > end) throw new Error("The window does not show it.");
  }
  async function run(name: string, height: number, result: RegExp): Promise<void> {
    await open(name, height);
    await page.locator(".notebook-toolbar-container:visible").getByText("Run All").click();
    await shown(output.getByText(result).first());
    await command("View: Show Explorer"); // a cell without the focus has no toolbar
    await moveAway();
    for (const _ of "two") await page.screenshot(); // later drawings lay out the cells with their final heights
  }

  const pictures: Readonly<Record<string, () => Promise<void>>> = {
    async notebook() {
      await run("payments.rpc.json", 790, /^\d+ Transfer logs/);
      await command("View: Toggle Primary Side Bar Visibility"); // the table needs the width
      for (const _ of "two") await page.screenshot();
      await picture("notebook");
    },
    async decoded() {
      await run("why.rpc.json", 690, /InsufficientBalance/);
      await picture("decoded", editor);
    },
    async write() {
      await open("write.rpc.json", 470);
      await cell(1).click();
      await page.keyboard.type("transfer");
      await page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "transfer" }).first().waitFor();
      await picture("write", editor);
      await page.keyboard.press("Escape");
      await command("View: Revert and Close Editor");
    },
    async hover() {
      await open("Vault.sol", 380);
      await chain.play({ sealEveryMs: 0 });
      const { deployer } = chain.accounts;
      await chain.rpc("eth_sendTransaction", [{ from: deployer.address, to: alice, value: "0x14d1120d7b160000" }]);
      await page.locator(".view-line", { hasText: hovered }).locator("span", { hasText: alice }).last().hover();
      await shown(page.locator(".monaco-hover", { hasText: "pending" }).getByText("alice", { exact: true }).first());
      await picture("hover", editor);
      await moveAway();
    },
    async simulation() {
      await run("simulation.rpc.json", 950, /^2 calls/);
      await picture("simulation", editor);
    },
    async tests() {
      await run("health.rpc.json", 840, /Expected/);
      await command("Testing: Focus on Test Explorer View");
      const file = page.locator(".test-explorer .monaco-list-row", { hasText: "health.rpc.json" }).first();
      await file.click();
      await page.keyboard.press("ArrowRight");
      await page.locator(".test-explorer .monaco-list-row", { hasText: "the treasury can pay" }).first().waitFor();
      await moveAway();
      await picture("tests");
    },
  };
  page.setDefaultTimeout(20_000);
  for (const [name, take] of Object.entries(pictures)) {
    if (!pattern.test(name)) continue;
    await take().catch(async (error) => {
      process.exitCode = 1;
      console.error(`${name}: ${error}`);
      await screenshot(`pictures-failure-${name}`);
      await page.keyboard.press("Escape");
    });
  }
}
