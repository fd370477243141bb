import type { Span } from "../base/span.ts";
import type { Note } from "./importModel.ts";

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

/** How a shell writes words. Patterns are sticky, and those at the top are tried first. */
export interface Dialect {
  /** Joins a line to the one before, without ending a word. */
  readonly continued: RegExp;
  readonly quotes: readonly Quote[];
  /** A character without its special meaning; group 1 is the character. */
  readonly escaped: RegExp;
  /** A variable, or the output of a command. */
  readonly expansion: RegExp;
  /** The end of a word, which is not part of it. */
  readonly end: RegExp;
}

export interface Quote extends Filling {
  /** Group `text` is the inside, and group `close` the mark that ends it, empty at the end of the file. */
  readonly pattern: RegExp;
}

/** What a text has beside characters that mean themselves. */
export interface Filling {
  /** Text inside that is not literal, with the flag `g`. A match without a `meaning` is an expansion. */
  readonly special?: RegExp;
  meaning?(match: RegExpExecArray): string | undefined;
}

/**
 * A longer value, in UTF-16 code units, counts as not known: a script that doubles a variable again and again would fill
 * the memory.
 */
export const maxValueLength = 20_000;

/** Fills in an expansion that begins at a place of the file. */
export type Expand = (match: RegExpExecArray, at: number) => string;

/** Reads the words of a text, one after the other. Never throws. */
export class WordReader {
  /** Where it reads next. */
  at: number;
  readonly text: string;
  readonly notes: Note[] = [];
  readonly #dialect: Dialect;
  readonly #expand: Expand;
  readonly #placeOf: (at: number) => number;

  /** @param placeOf - Where a character of the text is in the file, if the text is not the file. */
  constructor(text: string, at: number, dialect: Dialect, expand: Expand, placeOf = (place: number) => place) {
    this.text = text;
    this.at = at;
    this.#dialect = dialect;
    this.#expand = expand;
    this.#placeOf = placeOf;
  }

  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    this.at += match?.[0].length ?? 0;
    return match;
  }

  place(at = this.at): number {
    return this.#placeOf(at);
  }

  note(severity: Note["severity"], what: string, at = this.place()): void {
    this.notes.push({ at, severity, what });
  }

  /** @returns `undefined` if no word begins here. */
  word(): Word | undefined {
    const { continued, quotes, escaped, expansion, end } = this.#dialect;
    while (this.take(continued));
    const start = this.at;
    const places: number[] = [];
    let text: string | undefined;
    while (this.at < this.text.length) {
      const at = this.place();
      if (this.take(continued)) continue;
      const quote = quotes.find(({ pattern }) => this.sees(pattern));
      if (quote) {
        const inside = this.#inside(quote);
        text = (text ?? "") + inside.text;
        for (let i = 0; i < inside.text.length; i++) places.push(inside.places[i] ?? at);
        continue;
      }
      const [, character] = this.take(escaped) ?? [];
      const match = character === undefined ? this.take(expansion) : undefined;
      if (character === undefined && !match && this.sees(end)) break;
      const part = character ?? (match ? this.#expand(match, at) : this.text.charAt(this.at++));
      text = (text ?? "") + part;
      for (let i = 0; i < part.length; i++) places.push(at);
    }
    if (text === undefined) return undefined;
    places.push(this.place());
    return { text, places, span: { start: this.place(start), end: this.place() } };
  }

  #inside(quote: Quote): Quoted {
    const open = this.at;
    const { text = "", close } = this.take(quote.pattern)?.groups ?? {};
    if (close === "" || close === undefined) this.note("error", "This quote is never closed.", this.place(open));
    const start = this.at - text.length - (close?.length ?? 0);
    return this.filled(text, start, quote);
  }

  /** Returns text with the meaning of its special parts. */
  filled(text: string, start: number, { special, meaning }: Filling): Quoted {
    const places = new Array<number>(text.length + 1);
    for (let at = 0; at <= text.length; at++) places[at] = this.place(start + at);
    if (!special) return { text, places };
    return replacedIn({ text, places }, special, (match) => {
      return meaning?.(match) ?? this.#expand(match, this.place(start + match.index));
    });
  }
}
