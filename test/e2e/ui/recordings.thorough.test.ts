import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

describe("the first minutes, without a node", function () {
  this.timeout(300_000);
  let installation: Installation;
  let host: Host;
  let endpoints: string;
  let configured: string;

  before(async () => {
    installation = await install();
    endpoints = path.join(installation.workspace, "rpc-endpoints.private.json");
    configured = readFileSync(endpoints, "utf8");
    rmSync(endpoints);
    host = await openWorkbench(installation, {
      viewport: { width: 1280, height: 900 },
      settings: { ...(process.env.TEST_THEME && { "workbench.colorTheme": process.env.TEST_THEME }) },
    });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("ui-failure");
  });

  const step = (title: string) => host.page.locator(".getting-started-step", { hasText: title }).first();

  it("has a walkthrough of four steps with pictures in the colours of the theme", async () => {
    const { page, screenshot } = host;
    await host.command("Welcome: Open Walkthrough");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get Started with RPC Notebook" }).click();
    for (const [title, name] of [
      ["See a decoded answer", "decoded"],
      ["Write your own request", "write"],
      ["Hover an address", "hover"],
      ["Save and run in CI", "ci"],
    ] as const) {
      await step(title).click();
      await step(title).locator(".monaco-button").waitFor();
      await page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame").locator("svg").waitFor();
      await screenshot(`walkthrough-${name}`);
    }
  });

  it("offers a local chain, an address and the demo for a new notebook", async () => {
    const { page, screenshot } = host;
    await step("Write your own request").click();
    await step("Write your own request").locator(".monaco-button").click();
    const row = (text: string) => page.locator(".quick-input-list .monaco-list-row", { hasText: text });
    for (const offer of ["Local chain", "Main network", "Test network"]) await row(offer).waitFor();
    await screenshot("new-notebook");
    await row("Built-in demo").click();
    await page.locator(".statusbar-item", { hasText: "local · recorded" }).waitFor();
  });

  it("shows the name of an address of the demo in another file, and counts that as a step", async () => {
    const { page, screenshot } = host;
    await host.command("Welcome: Open Walkthrough");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get Started with RPC Notebook" }).click();
    await step("Hover an address").click();
    await step("Hover an address").locator(".monaco-button").click();
    const address = page.locator(".view-line", { hasText: "address constant" }).locator("span").last();
    const hover = page.locator(".monaco-hover", { hasText: "alice" }).first();
    // An editor that is still being set up closes a hover.
    while (!(await hover.isVisible())) {
      await page.mouse.move(700, 600);
      await address.hover();
      await hover.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
    await screenshot("walkthrough-hovered");
    await page.mouse.move(0, 0);
    await host.command("Welcome: Open Walkthrough");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get Started with RPC Notebook" }).click();
    await step("Hover an address").locator(".codicon-getting-started-step-checked").waitFor();
    await step("Write your own request").locator(".codicon-getting-started-step-checked").waitFor();
    await screenshot("walkthrough-steps");
    await host.command("View: Close All Editors");
    while ((await page.locator(".tab").count()) > 0) {
      const dontSave = page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" });
      await dontSave.click();
    }
  });

  it("packs a notebook with its answers into a file, after it said what is inside", async () => {
    const { page, screenshot } = host;
    await page.setViewportSize({ width: 1280, height: 2400 });
    writeFileSync(endpoints, configured);
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".tab.active", { hasText: "quickstart.rpc.json" }).waitFor();
    await host.command("RPC Notebook: Create Bug Report");
    const dialog = page.locator(".monaco-dialog-box", { hasText: "The bug report contains" });
    await dialog.getByText(/requests with answers from local/).waitFor();
    await screenshot("bug-report-contents");
    await dialog.getByText("Save…", { exact: true }).click();
    await page.locator(".quick-input-widget input").first().waitFor();
    await screenshot("bug-report-save");
    await page.keyboard.press("Enter");
    await page.locator(".notification-list-item", { hasText: "Saved quickstart.report.rpc.json" }).waitFor();
    await page.locator(".explorer-folders-view").getByText("quickstart.report.rpc.json", { exact: true }).dblclick();
    await page.locator(".statusbar-item", { hasText: "local · recorded" }).waitFor();
    await page.locator(".notebook-toolbar-container:visible").getByText("Run All").click();
    const shown = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    await shown
      .getByText(/^local \(recorded /)
      .first()
      .waitFor();
    await screenshot("bug-report-run");
  });
});
