/** Values of VS Code's own themes, by the names that results use; some are stronger, so that small text can be read. */
const light = {
  "editor-background": "#ffffff",
  foreground: "#2b2b2b",
  "editorWidget-background": "#f8f8f8",
  "editorWidget-border": "#d0d0d0",
  "textCodeBlock-background": "#f6f6f6",
  errorForeground: "#b3261e",
  "textLink-foreground": "#005fb8",
  focusBorder: "#005fb8",
  "badge-background": "#d0d0d0",
  "badge-foreground": "#2b2b2b",
  "list-hoverBackground": "#f2f2f2",
  "input-background": "#ffffff",
  "input-border": "#8a8a8a",
  "menu-background": "#ffffff",
  "menu-selectionBackground": "#005fb8",
  "menu-selectionForeground": "#ffffff",
  "toolbar-hoverBackground": "#e8e8e8",
  "widget-shadow": "#0003",
  "charts-blue": "#1a6fd4",
  "charts-green": "#2f7d2b",
  "charts-orange": "#a35a00",
  "charts-purple": "#652d90",
  "charts-red": "#c62015",
  "charts-yellow": "#8a6200",
  "charts-foreground": "#2b2b2b",
  "charts-lines": "#2b2b2b80",
} as const;

const dark: Readonly<Record<keyof typeof light, string>> = {
  "editor-background": "#1f1f1f",
  foreground: "#d6d6d6",
  "editorWidget-background": "#262626",
  "editorWidget-border": "#4a4a4a",
  "textCodeBlock-background": "#282828",
  errorForeground: "#ff8f85",
  "textLink-foreground": "#6cb6ff",
  focusBorder: "#3d9cf5",
  "badge-background": "#5a5a5a",
  "badge-foreground": "#ffffff",
  "list-hoverBackground": "#2a2d2e",
  "input-background": "#2b2b2b",
  "input-border": "#6a6a6a",
  "menu-background": "#262626",
  "menu-selectionBackground": "#0a5ca8",
  "menu-selectionForeground": "#ffffff",
  "toolbar-hoverBackground": "#3a3d3e",
  "widget-shadow": "#0008",
  "charts-blue": "#4aa3ff",
  "charts-green": "#89d185",
  "charts-orange": "#e0a458",
  "charts-purple": "#c39ae0",
  "charts-red": "#ff8f85",
  "charts-yellow": "#e0c060",
  "charts-foreground": "#d6d6d6",
  "charts-lines": "#d6d6d680",
};

function variables(theme: Readonly<Record<string, string>>): string {
  return Object.entries(theme)
    .map(([name, value]) => `--vscode-${name}: ${value};`)
    .join(" ");
}

const fonts = `--vscode-font-family: system-ui, -apple-system, "Segoe UI", Ubuntu, sans-serif; --vscode-editor-font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;`;

/** The style of an exported page. On paper it is light. */
export const pageStyle = `
:root { color-scheme: light; ${fonts} ${variables(light)} --json-key: #0451a5; --json-string: #9a1515; --json-number: #086b4a; --json-literal: #0000ff; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; ${variables(dark)} --json-key: #9cdcfe; --json-string: #d9a48b; --json-number: #b5cea8; --json-literal: #6db3f2; }
}
* { box-sizing: border-box; }
body { max-width: 1080px; margin: 0 auto; padding: 24px 20px 40px; background: var(--vscode-editor-background); color: var(--vscode-foreground); font: 14px/1.55 var(--vscode-font-family); overflow-wrap: anywhere; }
h1, h2, h3, h4, h5 { margin: 1.1em 0 0.4em; line-height: 1.3; font-weight: 600; break-after: avoid; }
h1 { margin-top: 0; font-size: 22px; } h2 { font-size: 18px; } h3 { font-size: 16px; } h4, h5 { font-size: 14px; }
p, ul, ol, blockquote, pre, table { margin: 0.5em 0; }
ul, ol { padding-left: 1.6em; } li > p { margin: 0.2em 0; }
blockquote { padding-left: 12px; border-left: 3px solid var(--vscode-editorWidget-border); }
hr { border: 0; border-top: 1px solid var(--vscode-editorWidget-border); }
code, pre { font-family: var(--vscode-editor-font-family); font-size: 12px; line-height: 1.5; }
pre { padding: 8px 12px; border: 1px solid var(--vscode-editorWidget-border); border-radius: 4px; background: var(--vscode-textCodeBlock-background); white-space: pre-wrap; overflow-wrap: anywhere; }
.markdown table { border-collapse: collapse; } .markdown th, .markdown td { padding: 3px 10px; border: 1px solid var(--vscode-editorWidget-border); text-align: left; }
.address { font-family: var(--vscode-editor-font-family); font-size: 12px; }
.cell { margin: 22px 0; }
.cell > h2 { margin: 0 0 4px; font-size: 13px; }
.cell > h2 > span { margin-right: 6px; font-weight: 400; }
.cell > pre { margin: 0 0 8px; word-break: break-all; }
.key { color: var(--json-key); } .string { color: var(--json-string); } .number { color: var(--json-number); } .literal { color: var(--json-literal); }
.string b { color: var(--vscode-foreground); font-weight: 600; }
.result { padding-left: 12px; border-left: 2px solid var(--vscode-editorWidget-border); }
summary { cursor: pointer; }
footer { margin-top: 36px; padding-top: 10px; border-top: 1px solid var(--vscode-editorWidget-border); font-size: 12px; }
footer p { margin: 0.2em 0; }
@page { size: A4; margin: 14mm 12mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 11px; }
  .cell { break-inside: avoid; margin: 14px 0; }
  .header { display: none; }
  pre, code { font-size: 10px; }
}
`;
