import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, keptResults, openWorkbench } from "../installed.ts";

const long = {
  endpoint: "local",
  chainId: 31337,
  variables: { alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", block: "latest" },
  labels: { "0x70997970C51812dc3A010C7d01b50e0d17dc79C8": "alice" },
  cells: [
    { name: "balance", method: "eth_getBalance", params: ["{{alice}}", "{{block}}"] },
    { name: "chain", method: "eth_chainId", params: [] },
    ...Array.from({ length: 40 }, () => ({ markdown: "Text\n\nmore text\n\nand more" })),
    { name: "far", method: "eth_getBalance", params: ["{{nobody}}", "latest"] },
  ],
};

describe("the notebook", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    writeFileSync(path.join(installation.workspace, "long.rpc.json"), JSON.stringify(long, null, 2));
    host = await openWorkbench(installation, { viewport: { width: 1280, height: 2400 } });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("ui-failure");
  });

  it("runs all cells at a port of this machine without a question, and shows decoded results", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    await output
      .getByText(/^[\d,.]+ ether$/)
      .first()
      .waitFor();
    await output.getByRole("article", { name: /delegated account, runs the code of Payments/ }).waitFor();
    await screenshot("quickstart-run-all");
    const delegated = output.getByRole("article", { name: /delegated account/ });
    await delegated.getByRole("button", { name: /^Payments/ }).click();
    await output.getByRole("menuitem", { name: "Watch" }).waitFor();
    await screenshot("result-menu");
    await output.getByRole("menuitem", { name: "Requests About This" }).click();
    const about = page.locator(".notebookOverlay .cell-list-container", {
      hasText: /0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0/,
    });
    await about.first().waitFor();
    await page
      .locator(".notebookOverlay")
      .first()
      .click({ position: { x: 20, y: 300 } });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+End");
    const simulation = output.getByRole("article", { name: /1 simulated block, 2 calls/ });
    while (!(await simulation.isVisible())) await page.screenshot(); // a hidden window does not draw
    await screenshot("quickstart-end");
    await page.locator(".notebook-toolbar-container").getByText("Open as JSON").click();
    await page.locator(".codelens-decoration", { hasText: "ether" }).first().waitFor(); // the results of the notebook appear here too
    await screenshot("text-view-light");
  });

  const cells = () => host.page.locator(".notebookOverlay .cell-list-container .monaco-list-row.code-cell-row");

  it("shows its header as one line of settings", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("long.rpc.json", { exact: true }).dblclick();
    await page.getByText("Notebook settings · local · chain 31337 · 2 variables · 1 label").waitFor();
    await cells().first().locator(".inline-folded").waitFor();
    assert.equal(await cells().first().locator(".view-line").count(), 1);
    await screenshot("notebook-header");
  });

  it("lists the problem of a cell that is far below, and opens it", async () => {
    const { page, screenshot } = host;
    await host.command("Problems: Focus on Problems View");
    const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "nobody" }).first();
    await problem.waitFor();
    assert.equal(await page.locator(".view-line", { hasText: '"far"' }).count(), 0);
    await problem.dblclick();
    await page.locator(".view-line", { hasText: '"far"' }).first().waitFor();
    await screenshot("notebook-problems");
    await host.command("View: Hide Panel");
  });

  it("shows its results again after the window was reloaded", async () => {
    const { page, screenshot } = host;
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    await host.command("Notebook: Focus First Cell");
    await page.locator(".notebook-toolbar-container").getByText("Run All").last().click();
    await output.getByText("31337, local chain (anvil, Hardhat)").first().waitFor();
    while (!keptResults(installation).includes("long.rpc.json")) await page.screenshot();
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName("code/didLoadExtensions").length > 0);
    await page
      .locator(".cell-statusbar-container", { hasText: /from \d/ })
      .first()
      .waitFor();
    await output.getByText("not sent: A placeholder").first().waitFor({ state: "attached" });
    await screenshot("notebook-kept");
  });

  it("keeps its results and its endpoint when it is saved for the first time", async () => {
    const { page, screenshot } = host;
    await host.command("RPC Notebook: New RPC Notebook");
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    const input = page.locator(".quick-input-widget input").first();
    const endpoint = page.locator(".statusbar-item", { hasText: "local" });
    const balance = output.getByText(/^[\d,.]+ ether$/).first();
    await page.locator(".tab.active", { hasText: "Untitled-1.rpc.json" }).waitFor();
    await endpoint.first().waitFor();
    await page.locator(".notebook-toolbar-container").getByText("Run All").locator("visible=true").first().click();
    await balance.waitFor();
    await host.command("File: Save");
    while (!(await input.inputValue()).endsWith("Untitled-1.rpc.json")) await page.screenshot();
    await input.press("Enter");
    await page.locator(".explorer-folders-view").getByText("Untitled-1.rpc.json", { exact: true }).waitFor();
    await page.locator(".tab.active:not(.dirty)", { hasText: "Untitled-1.rpc.json" }).waitFor();
    await balance.waitFor();
    await endpoint.first().waitFor();
    await screenshot("notebook-saved-as");
    await page.keyboard.press("Control+F4");
  });
});
