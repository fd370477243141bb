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
