import { visible } from "../base/text.ts";

/**
 * Lays out JSON over lines without reading it: every number token, key and escape stays as it was written. Characters
 * that would play tricks on a reader come out as the escapes that JSON has for them.
 *
 * @param json - Valid JSON.
 * @param limit - Characters at most; the work ends there too.
 * @returns The text, and the length of all of it, which is a lower bound if it was cut.
 */
export function jsonText(json: string, limit: number): { readonly text: string; readonly length: number } {
  const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/gy;
  let text = "";
  let depth = 0;
  let last = "";
  for (let found = token.exec(json); found?.[1] !== undefined; found = token.exec(json)) {
    const part = found[1];
    const closes = part === "}" || part === "]";
    if (closes) depth--;
    if ((closes && last !== "{" && last !== "[") || last === "," || ((last === "{" || last === "[") && !closes)) {
      text += `\n${"  ".repeat(Math.min(depth, 64))}`;
    }
    text += part.startsWith('"') ? visible(part) : part === ":" ? ": " : part;
    if (part === "{" || part === "[") depth++;
    last = part;
    if (text.length > limit) return { text: text.slice(0, limit), length: Math.max(text.length, json.length) };
  }
  return { text, length: text.length };
}
