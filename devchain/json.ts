/**
 * Cuts JSON text into slices, so that what passes through (ids, numbers of any size, whole answers) stays the text
 * that it was. The text must be known to be JSON; everything here only looks for boundaries.
 */

export interface Member {
  readonly name: string;
  /** The text of its value. */
  readonly raw: string;
}

const space = /\s*/y;
const scalar = /[^\s,\]}]+/y;
const mark = /["[\]{}]/g;
const quote = /["\\]/g;

/** Parses the text; returns `undefined` if it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object in their order, duplicates included. */
export function members(object: string): readonly Member[] {
  const found: Member[] = [];
  for (let i = skip(object, skip(object, 0) + 1); object[i] !== "}" && i < object.length; ) {
    const afterName = endOfString(object, i);
    const name: string = JSON.parse(object.slice(i, afterName));
    const at = skip(object, skip(object, afterName) + 1);
    const end = endOfValue(object, at);
    found.push({ name, raw: object.slice(at, end) });
    i = skip(object, end);
    if (object[i] === ",") i = skip(object, i + 1);
  }
  return found;
}

/** The text of one member; of duplicates the last, as `JSON.parse` has it. */
export function member(object: string, name: string): string | undefined {
  return members(object).findLast((one) => one.name === name)?.raw;
}

/** The texts of an array's elements. */
export function elements(array: string): readonly string[] {
  const found: string[] = [];
  for (let i = skip(array, skip(array, 0) + 1); array[i] !== "]" && i < array.length; ) {
    const end = endOfValue(array, i);
    found.push(array.slice(i, end));
    i = skip(array, end);
    if (array[i] === ",") i = skip(array, i + 1);
  }
  return found;
}

function skip(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

function endOfString(text: string, from: number): number {
  quote.lastIndex = from + 1;
  for (let found = quote.exec(text); found; found = quote.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    quote.lastIndex++;
  }
  return text.length;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  if (text[from] !== "[" && text[from] !== "{") {
    scalar.lastIndex = from;
    return scalar.test(text) ? scalar.lastIndex : text.length;
  }
  let depth = 0;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = endOfString(text, found.index);
    else if (found[0] === "[" || found[0] === "{") depth++;
    else if (--depth === 0) return mark.lastIndex;
  }
  return text.length;
}
