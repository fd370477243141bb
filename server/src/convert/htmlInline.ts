import { type Html, html, joinedHtml, textHtml } from "../base/html.ts";

/** Emphasis inside of emphasis. What is deeper is text. */
const maxDepth = 3;

/** A part of a line, and the offset after it. */
interface Part {
  readonly made: Html;
  readonly end: number;
}

/** The Markdown inside of a block: code, emphasis, and the text and the address of links. */
export function inlineHtml(text: string, depth = 0): Html {
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
      return codeAt(text, at);
    case "[":
    case "!":
      return linkAt(text, at);
    case "\n":
      return / {2}$/.test(text.slice(Math.max(0, at - 2), at)) ? { made: html`<br>`, end: at + 1 } : undefined;
    default:
      return depth < maxDepth ? emphasisAt(text, at, depth) : undefined;
  }
}

function escapeAt(text: string, at: number): Part | undefined {
  const next = text[at + 1] ?? "";
  if (next === "\n") return { made: html`<br>`, end: at + 2 };
  return /^[!-/:-@[-`{-~]$/.test(next) ? { made: textHtml(next), end: at + 2 } : undefined;
}

function codeAt(text: string, at: number): Part | undefined {
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
  const shown = label === "" || label === address ? html`` : html`${inlineHtml(label, maxDepth)} `;
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
