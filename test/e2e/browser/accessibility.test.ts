import assert from "node:assert/strict";
import { some } from "../../support/depth.ts";
import { type Page, sharedBrowser } from "../host/browser.ts";
import { everyKind } from "../results/everyKind.ts";
import { rendererScript, resultsPage, themeStyle } from "../results/page.ts";
import { violations } from "../results/violations.ts";

describe("every kind of result", function () {
  this.timeout(300_000);
  let page: Page;

  before(async () => {
    const results = await everyKind();
    page = await (await sharedBrowser()).newPage({ viewport: { width: 1100, height: 900 } });
    await page.setContent(resultsPage("dark", await rendererScript(), results));
    assert.equal(await page.locator(".rpcn").count(), results.length);
    await page.evaluate(openEverything);
  });
  after(() => page?.close());

  for (const theme of some(["light", "hc-dark", "dark", "hc-light"], 1)) {
    it(`breaks no rule of WCAG: ${theme}`, async () => {
      await page.evaluate(choose, { theme, style: themeStyle(theme) });
      assert.deepEqual(await violations(page.mainFrame()), []);
    });
  }

  it("is shown to break rules by a text without contrast, and a button without a name", async () => {
    await page.evaluate(() => {
      const [place, ...others] = document.querySelectorAll(".rpcn");
      for (const one of others) one.remove();
      place?.insertAdjacentHTML("beforeend", "<button></button><p style='color: #777; background: #888'>weak</p>");
    });
    const found = await violations(page.mainFrame());
    assert.deepEqual(found.map((one) => one.split(":")[0]).sort(), ["button-name", "color-contrast"]);
  });
});

/** Runs in the page. */
function openEverything(): void {
  for (const one of document.querySelectorAll<HTMLElement>(".folds button, .about > summary, .chip")) one.click();
}

/** Runs in the page. */
function choose({ theme, style }: { readonly theme: string; readonly style: string }): void {
  document.documentElement.setAttribute("style", style);
  document.body.className = `vscode-${theme}`;
}
