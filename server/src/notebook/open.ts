import { maxDepth } from "../base/json.ts";
import { shift, span } from "../base/span.ts";
import { lineColumn } from "../base/text.ts";
import { decodeFile, type NotebookFileCode, NotebookFileError } from "./bytes.ts";
import type { Metadata, NotebookCell, NotebookData } from "./data.ts";
import { markdownLanguage, requestLanguage } from "./data.ts";
import { frameOf, isBlank, newFrame, withoutMark } from "./frame.ts";
import { headerIndex } from "./header.ts";
import { isJson } from "./json.ts";
import type { Lifted, Style } from "./layout.ts";
import { eolName, firstBreak, indentAfter, lift, styleOf } from "./layout.ts";
import { heldText, linesForms, printLines } from "./lines.ts";
import type { FileText } from "./readFile.ts";
import { dataKey, headerToFile, readFile, recordingDataOf } from "./readFile.ts";
import { isOwnForm } from "./save.ts";
import type { FileFault, ScannedList } from "./scan.ts";
import { scanFile } from "./scan.ts";
import { Spans } from "./spans.ts";

/**
 * Opens a file as a notebook. Saving what comes back, untouched, gives the same bytes.
 *
 * @param bytes - None, or only white space, are a new notebook.
 * @throws {@link NotebookFileError} for what is not UTF-8, no JSON or no notebook, and for conflict markers.
 */
export function openNotebook(bytes: Uint8Array): NotebookData {
  const decoded = decodeFile(bytes);
  if ("fault" in decoded) {
    throw new NotebookFileError("notebook.encoding", decoded.fault, decoded.fault.what, decoded.fault.hint);
  }
  const { text } = decoded;
  if (isBlank(text)) return { cells: [], metadata: { before: text } };
  checkFile(text);
  const scan = scanFile(text);
  const list = scan.list ?? {
    open: scan.root.start - 1,
    close: scan.root.end,
    closed: true,
    cells: new Spans([scan.root.start, scan.root.end]),
  };
  return openCells(text, list, scan.list !== undefined);
}

const hints: Readonly<Record<NotebookFileCode, string>> = {
  "notebook.conflict": "Choose between the two versions and delete the lines with markers.",
  "notebook.encoding": "Save it as UTF-8.",
  "notebook.form": 'Write `{ "cells": [] }` around the requests, or open the file as text.',
  "notebook.syntax": "Correct it in the text editor; nothing was changed.",
};

function checkFile(text: string): void {
  const file = readFile(text);
  const whole = isJson(withoutMark(text));
  if (whole && file.form !== "none") return;
  const fault = (!whole && file.faults.find(({ code }) => code === "conflict-marker")) || firstFault(file, whole);
  const { code, what } = fault;
  const error =
    code === "conflict-marker" ? "notebook.conflict" : code === "json-syntax" ? "notebook.syntax" : "notebook.form";
  throw new NotebookFileError(error, lineColumn(text, fault.span.start), what, hints[error]);
}

/** The first fault of the text, wherever it was found; of a file that is JSON, the one that says what is missing. */
function firstFault(file: FileText, whole: boolean): FileFault {
  const { header } = file;
  const own = file.faults.filter(({ code }) => whole === (code === "not-a-notebook"));
  const ofHeader = header?.cell.faults.map((fault) => ({ ...fault, span: headerToFile(header, fault.span) })) ?? [];
  const faults = [...own, ...ofHeader];
  const broken = file.cells.findIndex((cell) => cell.faults.length > 0 && !isJson(cell.text));
  const [inCell] = file.cells[broken]?.faults ?? [];
  if (inCell) faults.push({ ...inCell, span: shift(inCell.span, file.spans.at(broken)?.start ?? 0) });
  const first = faults.sort((a, b) => a.span.start - b.span.start)[0] ?? file.faults[0];
  return (
    first ?? {
      code: "json-syntax",
      span: deepest(file),
      what: `it has a fault, and more than ${maxDepth} levels hide where`,
    }
  );
}

function deepest({ cells, spans, header }: FileText): FileFault["span"] {
  const broken = cells.findIndex(({ kind, text }) => kind === "opaque" && !isJson(text));
  return spans.at(broken) ?? header?.span ?? span(0, 0);
}

/** A cell's slice of the file, and the white space that parts it from what is before. */
interface Piece extends Lifted {
  readonly space: string;
  /** `undefined` for the first one, which has no comma. */
  readonly comma: string | undefined;
  /** Indent of its first line. */
  readonly line: string;
}

function openCells(text: string, list: ScannedList, listed: boolean): NotebookData {
  const end = list.cells.at(list.cells.length - 1)?.end ?? list.open + 1;
  const frame = listed
    ? frameOf(text.slice(0, list.open + 1), text.slice(list.close))
    : frameOf(text.slice(0, list.open + 1), text.slice(end));
  const pieces = piecesOf(text, list, styleOf(frame, {}).base);
  const found = listed
    ? foundStyle(text, pieces, text.slice(end, list.close))
    : { ...foundStyle(text, pieces, undefined), space: pieces[0]?.indent === undefined ? undefined : firstBreak(text) };
  const same = frame.before === newFrame.before && frame.after === newFrame.after;
  const metadata = withStyle(same ? {} : { before: frame.before, after: frame.after }, frame, found);
  const style = styleOf(frame, metadata);
  const cells = pieces.map((piece) => openCell(piece, style, listed));
  if (frame.header !== undefined) {
    const data = recordingDataOf({ text, scan: scanFile(text) });
    const mark = { header: true, ...(data !== undefined && { [dataKey]: data }) };
    return { cells: [codeCell(frame.header, mark), ...marked(cells)], metadata };
  }
  return { cells: marked(cells), metadata };
}

/** A first cell that only looks like a header says that it is none. */
function marked(cells: readonly NotebookCell[]): readonly NotebookCell[] {
  const index = headerIndex(cells);
  return cells.map((cell, i) => (i === index ? { ...cell, metadata: { ...cell.metadata, header: false } } : cell));
}

function piecesOf(text: string, { open, cells }: ScannedList, base: string): readonly Piece[] {
  let end = open + 1;
  return cells.map((at, i) => {
    const gap = text.slice(end, at.start);
    const comma = i === 0 ? undefined : gap.slice(0, gap.indexOf(","));
    const space = comma === undefined ? gap : gap.slice(comma.length + 1);
    const line = indentAfter(space, base);
    end = at.end;
    return { ...lift(text.slice(at.start, at.end), line), line, space, comma };
  });
}

type FoundStyle = { readonly [K in "eol" | "space" | "comma" | "tail" | "empty"]: string | undefined };

/** Returns the most common style of the cells. */
function foundStyle(text: string, pieces: readonly Piece[], tail: string | undefined): FoundStyle {
  const none = pieces.length === 0;
  return {
    eol: firstBreak(text),
    space: mostly(pieces.map(({ space }) => space)),
    comma: mostly(pieces.map(({ comma }) => comma)),
    tail: none ? undefined : tail,
    empty: none ? tail : undefined,
  };
}

function mostly(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Adds to a notebook's metadata what its frame does not suggest by itself. */
function withStyle(metadata: Metadata, frame: Parameters<typeof styleOf>[0], found: FoundStyle): Metadata {
  let all = metadata;
  for (const key of ["eol", "space", "comma", "tail", "empty"] as const) {
    const value = found[key];
    if (value === undefined || styleOf(frame, all)[key] === value) continue;
    all = { ...all, [key]: key === "eol" ? eolName(value) : value };
  }
  return all;
}

function openCell(piece: Piece, style: Style, listed: boolean): NotebookCell {
  const ends = piece.ends.join(" ");
  const layout = {
    ...(listed && piece.space !== style.space && { space: piece.space }),
    ...(listed && piece.comma !== undefined && piece.comma !== style.comma && { comma: piece.comma }),
    ...(piece.indent !== undefined && piece.indent !== piece.line && { indent: piece.indent }),
    ...(ends !== "" && ends !== eolName(style.eol) && { eol: ends }),
  };
  const held = heldText(piece.text);
  if (!held) {
    const scalar = !/^[[{]/.test(piece.text);
    return codeCell(piece.text, scalar ? { ...layout, form: "value" } : layout);
  }
  const { key, text } = held;
  const metadata = { ...layout, ...formOf(piece.text, key, text, style.unit) };
  return key === "text"
    ? codeCell(text, metadata)
    : { kind: "markdown", language: markdownLanguage, text, ...meta(metadata) };
}

/** Returns how JSON encodes a cell's text: empty if a new cell would get the same, the whole JSON if no form fits. */
function formOf(json: string, key: "markdown" | "text", text: string, unit: string): Metadata {
  if (key === "text" && isOwnForm(text)) return { raw: json };
  if (printLines(key, text, undefined, unit) === json) return {};
  const form = linesForms.find((one) => printLines(key, text, one, unit) === json);
  return form ? { form } : { raw: json };
}

function codeCell(text: string, metadata: Metadata): NotebookCell {
  return { kind: "code", language: requestLanguage, text, ...meta(metadata) };
}

function meta(metadata: Metadata): { readonly metadata?: Metadata } {
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}
