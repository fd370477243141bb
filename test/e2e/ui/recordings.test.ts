import assert from "node:assert/strict";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

describe("the quickstart with recorded answers", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    host = await openWorkbench(installation, { viewport: { width: 1280, height: 2400 } });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("ui-failure");
  });

  it("shows decoded answers after one command, without a node and without a question", async () => {
    const { page, screenshot } = host;
    const begun = performance.now();
    await page.keyboard.press("F1");
    await page.keyboard.type("RPC Notebook: Open the Quickstart");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Open the Quickstart" }).first().waitFor();
    await page.keyboard.press("Enter");
    const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    await output
      .getByText(/^[\d,.]+ ether$/)
      .first()
      .waitFor();
    console.log(`      decoded answers after ${Math.round(performance.now() - begun)} ms`);
    await output.getByText("delegated account, runs the code of Payments").waitFor();
    assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
    await page.locator(".statusbar-item", { hasText: "local · recorded" }).waitFor();
    await page
      .locator(".notebookOverlay")
      .first()
      .click({ position: { x: 20, y: 300 } });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Home");
    await screenshot("quickstart-recorded");
  });

  it("packs a notebook with its answers into a file, after it said what is inside", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".tab.active", { hasText: "quickstart.rpc.json" }).waitFor();
    await page.keyboard.press("F1");
    await page.keyboard.type("RPC Notebook: Create Bug Report");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Create Bug Report" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").getByText("Allow", { exact: true }).click();
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
