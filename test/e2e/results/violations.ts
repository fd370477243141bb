import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Host } from "../host/workbench.ts";

type Frame = ReturnType<Host["page"]["mainFrame"]>;

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The frame of VS Code in which the renderer draws. It gets the background that VS Code's page has there. */
export async function frameOfOutputs({ page }: Pick<Host, "page">): Promise<Frame> {
  const active = page.frameLocator("iframe.webview.ready").locator("iframe#active-frame");
  const frame = await (await active.elementHandle())?.contentFrame();
  if (!frame) throw new Error("There is no frame with outputs.");
  await frame.evaluate(() => {
    document.documentElement.style.background = "var(--vscode-editor-background)";
  });
  return frame;
}

/** Returns what is wrong with the outputs in a page, by all rules of WCAG 2 A and AA that axe-core checks. */
export async function violations(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(axeSource);
  return frame.evaluate(inPage);
}

/** A page in which no contrast was measured proves nothing. */
async function inPage(): Promise<readonly string[]> {
  const { axe } = globalThis as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }; // of the script above
  const found = await axe.run(
    { include: [[".rpcn"]] },
    {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      // The page around the outputs is VS Code's.
      rules: { "html-has-lang": { enabled: false }, "document-title": { enabled: false }, bypass: { enabled: false } },
    },
  );
  const measured = found.passes.find(({ id }) => id === "color-contrast")?.nodes.length ?? 0;
  const wrong = found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join(" ");
      return `${id}: ${html.slice(0, 200)}: ${why}`;
    }),
  );
  return measured > 0 ? wrong : [...wrong, "No contrast was measured."];
}
