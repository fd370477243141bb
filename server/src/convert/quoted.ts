import type { Span } from "../base/span.ts";

/** Text that was taken out of its quotes, and where each of its characters is in the file. */
export interface Quoted {
  readonly text: string;
  /** One more than the text has characters: the last is where it ends. */
  readonly places: readonly number[];
}

/** A word of a command, without its quotes. */
export interface Word extends Quoted {
  readonly span: Span;
}

/** Returns text that is in the file as it is. */
export function quoted(text: string, start: number): Quoted {
  const places = new Array<number>(text.length + 1);
  for (let at = 0; at <= text.length; at++) places[at] = start + at;
  return { text, places };
}

/** Returns a word whose characters all come from one place. */
export function wordAt(text: string, at: number, end = at): Word {
  return { text, places: new Array<number>(text.length + 1).fill(at), span: { start: at, end } };
}

export function joinedBy(a: Quoted, b: Quoted, between: string): Quoted {
  return {
    text: a.text + between + b.text,
    places: [...a.places.slice(0, a.text.length + between.length), ...b.places],
  };
}

export function trimmed({ text, places }: Quoted): Quoted {
  const from = text.length - text.trimStart().length;
  const to = Math.max(from, text.trimEnd().length);
  return { text: text.slice(from, to), places: places.slice(from, to + 1) };
}

export function placeIn({ places }: Quoted, offset: number): number {
  return places[offset] ?? places.at(-1) ?? 0;
}

/**
 * Replaces as `String.replace` does. Characters of a replacement are at the place where the match begins, or where they
 * were if the match keeps its length.
 *
 * @param pattern - With the flag `g`.
 */
export function replacedIn(
  { text, places }: Quoted,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): Quoted {
  const made: string[] = [];
  const madePlaces: number[] = [];
  let from = 0;
  const keep = (to: number): void => {
    made.push(text.slice(from, to));
    for (let at = from; at < to; at++) madePlaces.push(places[at] ?? 0);
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    const insert = replacement(match);
    made.push(insert);
    const isSameLength = insert.length === match[0].length;
    for (let at = 0; at < insert.length; at++)
      madePlaces.push(places[isSameLength ? match.index + at : match.index] ?? 0);
    from = match.index + match[0].length;
  }
  keep(text.length);
  return { text: made.join(""), places: [...madePlaces, places.at(-1) ?? 0] };
}
