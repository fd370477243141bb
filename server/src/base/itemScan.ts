import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "./jsonScan.ts";

/** The text ends before the item does. */
export const cut = -1;
/** It is no JSON, or JSON that only a full reader reads. */
export const unreadable = -2;

/** Levels of an item, one bit each. */
const maxLevels = 30;
/** Numbers that a double holds, in their usual form. */
const word = /true|false|null|(?:0|[1-9]\d{0,14})(?![\d.eE])/y;

type Expected = "value" | "first value" | "key" | "first key" | "after";

/**
 * Finds the end of a JSON value in text without escapes, spaces and control characters: strings are jumped over at once. What it
 * reads would be printed in the same way.
 *
 * @returns The offset behind it, {@link cut}, or {@link unreadable}.
 */
export function itemEnd(text: string, start: number): number {
  let expected: Expected = "value";
  let levels = 0;
  /** A bit for each level, the innermost last: 1 for an object. */
  let kinds = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    const isEnd: boolean = code === ((kinds & 1) === 1 ? closeBrace : closeBracket) && levels > 0;
    if (expected === "after") {
      if (code === comma) {
        expected = (kinds & 1) === 1 ? "key" : "value";
        at++;
        continue;
      }
      if (!isEnd) return unreadable;
    }
    if (isEnd && expected !== "value" && expected !== "key") {
      at++;
      kinds >>= 1;
      if (--levels === 0) return at;
      expected = "after";
    } else if (code === quote) {
      const close = text.indexOf('"', at + 1);
      if (close < 0) return cut;
      at = close + 1;
      if (expected === "key" || expected === "first key") {
        if (at >= text.length) return cut;
        if (text.charCodeAt(at++) !== colon) return unreadable;
        expected = "value";
      } else if (levels === 0) return at;
      else expected = "after";
    } else if (expected === "key" || expected === "first key") return unreadable;
    else if (code === openBrace || code === openBracket) {
      if (++levels > maxLevels) return unreadable;
      const isObject = code === openBrace;
      kinds = (kinds << 1) | (isObject ? 1 : 0);
      expected = isObject ? "first key" : "first value";
      at++;
    } else {
      word.lastIndex = at;
      const end = word.test(text) ? word.lastIndex : at;
      if (end === text.length || (end === at && text.length - at < maxWord)) return cut; // it may go on
      if (end === at) return unreadable;
      at = end;
      if (levels === 0) return at;
      expected = "after";
    }
  }
  return cut;
}

/** Characters of the longest literal. */
const maxWord = 5;

/**
 * Returns the texts of members of an object that {@link itemEnd} has read. Of several with the same name it is the last one,
 * as for any reader of JSON.
 *
 * @example memberTexts('{"a":[1],"b":"2"}', ["b", "c"]); //=> ['"2"', undefined]
 */
export function memberTexts(item: string, names: readonly string[]): readonly (string | undefined)[] {
  const found = names.map((): string | undefined => undefined);
  if (item.charCodeAt(0) !== openBrace) return found;
  for (let at = 1; item.charCodeAt(at) === quote; ) {
    const keyEnd = item.indexOf('"', at + 1);
    const end = valueEnd(item, keyEnd + 2);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? "";
      if (keyEnd - at - 1 === name.length && item.startsWith(name, at + 1)) found[index] = item.slice(keyEnd + 2, end);
    }
    at = end + 1;
  }
  return found;
}

/** The comma or bracket behind a value. */
function valueEnd(item: string, start: number): number {
  let depth = 0;
  for (let at = start; at < item.length; at++) {
    const code = item.charCodeAt(at);
    if (code === quote) at = item.indexOf('"', at + 1);
    else if (code === openBrace || code === openBracket) depth++;
    else if (depth === 0 && (code === comma || code === closeBrace)) return at;
    else if (code === closeBrace || code === closeBracket) depth--;
  }
  return item.length;
}
