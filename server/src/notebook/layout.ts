import type { Metadata } from "./data.ts";
import { stringOf } from "./data.ts";

const breaks: Readonly<Record<string, string>> = { lf: "\n", crlf: "\r\n", cr: "\r" };
const space = /^[ \t\r\n]*$/;

/** The text around the cells of a file. */
export interface FrameText {
  readonly form: "notebook" | "array" | "object";
  /** Up to and including the bracket that opens the cells; in an `object` only what is around the cell. */
  readonly before: string;
  /** From the bracket that closes the cells. */
  readonly after: string;
}

/** The white space around cells in the array that holds them. */
export interface Style {
  readonly eol: string;
  /** White space before a cell, after the comma. */
  readonly space: string;
  /** White space before the comma. */
  readonly comma: string;
  /** White space behind the last cell. */
  readonly tail: string;
  /** White space in an array without cells. */
  readonly empty: string;
  /** The indent of cells that are in the line of what opens or precedes them. */
  readonly base: string;
  /** One level of indentation. */
  readonly unit: string;
}

/** Returns the style in the notebook's metadata; if it has none, the one that its frame suggests. */
export function styleOf(frame: FrameText, metadata: Metadata): Style {
  const base = /^[ \t]*/.exec(lastLine(frame.before))?.[0] ?? "";
  const unit = (frame.form === "notebook" && base) || "  ";
  const eol = eolOf(metadata) ?? firstBreak(frame.before + frame.after) ?? "\n";
  const inline = frame.form === "notebook" && firstBreak(frame.before) === undefined;
  return {
    eol,
    unit,
    base,
    space: stringOf(metadata, "space", space) ?? (inline ? "" : eol + base + unit),
    comma: stringOf(metadata, "comma", space) ?? "",
    tail: stringOf(metadata, "tail", space) ?? (inline ? "" : eol + base),
    empty: stringOf(metadata, "empty", space) ?? "",
  };
}

/** The indent of a cell's first line, by the white space before it: other cells have no say in how it is shown. */
export function indentAfter(space: string, base: string): string {
  return firstBreak(space) === undefined ? base : lastLine(space);
}

function lastLine(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}

function eolOf(metadata: Metadata): string | undefined {
  return breaks[stringOf(metadata, "eol", /^(?:lf|crlf|cr)$/) ?? ""];
}

/** The first line end in a text; `undefined` for one line. */
export function firstBreak(text: string): string | undefined {
  return /\r\n|\r|\n/.exec(text)?.[0];
}

/** How one cell is in the file: as its metadata has it, else in the notebook's style. */
export interface Place {
  readonly space: string;
  readonly comma: string;
  /** The indent of its continuation lines; `undefined` for the indent of its first line. */
  readonly indent: string | undefined;
  readonly ends: readonly string[];
}

export function placeOf(style: Style, metadata: Metadata | undefined): Place {
  const names = stringOf(metadata, "eol", /^(?:lf|crlf|cr)(?: (?:lf|crlf|cr))*$/)?.split(" ");
  return {
    space: stringOf(metadata, "space", space) ?? style.space,
    comma: stringOf(metadata, "comma", space) ?? style.comma,
    indent: stringOf(metadata, "indent", /^[ \t]*$/),
    ends: names?.map((name) => breaks[name] ?? style.eol) ?? [style.eol],
  };
}

/** A cell's text with line ends and indent of the file. */
export function lay(text: string, indent: string, ends: readonly string[]): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  const first = ends[0] ?? "\n";
  const mixed = ends.length === lines.length - 1;
  return lines
    .map((line, i) => (i === 0 ? line : `${(mixed ? ends[i - 1] : first) ?? first}${line && indent}${line}`))
    .join("");
}

/** A slice of the file as a cell shows it. */
export interface Lifted {
  /** Lines end in LF and are dedented. */
  readonly text: string;
  /** The indent; `undefined` if no line shows it. */
  readonly indent: string | undefined;
  /** Names of the line ends: none for one line, one where all are the same, else all of them. */
  readonly ends: readonly string[];
}

/**
 * Takes line ends and indent off, so that {@link lay} puts back the very same.
 *
 * @param indent - Of the slice's first line. Lines with less of it give what they all have.
 */
export function lift(slice: string, indent: string): Lifted {
  const found = slice.match(/\r\n|\r|\n/g);
  if (!found) return { text: slice, indent: undefined, ends: [] };
  const lines = slice.split(/\r\n|\r|\n/);
  const next = lines.slice(1).filter((line) => line !== "");
  let shared = next.reduce(sharedStart, indent);
  // a line of nothing but the indent would come back empty
  if (next.some((line) => line === shared)) shared = "";
  const text = lines.map((line, i) => (i === 0 || line === "" ? line : line.slice(shared.length))).join("\n");
  const ends = found.map((end) => (end === "\n" ? "lf" : end === "\r" ? "cr" : "crlf"));
  const uniform = ends.every((end) => end === ends[0]);
  return { text, indent: next.length > 0 ? shared : undefined, ends: uniform ? ends.slice(0, 1) : ends };
}

function sharedStart(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a.slice(0, i);
}

/** Text as an editor gives it back: LF alone, and no half of a surrogate pair, which does not survive UTF-8. */
export function toShown(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The name of a line end, as metadata has it. */
export function eolName(eol: string): string {
  return eol === "\n" ? "lf" : eol === "\r" ? "cr" : "crlf";
}
