import type { MarkupContent, Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Markdown, plainText } from "../base/markdown.ts";
import { type Span, touches } from "../base/span.ts";

/** The unit in which an editor counts the characters of a line. */
export type Encoding = "utf-16" | "utf-8" | "utf-32";

/** A text that the editor has open. Offsets count UTF-16 code units; positions count in the editor's unit. */
export interface OpenText {
  readonly uri: string;
  readonly version: number;
  text(): string;
  /**
   * Returns the end of the line for a column after it, and the start of a character for a column inside of it.
   *
   * @throws TypeError for a value that is not a position.
   */
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
  /** Returns what says later whether a place has moved since now. */
  mark(): TextMark;
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): void;
}

/** A text as it was. */
export interface TextMark {
  /** Returns whether the line and column of an offset then are those of an offset now. May say no if they are. */
  isSame(before: number, now: number): boolean;
}

interface NewText {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

export function openText({ uri, languageId, version, text }: NewText, encoding: Encoding): OpenText {
  let document = TextDocument.create(uri, languageId, version, text);
  /** The line of the last offset: the next one is often on the same line. */
  let lastLine: { readonly line: number; readonly span: Span } | undefined;
  const codeUnitsAt = (offset: number): Position => {
    if (lastLine && touches(lastLine.span, offset))
      return { line: lastLine.line, character: offset - lastLine.span.start };
    const position = document.positionAt(offset);
    const { line } = position;
    const start = document.offsetAt({ line, character: 0 });
    lastLine = { line, span: { start, end: document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER }) } };
    return position;
  };
  const edits = new EditHistory();
  const ruler = encoding === "utf-16" ? undefined : lineRuler(() => document, encoding);
  const offsetAt = (position: Position): number => {
    const line = wholeNumber(position.line);
    const character = wholeNumber(position.character);
    return document.offsetAt({ line, character: ruler ? ruler.toCodeUnits(line, character) : character });
  };
  /** The library keeps its lines in order only if the ends of a range exist in the text. */
  const clamped = (position: Position): Position => document.positionAt(offsetAt(position));
  return {
    uri,
    get version() {
      return document.version;
    },
    text: () => document.getText(),
    offsetAt,
    positionAt(offset) {
      const position = codeUnitsAt(offset);
      if (!ruler) return position;
      return { line: position.line, character: ruler.fromCodeUnits(position.line, position.character) };
    },
    mark: () => edits.mark(() => document.getText().length),
    edit(changes, version) {
      for (const change of changes) {
        const { text } = change;
        const { lineCount } = document;
        const exact =
          "range" in change
            ? { text, range: { start: clamped(change.range.start), end: clamped(change.range.end) } }
            : change;
        const start = "range" in exact ? document.offsetAt(exact.range.start) : 0;
        document = TextDocument.update(document, [exact], version);
        edits.add(document, "range" in exact && document.lineCount === lineCount, start, start + text.length);
        ruler?.forget();
        lastLine = undefined;
      }
    },
  };
}

/** What edits of a text left where it was. */
interface Untouched {
  /** Code units before the edit. At its place a line may end in another way. */
  readonly head: number;
  /** Code units after the last line of the edit; -1 if the lines after it moved. */
  readonly tail: number;
}

/** The last edits of a text. */
class EditHistory {
  readonly #edits: Untouched[] = [];
  /** Older ones that were forgotten. */
  #forgotten = 0;

  /** @param keepsLines - The text has as many lines as before, and more is known of the edit than the new text. */
  add(document: TextDocument, keepsLines: boolean, start: number, end: number): void {
    const { line } = document.positionAt(end);
    const after = line + 1 < document.lineCount ? document.offsetAt({ line: line + 1, character: 0 }) : undefined;
    const tail = keepsLines && after !== undefined ? document.getText().length - after : -1;
    this.#edits.push({ head: start, tail });
    if (this.#edits.length <= maxEdits) return;
    this.#edits.shift();
    this.#forgotten++;
  }
  mark(lengthNow: () => number): TextMark {
    const [count, length] = [this.#forgotten + this.#edits.length, lengthNow()];
    let known: { readonly count: number; readonly left: Untouched; readonly length: number } | undefined;
    const leftNow = () => {
      const now = this.#forgotten + this.#edits.length;
      if (known?.count === now) return known;
      const since = this.#edits.slice(Math.max(0, count - this.#forgotten));
      const isKnown = count >= this.#forgotten;
      const head = isKnown ? Math.min(length, ...since.map((one) => one.head)) : -1;
      const tail = isKnown ? Math.min(length, ...since.map((one) => one.tail)) : -1;
      known = { count: now, left: { head, tail }, length: lengthNow() };
      return known;
    };
    return {
      isSame(before, now) {
        const { left, length: lengthNow } = leftNow();
        const fromEnd = lengthNow - now;
        return (before === now && now < left.head) || (length - before === fromEnd && fromEnd <= left.tail);
      },
    };
  }
}

/** Edits between two answers about a text. */
const maxEdits = 100;

/** @throws TypeError for a value that is not a range, or a range that ends before it starts. */
export function spanOf(text: OpenText, { start, end }: { readonly start: Position; readonly end: Position }): Span {
  const span = { start: text.offsetAt(start), end: text.offsetAt(end) };
  if (span.start > span.end) throw new TypeError("The range ends before it starts.");
  return span;
}

function wholeNumber(value: unknown): number {
  if (!Number.isInteger(value)) throw new TypeError("Not a position.");
  return value as number; // checked above
}

/** Columns of a line: in UTF-16 code units and in the editor's unit. */
type Columns = readonly [codeUnits: number, units: number];

/** A character that takes more than one unit in either encoding. */
interface WideCharacter {
  readonly start: Columns;
  readonly end: Columns;
}

interface LineRuler {
  toCodeUnits(line: number, units: number): number;
  fromCodeUnits(line: number, codeUnits: number): number;
  /** Called when the text has changed. */
  forget(): void;
}

/** Between wide characters, columns of both encodings advance alike. So each line is read once for its wide characters. */
function lineRuler(document: () => TextDocument, encoding: "utf-8" | "utf-32"): LineRuler {
  const lines = new Map<number, readonly WideCharacter[]>();
  const wideOf = (line: number): readonly WideCharacter[] => {
    const cached = lines.get(line);
    if (cached) return cached;
    const end = { line, character: Number.MAX_SAFE_INTEGER };
    const characters = wideCharacters(document().getText({ start: { line, character: 0 }, end }), encoding);
    lines.set(line, characters);
    return characters;
  };
  return {
    toCodeUnits: (line, units) => converted(wideOf(line), units, 1, 0),
    fromCodeUnits: (line, codeUnits) => converted(wideOf(line), codeUnits, 0, 1),
    forget: () => lines.clear(),
  };
}

function wideCharacters(line: string, encoding: "utf-8" | "utf-32"): readonly WideCharacter[] {
  const characters: WideCharacter[] = [];
  let ahead = 0; // units minus code units, up to here
  // A surrogate without its pair is a character of its own.
  for (const { 0: character, index } of line.matchAll(/[^\0-\x7f]/gu)) {
    const units = encoding === "utf-32" ? 1 : utf8Length(character);
    const start: Columns = [index, index + ahead];
    characters.push({ start, end: [start[0] + character.length, start[1] + units] });
    ahead += units - character.length;
  }
  return characters;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function converted(wide: readonly WideCharacter[], column: number, from: 0 | 1, to: 0 | 1): number {
  let low = 0;
  let high = wide.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((wide[middle]?.start[from] ?? 0) < column) low = middle + 1;
    else high = middle;
  }
  const last = wide[low - 1]; // begins before the column
  if (!last) return column;
  return column < last.end[from] ? last.start[to] : last.end[to] + (column - last.end[from]);
}

export function toRange(text: OpenText, { start, end }: Span): Range {
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

export function toMarkup(markdown: Markdown, readsMarkdown: boolean): MarkupContent {
  return { kind: readsMarkdown ? "markdown" : "plaintext", value: readsMarkdown ? markdown : plainText(markdown) };
}
