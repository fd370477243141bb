import type { Span } from "../base/span.ts";

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

interface Member {
  /** The last one. */
  readonly found: Span | undefined;
  readonly count: number;
  /** The end of the object. */
  readonly end: number;
}

function membersOf(body: string, key: string): readonly (Member | undefined)[] {
  const start = skipSpace(body, 0);
  if (body[start] === "{") return [memberSpan(body, start, key)];
  const members: (Member | undefined)[] = [];
  for (let at = skipSpace(body, start + 1); body[at] !== "]" && at < body.length; ) {
    const member = body[at] === "{" ? memberSpan(body, at, key) : undefined;
    members.push(member);
    at = skipSpace(body, member?.end ?? valueEnd(body, at));
    if (body[at] === ",") at = skipSpace(body, at + 1);
  }
  return members;
}

function memberSpan(body: string, open: number, key: string): Member {
  let found: Span | undefined;
  let count = 0;
  let at = skipSpace(body, open + 1);
  while (body[at] === '"') {
    const keyEnd = stringEnd(body, at);
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
  if (first === '"') return stringEnd(body, start);
  if (first !== "{" && first !== "[") return scalarEnd(body, start);
  const mark = /["{}[\]]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(body); found; found = mark.exec(body)) {
    if (found[0] === '"') mark.lastIndex = stringEnd(body, found.index);
    else if (found[0] === "{" || found[0] === "[") depth++;
    else if (--depth === 0) return mark.lastIndex;
  }
  return body.length;
}

function scalarEnd(body: string, start: number): number {
  const end = /[\s,\]}]/g;
  end.lastIndex = start + 1; // a scalar has at least one character
  return end.exec(body)?.index ?? body.length;
}

function stringEnd(body: string, open: number): number {
  for (let close = body.indexOf('"', open + 1); close !== -1; close = body.indexOf('"', close + 1)) {
    let escapes = 0;
    while (body[close - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return close + 1;
  }
  return body.length;
}

function skipSpace(body: string, from: number): number {
  let at = from;
  while (body[at] === " " || body[at] === "\n" || body[at] === "\r" || body[at] === "\t") at++;
  return at;
}
