import { closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "./jsonScan.ts";

/**
 * Returns the texts of members of an object, which is JSON without escapes and spaces. If a name is repeated, it is the last one,
 * as for JSON.parse.
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
    if (code === quote) {
      at = item.indexOf('"', at + 1);
      if (at < 0) return item.length;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (depth === 0 && (code === comma || code === closeBrace)) return at;
    else if (code === closeBrace || code === closeBracket) depth--;
  }
  return item.length;
}
