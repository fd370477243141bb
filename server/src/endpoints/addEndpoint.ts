import { isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { secretParts } from "../base/secretParts.ts";
import { visible } from "../base/text.ts";
import { siteOf } from "./site.ts";

/** The result of checking an address that a user types. */
export type AddressCheck =
  /** Says what to type instead, in a sentence. */
  | { readonly fault: string }
  /** The site that the user allows by typing it; `isPrivate` if it seems to contain a key. */
  | { readonly grant: string; readonly isPrivate: boolean };

/** @example checkAddress("localhost:8545"); //=> { fault: "The address has to begin with https:// or http://." } */
export function checkAddress(text: string): AddressCheck {
  const whole = "Type a whole address, such as http://127.0.0.1:8545.";
  if (!URL.canParse(text)) return { fault: whole };
  const { protocol, host, search } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:")
    return { fault: "The address has to begin with https:// or http://." };
  return host === ""
    ? { fault: whole }
    : { grant: siteOf(text), isPrivate: search !== "" || secretParts(text).length > 0 };
}

/**
 * Adds an endpoint to the text of `rpc-endpoints.json`; every other byte stays.
 *
 * @param text - The current file; `undefined` or blank for a new one.
 * @param entry - Its address, or an object with more members.
 * @returns `undefined` if that cannot be done without a loss: the text is not a JSON object, or has that name already.
 * @example addEndpoint('{ "a": "http://a" }', "b", "http://b"); //=> '{ "a": "http://a", "b": "http://b" }'
 */
export function addEndpoint(text: string | undefined, name: string, entry: JsonValue): string | undefined {
  if (text === undefined || text.trim() === "") return `${visible(printJson({ [name]: entry }, 2))}\n`;
  const root = objectIn(text);
  if (root === undefined || Object.hasOwn(root, name)) return undefined;
  const end = text.lastIndexOf("}");
  const body = text.slice(0, end).trimEnd();
  const gap = text.slice(body.length, end);
  // Formatted like its neighbors: on its own line, or in the same line.
  const before = /^[^{]*\{(\s*)/.exec(text)?.[1] ?? " ";
  const isEmpty = Object.keys(root).length === 0;
  const space = isEmpty ? "\n  " : before === "" ? " " : before;
  const newLine = /\r?\n[^\r\n]*$/.exec(space)?.[0];
  const value = newLine === undefined ? printJson(entry) : printJson(entry, 2).replaceAll("\n", newLine);
  const member = visible(`${JSON.stringify(name)}: ${value}`);
  if (isEmpty) return `${body}${space}${member}\n${text.slice(end)}`;
  return `${body},${space}${member}${gap}${text.slice(end)}`;
}

/** Does the same as {@link addEndpoint}, for several; `undefined` if one of them cannot be added. */
export function addEndpoints(text: string | undefined, endpoints: JsonObject): string | undefined {
  let next = text;
  for (const [name, entry] of Object.entries(endpoints)) {
    next = addEndpoint(next, name, entry);
    if (next === undefined) return undefined;
  }
  return next;
}

/** @returns `undefined` for a text that is not a JSON object. */
export function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text.replace(/^\ufeff/, ""));
  return isObject(value) ? value : undefined;
}

/**
 * Adds a file to `.gitignore`.
 *
 * @returns `undefined` if a line names it already.
 */
export function addIgnored(text: string, file: string): string | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (lines.some((line) => line === file || line === `/${file}` || line === `**/${file}`)) return undefined;
  return `${text}${text === "" || /[\r\n]$/.test(text) ? "" : "\n"}${file}\n`;
}
