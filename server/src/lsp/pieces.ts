import type { Range } from "vscode-languageserver";
import type { Span } from "../base/span.ts";
import type { Placed } from "../editor/cellQueries.ts";
import { toDocument } from "../workspace/documents.ts";
import { type OpenText, type TextMark, toRange } from "./positions.ts";

/** Converts a span of the cell to a range of the text. */
export type RangeOf = (span: Span) => Range;

/** The last answer about a text. */
interface Last<Item, Made> {
  readonly placed: readonly Placed<Item>[];
  readonly made: readonly Made[];
  readonly mark: TextMark;
}

/**
 * Converts what a feature says of each cell, once for as long as neither that nor the place of the cell changes.
 *
 * @param convert - Depends on nothing but the items and the place of the cell.
 */
export function piecesBy<Item, Made>(
  convert: (items: readonly Item[], rangeOf: RangeOf, text: OpenText) => Made,
): (text: OpenText, placed: readonly Placed<Item>[]) => readonly Made[] {
  const lasts = new WeakMap<OpenText, Last<Item, Made>>();
  return (text, placed) => {
    const last = lasts.get(text);
    const more = (last?.placed.length ?? 0) - placed.length;
    const made = placed.map((one, at) => {
      // counted from the start, or from the end if cells have come or gone
      const known = keptAt(last, one, at) ?? (more === 0 ? undefined : keptAt(last, one, at + more));
      return known ?? convert(one.items, (span) => toRange(text, toDocument(one, span)), text);
    });
    lasts.set(text, { placed, made, mark: text.mark() });
    return made;
  };
}

function keptAt<Item, Made>(
  last: Last<Item, Made> | undefined,
  { items, at: now }: Placed<Item>,
  index: number,
): Made | undefined {
  const before = last?.placed[index];
  if (before?.items !== items || typeof now !== "number" || typeof before.at !== "number") return undefined;
  return last?.mark.isSame(before.at, now) ? last.made[index] : undefined;
}
