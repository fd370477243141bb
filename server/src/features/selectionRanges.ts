import { type Span, shift, span, touches } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { inQuotes, type JsonNode, spanOf } from "../notebook/json.ts";
import { partsOf } from "../notebook/placeholder.ts";
import type { FileText } from "../notebook/readFile.ts";
import { cellList } from "./folding.ts";

/** The ranges around an offset, the innermost first, each in the next: a placeholder, a string's content, the string, the member, the object… */
export function selectionRanges(cell: Cell, offset: number): readonly Span[] {
  const { text, root } = cell;
  const ranges = [span(0, text.length)];
  for (let node = root && touching([root], offset); node; node = touching(node.children ?? [], offset)) {
    ranges.push(...rangesOf(text, node));
  }
  return nested(ranges.toReversed(), offset);
}

/** Ranges around those of a cell in its file: the list of cells, the root, the whole text. */
export function fileSelectionRanges(file: FileText, inCell: readonly Span[], offset: number): readonly Span[] {
  return nested([...inCell, ...cellList(file), file.scan.root, span(0, file.text.length)], offset);
}

/**
 * Ranges from the innermost out, those left out that do not hold the offset and all that came before.
 *
 * @param ranges - The innermost first.
 */
function nested(ranges: readonly Span[], offset: number): readonly Span[] {
  const kept: Span[] = [];
  for (const one of ranges) {
    const { start, end } = kept.at(-1) ?? span(offset, offset);
    const holds = one.start <= start && end <= one.end;
    if (holds && (kept.length === 0 || one.end - one.start > end - start)) kept.push(one);
  }
  return kept;
}

/** Finds the node at the offset; if two nodes touch there, the one that begins there. */
function touching(nodes: readonly JsonNode[], offset: number): JsonNode | undefined {
  return nodes.findLast((node) => touches(spanOf(node), offset));
}

/** A node and what it is made of, the widest first. */
function rangesOf(text: string, node: JsonNode): readonly Span[] {
  const whole = spanOf(node);
  const [first, last] = [node.children?.[0], node.children?.at(-1)];
  switch (node.type) {
    case "string":
      return [whole, inQuotes(text, whole), ...placeholders(text, whole)];
    case "object":
    case "array":
      return first && last ? [whole, span(first.offset, spanOf(last).end)] : [whole];
    default:
      return [whole];
  }
}

/** Placeholders, what is between their braces, and the segments of their paths. */
function placeholders(text: string, string: Span): readonly Span[] {
  return partsOf(text.slice(string.start, string.end)).flatMap((part) => {
    if (part.kind === "text") return [];
    const [first, last] = [part.segments[0], part.segments.at(-1)];
    const bracket = typeof part.path.at(-1) === "number" ? 1 : 0;
    const path = first && last ? [span(first.start, last.end + bracket)] : [];
    return [part.span, ...path, ...part.segments].map((one) => shift(one, string.start));
  });
}
