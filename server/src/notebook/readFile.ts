import { parseJson } from "../base/json.ts";
import { skipSpace } from "../base/jsonScan.ts";
import type { Span } from "../base/span.ts";
import { span } from "../base/span.ts";
import type { Cell } from "./cell.ts";
import { readCell } from "./readCell.ts";
import { rescan } from "./rescan.ts";
import type { FileFault, Scan, ScannedMember } from "./scan.ts";
import { isConflictMarker, scanFile } from "./scan.ts";
import { Spans } from "./spans.ts";

/** A whole file as text. Every text gives one; what is not a notebook has the form `none`. */
export interface FileText {
  readonly text: string;
  readonly form: FileForm;
  /** The header. Every root object that is not itself a cell has one, finished or not. */
  readonly header: FileHeader | undefined;
  /** The spans of its cells, in order, without the header. */
  readonly spans: Spans;
  /** Those cells, read when first asked for; their offsets count from the start of each. */
  readonly cells: readonly Cell[];
  /** Faults of the file as a whole, in order. Those of cells and header are in their `faults`. */
  readonly faults: readonly FileFault[];
  /** Its brackets, which an edit starts from. */
  readonly scan: Scan;
}

/**
 * - `notebook`: an object with a `cells` array.
 * - `array`: an array of cells.
 * - `object`: an object with `method` or `batch`, which is the only cell.
 * - `none`: anything else, blank text included.
 */
export type FileForm = "notebook" | "array" | "object" | "none";

export interface FileHeader {
  /** Its text is the root object without the `cells` member. */
  readonly cell: Cell;
  /** The root object in the file. */
  readonly span: Span;
  /** The span that the header's text leaves out: `cells`, with a comma. Empty if there is none. */
  readonly cut: Span;
}

/** Reads a file. Never throws, and gives the cells so far for every prefix of a notebook. */
export function readFile(text: string): FileText {
  return read(text, undefined);
}

/** Reads a file as {@link readFile} does, but reuses the cells whose text is in `previous`. */
export function updateFile(previous: FileText, text: string): FileText {
  return text === previous.text ? previous : read(text, previous);
}

function read(text: string, previous: FileText | undefined): FileText {
  const change = previous && changeOf(previous.text, text);
  const scan = (change && rescan(previous.scan, previous.text, text, change.from, change.tail)) ?? scanFile(text);
  const form = formOf(text, scan);
  const spans = form === "object" ? new Spans([scan.root.start, scan.root.end]) : (scan.list?.cells ?? none);
  const header = form !== "object" && text[scan.root.start] === "{" ? headerOf(text, scan, previous) : undefined;
  const clean = previous !== undefined && change !== undefined && isClean(text, previous, change);
  const faults = [
    ...(clean ? [] : conflicts(text)),
    ...scan.faults,
    ...jointFaults(text, scan),
    ...rootFaults(text, scan, form),
  ];
  let cells = previous && change && updated(text, spans, previous, change);
  return {
    text,
    form,
    header,
    spans,
    get cells() {
      cells ??= spans.map((at) => cellAt(text, at));
      return cells;
    },
    faults: faults.sort((a, b) => a.span.start - b.span.start),
    scan,
  };
}

const none = new Spans([]);

function formOf(text: string, { list, members, root }: Scan): FileForm {
  if (list) return text[root.start] === "[" ? "array" : "notebook";
  return members.some(({ key }) => key === "method" || key === "batch") ? "object" : "none";
}

/** A copy of its text: a slice would keep the whole text of its version in memory for as long as the cell stays. */
function cellAt(text: string, at: Span): Cell {
  return readCell(` ${text.slice(at.start, at.end)}`.slice(1));
}

/** The change between two texts: the numbers of equal characters before and after it. */
interface Change {
  readonly from: number;
  readonly tail: number;
}

function changeOf(before: string, text: string): Change {
  const most = Math.min(before.length, text.length);
  const from = greatest(most, (start, length) => same(before, text, start, start, length));
  const tail = greatest(most - from, (start, length) => {
    const end = start + length;
    return same(before, text, before.length - end, text.length - end, length);
  });
  return { from, tail };
}

function same(a: string, b: string, from: number, to: number, length: number): boolean {
  return a.slice(from, from + length) === b.slice(to, to + length);
}

/** Bisects with comparisons of slices: each character is compared about once, and not one by one. */
function greatest(most: number, equal: (start: number, length: number) => boolean): number {
  let known = 0;
  for (let end = most; known < end; ) {
    const middle = (known + end + 1) >> 1;
    if (equal(known, middle - known)) known = middle;
    else end = middle - 1;
  }
  return known;
}

/** Keeps cells that lie wholly before or behind the change, and those beside it whose text stays. */
function updated(text: string, spans: Spans, old: FileText, { from, tail }: Change): readonly Cell[] {
  const most = Math.min(spans.length, old.spans.length);
  const isSame = (index: number, before: number): boolean => {
    const { start, end } = spans.at(index) ?? span(0, 0);
    return text.slice(start, end) === old.cells[before]?.text;
  };
  let head = Math.min(spans.sameFirst(old.spans), spans.endingBefore(from + 1));
  while (head < most && isSame(head, head)) head++;
  const behind = spans.length - spans.startingBy(text.length - tail - 1);
  let rest = Math.min(spans.sameLast(old.spans, text.length - old.text.length), behind, most - head);
  while (rest < most - head && isSame(spans.length - 1 - rest, old.spans.length - 1 - rest)) rest++;
  const cells = old.cells.slice(0, head);
  for (let index = head; index < spans.length - rest; index++) cells.push(cellAt(text, spans.at(index) ?? span(0, 0)));
  return cells.concat(old.cells.slice(old.cells.length - rest));
}

/** The root object without its `cells`. */
export function headerText(text: string, scan: Scan): string {
  const cut = cutOf(text, scan);
  return text.slice(scan.root.start, cut.start) + text.slice(cut.end, scan.root.end);
}

function headerOf(text: string, scan: Scan, previous: FileText | undefined): FileHeader {
  const shown = headerText(text, scan);
  const known = isOpen(scan) === (previous && isOpen(previous.scan)) ? previous?.header?.cell : undefined;
  return { cell: known?.text === shown ? known : readHeader(shown, scan), span: scan.root, cut: cutOf(text, scan) };
}

/**
 * Reads the header. If the cells are not closed, a fault there says so; the end of the header then gets no second
 * one.
 */
function readHeader(shown: string, scan: Scan): Cell {
  const cell = readCell(shown, "header");
  if (!isOpen(scan)) return cell;
  return { ...cell, faults: cell.faults.filter(({ what }) => !what.endsWith("at the end")) };
}

function isOpen({ list }: Scan): boolean {
  return list?.closed === false;
}

export function cellsMember({ members, list }: Scan): ScannedMember | undefined {
  return list && members.findLast(({ key }) => key === "cells");
}

/** The member after `cells` that holds a recording. It is too long for people to read, so the header does not show it. */
export const dataKey = "recordingData";

/** Returns that member; `undefined` if the file has none, or has it elsewhere. */
export function dataMember({ members, list }: Scan): ScannedMember | undefined {
  const at = list ? members.findLastIndex(({ key }) => key === "cells") : -1;
  const next = at < 0 ? undefined : members[at + 1];
  return next?.key === dataKey ? next : undefined;
}

/** Returns the recording that the file contains, as it is packed. */
export function recordingDataOf({ text, scan }: { readonly text: string; readonly scan: Scan }): string | undefined {
  const member = dataMember(scan);
  const value = member && parseJson(text.slice(text.indexOf(":", member.start + dataKey.length) + 1, member.end));
  return typeof value === "string" ? value : undefined;
}

/** The `cells` member, a recording after it, and the comma that parts it from what is before it, else from what comes after. */
function cutOf(text: string, scan: Scan): Span {
  const member = cellsMember(scan);
  if (!member) return span(scan.root.end, scan.root.end);
  const { end } = dataMember(scan) ?? member;
  let before = member.start;
  while (" \t\r\n,".includes(text.charAt(before - 1))) before--;
  if (before > scan.root.start + 1) return span(before, end);
  const comma = skipSpace(text, end);
  const next = skipSpace(text, comma + 1);
  const more = text[comma] === "," && next < scan.root.end && !/[},]/.test(text.charAt(next));
  return span(member.start, more ? next : end);
}

/** Finds problems with the commas around `cells`, which the header's own text does not show. */
function jointFaults(text: string, scan: Scan): readonly FileFault[] {
  const member = cellsMember(scan);
  if (!member) return [];
  const cut = cutOf(text, scan);
  const before = text.slice(cut.start, member.start);
  const commas = before.split(",").length - 1;
  if (cut.start < member.start && commas !== 1) {
    const what = commas === 0 ? "a comma is missing before this" : "one comma too many";
    const at = commas === 0 ? member.start : cut.start + before.lastIndexOf(",");
    return [{ code: "json-syntax", span: span(at, commas === 0 ? at + 7 : at + 1), what }];
  }
  if (!scan.list?.closed) return [];
  const next = skipSpace(text, member.end);
  const other = cut.start === member.start && next < scan.root.end && !/[,}]/.test(text.charAt(next));
  return other ? [{ code: "json-syntax", span: span(next, next + 1), what: "a comma is missing before this" }] : [];
}

function rootFaults(text: string, scan: Scan, form: FileForm): readonly FileFault[] {
  const faults: FileFault[] = [];
  if (form === "none" && scan.root.end > scan.root.start) {
    const what = "a notebook is an object with a `cells` array, an array of requests, or a request";
    faults.push({ code: "not-a-notebook", span: firstLine(text, scan.root), what });
  }
  const rest = skipSpace(text, scan.root.end);
  if (rest < text.length && !isConflictMarker(text, rest)) {
    const at = firstLine(text, span(rest, text.length));
    faults.push({ code: "json-syntax", span: at, what: "nothing may follow the end of the notebook" });
  }
  return faults;
}

function firstLine(text: string, at: Span): Span {
  const line = text.slice(at.start, at.end).search(/[\r\n]/);
  return line > 0 ? span(at.start, at.start + line) : at;
}

/** There was no conflict before, and none has come with the change. */
function isClean(text: string, { faults }: FileText, { from, tail }: Change): boolean {
  if (faults.some(({ code }) => code === "conflict-marker")) return false;
  return !/[<|=>]{7}/.test(text.slice(Math.max(0, from - 7), text.length - tail + 7));
}

function conflicts(text: string): readonly FileFault[] {
  const faults: FileFault[] = [];
  for (const mark of ["<", "|", "=", ">"]) {
    for (let at = text.indexOf(mark.repeat(7)); at >= 0; at = text.indexOf(mark.repeat(7), at + 7)) {
      if (!isConflictMarker(text, at)) continue;
      const what = "two versions of the file met here, and one of them must be chosen";
      faults.push({ code: "conflict-marker", span: firstLine(text, span(at, text.length)), what });
    }
  }
  return faults;
}

/** A span of the header's text as one of the file; one around the cut takes the cells in. */
export function headerToFile(header: FileHeader, at: Span): Span {
  const joint = header.cut.start - header.span.start;
  const moved = (offset: number): number => header.span.start + offset + header.cut.end - header.cut.start;
  const before = (offset: number): number => header.span.start + offset;
  const start = at.start > joint || (at.start === joint && at.end > joint) ? moved(at.start) : before(at.start);
  return span(start, at.end > joint ? moved(at.end) : before(at.end));
}

/** @returns `undefined` inside the cells and outside the root object. */
export function fileToHeader(header: FileHeader, offset: number): number | undefined {
  const { span: root, cut } = header;
  if (offset < root.start || offset > root.end || (offset > cut.start && offset < cut.end)) return undefined;
  return offset - root.start - (offset >= cut.end && cut.end > cut.start ? cut.end - cut.start : 0);
}
