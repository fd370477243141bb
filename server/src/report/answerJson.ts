import { isArray, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { itemTexts, lengthOfText } from "../base/lazyList.ts";
import { visible } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import type { Outcome, RawJson } from "../rpc/outcome.ts";

/**
 * The answer itself as pretty-printed JSON: the result, or the error with what is known about it. Numbers stay as the
 * endpoint wrote them.
 *
 * @param limit - Characters; longer text is cut and says so in a last line, which makes it no JSON any more.
 */
export function answerJson(outcome: Outcome, limit = 1_000_000): string {
  const listed = outcome.kind === "answered" ? listJson(outcome.result.value, limit) : undefined;
  if (listed) return listed;
  const { json, whole = json.length } =
    outcome.kind === "answered" ? { json: outcome.result.text } : errorText(outcome, limit);
  const { text, length } = jsonText(json, limit);
  return length > text.length ? cutText(text, whole) : text;
}

/** JSON up to a limit, and the length of all of it if that is not there. */
interface JsonStart {
  readonly json: string;
  readonly whole?: number;
}

function cutText(text: string, wholeLength: number): string {
  return `${text}\n… cut here: the whole answer has ${formatBytes(wholeLength)}`;
}

/** Lays out a list whose items are read later, as {@link jsonText} does: those that are cut off are not looked at. */
function listJson(list: JsonValue, limit: number): string | undefined {
  const textAt = isArray(list) ? itemTexts(list) : undefined;
  if (!isArray(list) || !textAt || list.length === 0) return undefined;
  const items: string[] = [];
  let length = 0;
  for (let at = 0; at < list.length && length <= limit; at++) {
    const item = JSON.stringify(JSON.parse(textAt(at)), null, 2).replaceAll("\n", "\n  ");
    items.push(item);
    length += item.length;
  }
  const text = `[\n  ${items.join(",\n  ")}\n]`;
  const isWhole = items.length === list.length && text.length <= limit;
  return isWhole ? text : cutText(text.slice(0, limit), lengthOfText(list) ?? 0);
}

/** With the part of the answer that came, if there is one. */
function errorText(outcome: Exclude<Outcome, { readonly kind: "answered" }>, limit: number): JsonStart {
  const error = printJson(errorOf(outcome));
  const soFar = outcome.exchange.parts?.soFar;
  if (!soFar) return { json: error };
  const { json, whole = json.length } = startOf(soFar.result, limit);
  const before = `${error.slice(0, -1)},"partial":`;
  return { json: `${before}${json}}`, whole: before.length + whole + 1 };
}

/** Of a list whose items are read later, only those are looked at that are shown. */
function startOf(result: RawJson, limit: number): JsonStart {
  const list = result.value;
  const textAt = isArray(list) ? itemTexts(list) : undefined;
  if (!isArray(list) || !textAt) return { json: result.text };
  const items: string[] = [];
  for (let [at, length] = [0, 0]; at < list.length && length <= limit; at++) {
    const item = textAt(at);
    items.push(item);
    length += item.length;
  }
  return { json: `[${items.join(",")}]`, whole: lengthOfText(list) ?? 0 };
}

function errorOf(outcome: Exclude<Outcome, { readonly kind: "answered" }>): JsonObject {
  if (outcome.kind === "unreachable") return { unreachable: outcome.reason, message: outcome.message };
  const { code, message, data, exchange } = outcome;
  return {
    ...(code === undefined ? { httpStatus: exchange.status ?? null } : { code }),
    message,
    ...(data !== undefined && { data }),
  };
}

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
