import { memoByObject } from "../base/memo.ts";
import { type Span, slice, span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import type { FileText } from "../notebook/readFile.ts";

/** A range that can be folded, from the line of `span.start` to that of `span.end`. */
export interface FoldingRange {
  readonly span: Span;
  /** The whole header of a notebook, which an editor shows folded at first. */
  readonly isHeader?: boolean;
}

/** Objects and arrays that take more than one line, in the order of the text. */
export const foldingRanges = memoByObject((cell: Cell): readonly FoldingRange[] =>
  cell.root ? [...inNode(cell.text, cell.root)] : [],
);

/** Folding ranges in a file beside its cells and its header: the list of the cells. */
export function fileFoldingRanges(file: FileText): readonly FoldingRange[] {
  return cellList(file).flatMap((span) => (isLong(file.text, span) ? [{ span }] : []));
}

/** The array that holds the cells of a file, brackets and all. */
export function cellList({ scan: { list } }: FileText): readonly Span[] {
  return list ? [span(list.open, list.closed ? list.close + 1 : list.close)] : [];
}

/** Skips nodes on a single line. */
function* inNode(text: string, node: JsonNode): Generator<FoldingRange> {
  const span = spanOf(node);
  if (!isLong(text, span)) return;
  if (node.type === "object" || node.type === "array") yield { span };
  for (const child of node.children ?? []) yield* inNode(text, child);
}

function isLong(text: string, span: Span): boolean {
  return /[\r\n]/.test(slice(text, span));
}
