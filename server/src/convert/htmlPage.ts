import { type SealedKind, sealed } from "../base/hash.ts";
import { dataElement, type Html, html, joinedHtml, ownElement, textHtml } from "../base/html.ts";
import { brief, plural } from "../base/text.ts";
import { formatTime } from "../base/units.ts";
import { readCell } from "../notebook/readCell.ts";
import type { Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import { markdownHtml } from "./htmlMarkdown.ts";
import { pageStyle } from "./htmlStyle.ts";

export interface PageCell {
  readonly kind: "header" | "request" | "markdown";
  readonly text: string;
  /** The result that it shows; empty if it shows none. */
  readonly reports: readonly Report[];
}

/** A notebook with its results. Secrets are masked already. */
export interface Page {
  readonly title: string;
  readonly cells: readonly PageCell[];
  /** Rows that the tables leave out. */
  readonly missingRows: number;
  /** Milliseconds since 1970. */
  readonly exportedAt: number;
  readonly version: string | undefined;
  /** The program that draws the results: a bundle of our own. */
  readonly script: string;
}

/** Rows of a table in the text of a result. */
const textRows = 100;

/**
 * Writes a notebook as one HTML page that needs nothing else: no request, no other file. Results are text, which a script
 * of the page replaces by what a notebook shows. The page's policy lets only that script and that style run.
 */
export async function htmlPage(page: Page): Promise<string> {
  const [script, style] = await Promise.all([ownElement("script", page.script), ownElement("style", pageStyle)]);
  const policy = html`default-src 'none'; script-src ${script.source}; style-src ${style.source}; base-uri 'none'; form-action 'none'`;
  const title = textHtml(brief(page.title, 200));
  let requests = 0;
  const cells = page.cells.map((cell, at) => cellHtml(cell, at, cell.kind === "request" ? ++requests : 0));
  const results = page.cells.map(({ reports }) => reports);
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="RPC Notebook">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${style.element}
</head>
<body>
<main>
<h1>${title}</h1>
${joinedHtml(cells, "\n")}
</main>
${footerHtml(page)}
${dataElement("results", results)}
${script.element}
</body>
</html>
`;
  return sealed(text, pageKind);
}

export const pageKind: SealedKind = {
  begins:
    /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="RPC Notebook">\n/,
  seal: (hash) => `<meta name="rpc-notebook-content" content="${hash}">\n`,
};

function cellHtml({ kind, text, reports }: PageCell, at: number, number: number): Html {
  switch (kind) {
    case "markdown":
      return html`<section class="markdown">${markdownHtml(text)}</section>`;
    case "header":
      return html`<details class="cell header"><summary>Header</summary><pre>${jsonHtml(text)}</pre></details>`;
    case "request":
      return html`<section class="cell"><h2><span>${number}</span>${textHtml(titleOf(text))}</h2><pre>${jsonHtml(text)}</pre>${resultHtml(reports, at)}</section>`;
  }
}

function titleOf(text: string): string {
  const { requests } = readCell(text);
  const names = requests.map(({ name, method }) => name ?? method ?? "request");
  return names.length === 0 ? "Request" : brief(names.join(", "), 100);
}

function resultHtml(reports: readonly Report[], at: number): Html {
  if (reports.length === 0) return html``;
  const text = reports.map((report) => reportText(report, { rows: textRows })).join("\n\n");
  return html`<div class="result" data-result="${at}"><pre>${textHtml(text)}</pre></div>`;
}

function footerHtml({ cells, missingRows, exportedAt, version }: Page): Html {
  const reports = cells.flatMap((cell) => cell.reports);
  const endpoints = new Set(
    reports.flatMap(({ facts }) => facts.filter(({ name }) => name === "endpoint").map(({ value }) => value)),
  );
  const times = reports.flatMap(({ ranAt }) => ranAt ?? []);
  const hidden = hiddenIn(cells);
  const lines = [
    `Exported ${timeText(exportedAt)} by RPC Notebook${version === undefined ? "" : ` ${version}`}.`,
    ...(endpoints.size === 0 ? [] : [`Answered by ${brief([...endpoints].join(", "), 1000)}, ${span(times)}.`]),
    ...(missingRows === 0
      ? []
      : [`${plural(missingRows, "row")} of long tables ${missingRows === 1 ? "is" : "are"} left out.`]),
    hidden.length === 0 ? "No value was hidden." : `Hidden values: ${brief(hidden.join(", "), 1000)}.`,
  ];
  return html`<footer>${joinedHtml(lines.map((line) => html`<p>${textHtml(line)}</p>`))}</footer>`;
}

function timeText(ms: number): string {
  return formatTime(BigInt(Math.floor(ms / 1000)));
}

function span(times: readonly number[]): string {
  if (times.length === 0) return "at an unknown time";
  const [first, last] = [timeText(Math.min(...times)), timeText(Math.max(...times))];
  return first === last ? first : `${first} to ${last}`;
}

/** The labels that the mask has put in place of values. */
function hiddenIn(cells: readonly PageCell[]): readonly string[] {
  const labels = new Set<string>();
  const text = JSON.stringify(cells);
  for (const [label] of text.matchAll(/‹(?:(?:\.?env|secret) [\w.-]{1,100}|hidden)›/g)) labels.add(label);
  return [...labels];
}

const tokens = /"(?:[^"\\]|\\[\s\S])*"?|-?\d[\d.eE+-]*|[a-z]+|[^"\da-z-]+|[\s\S]/g;
const placeholder = /(\{\{[^{}]*\}\})/;

/** Longer texts have no colours, since a browser draws each colour as an element. */
const maxLength = 100_000;

/** JSON with colours, also while it is not complete. */
export function jsonHtml(text: string): Html {
  if (text.length > maxLength) return textHtml(text);
  const parts = [...text.matchAll(tokens)].map(({ 0: token, index }) => {
    if (token.startsWith('"'))
      return stringHtml(token, /^\s*:/.test(text.slice(index + token.length, index + token.length + 20)));
    if (/^-?\d/.test(token)) return html`<span class="number">${textHtml(token)}</span>`;
    if (/^(?:true|false|null)$/.test(token)) return html`<span class="literal">${textHtml(token)}</span>`;
    return textHtml(token);
  });
  return joinedHtml(parts);
}

function stringHtml(token: string, isKey: boolean): Html {
  if (isKey) return html`<span class="key">${textHtml(token)}</span>`;
  const parts = token
    .split(placeholder)
    .map((part, at) => (at % 2 === 1 ? html`<b>${textHtml(part)}</b>` : textHtml(part)));
  return html`<span class="string">${joinedHtml(parts)}</span>`;
}
