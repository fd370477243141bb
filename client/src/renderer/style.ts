/** Uses only colours and fonts of the theme, so that every theme works, high contrast too. */
export const style = `
.rpcn {
  --line: var(--vscode-editorWidget-border, var(--vscode-widget-border, var(--vscode-contrastBorder, rgba(128, 128, 128, 0.35))));
  --muted: color-mix(in srgb, var(--vscode-foreground) 75%, var(--vscode-editor-background, transparent));
  --bad: var(--vscode-errorForeground, currentColor);
  --wrong: color-mix(in srgb, var(--vscode-errorForeground, currentColor) 70%, var(--vscode-foreground));
  --more: color-mix(in srgb, var(--vscode-charts-green, currentColor) 65%, var(--vscode-foreground));
  --pending: color-mix(in srgb, var(--vscode-charts-orange, currentColor) 60%, var(--vscode-foreground));
  --link: var(--vscode-textLink-foreground, currentColor);
  --code: var(--vscode-editor-font-family, monospace);
  position: relative;
  color: var(--vscode-foreground);
  font-family: var(--vscode-font-family, sans-serif);
  font-size: 13px;
  line-height: 1.5;
  max-width: 100%;
}
.rpcn * { box-sizing: border-box; }
.rpcn [hidden] { display: none !important; }
.rpcn .report { padding: 2px 0 4px; }
.rpcn .report + .report { margin-top: 6px; padding-top: 6px; border-top: 1px solid var(--line); }
.rpcn header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; font-variant-numeric: tabular-nums; }
.rpcn header > * { min-width: 0; unicode-bidi: isolate; overflow-wrap: anywhere; }
.rpcn h3 { margin: 0; font-size: 15px; line-height: 1.5; font-weight: 600; }
.rpcn h3.plain, .rpcn h3.quiet { font-size: 13px; font-weight: 400; }
.rpcn h3 code { font-size: 14px; }
.rpcn h4 { margin: 0; font-size: 12px; line-height: 1.5; font-weight: 600; overflow-wrap: anywhere; }
.rpcn code { padding: 0; background: none; color: inherit; font: 12px var(--code); }
.rpcn .pill { margin-right: 8px; vertical-align: 2px; padding: 0 7px; border: 1px solid currentColor; border-radius: 9px; font-size: 11px; line-height: 16px; font-weight: 600; }
.rpcn .pill-failed { border-color: var(--bad); }
.rpcn .pill-live { border-color: var(--more); }
.rpcn .pill-stale, .rpcn .pill-paused { border-color: var(--muted); color: var(--muted); }
.rpcn .title, .rpcn .quiet, .rpcn .wire { color: var(--muted); }
.rpcn .wire, .rpcn .exact { font-family: var(--code); font-size: 12px; }
.rpcn .pending { color: var(--pending); }
.rpcn .more { color: var(--more); }
.rpcn .bad { color: var(--wrong); }
.rpcn .age { white-space: nowrap; }
.rpcn .fact { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
.rpcn .gauge { margin-right: 8px; }
.rpcn .gauge .whole { fill: var(--vscode-badge-background, var(--line)); stroke: var(--vscode-contrastBorder, none); }
.rpcn .gauge .filled { fill: var(--vscode-charts-blue, currentColor); }

.rpcn .about { margin-left: auto; min-width: 0; max-width: 100%; color: var(--muted); font-size: 12px; text-align: right; }
.rpcn .about[open] { flex-basis: 100%; text-align: left; }
.rpcn .about > summary { width: fit-content; max-width: 100%; margin-left: auto; cursor: pointer; list-style: none; border-radius: 3px; }
.rpcn .about > summary[data-room]::after { content: attr(data-room); display: block; height: 0; overflow: hidden; visibility: hidden; white-space: nowrap; }
.rpcn .about > summary::-webkit-details-marker { display: none; }
.rpcn .about > summary:hover { color: var(--vscode-foreground); }
.rpcn .about dl { display: flex; flex-wrap: wrap; gap: 0 18px; margin: 2px 0 4px; }
.rpcn .about div { display: flex; gap: 6px; }
.rpcn .about dt::after { content: ":"; }
.rpcn .about dd { margin: 0; color: var(--vscode-foreground); overflow-wrap: anywhere; }

.rpcn section, .rpcn .note { margin: 8px 0 0; }
.rpcn section > h4 { margin-bottom: 3px; }
.rpcn .exact { margin: 0; color: var(--muted); }
.rpcn .folds { display: flex; flex-wrap: wrap; gap: 0 14px; margin: 4px 0 0; }
.rpcn .folds button { min-height: 24px; color: var(--link); font-size: 12px; }
.rpcn .folds button::before { content: "▸"; display: inline-block; width: 1.1em; }
.rpcn .folds button[aria-expanded=true]::before { content: "▾"; }
.rpcn .folds button:hover { text-decoration: underline; }
.rpcn .fold > section { margin-top: 4px; }

.rpcn .fields { display: grid; grid-template-columns: fit-content(35%) minmax(0, 1fr); grid-auto-rows: minmax(24px, auto); gap: 1px 16px; margin: 0; }
.rpcn .fields dt { color: var(--muted); overflow-wrap: anywhere; }
.rpcn .fields dd { margin: 0; padding-right: 20px; min-width: 0; }
.rpcn .line { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; max-width: 100%; }
.rpcn .value, .rpcn .also, .rpcn .exact, .rpcn td { overflow-wrap: anywhere; unicode-bidi: isolate; font-variant-numeric: tabular-nums; }
.rpcn .address, .rpcn .hash, .rpcn .bytes, .rpcn .hex { font-family: var(--code); font-size: 12px; }
.rpcn .also { color: var(--muted); font-size: 12px; }

.rpcn button { margin: 0; padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; border-radius: 3px; }
.rpcn button:focus-visible, .rpcn summary:focus-visible, .rpcn a:focus-visible { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: 1px; }
.rpcn td:focus-visible, .rpcn th:focus-visible, .rpcn table:focus-visible, .rpcn pre:focus-visible { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: -1px; }
.rpcn .hex { font-family: var(--code); font-size: 12px; text-decoration: underline dotted; text-underline-offset: 3px; text-decoration-color: var(--muted); }
.rpcn .hex[aria-expanded=false] { white-space: nowrap; }
.rpcn .hex[aria-expanded=true] { overflow-wrap: anywhere; }
.rpcn .reference { color: var(--link); overflow-wrap: anywhere; }
.rpcn .reference:hover, .rpcn td[aria-haspopup]:hover { text-decoration: underline; }
.rpcn td[aria-haspopup] { cursor: pointer; }
.rpcn .copy { display: inline-flex; align-items: center; gap: 5px; align-self: center; padding: 1px 3px; color: var(--muted); font-size: 12px; line-height: 16px; }
.rpcn .line .copy { margin: 0 -20px 0 -4px; opacity: 0; }
.rpcn dd:hover .copy, .rpcn .line:hover .copy, .rpcn .copy:focus-visible { opacity: 1; }
.rpcn .copy:hover { background: var(--vscode-toolbar-hoverBackground, transparent); color: var(--vscode-foreground); }
@media (hover: none), (forced-colors: active) { .rpcn .line .copy { opacity: 1; } }

.rpcn .menu { position: absolute; z-index: 5; display: flex; flex-direction: column; min-width: 180px; padding: 4px; border: 1px solid var(--vscode-menu-border, var(--line)); border-radius: 5px; background: var(--vscode-menu-background, var(--vscode-editor-background)); color: var(--vscode-menu-foreground, var(--vscode-foreground)); box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent); }
.rpcn .menu > * { padding: 2px 12px; color: inherit; font-size: 13px; text-decoration: none; border-radius: 3px; }
.rpcn .menu > :hover, .rpcn .menu > :focus { outline: 1px solid var(--vscode-menu-selectionBorder, transparent); outline-offset: -1px; background: var(--vscode-menu-selectionBackground, transparent); color: var(--vscode-menu-selectionForeground, inherit); }
.rpcn .bubble { position: absolute; z-index: 6; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background)); font-size: 12px; pointer-events: none; }

.rpcn .table { width: fit-content; max-width: 100%; }
.rpcn .caption { display: flex; flex-wrap: wrap; gap: 0 14px; margin: 0 0 3px; font-size: 12px; }
.rpcn .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 3px 10px; margin-bottom: 4px; min-height: 24px; }
.rpcn .bar .copy { margin-left: auto; }
.rpcn .bar .space { flex: 1; }
.rpcn .link { color: var(--link); font-size: 12px; }
.rpcn .link:hover { text-decoration: underline; }
.rpcn .chip { padding: 0 8px; border: 1px solid var(--line); border-radius: 10px; font-size: 12px; line-height: 18px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.rpcn .chip:hover { background: var(--vscode-list-hoverBackground, none); }
.rpcn .chip[aria-pressed=true] { background: var(--vscode-badge-background, none); color: var(--vscode-badge-foreground, inherit); border-color: var(--vscode-contrastBorder, transparent); }
.rpcn .chip[aria-pressed=true]::before { content: "✓ "; }
.rpcn .count { margin: 0; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.rpcn .filter { width: 16em; max-width: 100%; padding: 1px 6px; border: 1px solid var(--vscode-input-border, var(--line)); border-radius: 3px; background: var(--vscode-input-background, transparent); color: var(--vscode-input-foreground, inherit); font: inherit; font-size: 12px; }
.rpcn .filter:focus { outline: 1px solid var(--vscode-focusBorder, currentColor); outline-offset: -1px; }
.rpcn .scroll { position: relative; overflow: auto; border: 1px solid var(--line); border-radius: 4px; scroll-padding-top: 27px; }
.rpcn .scroll.virtual { height: 429px; overflow-y: scroll; overflow-anchor: none; }
.rpcn table { border-collapse: separate; border-spacing: 0; margin: 0; font-size: 12px; line-height: 18px; }
.rpcn table.virtual { table-layout: fixed; min-width: 100%; }
.rpcn th, .rpcn td { padding: 3px 12px; border: 0; text-align: left; white-space: nowrap; vertical-align: top; overflow: hidden; text-overflow: ellipsis; }
.rpcn td { height: 25px; border-top: 1px solid color-mix(in srgb, var(--line) 45%, transparent); }
.rpcn th.right, .rpcn td.right { text-align: right; }
.rpcn thead th { position: sticky; top: 0; z-index: 1; height: 26px; background: var(--vscode-editorWidget-background, var(--vscode-editor-background)); border-bottom: 1px solid var(--line); font-weight: 600; cursor: pointer; }
.rpcn th .unit, .rpcn .fraction { color: var(--muted); }
.rpcn th .unit { font-weight: 400; }
.rpcn th[aria-sort=ascending] > ::after { content: " ▴"; }
.rpcn th[aria-sort=descending] > ::after { content: " ▾"; }
.rpcn th.opener, .rpcn td.opener { width: 24px; padding: 3px 4px 3px 8px; color: var(--muted); cursor: pointer; }
.rpcn td.opener::before { content: "▸"; }
.rpcn td.opener[aria-expanded=true]::before { content: "▾"; }
.rpcn .spacer td { padding: 0; border: 0; }
.rpcn tbody tr { background: none; }
.rpcn tbody tr:hover { background: var(--vscode-list-hoverBackground, none); }
.rpcn td { max-width: 100ch; }
.rpcn table:not(.virtual) td.wraps { white-space: normal; min-width: 30ch; max-width: 80ch; }
.rpcn td.name[aria-haspopup] { color: var(--link); }
.rpcn .struck td { text-decoration: line-through; opacity: 0.7; }
.rpcn td.detail { padding: 4px 12px 8px 32px; background: var(--vscode-list-hoverBackground, none); white-space: normal; }
.rpcn .row-detail { position: sticky; left: 32px; width: fit-content; max-width: 90vw; }
.rpcn .raw { margin-top: 4px; }
.rpcn [role=menuitemcheckbox]::before { content: "✓"; display: inline-block; width: 1.4em; visibility: hidden; }
.rpcn [role=menuitemcheckbox][aria-checked=true]::before { visibility: visible; }
.rpcn .live { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; margin: 6px 0; }
.rpcn .live button, .rpcn .action { padding: 1px 10px; border: 1px solid var(--vscode-button-border, var(--line)); color: var(--vscode-button-secondaryForeground, var(--vscode-foreground)); background: var(--vscode-button-secondaryBackground, none); font-size: 12px; }
.rpcn .live button:hover, .rpcn .action:hover { background: var(--vscode-button-secondaryHoverBackground, none); }
.rpcn .action.quiet { padding: 0; border: 0; color: var(--vscode-textLink-foreground, inherit); background: none; }
.rpcn .action.quiet:hover { background: none; text-decoration: underline; }

.rpcn .report.failed { padding-left: 10px; border-left: 3px solid var(--bad); }
.rpcn .failure { margin-top: 2px; }
.rpcn .failure p { margin: 0; overflow-wrap: anywhere; }
.rpcn .failure .todo { color: var(--muted); }
.rpcn .failure .actions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 5px; }
.rpcn .failure .fields { margin-top: 5px; }
.rpcn .note { margin-top: 4px; color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
.rpcn pre { margin: 0; max-height: 320px; overflow: auto; padding: 8px 10px; border: 1px solid var(--line); border-radius: 4px; background: var(--vscode-textCodeBlock-background, transparent); font: 12px/1.5 var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }

.rpcn .flow { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; }
.rpcn .flow svg { max-width: 100%; height: auto; }
.rpcn .flow text { font-size: 12px; fill: var(--vscode-foreground); }
.rpcn .flow .party { fill: none; stroke: var(--muted); }
.rpcn .flow .arrow { fill: none; stroke: var(--vscode-charts-blue, currentColor); }
.rpcn .flow .tip { fill: var(--vscode-charts-blue, currentColor); }
.rpcn .series > div { width: fit-content; max-width: 100%; }
.rpcn .series .count { min-height: 18px; overflow-wrap: anywhere; }
.rpcn .series svg { display: block; max-width: 100%; height: auto; }
.rpcn .series text { font-size: 12px; fill: var(--muted); font-variant-numeric: tabular-nums; }
.rpcn .series .axis, .rpcn .series .grid { fill: none; stroke: var(--line); }
.rpcn .series .grid { stroke-dasharray: 2 4; }
.rpcn .series .line-of { fill: none; stroke: var(--vscode-charts-blue, currentColor); stroke-width: 1.5; stroke-linejoin: round; }
.rpcn .series .bars { fill: var(--vscode-charts-blue, currentColor); }
.rpcn .series .mark { fill: none; stroke: var(--vscode-focusBorder, currentColor); }
.rpcn .flame .calls { overflow: hidden; }
.rpcn .flame svg { display: block; }
.rpcn .flame .call { cursor: pointer; outline: none; }
.rpcn .flame .call rect { fill: color-mix(in srgb, var(--vscode-charts-blue, currentColor) 28%, var(--vscode-editor-background, transparent)); stroke: var(--vscode-contrastBorder, var(--vscode-editor-background, transparent)); }
.rpcn .flame .failed rect { fill: color-mix(in srgb, var(--bad) 22%, var(--vscode-editor-background, transparent)); stroke: var(--bad); stroke-dasharray: 4 3; }
.rpcn .flame .call:hover rect { fill: color-mix(in srgb, var(--vscode-charts-blue, currentColor) 48%, var(--vscode-editor-background, transparent)); }
.rpcn .flame .call:focus rect { stroke: var(--vscode-focusBorder, currentColor); stroke-width: 4; stroke-dasharray: none; }
.rpcn .flame text { font-size: 12px; fill: var(--vscode-foreground); pointer-events: none; }
.rpcn .flame .count { min-height: 18px; overflow-wrap: anywhere; }
.rpcn ul { margin: 0; padding: 0; list-style: none; }
.rpcn .flow li { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.rpcn .tree { overflow-x: auto; }
.rpcn .tree ul ul { margin-left: 18px; }
.rpcn .tree.long li { content-visibility: auto; overflow-wrap: anywhere; }
.rpcn .tree .pill { color: var(--pending); }
.rpcn .tree .answer { font-weight: 600; }
.rpcn .tree summary { width: fit-content; min-height: 24px; cursor: pointer; border-radius: 3px; }
.rpcn .tree .leaf { padding-left: 14px; overflow-wrap: anywhere; }
.rpcn .unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 520px) {
  .rpcn .fields { grid-template-columns: minmax(0, 1fr); }
  .rpcn .fields dd { margin-bottom: 5px; }
  .rpcn .about { margin-left: 0; text-align: left; }
  .rpcn .about > summary { margin-left: 0; }
}
`;

/** On paper nothing scrolls, nothing is pressed, and wide tables wrap. */
export const paperStyle = `
@media print {
  .rpcn, .rpcn .note, .rpcn .about, .rpcn .also, .rpcn .exact, .rpcn .hex { font-size: 10px; }
  .rpcn .copy, .rpcn .link, .rpcn .chip, .rpcn .filter, .rpcn .folds, .rpcn .opener { display: none; }
  .rpcn .scroll { overflow: visible; border: 0; }
  .rpcn table { width: 100%; font-size: 9px; line-height: 1.4; }
  .rpcn th, .rpcn td, .rpcn table:not(.virtual) td.wraps { min-width: 0; max-width: none; height: auto; padding: 2px 5px; white-space: normal; overflow: visible; }
  .rpcn .table th, .rpcn .table td { font-size: 9px; }
  .rpcn th, .rpcn td { overflow-wrap: break-word; }
  .rpcn td.wraps, .rpcn tr:has(> :nth-child(10)) > * { overflow-wrap: anywhere; }
  .rpcn thead th { position: static; height: auto; }
  .rpcn tr { break-inside: avoid; }
  .rpcn pre { max-height: none; overflow: visible; }
  .rpcn .reference { color: inherit; }
}
`;
