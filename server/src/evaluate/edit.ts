import type { Span } from "../base/span.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";

/** A replacement in the text of a cell. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Replaces a node with JSON. */
export function replacing(node: JsonNode, json: string): Edit {
  return { span: spanOf(node), text: json };
}

/** Returns the text in `span` after the edits inside it. */
export function edited(text: string, span: Span, edits: readonly Edit[]): string {
  let result = "";
  let from = span.start;
  for (const edit of edits) {
    if (edit.span.start < span.start || edit.span.end > span.end) continue;
    result += text.slice(from, edit.span.start) + edit.text;
    from = edit.span.end;
  }
  return result + text.slice(from, span.end);
}

/** Converts a span of the filled text to one of the cell; a placeholder's value maps to the placeholder. */
export function origin({ start, end }: Span, from: number, edits: readonly Edit[]): Span {
  let shift = from;
  const span = { start: start + shift, end: end + shift };
  for (const edit of edits) {
    const filledStart = edit.span.start - shift;
    const filledEnd = filledStart + edit.text.length;
    const next = edit.span.end - filledEnd;
    if (start >= filledEnd) span.start = start + next;
    else if (start >= filledStart) span.start = edit.span.start;
    if (end > filledEnd) span.end = end + next;
    else if (end > filledStart) span.end = edit.span.end;
    shift = next;
  }
  return edits.length === 0 ? { start, end } : span;
}
