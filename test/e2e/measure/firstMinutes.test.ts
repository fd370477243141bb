import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

type Locator = ReturnType<Host["page"]["locator"]>;

describe("the first minutes after the installation", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
  });
  after(() => installation?.remove());
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await host.screenshot(`first-minutes-failure ${this.currentTest.title.replaceAll(/\W+/g, " ")}`);
  });

  /** Clicks until a balance is shown, and prints the seconds, which depend on the machine. */
  async function expectAnswer(places: readonly Locator[], maxClicks: number): Promise<void> {
    const { page } = host;
    const begun = performance.now();
    const clicked: string[] = [];
    for (const place of places) {
      await place.click();
      clicked.push(((performance.now() - begun) / 1000).toFixed(1));
    }
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    const answer = output.getByText(/^≈?[\d,.]+ ether$/).first();
    while (!(await answer.isVisible())) await page.screenshot(); // a hidden window does not draw
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `      ${places.length} clicks after ${clicked.join(", ")} s; the answer after ${seconds.toFixed(1)} s`,
    );
    assert.equal(places.length <= maxClicks, true, `${places.length} clicks`);
  }

  describe("without a node", () => {
    before(async () => {
      host = await openWorkbench(installation, { open: undefined, welcome: true });
    });
    after(() => host?.close());

    it("show a decoded answer after at most 3 clicks", async () => {
      const { page } = host;
      const welcome = page.locator(".prev-button", { hasText: "Welcome" }); // a new window shows VS Code's own walkthrough
      const walkthrough = page.locator(".getting-started-category", { hasText: "RPC Notebook" }).first();
      const step = page.locator(".getting-started-step", { hasText: "See a decoded answer" });
      await expectAnswer([welcome, walkthrough, step.locator(".monaco-button")], 3);
      await host.screenshot("first-answer-recorded");
    });

    it("show the pictures of README.md on the page of the extension", async () => {
      const { page, screenshot } = host;
      await page.keyboard.press("Control+Shift+X");
      await page.locator(".extensions-viewlet .monaco-list-row", { hasText: "RPC Notebook" }).first().click();
      const readme = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
      const picture = readme.locator("img[src^='data:image/png']").first();
      await picture.waitFor();
      const isDrawn = (image: Element): boolean => image instanceof HTMLImageElement && image.naturalWidth > 0;
      while (!(await picture.evaluate(isDrawn))) await page.screenshot();
      await screenshot("extension-page");
    });
  });

  describe("with a node", () => {
    before(async () => {
      rmSync(path.join(installation.workspace, "rpc-endpoints.private.json"));
      const settings = { "rpcNotebook.endpoints": { local: installation.chain.url } };
      host = await openWorkbench(installation, { settings, viewport: { width: 1280, height: 2400 } });
    });
    after(() => host?.close());

    const file = (name: string) => host.page.locator(".explorer-folders-view").getByText(name, { exact: true });
    it("show a decoded answer after at most 2 clicks", async () => {
      const runAll = host.page.locator(".notebook-toolbar-container").getByText("Run All");
      await expectAnswer([file("quickstart.rpc.json"), runAll], 2);
      await host.screenshot("first-answer-node");
    });
  });
});
