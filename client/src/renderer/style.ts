/** Uses only colours and fonts of the theme, so that every theme works, high contrast too. */
export const style = `
.rpcn {
  --line: var(--vscode-editorWidget-border, var(--vscode-widget-border, var(--vscode-contrastBorder, rgba(128, 128, 128, 0.35))));
  --muted: var(--vscode-descriptionForeground, inherit);
  --good: var(--vscode-testing-iconPassed, var(--vscode-charts-green, currentColor));
  --bad: var(--vscode-errorForeground, currentColor);
  --code: var(--vscode-editor-font-family, monospace);
  color: var(--vscode-foreground);
  font-family: var(--vscode-font-family, sans-serif);
  font-size: 13px;
  line-height: 1.5;
  max-width: 100%;
}
.rpcn * { box-sizing: border-box; }
.rpcn .report { padding: 2px 0 4px; }
.rpcn .report + .report { margin-top: 12px; padding-top: 12px; border-top: 1px solid var(--line); }
.rpcn header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; }
.rpcn .status { flex: none; padding: 0 7px; border: 1px solid currentColor; border-radius: 9px; font-size: 11px; line-height: 16px; font-weight: 600; white-space: nowrap; }
.rpcn .status { color: var(--vscode-foreground); }
.rpcn .ok .status { border-color: var(--good); }
.rpcn .failed .status { border-color: var(--bad); }
.rpcn h3 { flex: 1 1 auto; min-width: 0; margin: 0; font-size: 14px; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
.rpcn .title { flex: none; max-width: 100%; overflow-wrap: anywhere; padding: 0; background: none; color: var(--muted); font: 12px var(--code); }
.rpcn h4 { margin: 0; font-size: 12px; line-height: 1.5; font-weight: 600; color: var(--vscode-foreground); overflow-wrap: anywhere; }
.rpcn section, .rpcn .note, .rpcn .facts { margin: 10px 0 0; }
.rpcn section > h4 { margin-bottom: 3px; }

.rpcn .fields { display: grid; grid-template-columns: fit-content(35%) minmax(0, 1fr); gap: 1px 16px; margin: 0; }
.rpcn .fields dt { color: var(--muted); overflow-wrap: anywhere; }
.rpcn .fields dd { margin: 0; padding-right: 20px; min-width: 0; }
.rpcn .line { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; max-width: 100%; }
.rpcn .value, .rpcn .also, .rpcn td { overflow-wrap: anywhere; unicode-bidi: isolate; font-variant-numeric: tabular-nums; }
.rpcn .value.amount { font-weight: 600; }
.rpcn .address, .rpcn .hash, .rpcn .bytes, .rpcn .hex { font-family: var(--code); font-size: 12px; }
.rpcn .bad { color: var(--bad); }
.rpcn .also { color: var(--muted); font-size: 12px; }

.rpcn button { margin: 0; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; border-radius: 3px; }
.rpcn button:focus-visible, .rpcn td:focus-visible, .rpcn pre:focus-visible { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: 1px; }
.rpcn td:focus-visible, .rpcn pre:focus-visible { outline-offset: -1px; }
.rpcn .hex { overflow-wrap: anywhere; font-family: var(--code); font-size: 12px; text-decoration: underline dotted; text-underline-offset: 3px; text-decoration-color: var(--muted); }
.rpcn .copy { display: inline-flex; align-items: center; gap: 5px; align-self: center; padding: 1px 3px; color: var(--muted); font-size: 12px; line-height: 16px; }
.rpcn .line .copy { margin: 0 -20px 0 -4px; opacity: 0; }
.rpcn dd:hover .copy, .rpcn .copy:focus-visible { opacity: 1; }
.rpcn .copy:hover, .rpcn .more:hover { background: var(--vscode-toolbar-hoverBackground, transparent); color: var(--vscode-foreground); }
@media (hover: none), (forced-colors: active) { .rpcn .line .copy { opacity: 1; } }

.rpcn .table { width: fit-content; max-width: 100%; }
.rpcn .bar { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; margin-bottom: 4px; }
.rpcn .bar .copy { margin-left: auto; }
.rpcn .count { margin: 0; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.rpcn .filter { width: 16em; max-width: 100%; padding: 1px 6px; border: 1px solid var(--vscode-input-border, var(--line)); border-radius: 3px; background: var(--vscode-input-background, transparent); color: var(--vscode-input-foreground, inherit); font: inherit; font-size: 12px; }
.rpcn .filter:focus { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: -1px; }
.rpcn .scroll { max-height: 420px; overflow: auto; border: 1px solid var(--line); border-radius: 4px; }
.rpcn table { border-collapse: separate; border-spacing: 0; margin: 0; font-size: 12px; line-height: 18px; }
.rpcn th, .rpcn td { padding: 3px 12px; border: 0; text-align: left; white-space: nowrap; vertical-align: top; }
.rpcn th.right, .rpcn td.right { text-align: right; }
.rpcn thead th { position: sticky; top: 0; z-index: 1; background: var(--vscode-editorWidget-background, var(--vscode-editor-background)); border-bottom: 1px solid var(--line); font-weight: 600; color: var(--muted); }
.rpcn tbody tr { background: none; }
.rpcn tbody tr + tr td { border-top: 1px solid var(--line); border-top-color: color-mix(in srgb, var(--line) 45%, transparent); }
.rpcn tbody tr:hover { background: var(--vscode-list-hoverBackground, none); }
.rpcn td { max-width: 100ch; overflow: hidden; text-overflow: ellipsis; }
.rpcn td.wraps { white-space: normal; min-width: 30ch; max-width: 80ch; }
.rpcn .struck td { text-decoration: line-through; opacity: 0.7; }
.rpcn .live { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin: 6px 0; }
.rpcn .live button { padding: 1px 8px; border: 1px solid var(--line); color: var(--vscode-textLink-foreground); font-size: 12px; }
.rpcn .more { margin-top: 4px; padding: 2px 6px; color: var(--vscode-textLink-foreground); }

.rpcn .failure { padding: 6px 0 6px 12px; border-left: 3px solid var(--bad); }
.rpcn .failure p { margin: 0; overflow-wrap: anywhere; }
.rpcn .failure .fields { margin-top: 6px; }
.rpcn .todo strong, .rpcn .note strong { margin-right: 8px; font-weight: 600; color: var(--vscode-foreground); }
.rpcn .todo { color: var(--vscode-foreground); }
.rpcn .note { padding-left: 12px; border-left: 3px solid var(--line); color: var(--muted); overflow-wrap: anywhere; }
.rpcn pre { margin: 0; max-height: 320px; overflow: auto; padding: 8px 10px; border: 1px solid var(--line); border-radius: 4px; background: var(--vscode-textCodeBlock-background, transparent); font: 12px/1.5 var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }

.rpcn .facts { display: flex; flex-wrap: wrap; gap: 0 18px; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.rpcn .facts div { display: flex; gap: 6px; }
.rpcn .facts dt::after { content: ":"; }
.rpcn .facts dt { opacity: 0.8; }
.rpcn .facts dd { margin: 0; color: var(--vscode-foreground); overflow-wrap: anywhere; }
.rpcn .unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 520px) {
  .rpcn .fields { grid-template-columns: minmax(0, 1fr); }
  .rpcn .fields dd { margin-bottom: 5px; }
}
`;
