import { type Html, html, joinedHtml, textHtml } from "../base/html.ts";

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
