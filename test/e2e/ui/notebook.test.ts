import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

describe("the notebook", function () {
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

  it("runs all cells, after asking once for the host, and shows decoded results", async () => {
    const { page, screenshot } = host;
    await page.locator(".explorer-folders-view").getByText("quickstart.rpc.json", { exact: true }).dblclick();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    await page.locator(".monaco-dialog-box").getByText("Allow", { exact: true }).click();
    const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    await output
      .getByText(/^[\d,.]+ ether$/)
      .first()
      .waitFor();
    await output.getByText("delegated account, runs the code of Payments").waitFor();
    await screenshot("quickstart-run-all");
    await page
      .locator(".notebookOverlay")
      .first()
      .click({ position: { x: 20, y: 300 } });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+End");
    const simulation = output.getByText(/^1 simulated block, 2 calls/);
    while (!(await simulation.isVisible())) await page.screenshot(); // a hidden window does not draw
    await screenshot("quickstart-end");
    await page.locator(".notebook-toolbar-container").getByText("Open as JSON").click();
    await page.locator(".codelens-decoration", { hasText: "ether" }).first().waitFor(); // the results of the notebook appear here too
    await screenshot("text-view-light");
  });
});
