// Draws a table of 100,000 rows in Chromium, and prints milliseconds as JSON. A process of its own: the loader of the
// tests finds the packages of the browser.
import { startBrowser } from "../test/e2e/host/browser.ts";
import { manyLogs, reportOnLogs } from "../test/e2e/results/manyLogs.ts";
import { rendererScript, resultsPage } from "../test/e2e/results/page.ts";

const rounds = 9;
const total = 100_000;
const { report, rows } = reportOnLogs(manyLogs(total));
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
await page.exposeFunction("rowsOf", rows);
await page.setContent(resultsPage("dark", await rendererScript(), [{ title: "a", cell: "{}", reports: [report] }]));
// The loader gives functions their names by a helper that the page lacks.
await page.evaluate("globalThis.__name = (value) => value");
const times = await page.evaluate(measured, { report, rounds, total });
await browser.close();
console.log(JSON.stringify(times));
process.exit();

/** Runs in the page. */
async function measured({ report, rounds, total }: { report: unknown; rounds: number; total: number }) {
  const frame = { next: () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))) };
  const times = { paint: [] as number[], scroll: [] as number[], far: [] as number[] };
  const out = document.createElement("div");
  document.body.prepend(out);
  const shown = (globalThis as unknown as { shown: { renderOutputItem(item: object, place: Element): void } }).shown; // set by the page
  for (let round = 0; round < rounds; round++) {
    out.replaceChildren();
    await frame.next();
    const begun = performance.now();
    shown.renderOutputItem({ id: "b", mime: "", json: () => [report], metadata: { output: "b" } }, out);
    out.getBoundingClientRect();
    times.paint.push(performance.now() - begun);
  }
  const box = out.querySelector(".scroll");
  if (!box) throw new Error("no table");
  for (let round = 0; round < rounds * 5; round++) {
    const begun = performance.now();
    box.scrollTop += 125;
    box.dispatchEvent(new Event("scroll"));
    box.getBoundingClientRect();
    times.scroll.push(performance.now() - begun);
    await frame.next();
  }
  for (let round = 1; round <= rounds; round++) {
    const begun = performance.now();
    box.scrollTop = Math.floor((total * 25 * round) / (rounds + 1));
    do await frame.next();
    while ([...box.querySelectorAll("tbody td:nth-child(2)")].some((cell) => cell.textContent === "…"));
    times.far.push(performance.now() - begun);
  }
  return times;
}
