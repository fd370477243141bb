import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const failing = {
  endpoint: "local",
  cells: [
    { method: "eth_chainId", params: [] },
    { name: "wrong", method: "eth_chainId", params: [], expect: { result: "0x1" } },
  ],
};

type Locator = ReturnType<Host["page"]["locator"]>;

describe("the Test Explorer", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    writeFileSync(path.join(installation.workspace, "failing.rpc.json"), JSON.stringify(failing, null, 2));
    host = await openWorkbench(installation, { viewport: { width: 1280, height: 1000 } });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("tests-failure");
  });

  const row = (label: RegExp): Locator =>
    host.page.locator(".test-explorer .monaco-list-row", { hasText: label }).first();
  const item = (label: RegExp): Locator =>
    host.page.locator(".test-explorer").getByRole("treeitem", { name: label }).first();

  it("lists the cells with expectations, runs them, and shows failures", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("failing.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Run All").waitFor();
    await host.command("Testing: Focus on Test Explorer View");
    await row(/ci\/health\.rpc\.json/).waitFor();
    await row(/failing\.rpc\.json/).waitFor();
    await host.command("Test: Run All Tests");
    await item(/ci\/health\.rpc\.json.*Passed/).waitFor();
    await item(/failing\.rpc\.json.*Failed/).waitFor();
    await host.command("Test Results: Focus on Test Results View"); // VS Code does not always show a failure by itself
    await page
      .getByText(/Expected result to be "0x1"\. It is "0x7a69"/)
      .first()
      .waitFor();
    await screenshot("test-explorer");
  });

  it("shows the state of tests that were run as cells of the notebook", async () => {
    const { page, screenshot } = host;
    await host.command("Test: Clear All Results");
    await page.getByText("No test results yet").first().waitFor();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    await item(/failing\.rpc\.json.*Failed/).waitFor();
    await screenshot("test-explorer-notebook-run");
  });
});
