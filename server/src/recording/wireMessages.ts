import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { memberSpans } from "../rpc/memberSpans.ts";

/** A request of a message, with its id as it is written. */
export interface WrittenRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Absent for a notification. */
  readonly id: string | undefined;
}

/** The requests of a message; `undefined` if it is not JSON-RPC. */
export function requestsIn(body: string): readonly WrittenRequest[] | undefined {
  const value = parseJson(body);
  const items = isArray(value) ? value : value === undefined ? [] : [value];
  const ids = value === undefined ? [] : memberSpans(body, "id");
  const requests = items.flatMap((item, at): readonly WrittenRequest[] => {
    if (!isObject(item) || typeof item.method !== "string") return [];
    const span = ids[at];
    return [{ method: item.method, params: item.params, id: span && body.slice(span.start, span.end) }];
  });
  return requests.length > 0 && requests.length === items.length ? requests : undefined;
}

/** A response object of a message: its text, and its id as it is written. */
export interface WrittenResponse {
  readonly text: string;
  readonly id: string | undefined;
}

/** The response objects of a message, in order; none if it has no shape of JSON-RPC. */
export function responsesIn(body: string): readonly WrittenResponse[] {
  const value = parseJson(body);
  if (value === undefined) return [];
  const items = isArray(value) ? value : [value];
  if (!items.every(isResponse)) return [];
  const ids = memberSpans(body, "id");
  if (!isArray(value)) {
    const [span] = ids;
    return [{ text: body, id: span && body.slice(span.start, span.end) }];
  }
  return itemTexts(body).map((text, at) => {
    const span = ids[at];
    return { text, id: span && body.slice(span.start, span.end) };
  });
}

function isResponse(value: JsonValue): value is JsonObject {
  return isObject(value) && (Object.hasOwn(value, "result") || Object.hasOwn(value, "error"));
}

/** Replaces the id of a response with another one; adds it to a response that has none. */
export function withId(response: string, id: string): string {
  const [span] = memberSpans(response, "id");
  if (span) return response.slice(0, span.start) + id + response.slice(span.end);
  const open = response.indexOf("{") + 1;
  return `${response.slice(0, open)}"id":${id},${response.slice(open)}`;
}

/** The texts of the items of a list that is known to be JSON. */
export function itemTexts(body: string): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = -1;
  for (let at = 0; at < body.length; at++) {
    const char = body[at];
    if (char === '"') at = stringEnd(body, at);
    else if (char === "{" || char === "[") {
      if (++depth === 2) start = at;
    } else if (char === "}" || char === "]") {
      if (--depth === 1) texts.push(body.slice(start, at + 1));
    }
  }
  return texts;
}

/** Offset of the quote that ends a string. */
function stringEnd(body: string, open: number): number {
  let at = open + 1;
  while (at < body.length && body[at] !== '"') at += body[at] === "\\" ? 2 : 1;
  return at;
}
