import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Report } from "../../../server/src/report/report.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Variables of VS Code's own themes, as its webviews get them. */
const themes: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL("themes.json", import.meta.url), "utf8"),
);

/** The result of a cell, as a page shows it. */
export interface Result {
  readonly title: string;
  /** The cell above it. */
  readonly cell: string;
  readonly reports: readonly Report[];
}

/** Bundles the renderer of the extension. */
export async function rendererScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, "client/src/renderer/renderer.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "renderer",
  });
  return outputFiles[0]?.text ?? "";
}

/** The variables of a theme, as a style. */
export function themeStyle(theme: string): string {
  const variables = Object.entries(themes[theme] ?? {}).map(([name, value]) => `${name}:${value};`);
  return variables.join("").replaceAll('"', "'");
}

/**
 * Makes a page like the webview of a notebook: variables of the theme, and an element for each output. A function
 * `rowsOf` of the page, if there is one, answers requests for rows.
 */
export function resultsPage(theme: string, script: string, all: readonly Result[]): string {
  const data = JSON.stringify(all).replaceAll("<", "\\u003c");
  return `<!doctype html><html style="${themeStyle(theme)}"><meta charset="utf-8"><style>
body { margin: 0; padding: 12px; background: var(--vscode-editor-background); color: var(--vscode-foreground); font: 13px var(--vscode-font-family) }
.cell { margin: 14px 0 6px; padding: 4px 8px; border: 1px solid var(--vscode-editorWidget-border, #8884); font: 11px/1.4 monospace; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; opacity: .8 }
</style><body class="vscode-${theme}"><script>${script.replaceAll("</", "<\\/")}</script><script>globalThis.posted = [];
{
let hear;
const postMessage = async (message) => {
  if (message.rows && globalThis.rowsOf) hear({ asked: message.asked, result: await rowsOf(message.rows) });
  else posted.push(message);
};
globalThis.shown = renderer.activate({ postMessage, onDidReceiveMessage: (listener) => { hear = listener; } });
for (const { title, cell, reports } of ${data}) {
  const head = document.createElement("div"); head.className = "cell"; head.textContent = title + "  ·  " + cell; document.body.append(head);
  const out = document.createElement("div"); document.body.append(out);
  shown.renderOutputItem({ id: title, mime: "", json: () => reports, metadata: { output: title } }, out);
}}</script></html>`;
}
