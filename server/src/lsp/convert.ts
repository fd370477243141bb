import type { MarkupContent, Range } from "vscode-languageserver";
import { type Markdown, plainText } from "../base/markdown.ts";
import type { Span } from "../base/span.ts";
import type { OpenText } from "./positions.ts";

export function toRange(text: OpenText, { start, end }: Span): Range {
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

export function toMarkup(markdown: Markdown, readsMarkdown: boolean): MarkupContent {
  return { kind: readsMarkdown ? "markdown" : "plaintext", value: readsMarkdown ? markdown : plainText(markdown) };
}
