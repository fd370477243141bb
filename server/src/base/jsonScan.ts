import type { Span } from "./span.ts";

/** Code units that have a meaning in JSON. */
export const quote = 0x22;
export const comma = 0x2c;
const slash = 0x2f;
export const colon = 0x3a;
export const openBracket = 0x5b;
const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const lf = 0x0a;
export const cr = 0x0d;

export function skipSpace(text: string, start: number): number {
  for (let i = start; ; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== lf && code !== cr && code !== 0x09) return i;
  }
}

/** Behind the closing quote; without one, at the end of the line. */
export function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i + 1;
    if (code === backslash) i++;
    else if (code === lf || code === cr) return i;
  }
  return text.length;
}

/** Behind a number, a literal or rubbish: at least one character. */
export function wordEnd(text: string, start: number): number {
  const stop = /[\s,:{}[\]"]/g;
  stop.lastIndex = start + 1;
  return stop.exec(text)?.index ?? text.length;
}

export function lineEnd(text: string, start: number): number {
  const stop = /[\r\n]/g;
  stop.lastIndex = start;
  return stop.exec(text)?.index ?? text.length;
}

/**
 * @param from - Where to look back to; without a line break after it, `known` holds still.
 * @returns The spaces and tabs at the start of the line that `start` is in.
 */
export function indentBefore(text: string, from: number, start: number, known: string): string {
  const gap = text.slice(from, start);
  const line = Math.max(gap.lastIndexOf("\n"), gap.lastIndexOf("\r"));
  if (line < 0 && from > 0) return known;
  let end = from + line + 1;
  const begin = end;
  while (end < start && (text.charCodeAt(end) === 0x20 || text.charCodeAt(end) === 0x09)) end++;
  return text.slice(begin, end);
}

export function deeperThan(text: string, limit: number): boolean {
  return bracketBeyond(text, limit) !== undefined;
}

/**
 * The offset of the first bracket that nests deeper than that. At least what jsonc-parser would recurse into: as there, comments do not count
 * and a bracket of the wrong kind closes nothing.
 */
export function bracketBeyond(text: string, limit: number): number | undefined {
  if (text.length <= limit) return undefined;
  const stack: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = stringEnd(text, i) - 1;
    else if (code === slash) i = commentEnd(text, i) - 1;
    else if (code === openBrace || code === openBracket) {
      if (stack.push(code) > limit) return i;
    } else if ((code === closeBrace || code === closeBracket) && stack.at(-1) === code - 2) stack.pop();
  }
  return undefined;
}

function commentEnd(text: string, start: number): number {
  if (text[start + 1] === "/") return lineEnd(text, start);
  if (text[start + 1] !== "*") return start + 1;
  const end = text.indexOf("*/", start + 2);
  return end < 0 ? text.length : end + 2;
}

/**
 * Finds the value of the last top-level member `key` of each object in a body that is known to be JSON: of the
 * object itself, or of each item of an array. Iterative, and it skips strings by their quotes.
 *
 * @returns One span for each object, in order; `undefined` if it has no such member, or the item is not an object.
 */
export function memberSpans(body: string, key: string): readonly (Span | undefined)[] {
  return membersOf(body, key).map((member) => member?.found);
}

/** Whether one of the same objects has the member more than once: readers of JSON differ in which they take. */
export function hasRepeatedMember(body: string, key: string): boolean {
  return membersOf(body, key).some((member) => member !== undefined && member.count > 1);
}

/** Returns the texts of the items of a list that is known to be JSON. */
export function itemTexts(body: string): readonly string[] {
  const texts: string[] = [];
  readItems(body, (start) => {
    const end = valueEnd(body, start);
    texts.push(body.slice(start, end));
    return end;
  });
  return texts;
}

interface Member {
  /** The last one. */
  readonly found: Span | undefined;
  readonly count: number;
  /** The end of the object. */
  readonly end: number;
}

function membersOf(body: string, key: string): readonly (Member | undefined)[] {
  const members: (Member | undefined)[] = [];
  readItems(body, (start) => {
    const member = body[start] === "{" ? memberSpan(body, start, key) : undefined;
    members.push(member);
    return member?.end ?? valueEnd(body, start);
  });
  return members;
}

/** @param read - Returns the end of the item that begins there. */
function readItems(body: string, read: (start: number) => number): void {
  const start = skipSpace(body, 0);
  if (body[start] !== "[") {
    read(start);
    return;
  }
  for (let at = skipSpace(body, start + 1); body[at] !== "]" && at < body.length; ) {
    at = skipSpace(body, read(at));
    if (body[at] === ",") at = skipSpace(body, at + 1);
  }
}

function memberSpan(body: string, open: number, key: string): Member {
  let found: Span | undefined;
  let count = 0;
  let at = skipSpace(body, open + 1);
  while (body[at] === '"') {
    const keyEnd = closingQuote(body, at);
    const written = body.slice(at + 1, keyEnd - 1);
    const name: unknown = written.includes("\\") ? JSON.parse(body.slice(at, keyEnd)) : written;
    const start = skipSpace(body, skipSpace(body, keyEnd) + 1);
    const end = valueEnd(body, start);
    if (name === key) {
      found = { start, end };
      count++;
    }
    at = skipSpace(body, end);
    if (body[at] === ",") at = skipSpace(body, at + 1);
  }
  return { found, count, end: at + 1 };
}

function valueEnd(body: string, start: number): number {
  const first = body[start];
  if (first === '"') return closingQuote(body, start);
  if (first !== "{" && first !== "[") return wordEnd(body, start);
  return closingBracket(body, start) ?? body.length;
}

/**
 * Finds the end of the list or the object that begins at `start`.
 *
 * @param most - Characters in which it has to end.
 * @returns `undefined` if it does not.
 */
export function closingBracket(text: string, start: number, most = Number.POSITIVE_INFINITY): number | undefined {
  const end = Math.min(text.length, start + most);
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The place behind a string that is known to be JSON. Other than {@link stringEnd}, it jumps over long hex at once. */
function closingQuote(body: string, open: number): number {
  for (let close = body.indexOf('"', open + 1); close !== -1; close = body.indexOf('"', close + 1)) {
    let first = close;
    while (body.charCodeAt(first - 1) === backslash) first--;
    if ((close - first) % 2 === 0) return close + 1;
  }
  return body.length;
}
