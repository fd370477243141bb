import type { Span } from "../base/span.ts";

/**
 * Finds the value of the last top-level member `key` of each object in a body that is known to be JSON: of the
 * object itself, or of each item of an array. Iterative, and it skips strings by their quotes.
 *
 * @returns One span for each object, in order; `undefined` if it has no such member, or the item is not an object.
 */
export function memberSpans(body: string, key: string): readonly (Span | undefined)[] {
  const start = skipSpace(body, 0);
  if (body[start] === "{") return [memberSpan(body, start, key).found];
  const spans: (Span | undefined)[] = [];
  for (let at = skipSpace(body, start + 1); body[at] !== "]" && at < body.length; ) {
    if (body[at] === "{") {
      const { found, end } = memberSpan(body, at, key);
      spans.push(found);
      at = end;
    } else {
      spans.push(undefined);
      at = valueEnd(body, at);
    }
    at = skipSpace(body, at);
    if (body[at] === ",") at = skipSpace(body, at + 1);
  }
  return spans;
}

function memberSpan(
  body: string,
  open: number,
  key: string,
): { readonly found: Span | undefined; readonly end: number } {
  let found: Span | undefined;
  let at = skipSpace(body, open + 1);
  while (body[at] === '"') {
    const keyEnd = stringEnd(body, at);
    const written = body.slice(at + 1, keyEnd - 1);
    const name: unknown = written.includes("\\") ? JSON.parse(body.slice(at, keyEnd)) : written;
    const start = skipSpace(body, skipSpace(body, keyEnd) + 1);
    const end = valueEnd(body, start);
    if (name === key) found = { start, end };
    at = skipSpace(body, end);
    if (body[at] === ",") at = skipSpace(body, at + 1);
  }
  return { found, end: at + 1 };
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
