import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  cr,
  indentBefore,
  lf,
  lineEnd,
  openBrace,
  openBracket,
  quote,
  skipSpace,
  stringEnd,
  wordEnd,
} from "../base/jsonScan.ts";
import type { Span } from "../base/span.ts";
import { span } from "../base/span.ts";
import { Spans } from "./spans.ts";

/** The places of a file's cells, found from its brackets without reading the cells. */
export interface Scan {
  /** The root value, to the end of its last bracket or to where it breaks off. */
  readonly root: Span;
  /** Members of a root object, in order. */
  readonly members: readonly ScannedMember[];
  /** The array that holds the cells: the root, or the last `cells` of it. */
  readonly list: ScannedList | undefined;
  /** All brackets match and only white space follows; the text may still be no JSON. */
  readonly whole: boolean;
  readonly faults: readonly FileFault[];
}

export interface ScannedMember extends Span {
  /** Decoded. */
  readonly key: string;
}

export interface ScannedList {
  /** Offset of `[`. */
  readonly open: number;
  /** Offset of `]`, or where the list breaks off. */
  readonly close: number;
  readonly closed: boolean;
  readonly cells: Spans;
}

/** A fault of the file as a whole; those inside a cell or the header are in their own `faults`. */
export interface FileFault {
  readonly code: "not-a-notebook" | "conflict-marker" | "json-syntax";
  readonly span: Span;
  /** The problem, in one clause without a full stop. */
  readonly what: string;
}

/** More than these in one file say nothing new. */
const maxFaults = 50;

/** A scan under way. */
export interface TextReader {
  readonly text: string;
  /** Brackets do not match, so that from here on line starts decide where a broken value ends. */
  byIndentFrom: number;
  readonly faults: FileFault[];
  broken: boolean;
  /** The last value has brackets that are open where the text ends. */
  open: boolean;
  /** Where the first value begins whose brackets do not match; until one is found, the last value. */
  suspect: number;
  /** Where it ends, if it does. */
  suspectEnd: number | undefined;
  /** The indent of the line in which the last value began, and where it began: found by moving forward only. */
  indent: string;
  at: number;
}

/** Reads a file's brackets, twice at most: brackets that do not match are read again with the help of the indent. */
export function scanFile(text: string): Scan {
  const reading = readingOf(text, Number.POSITIVE_INFINITY);
  const scan = scanRoot(reading);
  if (scan.whole || closesInPlace(reading)) return scan;
  return { ...scanRoot(readingOf(text, reading.suspect)), whole: false };
}

/** The suspect is complete and has not taken the file's last bracket for its own: what should follow is missing. */
function closesInPlace({ text, suspect, suspectEnd }: TextReader): boolean {
  if (suspectEnd === undefined) return false;
  if (skipSpace(text, suspectEnd) < text.length) return true;
  const indent = indentBefore(text, 0, suspect, "");
  return indentBefore(text, suspect, suspectEnd - 1, indent).length >= indent.length;
}

export function readingOf(text: string, byIndentFrom: number): TextReader {
  return {
    text,
    byIndentFrom,
    faults: [],
    broken: false,
    open: false,
    suspect: 0,
    suspectEnd: undefined,
    indent: "",
    at: 0,
  };
}

function scanRoot(reading: TextReader): Scan {
  const { text } = reading;
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const first = text.charCodeAt(start);
  const { faults } = reading;
  if (first === openBracket) {
    const list = scanList(reading, start, false);
    const end = list.closed ? list.close + 1 : list.close;
    return { root: span(start, end), members: [], list, whole: endsAt(reading, end), faults };
  }
  if (first === openBrace) return scanObject(reading, start);
  const end = start < text.length ? skipValue(reading, start) : start;
  return { root: span(start, end), members: [], list: undefined, whole: endsAt(reading, end), faults };
}

function endsAt({ text, broken }: TextReader, end: number): boolean {
  return !broken && skipSpace(text, end) === text.length;
}

function scanObject(reading: TextReader, start: number): Scan {
  const { text, faults } = reading;
  const members: ScannedMember[] = [];
  let list: ScannedList | undefined;
  let i = start + 1;
  for (;;) {
    i = skipSpace(text, i);
    const code = text.charCodeAt(i);
    if (i >= text.length || code === closeBrace) break;
    if (code === comma) i++;
    else if (code !== quote) i = skipValue(reading, i);
    else {
      const keyEnd = stringEnd(text, i);
      const key = decode(text.slice(i, keyEnd));
      const separator = skipSpace(text, keyEnd);
      const at = text.charCodeAt(separator) === colon ? skipSpace(text, separator + 1) : text.length;
      const member = scanMember(reading, key, at, at < text.length ? separator + 1 : keyEnd);
      if (key === "cells" && at < text.length) list = member.list;
      // what comes behind the cells cannot swallow them
      if (list?.closed) reading.byIndentFrom = Number.POSITIVE_INFINITY;
      members.push({ key, start: i, end: member.end });
      i = member.end;
    }
  }
  if (i >= text.length) reading.broken = true;
  const end = Math.min(i + 1, text.length);
  return { root: span(start, end), members, list, whole: endsAt(reading, end), faults };
}

/** @param at - Offset of its value; the end of the text if there is none. */
function scanMember(
  reading: TextReader,
  key: string,
  at: number,
  empty: number,
): { readonly end: number; readonly list: ScannedList | undefined } {
  const code = reading.text.charCodeAt(at);
  if (key === "cells" && code === openBracket) {
    const list = scanList(reading, at, true);
    return { end: list.closed ? list.close + 1 : list.close, list };
  }
  const none = at >= reading.text.length || code === comma || code === closeBrace;
  return { end: none ? empty : skipValue(reading, at), list: undefined };
}

/** @param inside - It is a member of the root object, whose other members may follow where `]` is missing. */
function scanList(reading: TextReader, open: number, inside: boolean): ScannedList {
  const { text } = reading;
  const cells: number[] = []; // start and end of each
  let due = true; // a value, rather than a comma
  let lastComma = -1;
  const close = (at: number, closed: boolean): ScannedList => ({ open, close: at, closed, cells: new Spans(cells) });
  const complain = (at: number, what: string): void => {
    if (reading.faults.length < maxFaults)
      reading.faults.push({ code: "json-syntax", span: span(at, Math.min(at + 1, text.length)), what });
  };
  for (let i = skipSpace(text, open + 1); i < text.length; i = skipSpace(text, i)) {
    const code = text.charCodeAt(i);
    if ((code === closeBracket || code === closeBrace) && continues(text, i)) {
      complain(i++, `nothing is closed by this \`${String.fromCharCode(code)}\``);
    } else if (code === closeBracket) {
      if (due && lastComma >= 0) complain(lastComma, "one comma too many");
      return close(i, true);
    } else if (code === comma) {
      if (due) complain(i, "one comma too many");
      due = true;
      lastComma = i++;
    } else if (inside && (code === closeBrace || isKey(text, i))) {
      complain(i, "`]` is missing before this");
      reading.broken = true;
      return close(i, false);
    } else if (code === closeBrace || code === colon) {
      complain(i++, `\`${String.fromCharCode(code)}\` is out of place`);
    } else if (isConflictMarker(text, i)) {
      i = lineEnd(text, i);
    } else {
      if (!due) complain(i, "a comma is missing before this");
      const end = skipValue(reading, i);
      cells.push(i, end);
      due = false;
      i = end;
    }
  }
  // an open cell says itself what is missing
  if (!reading.open) complain(Math.max(0, text.trimEnd().length - 1), "`]` is missing at the end");
  reading.broken = true;
  return close(text.length, false);
}

/** A bracket too many: behind it more cells follow, which neither a file nor a root object has. */
function continues(text: string, at: number): boolean {
  const next = skipSpace(text, at + 1);
  return text.charCodeAt(next) === comma && text.charCodeAt(skipSpace(text, next + 1)) === openBrace;
}

function isKey(text: string, i: number): boolean {
  if (text.charCodeAt(i) !== quote) return false;
  return text.charCodeAt(skipSpace(text, stringEnd(text, i))) === colon;
}

/** A line that version control leaves where two changes met. No line of JSON begins like that. */
export function isConflictMarker(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before !== "" && before !== "\n" && before !== "\r") return false;
  const mark = text.charAt(at);
  return mark !== "" && "<=>|".includes(mark) && text.startsWith(mark.repeat(7), at);
}

function skipValue(reading: TextReader, start: number): number {
  const code = reading.text.charCodeAt(start);
  if (code === openBrace || code === openBracket) return skipBrackets(reading, start);
  return code === quote ? stringEnd(reading.text, start) : wordEnd(reading.text, start);
}

/** To behind the closing bracket; where brackets do not match, to where the value seems to break off. */
export function skipBrackets(reading: TextReader, start: number): number {
  const { text } = reading;
  const indent = start >= reading.byIndentFrom ? lineIndent(reading, start) : "";
  if (!reading.broken) {
    reading.suspect = start;
    reading.suspectEnd = undefined;
  }
  const stack: number[] = [];
  let braces = 0; // in the stack
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x20) continue;
    if (code === quote) i = stringEnd(text, i) - 1;
    else if (code === openBrace || code === openBracket) {
      stack.push(code);
      if (code === openBrace) braces++;
    } else if (code === closeBrace || code === closeBracket) {
      if (stack[stack.length - 1] !== code - 2) {
        reading.broken = true;
        const any = code === closeBrace ? braces > 0 : stack.length > braces;
        const opened = any ? stack.lastIndexOf(code - 2) : -1;
        // a bracket too many; if the value is indented, it goes on
        if (opened < 0 && indent !== "") continue;
        if (opened < 0) return trimmed(text, start, i);
        if (code === closeBracket) braces -= stack.length - 1 - opened;
        stack.length = opened + 1;
      }
      stack.pop();
      if (code === closeBrace) braces--;
      if (stack.length > 0) continue;
      if (!reading.broken) reading.suspectEnd = i + 1;
      return i + 1;
    } else if ((code === lf || code === cr) && indent !== "") {
      const end = breakOff(text, start, i + 1, indent);
      if (end !== undefined) return end;
    }
  }
  reading.broken = true;
  reading.open = true;
  return text.length;
}

/**
 * Where a value ends, as people and formatters indent: a line that is not deeper than the value's first one, and that
 * opens something new or closes something outside, is not of it.
 */
function breakOff(text: string, start: number, line: number, indent: string): number | undefined {
  let i = line;
  while (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09) i++;
  const depth = i - line - indent.length;
  if (depth > 0) return undefined;
  const code = text.charCodeAt(i);
  if (code === text.charCodeAt(start) + 2 && depth === 0) return i + 1;
  const opens = code === openBrace || code === openBracket || code === quote;
  const closes = depth < 0 && (code === closeBrace || code === closeBracket);
  return opens || closes ? trimmed(text, start, line) : undefined;
}

/** Without white space at the end, nor the comma that parts it from what follows. */
function trimmed(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().replace(/,$/, "").trimEnd().length;
}

/** Returns the indent of the line that contains `start`. Values are requested in order, so no text is scanned twice. */
function lineIndent(reading: TextReader, start: number): string {
  reading.indent = indentBefore(reading.text, reading.at, start, reading.indent);
  reading.at = start;
  return reading.indent;
}

/** The name of a member; a key without a closing quote names nothing. */
function decode(token: string): string {
  if (token.length < 2 || !token.endsWith('"')) return "";
  if (!token.includes("\\")) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return "";
  }
}
