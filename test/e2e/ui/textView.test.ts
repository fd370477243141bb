import assert from "node:assert/strict";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

describe("the text view", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    host = await openWorkbench(installation, {
      settings: { "workbench.colorTheme": "Default Dark Modern" },
      viewport: { width: 1600, height: 2400 }, // outputs below the fold are not drawn
    });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("text-failure");
  });

  it("opens in the same tab, runs a cell by its lens, and shows the result next to it", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Open as JSON").click();
    const tabs = page.locator(".tabs-container .tab");
    const lens = page.locator(".codelens-decoration a", { hasText: "Run" }).first();
    await lens.waitFor();
    assert.equal(await tabs.count(), 1);
    await screenshot("text-view");
    await lens.click();
    await page.locator(".view-line", { hasText: "balance: eth_getBalance" }).first().waitFor();
    await page.locator(".codelens-decoration", { hasText: "ether" }).first().waitFor();
    await screenshot("text-view-result");
  });

  it("goes back to the notebook, which still runs", async () => {
    const { page, screenshot } = host;
    await page.locator(".tab", { hasText: "quickstart.rpc.json" }).click();
    await page.getByRole("button", { name: "Open as Notebook" }).first().click();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    const balance = output.getByText(/^[\d,.]+ ether$/).first();
    while (!(await balance.isVisible())) await page.screenshot(); // a hidden window does not draw
    await screenshot("notebook-dark");
  });

  it("offers the endpoints in the status bar", async () => {
    const { page, screenshot } = host;
    await page.locator(".statusbar-item", { hasText: "local" }).first().click();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "local" }).first().waitFor();
    await screenshot("endpoint-picker");
    await page.keyboard.press("Escape");
  });
});
