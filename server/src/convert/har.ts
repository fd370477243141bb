import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { readCell } from "../notebook/readCell.ts";
import { readBody } from "./body.ts";
import { isBrowserHeader } from "./importCode.ts";
import { type Entry, failedImport, type Header, type Imported, type Note } from "./importModel.ts";
import { wordAt } from "./words.ts";

/** Tells an HTTP archive, as browsers save the traffic of a page, by its members. */
export function isHar(value: JsonValue | undefined): boolean {
  return isObject(value) && isObject(value.log) && isArray(value.log.entries);
}

/**
 * Reads the JSON-RPC requests of an HTTP archive. All other traffic of the page is left out.
 *
 * @see https://w3c.github.io/web-performance/specs/HAR/Overview.html
 */
export function readHar(text: string): Imported {
  const value = parseJson(text);
  const list = isObject(value) && isObject(value.log) && isArray(value.log.entries) ? value.log.entries : undefined;
  if (!list) return failedImport("An HTTP archive has a list `log.entries`, which is missing here.");
  const entries = list.flatMap((one) => (isObject(one) && isObject(one.request) ? requestOf(one.request) : []));
  const others = list.length - entries.length;
  if (entries.length === 0) return failedImport("The archive has no JSON-RPC request with a body.");
  const left: Note = { at: 0, severity: "note", what: `${plural(others, "other request")} of the archive left out.` };
  return { entries, variables: new Map(), notes: others > 0 ? [left] : [] };
}

function requestOf({ method, url, headers, postData }: JsonObject): readonly Entry[] {
  const written = isObject(postData) && typeof postData.text === "string" ? postData.text : "";
  if (typeof method !== "string" || method.toUpperCase() !== "POST" || typeof url !== "string") return [];
  const { faults, requests } = readCell(written);
  const isRpc = faults.length === 0 && requests.length > 0 && requests.every(({ method: name }) => name !== undefined);
  if (!isRpc) return [];
  const target = { url, headers: headersOf(headers), at: 0 };
  return [{ kind: "request", body: readBody(wordAt(written, 0)).text, name: undefined, target }];
}

function headersOf(list: JsonValue | undefined): readonly Header[] {
  return (isArray(list) ? list : []).flatMap((one) => {
    if (!isObject(one) || typeof one.name !== "string" || typeof one.value !== "string") return [];
    return isBrowserHeader(one.name) ? [] : [{ name: one.name, value: one.value }];
  });
}
