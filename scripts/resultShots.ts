// Draws every kind of result with the renderer, and writes pictures of them: light, dark, high contrast, narrow.
// `npx tsx scripts/resultShots.ts [folder] [pattern of titles]`
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser } from "../test/e2e/host/browser.ts";
import { everyKind } from "../test/e2e/results/everyKind.ts";
import { rendererScript, resultsPage } from "../test/e2e/results/page.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const [folder = path.join(root, "test/e2e/shots/results"), part = ""] = process.argv.slice(2);
/** A theme, and the width in CSS pixels. */
const looks = [
  ["light", 1100],
  ["dark", 1100],
  ["hc-dark", 1100],
  ["hc-light", 1100],
  ["dark", 800],
] as const;

const all = await everyKind(new RegExp(part));
const script = await rendererScript();
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
for (const [theme, width] of looks) {
  const tab = await browser.newPage({ viewport: { width, height: 900 } });
  tab.on("pageerror", (error) => console.error(error.message));
  const size = 8;
  for (let at = 0; at < all.length; at += size) {
    await tab.setContent(resultsPage(theme, script, all.slice(at, at + size)));
    const name = `${theme}-${width}-${1 + at / size}`;
    await tab.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
    if (theme !== "dark") continue;
    for (const button of await tab.locator(".folds button, .about > summary").all()) await button.click();
    await tab.screenshot({ path: path.join(folder, `${name}-open.png`), fullPage: true });
  }
  await tab.close();
}
await browser.close();
console.log(`${all.length} results in ${looks.length} looks: ${folder}`);
process.exit();
