import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { itemTexts, memberSpans } from "../base/jsonScan.ts";

/** A request of a message, with its id as JSON. */
export interface WrittenRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Absent for a notification. */
  readonly id: string | undefined;
}

/** The requests of a message; `undefined` if it is not JSON-RPC. */
export function requestsIn(body: string): readonly WrittenRequest[] | undefined {
  const value = parseJson(body);
  if (!isArray(value)) {
    const request = requestFrom(value);
    return request && [request];
  }
  const requests = value.flatMap((item) => requestFrom(item) ?? []);
  return requests.length > 0 && requests.length === value.length ? requests : undefined;
}

function requestFrom(value: JsonValue | undefined): WrittenRequest | undefined {
  if (!isObject(value) || typeof value.method !== "string") return undefined;
  const { method, params, id } = value;
  return { method, params, id: id === undefined ? undefined : printJson(id) };
}

/** An id that is printed as it was written. */
const plainId = String.raw`(0|[1-9]\d{0,14}|"[\w-]{1,64}")`;
/** Requests as nearly all clients write them: with their id before everything else, or after it. */
const [idFirst, idLast] = [
  new RegExp(String.raw`^\{"jsonrpc": ?"2\.0", ?"id": ?${plainId}, ?`),
  new RegExp(String.raw`, ?"id": ?${plainId}(?:, ?"jsonrpc": ?"2\.0")?\}$`),
];

/** Takes the id out of the text of a request without parsing it; `undefined` if it is not where clients write it. */
export function splitRequest(body: string): { readonly rest: string; readonly id: string } | undefined {
  const [first = "", id] = idFirst.exec(body) ?? [];
  // after an id comes a key: a message that goes on with another object is not JSON
  if (id !== undefined) return body[first.length] === "{" ? undefined : { rest: body.slice(first.length), id };
  const [last = "", lastId] = idLast.exec(body) ?? [];
  return lastId === undefined ? undefined : { rest: body.slice(0, -last.length), id: lastId };
}

/** Reads the rest of a request; `undefined` if another member says its id, or it is not JSON-RPC. */
export function requestIn(rest: string): WrittenRequest | undefined {
  const request = requestFrom(parseJson(rest.startsWith("{") ? `${rest}}` : `{${rest}`));
  return request && request.id === undefined ? request : undefined;
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

/** The text of a response before its id and after it. */
export interface AroundId {
  readonly before: string;
  readonly after: string;
}

/** Takes the id out of a response; one that has none gets a place for it. */
export function aroundId(response: string): AroundId {
  const [span] = memberSpans(response, "id");
  if (span) return { before: response.slice(0, span.start), after: response.slice(span.end) };
  const open = response.indexOf("{") + 1;
  const rest = response.slice(open);
  return { before: `${response.slice(0, open)}"id":`, after: rest.trimStart().startsWith("}") ? rest : `,${rest}` };
}
