import type { Position, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Span, touches } from "../base/span.ts";

/** The unit in which an editor counts the characters of a line. */
export type Encoding = "utf-16" | "utf-8" | "utf-32";

/** A text that the editor has open. Offsets count UTF-16 code units; positions count in the editor's unit. */
export interface OpenText {
  readonly uri: string;
  readonly version: number;
  text(): string;
  /** Behind the end of a line is its end, inside of a character is its beginning. @throws TypeError for what is no position. */
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): void;
}

interface NewText {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
}

export function openText({ uri, languageId, version, text }: NewText, encoding: Encoding): OpenText {
  let document = TextDocument.create(uri, languageId, version, text);
  /** The last line that an offset was found in: what is asked for next often stands there too. */
  let near: { readonly line: number; readonly span: Span } | undefined;
  const codeUnitsAt = (offset: number): Position => {
    if (near && touches(near.span, offset)) return { line: near.line, character: offset - near.span.start };
    const position = document.positionAt(offset);
    const { line } = position;
    const start = document.offsetAt({ line, character: 0 });
    near = { line, span: { start, end: document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER }) } };
    return position;
  };
  const ruler = encoding === "utf-16" ? undefined : lineRuler(() => document, encoding);
  const offsetAt = (position: Position): number => {
    const line = whole(position.line);
    const character = whole(position.character);
    return document.offsetAt({ line, character: ruler ? ruler.toCodeUnits(line, character) : character });
  };
  /** The library keeps its lines in order only where the ends of a range are real places. */
  const real = (position: Position): Position => document.positionAt(offsetAt(position));
  return {
    uri,
    get version() {
      return document.version;
    },
    text: () => document.getText(),
    offsetAt,
    positionAt(offset) {
      const found = codeUnitsAt(offset);
      if (!ruler) return found;
      return { line: found.line, character: ruler.fromCodeUnits(found.line, found.character) };
    },
    edit(changes, version) {
      for (const change of changes) {
        const { text } = change;
        const exact =
          "range" in change
            ? { text, range: { start: real(change.range.start), end: real(change.range.end) } }
            : change;
        document = TextDocument.update(document, [exact], version);
        ruler?.forget();
        near = undefined;
      }
    },
  };
}

/** @throws TypeError for a range that is none, or that runs backwards. */
export function spanOf(text: OpenText, { start, end }: { readonly start: Position; readonly end: Position }): Span {
  const span = { start: text.offsetAt(start), end: text.offsetAt(end) };
  if (span.start > span.end) throw new TypeError("The range runs backwards.");
  return span;
}

function whole(value: unknown): number {
  if (!Number.isInteger(value)) throw new TypeError("That is no position.");
  return value as number; // just seen
}

/** Columns of a line: in UTF-16 code units and in the editor's unit. */
type Columns = readonly [codeUnits: number, units: number];

/** A character that takes more than one unit on either side. */
interface WideCharacter {
  readonly start: Columns;
  readonly end: Columns;
}

interface LineRuler {
  toCodeUnits(line: number, units: number): number;
  fromCodeUnits(line: number, codeUnits: number): number;
  /** The text has changed. */
  forget(): void;
}

/** Between characters that are wide, columns advance alike; so each line is read once, and then looked up. */
function lineRuler(document: () => TextDocument, encoding: "utf-8" | "utf-32"): LineRuler {
  const lines = new Map<number, readonly WideCharacter[]>();
  const wideOf = (line: number): readonly WideCharacter[] => {
    const known = lines.get(line);
    if (known) return known;
    const end = { line, character: Number.MAX_SAFE_INTEGER };
    const found = wideCharacters(document().getText({ start: { line, character: 0 }, end }), encoding);
    lines.set(line, found);
    return found;
  };
  return {
    toCodeUnits: (line, units) => across(wideOf(line), units, 1, 0),
    fromCodeUnits: (line, codeUnits) => across(wideOf(line), codeUnits, 0, 1),
    forget: () => lines.clear(),
  };
}

function wideCharacters(line: string, encoding: "utf-8" | "utf-32"): readonly WideCharacter[] {
  const found: WideCharacter[] = [];
  let ahead = 0; // units less code units, up to here
  // Surrogates that stand alone are characters of their own.
  for (const { 0: character, index } of line.matchAll(/[^\0-\x7f]/gu)) {
    const units = encoding === "utf-32" ? 1 : utf8Length(character);
    const start: Columns = [index, index + ahead];
    found.push({ start, end: [start[0] + character.length, start[1] + units] });
    ahead += units - character.length;
  }
  return found;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function across(wide: readonly WideCharacter[], column: number, from: 0 | 1, to: 0 | 1): number {
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
