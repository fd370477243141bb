import assert from "node:assert/strict";
import type { Report } from "../../../server/src/report/report.ts";
import { some } from "../../support/depth.ts";
import { type Page, sharedBrowser } from "../host/browser.ts";
import { deepCalls } from "../results/deepCalls.ts";
import { manyLogs, reportOnLogs } from "../results/manyLogs.ts";
import { type Result, rendererScript, resultsPage } from "../results/page.ts";
import { violations } from "../results/violations.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const report: Report = {
  title: "cell 1: eth_getCode",
  summary: "delegated account",
  status: "ok",
  headline: [
    { text: "1.5 ether", exact: "1.500000000000000001 ether" },
    { text: "+1 ether", role: "more", since: 0 },
  ],
  sections: [
    { kind: "fields", fields: [{ name: "delegates to", value: { text: "Demo Dollar", raw: token, role: "name" } }] },
    { kind: "exact", forms: ["0x1"] },
    { kind: "note", text: "Guessed." },
    {
      kind: "flow",
      moves: [{ from: "alice", to: "bob", amount: "1" }],
      balances: ["bob +1"],
      text: "alice gives bob 1",
    },
    {
      kind: "tree",
      title: "Calls",
      nodes: [
        {
          parts: [
            { text: "0 ·", role: "quiet" },
            { text: "poor", role: "bad" },
          ],
          children: [],
        },
      ],
    },
    { kind: "table", columns: [{ name: "To", align: "left" }], rows: [[{ text: token, role: "address" }]], total: 1 },
    { kind: "fields", title: "All fields", fields: [{ name: "nonce", value: { text: "7" } }], folded: true },
  ],
  facts: [
    { name: "endpoint", value: "local (127.0.0.1:8545)", short: "local" },
    { name: "block", value: "pending", short: "pending", role: "pending" },
    { name: "batch", value: "of 25 requests" },
  ],
  // Read when the page is made: this file may be loaded long before.
  get ranAt() {
    return Date.now() - 125_000;
  },
  blockMs: 2000,
};
const failed: Report = {
  ...report,
  status: "failed",
  headline: [{ text: "Not sent: the cell is not JSON yet" }],
  sections: [
    {
      kind: "failure",
      what: "The cell is not JSON yet.",
      todo: "Close the `{`.",
      fields: [],
      actions: [{ kind: "show", label: "Show in Cell", start: 3, end: 4 }],
    },
  ],
};
const results: readonly Result[] = [
  { title: "a", cell: "{}", reports: [report] },
  { title: "b", cell: "{}", reports: [failed] },
];

function bottomOf(box: { readonly y: number; readonly height: number } | null): number {
  return box ? box.y + box.height : Number.NaN;
}

describe("a result in the notebook", function () {
  this.timeout(300_000);
  let page: Page;

  before(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 600, height: 600 } });
    await page.setContent(resultsPage("dark", await rendererScript(), results));
  });
  after(() => page?.close());

  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const posted = () => page.evaluate(() => Reflect.get(globalThis, "posted"));

  it("is one headline and one quiet line; a click shows all facts", async () => {
    const first = page.getByRole("article").first();
    assert.equal(await first.locator("h3").textContent(), "1.5 ether");
    assert.equal(await first.locator("h3").getAttribute("title"), "1.500000000000000001 ether");
    assert.match(
      (await first.locator(".about > summary").textContent()) ?? "",
      /^local · pending · 2 minutes ago, about 6\d blocks$/,
    );
    assert.equal(await first.getByText("of 25 requests").isVisible(), false);
    await first.locator(".about > summary").click();
    assert.equal(await first.getByText("of 25 requests").isVisible(), true);
    assert.equal(await first.locator(".pill").count(), 0);
  });

  it("opens a menu by the keyboard: arrows move, Escape gives the focus back", async () => {
    const address = page.getByRole("button", { name: /^Demo Dollar/ });
    await address.focus();
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "Copy");
    const [output, menu] = [page.locator(".rpcn").first(), page.getByRole("menu")];
    const [outer, inner] = [await output.boundingBox(), await menu.boundingBox()];
    assert.equal(bottomOf(inner) <= bottomOf(outer), true, "the output has room for the menu");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "Add Label…");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(), "Requests About This");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "Demo Dollar");
    assert.equal(await page.getByRole("menu").count(), 0);
    await page.keyboard.press("Space");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    assert.deepEqual(await posted(), [{ result: { kind: "about", output: "a", value: token } }]);
    assert.equal(await focused(), "Demo Dollar");
  });

  it("folds what is not the answer", async () => {
    const fold = page.getByRole("button", { name: "All fields" });
    assert.equal(await fold.getAttribute("aria-expanded"), "false");
    await fold.press("Enter");
    assert.equal(await page.getByText("nonce").isVisible(), true);
  });

  it("says a failure once, without backticks, with buttons", async () => {
    const second = page.getByRole("article").nth(1);
    assert.equal(await second.locator(".pill").textContent(), "Failed");
    assert.equal(await second.getByText("is not JSON yet").count(), 1);
    assert.equal(await second.locator(".todo").textContent(), "Close the {.");
    await second.getByRole("button", { name: "Show in Cell" }).click();
    const action = { kind: "show", label: "Show in Cell", start: 3, end: 4 };
    assert.deepEqual((await posted()).at(-1), { result: { kind: "action", output: "b", action } });
  });

  for (const theme of some(["light", "hc-dark", "dark", "hc-light"], 1)) {
    it(`breaks no rule of WCAG when it is stale, streamed, or a table of several kinds: ${theme}`, async () => {
      const tab = await (await sharedBrowser()).newPage();
      const live: NonNullable<Report["live"]> = { uri: "file:///a", cell: { index: 0 }, paused: false, filter: "" };
      const { report: logs } = reportOnLogs(manyLogs(100));
      const all = [{ ...report, stale: true } as const, { ...report, live }, failed, logs];
      const shown = all.map((one, at) => ({ title: String(at), cell: "{}", reports: [one] }));
      await tab.setContent(resultsPage(theme, await rendererScript(), shown));
      await tab.locator(".chip").first().click();
      assert.deepEqual(await violations(tab.mainFrame()), []);
      await tab.close();
    });
  }

  it("is never wider than the page", async () => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
});

describe("a table of 100,000 rows in the notebook", function () {
  this.timeout(300_000);
  const total = 100_000;
  let page: Page;

  before(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 1000, height: 800 } });
    const { report: logs, rows } = reportOnLogs(manyLogs(total));
    await page.exposeFunction("rowsOf", rows);
    await page.setContent(resultsPage("dark", await rendererScript(), [{ title: "a", cell: "{}", reports: [logs] }]));
  });
  after(() => page?.close());

  const focused = () =>
    page.evaluate(() => {
      const cell = document.activeElement;
      return `${cell?.closest("tr")?.getAttribute("aria-rowindex")}: ${cell?.textContent}`;
    });
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const drawn = () => page.locator("tbody tr:not(.spacer)").count();
  const count = () => page.locator(".count").textContent();
  const grid = () => page.getByRole("grid");
  /** Waits until a row is there. */
  const row = (index: number, text: string) =>
    page.locator(`tr[aria-rowindex="${index}"]`).filter({ hasText: text }).waitFor();

  it("says what it is, and draws only what is in view", async () => {
    assert.equal(await page.locator("h3").textContent(), "100,000 logs");
    assert.match((await page.locator(".caption").textContent()) ?? "", /^Contract 0x5F/i);
    assert.deepEqual(await page.locator(".chip").allTextContents(), ["Transfer 80,000", "Approval 20,000"]);
    assert.equal(await count(), "100,000 rows");
    assert.equal(await grid().getAttribute("aria-rowcount"), "100001");
    assert.equal((await drawn()) < 40, true, "rows out of view are not drawn");
  });

  it("cuts no row in half", async () => {
    const cut = await page.evaluate(() => {
      const box = document.querySelector(".scroll");
      if (!box) return ["no box"];
      const bottom = box.getBoundingClientRect().top + 1 + box.clientHeight;
      return [...document.querySelectorAll("tbody tr:not(.spacer)")]
        .map((one) => one.getBoundingClientRect())
        .filter(({ top, bottom: end }) => top < bottom - 1 && end > bottom + 1)
        .map(({ top }) => String(top));
    });
    assert.deepEqual(cut, []);
  });

  it("has one stop for the Tab key, and moves by arrows and pages to its end", async () => {
    await page.getByRole("button", { name: "Save All…" }).focus();
    await press("Tab");
    assert.equal(await focused(), "2: 1,000");
    await press("ArrowDown", "ArrowRight");
    assert.equal(await focused(), "3: 1");
    await press("PageDown", "Home");
    assert.match(await focused(), /^18: /);
    for (const row of ["3", "2", "2"]) {
      await press("PageUp"); // never to the head
      assert.match(await focused(), new RegExp(`^${row}: `));
    }
    await press("Control+End");
    await row(100_001, "5,999");
    assert.match(await focused(), /^100001: /);
    assert.equal((await drawn()) < 40, true, "rows out of view are not drawn");
    await press("Control+Home");
    assert.match(await focused(), /^2: /);
    assert.equal(await page.locator("[role=grid] [tabindex='0']").count(), 1);
  });

  it("keeps its place for the Tab key when rows scroll away", async () => {
    await page.locator(".scroll").evaluate((box) => box.scrollTo({ top: 1_000_000 }));
    await row(40_002, "3,000");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TABLE");
    await press("ArrowDown");
    assert.match(await focused(), /^3: /);
  });

  it("is sorted at the head by Enter, and says so", async () => {
    await press("Control+Home", "ArrowUp", "ArrowRight");
    const block = page.getByRole("columnheader", { name: "Block" });
    assert.equal(await block.getAttribute("aria-sort"), "none");
    await press("Enter");
    await page.locator("th[aria-sort=ascending]").getByText("Block").waitFor();
    await press("Enter");
    await row(2, "5,999");
    assert.equal(await block.getAttribute("aria-sort"), "descending");
    assert.match(await focused(), /^1: Block/);
  });

  it("has a column for each argument of one kind", async () => {
    await page.getByRole("button", { name: "Approval 20,000" }).click();
    await page.getByRole("columnheader", { name: "spender" }).waitFor();
    assert.equal(await count(), "20,000 rows");
  });

  it("is filtered over all rows", async () => {
    await page.getByRole("searchbox").fill(`0x${"186a0".padStart(64, "0")}`);
    await page.getByText("1 of 20,000 rows").waitFor();
    assert.equal(await grid().getAttribute("aria-rowcount"), "2");
    await page.getByRole("searchbox").fill("");
    await page.getByText(/^20,000 rows$/).waitFor();
  });

  it("opens a row by Enter: everything decoded, and the log; Escape goes back", async () => {
    await page.locator("tr[aria-rowindex='3'] td").nth(1).focus();
    await press("Enter");
    const opened = page.locator("td.detail");
    await opened.getByText("Approval", { exact: true }).waitFor();
    await opened.getByRole("button", { name: "Raw JSON" }).press("Enter");
    await opened.getByText('"transactionHash"').waitFor();
    await press("Escape");
    assert.equal(await opened.count(), 0);
    assert.match(await focused(), /^3: /);
  });

  it("opens the menu of an address by Enter; Escape goes back to its cell", async () => {
    await press("ArrowRight", "ArrowRight", "ArrowRight");
    const cell = await focused();
    await press("Enter");
    assert.equal(await page.getByRole("menu").count(), 1);
    await press("Escape");
    assert.equal(await focused(), cell);
  });

  it("shows the columns that a person chooses, in the order chosen", async () => {
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Contract" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Log" }).click();
    await press("Escape");
    const names = () => page.getByRole("columnheader").allTextContents();
    assert.deepEqual((await names()).slice(0, 4), ["Details", "Block", "owner", "spender"]);
    assert.equal((await names()).includes("Contract"), true);
    await page.getByRole("columnheader", { name: "owner" }).focus();
    await press("Alt+ArrowRight");
    assert.deepEqual((await names()).slice(0, 4), ["Details", "Block", "spender", "owner"]);
    assert.match(await focused(), /^1: owner/);
  });

  it("asks for a file with all rows of what is shown", async () => {
    await page.getByRole("button", { name: "Save All…" }).click();
    const posted = await page.evaluate(() => Reflect.get(globalThis, "posted"));
    const { kind, all, filtered } = posted.at(-1).result;
    assert.deepEqual([kind, filtered.rest, filtered.total < all.total], ["save-rows", "1.2", true]);
  });
});

describe("the gas of calls in the notebook", function () {
  this.timeout(300_000);
  let page: Page;

  before(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 800, height: 900 } });
    const traced = { title: "a", cell: "{}", reports: [deepCalls()] };
    await page.setContent(resultsPage("dark", await rendererScript(), [traced]));
  });
  after(() => page?.close());

  const calls = () => page.getByRole("treeitem");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  const said = () => page.locator(".flame .count").first().textContent();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it("is one stop for the Tab key, and says how it is used", async () => {
    assert.match((await page.getByRole("tree").getAttribute("aria-label")) ?? "", /Enter zooms in, Escape zooms out/);
    assert.equal(await page.locator(".flame [tabindex='0']").count(), 1);
    await page.getByRole("button", { name: "Export for speedscope…" }).focus();
    await press("Tab");
    assert.match(await focused(), /^Router: 100,000 gas, 100% of all, 20,000 of its own$/);
    assert.equal(await said(), await focused());
  });
  it("moves by arrows: into a call, along a row, and out", async () => {
    await press("ArrowDown");
    assert.match(await focused(), /^first: 50,000 gas, 50% of all/);
    await press("ArrowRight");
    assert.match(await focused(), /^second: 30,000 gas, 30% of all, failed: too small$/);
    await press("ArrowRight", "ArrowLeft", "ArrowUp");
    assert.match(await focused(), /^Router/);
    assert.equal(await page.locator(".flame [tabindex='0']").count(), 1);
  });
  it("zooms to a call by Enter, and back by Escape", async () => {
    const all = await calls().count();
    await press("ArrowDown", "Enter");
    assert.match(await focused(), /^first/);
    assert.equal(await page.locator(".call:focus").getAttribute("width"), "100%");
    await press("Escape");
    assert.equal(await calls().count(), all);
    assert.match(await focused(), /^first/);
  });
  it("goes on below its last row, and comes back", async () => {
    for (let level = 0; level < 30; level++) await press("ArrowDown");
    assert.match(await focused(), /^inside 30: /);
    await press("Home", "ArrowUp");
    assert.match(await focused(), /^inside /);
    while ((await page.locator(".call").first().getAttribute("aria-level")) !== "1") await press("Escape");
    await press("Home");
    assert.match(await focused(), /^Router/);
  });
  it("marks calls that failed by a sign too", async () => {
    assert.equal(await page.locator(".call.failed text").textContent(), "✗ second");
    assert.equal(
      (await page.locator(".call.failed rect").evaluate((rect) => getComputedStyle(rect).strokeDasharray)) !== "none",
      true,
    );
  });
  it("shows what is under the pointer", async () => {
    await page.locator(".call.failed").hover();
    assert.match((await said()) ?? "", /^second: 30,000 gas/);
  });
  it("asks for a file for speedscope", async () => {
    await page.getByRole("button", { name: "Export for speedscope…" }).click();
    const posted = await page.evaluate(() => Reflect.get(globalThis, "posted"));
    const { kind, rest } = posted.at(-1).result;
    assert.deepEqual([kind, rest], ["save-profile", "1.calls0"]);
  });
  it("is never wider than the page", async () => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
});
