import type { Position, Range } from "vscode-languageserver";
import type { Span } from "../base/span.ts";
import type { Placed } from "../editor/cellQueries.ts";
import { toDocument } from "../workspace/documents.ts";
import { type OpenText, toRange } from "./positions.ts";

/** Converts a span of the cell to a range of the text. */
export type RangeOf = (span: Span) => Range;

/**
 * Converts what a feature says of a cell, once for as long as neither that nor the place of the cell changes.
 *
 * @param convert - Depends on nothing but the items and the place of the cell.
 */
export function pieceBy<Item, Made>(
  convert: (items: readonly Item[], rangeOf: RangeOf, text: OpenText) => Made,
): (text: OpenText, placed: Placed<Item>) => Made {
  const pieces = new WeakMap<
    readonly Item[],
    { readonly text: OpenText; readonly start: Position; readonly made: Made }
  >();
  return (text, placed) => {
    const { at, items } = placed;
    const convertNow = (): Made => convert(items, (span) => toRange(text, toDocument(placed, span)), text);
    if (typeof at !== "number") return convertNow();
    const start = text.positionAt(at);
    const last = pieces.get(items);
    if (last?.text === text && last.start.line === start.line && last.start.character === start.character)
      return last.made;
    const made = convertNow();
    pieces.set(items, { text, start, made });
    return made;
  };
}
