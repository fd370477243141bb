import { comma, openBrace, openBracket, skipSpace } from "../base/jsonScan.ts";
import { shift, span } from "../base/span.ts";
import type { Scan } from "./scan.ts";
import { readingOf, skipBrackets } from "./scan.ts";

/**
 * The scan of a text that differs from a scanned one only in a stretch among its cells.
 *
 * @param from - Where the stretch begins, in both texts.
 * @param tail - Characters behind it.
 * @returns `undefined` where only a whole scan will do: the stretch reaches beyond the cells, or brackets or commas in
 *   it or before were not right.
 */
export function rescan(old: Scan, before: string, text: string, from: number, tail: number): Scan | undefined {
  const { list } = old;
  const to = before.length - tail;
  if (!old.whole || !list?.closed || old.faults.length > 0 || from <= list.open || to > list.close) return undefined;
  const by = text.length - before.length;
  const first = list.cells.endingBefore(from);
  const behind = list.cells.startingBy(to);
  const start = list.cells.at(first - 1)?.end ?? list.open + 1;
  const end = (list.cells.at(behind)?.start ?? list.close) + by;
  const middle = scanBetween(text, start, end, first > 0, behind < list.cells.length);
  if (!middle) return undefined;
  return {
    ...old,
    root: span(old.root.start, old.root.end + by),
    members: old.members.map((one) =>
      one.end <= list.open
        ? one
        : { ...one, ...(one.start > list.open ? shift(one, by) : span(one.start, one.end + by)) },
    ),
    list: { ...list, close: list.close + by, cells: list.cells.replaced(first, behind, middle, by) },
  };
}

/** Start and end of each cell between two places of a list, if they and their commas are in order. */
function scanBetween(
  text: string,
  from: number,
  to: number,
  after: boolean,
  before: boolean,
): readonly number[] | undefined {
  const reading = readingOf(text, Number.POSITIVE_INFINITY);
  const cells: number[] = [];
  let due = !after;
  let i = skipSpace(text, from);
  for (; i < to; i = skipSpace(text, i)) {
    const code = text.charCodeAt(i);
    if (code === comma) {
      if (due) return undefined;
      due = true;
      i++;
    } else if (due && (code === openBrace || code === openBracket)) {
      const end = skipBrackets(reading, i);
      if (reading.broken || end > to) return undefined;
      cells.push(i, end);
      due = false;
      i = end;
    } else return undefined;
  }
  const none = !after && cells.length === 0;
  return i === to && (none || due === before) ? cells : undefined;
}
