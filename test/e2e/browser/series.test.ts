import assert from "node:assert/strict";
import type { Report } from "../../../server/src/report/report.ts";
import { type Page, sharedBrowser } from "../host/browser.ts";
import { rendererScript, resultsPage } from "../results/page.ts";

const fees: Report = {
  title: "cell 1: eth_feeHistory",
  summary: "",
  facts: [],
  status: "ok",
  sections: [
    {
      kind: "series",
      title: "Base fees",
      shape: "line",
      place: "block",
      points: [3, 1, 2].map((value, at) => ({ at: `${at + 7}`, value, text: `${value} gwei` })),
      text: "from 1 to 3 gwei",
    },
  ],
};

describe("numbers in their order, in the notebook", function () {
  this.timeout(300_000);
  let page: Page;
  before(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 800, height: 400 } });
    await page.setContent(resultsPage("dark", await rendererScript(), [{ title: "a", cell: "{}", reports: [fees] }]));
  });
  after(() => page?.close());

  it("are visited by keys, and say each value: the first and the last are the ends", async () => {
    const slider = page.getByRole("slider", { name: "Base fees" });
    assert.equal(await slider.getAttribute("aria-valuetext"), "from 1 to 3 gwei");
    for (const [key, now, said] of [
      ["ArrowRight", "2", "block 8: 1 gwei"],
      ["End", "3", "block 9: 2 gwei"],
      ["ArrowRight", "3", "block 9: 2 gwei"],
      ["PageUp", "2", "block 8: 1 gwei"],
      ["Home", "1", "block 7: 3 gwei"],
      ["ArrowLeft", "1", "block 7: 3 gwei"],
    ] as const) {
      await slider.press(key);
      assert.deepEqual(
        [await slider.getAttribute("aria-valuenow"), await slider.getAttribute("aria-valuetext")],
        [now, said],
      );
      assert.equal(await page.locator(".series .count").textContent(), said);
    }
  });

  it("are named by the pointer", async () => {
    await page.locator(".series svg").hover({ position: { x: 690, y: 40 } });
    assert.equal(await page.locator(".series .count").textContent(), "block 9: 2 gwei");
  });
});
