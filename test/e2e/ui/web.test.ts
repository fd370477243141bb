import type { Host } from "../host/workbench.ts";
import { type Installation, install, keptResults, openWebWorkbench } from "../installed.ts";

describe("the web extension", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    host = await openWebWorkbench(installation);
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("web-failure");
  });

  it("shows its results again after the page was reloaded", async () => {
    const { page, screenshot } = host;
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    const balance = output.getByText(/^[\d,.]+ ether$/).first();
    const name = "quickstart.recorded.rpc.json";
    const open = () => page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
    await open();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    while (!(await balance.isVisible())) await page.screenshot(); // a hidden window does not draw
    while (!keptResults(installation).includes(name)) await page.screenshot();
    await page.reload();
    await open(); // the page may be too young for the editor to know what was open
    await page
      .locator(".cell-statusbar-container", { hasText: /from \d/ })
      .first()
      .waitFor();
    while (!(await balance.isVisible())) await page.screenshot();
    await screenshot("web-kept");
  });
});
