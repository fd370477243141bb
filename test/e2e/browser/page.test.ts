import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import { openMask } from "../../../server/src/base/mask.ts";
import { clock } from "../../../server/src/node/environment.ts";
import type { ExportPageParams } from "../../../server/src/protocol/conversion.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { RowStore } from "../../../server/src/run/result/rowStore.ts";
import { exportPage } from "../../../server/src/save/exportPage.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { some } from "../../support/depth.ts";
import { hostileTexts } from "../../support/hostileText.ts";
import { pageScript } from "../../support/pageScript.ts";
import { type Page, sharedBrowser } from "../host/browser.ts";

const quickstart = fileURLToPath(new URL("../../../examples/quickstart.recorded.rpc.json", import.meta.url));

const hostile = `</script><script>globalThis.pwned=1</script><img src=x onerror="globalThis.pwned=1"><a href="https://evil.example">`;
const value = { text: hostile, raw: hostile, also: [hostile] };
const shared = { text: `0x${"ab".repeat(20)}` };
const rows = Array.from({ length: 60 }, (_, at) => [{ text: `row ${at}` }, ...Array(11).fill(value), shared]);
const report: Report = {
  title: hostile,
  summary: hostile,
  status: "ok",
  headline: [{ text: hostile, exact: hostile }],
  facts: [{ name: "endpoint", value: hostile, short: hostile }],
  explorer: "https://evil.example",
  sections: [
    { kind: "fields", title: hostile, fields: [{ name: hostile, value }], folded: true },
    {
      kind: "table",
      title: hostile,
      columns:
        rows[0]?.map((one, at) => ({ name: `column ${at}`, align: "left", ...(one === shared && { shared }) })) ?? [],
      rows,
      total: 75,
    },
    {
      kind: "tree",
      title: "Calls",
      nodes: [{ parts: [{ text: "outer" }], children: [{ parts: [{ text: "inner" }], children: [] }] }],
    },
    { kind: "flow", moves: [{ from: hostile, to: hostile, amount: hostile }], balances: [hostile], text: hostile },
    { kind: "text", text: hostile.repeat(200), length: hostile.length * 200 },
  ],
};

/** A report from any source, which has a text in every place. */
function everywhere(text: string): Report {
  const value = { text, raw: text, also: [text], role: text, struck: false };
  const leaf = { parts: [{ text }], children: [] };
  const frame = { name: text, depth: 0, start: 0, width: 1, gas: text, own: text, failed: text };
  const sections = [
    { kind: "fields", title: text, fields: [{ name: text, value }] },
    { kind: "table", title: text, columns: [{ name: text, align: text }], rows: [[value]], total: 1 },
    { kind: "failure", what: text, todo: text, fields: [{ name: text, value }] },
    { kind: "note", text },
    { kind: "text", title: text, text, length: text.length },
    { kind: "exact", forms: [text, text] },
    { kind: "tree", title: text, partial: text, nodes: [{ ...leaf, children: [leaf] }] },
    { kind: "flame", title: text, frames: [frame, { ...frame, depth: 1 }], total: 1, text, note: text, rest: text },
    { kind: "flow", moves: [{ from: text, to: text, amount: text }], balances: [text], text },
  ];
  const headline = [{ text, exact: text, role: text, share: 0.5, since: 0 }];
  const made = { title: text, summary: text, status: text, headline, facts: [{ name: text, value: text }], sections };
  return { ...made, explorer: text } as unknown as Report; // its columns and roles are texts of anyone
}

/** A page in a browser without a network. */
interface Opened {
  readonly page: Page;
  /** The addresses of all requests. */
  readonly requests: readonly string[];
  /** Everything on the console, and errors. */
  readonly messages: readonly string[];
}

describe("an exported page in a browser", function () {
  this.timeout(300_000);
  let folder = "";
  const files = { quickstart: "", hostile: "" };
  /** Pages that several tests look at. */
  const kept = new Map<string, Promise<Opened>>();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "page-"));
    files.quickstart = join(folder, "quickstart.html");
    const { code, err } = await runCommand(["export", quickstart, "--to", "html", "--out", files.quickstart], folder);
    assert.equal(code, 0, err);
    files.hostile = join(folder, "hostile.html");
    const cells: ExportPageParams["cells"] = (["header", "markdown", "request"] as const).map((kind) => ({
      kind,
      text: kind === "request" ? JSON.stringify({ name: hostile, method: hostile }) : hostile,
      reports: kind === "request" ? [report] : [],
    }));
    const support = { rowStore: new RowStore(clock), mask: openMask(), clock, version: "1.0.0" };
    writeFileSync(files.hostile, await exportPage({ title: hostile, cells, script: await pageScript() }, support));
  });
  after(async () => {
    for (const opened of kept.values()) await (await opened).page.context().close();
    rmSync(folder, { recursive: true });
  });

  const open = async (
    file: string,
    options: { colorScheme?: "light" | "dark"; javaScriptEnabled?: boolean; width?: number } = {},
  ): Promise<Opened> => {
    const { width = 1280, ...rest } = options;
    const context = await (await sharedBrowser()).newContext({
      ...rest,
      offline: true,
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    const [requests, messages]: [string[], string[]] = [[], []];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(String(error)));
    await page.goto(pathToFileURL(file).href);
    return { page, requests, messages };
  };

  const shown = (name: keyof typeof files, colorScheme: "light" | "dark"): Promise<Opened> => {
    const key = `${name}, ${colorScheme}`;
    const opened = kept.get(key) ?? open(files[name], { colorScheme });
    kept.set(key, opened);
    return opened;
  };

  for (const [name, colorScheme] of some(
    [
      ["quickstart", "light"],
      ["quickstart", "dark"],
      ["hostile", "dark"],
      ["hostile", "light"],
    ] as const,
    2,
  ))
    it(`asks for nothing, and is clean for axe-core: ${name}, ${colorScheme}`, async () => {
      const { page, requests, messages } = await shown(name, colorScheme);
      assert.ok((await page.locator(".rpcn .report").count()) > 0, "the script has drawn the results");
      for (const button of await page.locator(".folds button").all()) await button.click();
      const found = await violations(page);
      assert.deepEqual(found, []);
      const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      assert.equal(background, colorScheme === "dark" ? "rgb(31, 31, 31)" : "rgb(255, 255, 255)");
      assert.deepEqual(requests, [pathToFileURL(files[name]).href]);
      assert.deepEqual(messages, []);
    });

  it("shows hostile text as text", async () => {
    const { page } = await shown("hostile", "dark");
    assert.equal(await page.evaluate("globalThis.pwned"), undefined);
    assert.equal(await page.locator("img, a, iframe, body script:not([id]):not(:last-of-type)").count(), 0);
    assert.equal(await page.title(), hostile);
    assert.ok((await page.locator(".rpcn h3").first().textContent())?.includes(hostile));
  });

  it("shows every hostile text as text, wherever a report has it", async () => {
    const texts = hostileTexts.filter(({ text }) => text.length < 1_000);
    const cells = [{ kind: "request" as const, text: "{}", reports: texts.map(({ text }) => everywhere(text)) }];
    const support = { rowStore: new RowStore(clock), mask: openMask(), clock, version: "1.0.0" };
    const file = join(folder, "everywhere.html");
    writeFileSync(file, await exportPage({ title: "a", cells, script: await pageScript() }, support));
    const { page, requests, messages } = await open(file);
    assert.equal(await page.locator(".rpcn .report").count(), texts.length);
    assert.equal(
      await page.locator("img, a, b, i, h1:not(main h1), iframe, .rpcn script, .rpcn style, [style*=url]").count(),
      0,
    );
    assert.deepEqual([await page.evaluate("globalThis.pwned"), requests.length, messages], [undefined, 1, []]);
    await page.context().close();
  });

  it("works: it opens sections, filters rows and says how many it has", async () => {
    const { page, messages } = await shown("hostile", "dark");
    assert.equal(await page.locator(".table .count").first().textContent(), "60 of 75 rows");
    const fold = page.locator(".folds button").first();
    const was = await fold.getAttribute("aria-expanded");
    await fold.click();
    assert.deepEqual([was, await fold.getAttribute("aria-expanded")].sort(), ["false", "true"]);
    await page.locator(".filter").first().fill("row 59");
    await page.locator("tbody tr[aria-rowindex]").nth(1).waitFor({ state: "detached" });
    assert.equal(await page.locator("tbody tr[aria-rowindex] td").nth(1).textContent(), "row 59");
    assert.match((await page.locator("footer").textContent()) ?? "", /15 rows of long tables are left out\./);
    assert.deepEqual(messages, []);
  });

  it("shows the text of each result without JavaScript", async () => {
    const { page } = await open(files.quickstart, { javaScriptEnabled: false });
    const results = await page.locator(".result > pre").allTextContents();
    assert.equal(results.length, 12);
    assert.match(results.join("\n"), /1,025 DUSD/);
    await page.context().close();
  });

  for (const name of ["quickstart", "hostile"] as const)
    it(`prints on A4 with everything open and no line cut off: ${name}`, async () => {
      const { page, messages } = await open(files[name], { colorScheme: "dark" });
      const before = await page.locator(".rpcn").first().innerHTML();
      await page.evaluate(
        'addEventListener("beforeprint", () => { globalThis.printed = document.querySelectorAll("tr[aria-rowindex]").length })',
      );
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1")) ?? [];
      assert.ok(Math.abs(Number(width) - 595) < 2 && Math.abs(Number(height) - 842) < 2, "the points of A4");
      assert.equal(await page.locator(".rpcn").first().innerHTML(), before, "the screen is as it was");
      if (name === "hostile") assert.equal(await page.evaluate("printed"), 61, "all rows and the head are printed");
      // as wide as the text on A4, in the state in which the printer finds it
      await page.setViewportSize({ width: 703, height: 1000 });
      await page.emulateMedia({ media: "print" });
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      const widest = await page.evaluate(
        '({ page: document.documentElement.scrollWidth, over: [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > 704 && one.getClientRects().length > 0).map((one) => one.outerHTML.slice(0, 100)), closed: document.querySelectorAll("details:not([open]):not(.about):not(.header), .fold[hidden]").length, background: getComputedStyle(document.body).backgroundColor })',
      );
      assert.deepEqual(widest, { page: 703, over: [], closed: 0, background: "rgb(255, 255, 255)" });
      assert.deepEqual(messages, []);
      await page.context().close();
    });

  it("fits a narrow window", async () => {
    for (const file of Object.values(files))
      for (const width of [800, 400]) {
        const { page } = await open(file, { width });
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        await page.context().close();
      }
  });

  it("would not pass with an element that axe-core does not like, or that asks for something", async () => {
    const { page, requests, messages } = await shown("quickstart", "light");
    await page.evaluate(
      'document.querySelector("main").insertAdjacentHTML("beforeend", "<img src=https://x.example/a.png>")',
    );
    assert.ok((await violations(page)).includes("image-alt"));
    assert.equal(requests.length, 2, "one that the policy stops is seen too");
    assert.match(messages.join(), /Content Security Policy/);
  });
});

/** The ids of the rules of axe-core that a page breaks. The page's own policy would not let a script in. */
async function violations(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(async () => {
    const module = { exports: {} };
    ${axe.source}
    const { violations } = await module.exports.run(document);
    return violations.map(({ id }) => id);
  })()`);
}
