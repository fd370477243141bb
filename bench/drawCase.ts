// Draws the reports in a file in Chromium, and prints milliseconds as JSON. A process of its own: the loader of the tests
// finds the packages of the browser.
import { readFileSync } from "node:fs";
import { startBrowser } from "../test/e2e/host/browser.ts";
import { rendererScript, resultsPage } from "../test/e2e/results/page.ts";

const rounds = 9;
const reports = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
await page.exposeFunction("rowsOf", () => null);
await page.setContent(resultsPage("dark", await rendererScript(), [{ title: "a", cell: "{}", reports }]));
// The loader gives functions their names by a helper that the page lacks.
await page.evaluate("globalThis.__name = (value) => value");
const times = await page.evaluate(measured, { reports, rounds });
await browser.close();
console.log(JSON.stringify(times));
process.exit();

/** Runs in the page. */
async function measured({ reports, rounds }: { reports: unknown; rounds: number }) {
  const frame = { next: () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))) };
  const out = document.createElement("div");
  document.body.prepend(out);
  const shown = (globalThis as unknown as { shown: { renderOutputItem(item: object, place: Element): void } }).shown; // set by the page
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    out.replaceChildren();
    await frame.next();
    const begun = performance.now();
    shown.renderOutputItem({ id: "b", mime: "", json: () => reports, metadata: { output: "b" } }, out);
    out.getBoundingClientRect();
    times.push(performance.now() - begun);
  }
  return times;
}
