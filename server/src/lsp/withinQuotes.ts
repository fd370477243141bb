import { slice } from "../base/span.ts";
import type { Completion } from "../features/completion.ts";

/**
 * Keeps the quotes around the cursor, for editors that replace only text before it. Neovim does, in every version, and
 * would double the closing quote. Neovim 0.7 also compares the typed word with the start of the
 * new text; newer ones compare the text after the earliest start in the list with `filterText`.
 *
 * @param cursor - UTF-16 code units from the start of the text.
 */
export function withinQuotes(completions: readonly Completion[], text: string, cursor: number): readonly Completion[] {
  const opens = ({ span, insert }: Completion) =>
    span.start < cursor && text[span.start] === '"' && insert.startsWith('"');
  const startsAfterQuote = completions.every(opens);
  return completions.map((item) => {
    const { span, insert, filterText } = item;
    const start = opens(item) ? 1 : 0;
    const end = cursor < span.end && text[span.end - 1] === '"' && insert.endsWith('"') ? 1 : 0;
    return {
      ...item,
      span: { start: span.start + start, end: span.end - end },
      insert: slice(insert, { start, end: insert.length - end }),
      ...(startsAfterQuote && filterText !== undefined && { filterText: filterText.slice(1) }),
    };
  });
}

/**
 * Keeps both quotes around the cursor if all completions have them. A tab stop of a snippet lies inside of its quotes, and
 * VS Code forgets the next stops if a completion replaces more than the stop.
 *
 * @param cursor - UTF-16 code units from the start of the text.
 */
export function insideQuotes(completions: readonly Completion[], text: string, cursor: number): readonly Completion[] {
  const isInside = ({ span: { start, end }, insert }: Completion) =>
    start < cursor &&
    cursor < end &&
    text[start] === '"' &&
    text[end - 1] === '"' &&
    insert.length > 1 &&
    insert.startsWith('"') &&
    insert.endsWith('"');
  if (!completions.every(isInside)) return completions;
  return completions.map((item) => ({
    ...item,
    span: { start: item.span.start + 1, end: item.span.end - 1 },
    insert: item.insert.slice(1, -1),
    ...(item.filterText !== undefined && { filterText: item.filterText.replace(/^"|"$/g, "") }),
  }));
}
