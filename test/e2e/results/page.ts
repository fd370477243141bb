import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Report } from "../../../server/src/report/report.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What the variables of a theme are made of. */
interface Colours {
  readonly back: string;
  readonly text: string;
  /** Of a control, a row under the pointer, a code block. */
  readonly raised: string;
  readonly line: string;
  readonly accent: string;
  readonly error: string;
  readonly good: string;
  readonly warm: string;
  /** The line around everything, in high contrast. */
  readonly contrast?: string;
}

/** Four themes of our own, with the kinds of contrast that the themes of editors have. */
const themes: Readonly<Record<string, Colours>> = {
  light: {
    ...{ back: "#fefefe", text: "#333333", raised: "#ececec", line: "#d0d0d0" },
    ...{ accent: "#0a5fb0", error: "#a81e16", good: "#2f7a2b", warm: "#a85d08" },
  },
  dark: {
    ...{ back: "#1e1f22", text: "#d0d0d0", raised: "#303238", line: "#44464d" },
    ...{ accent: "#5ab0f5", error: "#f2716a", good: "#86cf84", warm: "#dba05a" },
  },
  "hc-dark": {
    ...{ back: "#000000", text: "#ffffff", raised: "#000000", line: "#6fc3df" },
    ...{ accent: "#6cc4ff", error: "#ff8c86", good: "#8ee08c", warm: "#f0b45e", contrast: "#6fc3df" },
  },
  "hc-light": {
    ...{ back: "#ffffff", text: "#1f1f1f", raised: "#ffffff", line: "#0f4a85" },
    ...{ accent: "#0f4a85", error: "#8f1010", good: "#255f22", warm: "#7a4200", contrast: "#0f4a85" },
  },
};

/** The variables that a webview gets from VS Code, as far as results use them. */
function variablesOf({ back, text, raised, line, accent, error, good, warm, contrast }: Colours) {
  return {
    "font-family": "system-ui, sans-serif",
    "editor-font-family": "monospace",
    foreground: text,
    "input-foreground": text,
    "menu-foreground": text,
    "menu-selectionForeground": text,
    "badge-foreground": text,
    "button-secondaryForeground": text,
    "editor-background": back,
    "input-background": back,
    "menu-background": back,
    "editorWidget-background": raised,
    "badge-background": raised,
    "button-secondaryBackground": raised,
    "button-secondaryHoverBackground": raised,
    "list-hoverBackground": raised,
    "menu-selectionBackground": raised,
    "textCodeBlock-background": raised,
    "toolbar-hoverBackground": raised,
    "editorWidget-border": line,
    "input-border": line,
    "menu-border": line,
    "widget-border": line,
    "widget-shadow": "#0003",
    focusBorder: accent,
    "textLink-foreground": accent,
    "charts-blue": accent,
    "charts-green": good,
    "charts-orange": warm,
    errorForeground: error,
    ...(contrast && { contrastBorder: contrast, "button-border": contrast, "menu-selectionBorder": contrast }),
  };
}

/** The result of a cell, as a page shows it. */
export interface Result {
  readonly title: string;
  /** The cell above it. */
  readonly cell: string;
  readonly reports: readonly Report[];
}

let bundled: Promise<string> | undefined;

/** Bundles the renderer of the extension, once. */
export function rendererScript(): Promise<string> {
  bundled ??= build({
    entryPoints: [path.join(root, "client/src/renderer/renderer.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "renderer",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundled;
}

/** The variables of a theme, as a style. */
export function themeStyle(theme: string): string {
  const colours = themes[theme];
  if (!colours) throw new Error(`no theme ${theme}`);
  const variables = Object.entries(variablesOf(colours));
  return variables.map(([name, value]) => `--vscode-${name}:${value};`).join("");
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
