import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { secretParts } from "../base/secretParts.ts";

/** What an address that somebody types is good for. */
export type Judgement =
  /** A sentence of what to type instead. */
  | { readonly fault: string }
  /** What a person allows by typing it; `isPrivate` where it seems to hold a key. */
  | { readonly host: string; readonly isPrivate: boolean };

/** @example judgeAddress("localhost:8545"); //=> { fault: "The address has to begin with https:// or http://." } */
export function judgeAddress(text: string): Judgement {
  const whole = "Type a whole address, such as http://127.0.0.1:8545.";
  if (!URL.canParse(text)) return { fault: whole };
  const { protocol, host, search } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:")
    return { fault: "The address has to begin with https:// or http://." };
  return host === "" ? { fault: whole } : { host, isPrivate: search !== "" || secretParts(text).length > 0 };
}

/**
 * Adds an endpoint to the text of `rpc-endpoints.json`; every other byte stays.
 *
 * @param text - The file as it is; `undefined` or blank for a new one.
 * @returns `undefined` where that cannot be done without a loss: the text is no JSON object, or has that name already.
 * @example addEndpoint('{ "a": "http://a" }', "b", "http://b"); //=> '{ "a": "http://a", "b": "http://b" }'
 */
export function addEndpoint(text: string | undefined, name: string, address: string): string | undefined {
  const member = `${JSON.stringify(name)}: ${JSON.stringify(address)}`;
  if (text === undefined || text.trim() === "") return `{\n  ${member}\n}\n`;
  const root = parsedObject(text);
  if (root === undefined || Object.hasOwn(root, name)) return undefined;
  const end = text.lastIndexOf("}");
  const body = text.slice(0, end).trimEnd();
  const gap = text.slice(body.length, end);
  if (Object.keys(root).length === 0) return `${body}\n  ${member}\n${text.slice(end)}`;
  // Stands as its neighbours do: on a line of its own, or in the line.
  const before = /^[^{]*\{(\s*)/.exec(text)?.[1] ?? " ";
  return `${body},${before === "" ? " " : before}${member}${gap}${text.slice(end)}`;
}

function parsedObject(text: string): JsonObject | undefined {
  const value = parseJson(text.replace(/^\ufeff/, ""));
  return isObject(value) ? value : undefined;
}

/**
 * Adds a file to `.gitignore`.
 *
 * @returns `undefined` where a line names it already.
 */
export function addIgnored(text: string, file: string): string | undefined {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (lines.some((line) => line === file || line === `/${file}` || line === `**/${file}`)) return undefined;
  return `${text}${text === "" || /[\r\n]$/.test(text) ? "" : "\n"}${file}\n`;
}
