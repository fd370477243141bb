import { type Html, html, joinedHtml, textHtml } from "../base/html.ts";

/** Lists and quotes inside of each other. What is deeper is a paragraph. */
const maxDepth = 6;

/** A block, and the number of the line after it. */
interface Block {
  readonly made: Html;
  readonly end: number;
}

/**
 * The Markdown of a cell as plain typography: headings, paragraphs, lists, quotes, tables, code and emphasis. No link, no
 * picture and no HTML: addresses are text. A heading of the first level is one of the second level of the page.
 */
export function markdownHtml(text: string): Html {
  return blocksHtml(text.split(/\r\n|\r|\n/), 0);
}

function blocksHtml(lines: readonly string[], depth: number): Html {
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? "").trim() === "") {
      at++;
      continue;
    }
    const { made, end } = blockAt(lines, at, depth);
    blocks.push(made);
    at = end;
  }
  return joinedHtml(blocks, "\n");
}

function blockAt(lines: readonly string[], at: number, depth: number): Block {
  const line = lines[at] ?? "";
  const [, marks] = heading.exec(line) ?? [];
  if (marks !== undefined) return { made: headingHtml(marks.length, line), end: at + 1 };
  if (rule.test(line)) return { made: html`<hr>`, end: at + 1 };
  if (fence.test(line)) return codeAt(lines, at);
  if (isTable(lines, at)) return tableAt(lines, at);
  if (depth < maxDepth && quote.test(line)) return quoteAt(lines, at, depth);
  if (depth < maxDepth && item.test(line)) return listAt(lines, at, depth);
  return paragraphAt(lines, at);
}

const heading = /^ {0,3}(#{1,6})(?:\s|$)/;
const rule = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const quote = /^ {0,3}>/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +(?=\S)/;
const row = /^ {0,3}\|/;
const delimiter = /^ {0,3}\|(?: *:?-+:? *\|)+ *$/;

function headingHtml(level: number, line: string): Html {
  const inner = inlineHtml(
    line
      .trim()
      .replace(/^#+\s*/, "")
      .replace(/\s#+$/, ""),
  );
  switch (level) {
    case 1:
      return html`<h2>${inner}</h2>`;
    case 2:
      return html`<h3>${inner}</h3>`;
    case 3:
      return html`<h4>${inner}</h4>`;
    default:
      return html`<h5>${inner}</h5>`;
  }
}

function codeAt(lines: readonly string[], at: number): Block {
  const mark = fence.exec(lines[at] ?? "")?.[1] ?? "";
  const end = endOf(lines, at + 1, (line) => !line.trim().startsWith(mark) || !/^(?:`+|~+)$/.test(line.trim()));
  return {
    made: html`<pre tabindex="0"><code>${textHtml(lines.slice(at + 1, end).join("\n"))}</code></pre>`,
    end: end + 1,
  };
}

function isTable(lines: readonly string[], at: number): boolean {
  return row.test(lines[at] ?? "") && delimiter.test(lines[at + 1] ?? "");
}

function tableAt(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at + 2, (line) => row.test(line));
  const cells = (line: string): readonly string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
  const head = cells(lines[at] ?? "").map((cell) => html`<th scope="col">${inlineHtml(cell)}</th>`);
  const body = lines
    .slice(at + 2, end)
    .map((line) => html`<tr>${joinedHtml(cells(line).map((cell) => html`<td>${inlineHtml(cell)}</td>`))}</tr>`);
  const made = html`<table><thead><tr>${joinedHtml(head)}</tr></thead><tbody>${joinedHtml(body)}</tbody></table>`;
  return { made, end };
}

function quoteAt(lines: readonly string[], at: number, depth: number): Block {
  const end = endOf(lines, at, (line) => quote.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return { made: html`<blockquote>${blocksHtml(inner, depth + 1)}</blockquote>`, end };
}

function listAt(lines: readonly string[], at: number, depth: number): Block {
  const isOrdered = /^ *\d/.test(lines[at] ?? "");
  const items: Html[] = [];
  let end = at;
  while (item.test(lines[end] ?? "") && /^ *\d/.test(lines[end] ?? "") === isOrdered && !rule.test(lines[end] ?? "")) {
    const width = item.exec(lines[end] ?? "")?.[0].length ?? 0;
    const next = endOfItem(lines, end + 1);
    const inner = lines
      .slice(end, next)
      .map((line, index) => (index === 0 ? line.slice(width) : line.replace(new RegExp(`^ {0,${width}}`), "")));
    items.push(html`<li>${blocksHtml(inner, depth + 1)}</li>`);
    end = next;
  }
  return { made: isOrdered ? html`<ol>${joinedHtml(items)}</ol>` : html`<ul>${joinedHtml(items)}</ul>`, end };
}

/** An item goes on with lines that are indented, and with lines of its paragraph. */
function endOfItem(lines: readonly string[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const isAfterBlank = at > from && (lines[at - 1] ?? "").trim() === "";
    if (!/^(?: {2}|\t)/.test(line) && (isAfterBlank || begins(line))) break;
    end = at + 1;
  }
  return end;
}

function paragraphAt(lines: readonly string[], at: number): Block {
  const end = Math.max(
    at + 1,
    endOf(lines, at + 1, (line) => line.trim() !== "" && !begins(line)),
  );
  const text = lines
    .slice(at, end)
    .map((line) => line.trimStart())
    .join("\n");
  return { made: html`<p>${inlineHtml(text)}</p>`, end };
}

/** Whether a line begins a block that is not a paragraph. */
function begins(line: string): boolean {
  return (
    heading.test(line) || rule.test(line) || fence.test(line) || quote.test(line) || item.test(line) || row.test(line)
  );
}

function endOf(lines: readonly string[], from: number, continues: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && continues(lines[end] ?? "")) end++;
  return end;
}

/** Emphasis inside of emphasis. What is deeper is text. */
const maxEmphasis = 3;

/** A part of a line, and the offset after it. */
interface Part {
  readonly made: Html;
  readonly end: number;
}

/** The Markdown inside of a block: code, emphasis, and the text and the address of links. */
function inlineHtml(text: string, depth = 0): Html {
  const parts: Html[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/[\\`*_~[!\n]/g)) {
    if (index < from) continue;
    const part = partAt(text, index, depth);
    if (!part) continue;
    parts.push(textHtml(text.slice(from, index)), part.made);
    from = part.end;
  }
  return joinedHtml([...parts, textHtml(text.slice(from))]);
}

function partAt(text: string, at: number, depth: number): Part | undefined {
  switch (text[at]) {
    case "\\":
      return escapeAt(text, at);
    case "`":
      return inlineCodeAt(text, at);
    case "[":
    case "!":
      return linkAt(text, at);
    case "\n":
      return / {2}$/.test(text.slice(Math.max(0, at - 2), at)) ? { made: html`<br>`, end: at + 1 } : undefined;
    default:
      return depth < maxEmphasis ? emphasisAt(text, at, depth) : undefined;
  }
}

function escapeAt(text: string, at: number): Part | undefined {
  const next = text[at + 1] ?? "";
  if (next === "\n") return { made: html`<br>`, end: at + 2 };
  return /^[!-/:-@[-`{-~]$/.test(next) ? { made: textHtml(next), end: at + 2 } : undefined;
}

function inlineCodeAt(text: string, at: number): Part | undefined {
  const mark = sticky(/`+/y, text, at)?.[0] ?? "";
  const end = text.indexOf(mark, at + mark.length);
  if (end < 0) return { made: textHtml(mark), end: at + mark.length };
  const inner = text.slice(at + mark.length, end).replaceAll("\n", " ");
  const code = /^ .* $/.test(inner) ? inner.slice(1, -1) : inner;
  return { made: html`<code>${textHtml(code)}</code>`, end: end + mark.length };
}

/** The text of a link or a picture, and its address as text: nothing in the page leads out of it. */
function linkAt(text: string, at: number): Part | undefined {
  const [all, label = "", address = ""] = sticky(/!?\[([^[\]]{0,500})\]\(([^()\s]{0,2000})\)/y, text, at) ?? [];
  if (all === undefined) return undefined;
  const shown = label === "" || label === address ? html`` : html`${inlineHtml(label, maxEmphasis)} `;
  return { made: html`${shown}<span class="address">${textHtml(address)}</span>`, end: at + all.length };
}

function emphasisAt(text: string, at: number, depth: number): Part | undefined {
  const mark = sticky(/\*\*|__|~~|[*_]/y, text, at)?.[0];
  if (mark === undefined || (mark.startsWith("_") && /\w/.test(text[at - 1] ?? ""))) return undefined;
  const start = at + mark.length;
  const end = text.indexOf(mark, start + 1);
  if (end < 0 || /\s/.test(text[start] ?? " ") || /\s/.test(text[end - 1] ?? " ")) return undefined;
  const inner = inlineHtml(text.slice(start, end), depth + 1);
  return { made: emphasized(mark, inner), end: end + mark.length };
}

function emphasized(mark: string, inner: Html): Html {
  if (mark === "~~") return html`<s>${inner}</s>`;
  return mark.length === 2 ? html`<strong>${inner}</strong>` : html`<em>${inner}</em>`;
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
