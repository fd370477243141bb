import { compress, decompress } from "../base/compression.ts";
import { isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";

/** Characters of a text that a file keeps readable; longer ones are compressed. */
const maxPlainLength = 4000;

/** A text of a recording, byte for byte. It stays compressed until it is read. */
export type RecordedText =
  | { readonly text: string }
  /** Printed without white space, it is the text. */
  | { readonly json: JsonObject }
  | CompressedText;

interface CompressedText {
  readonly deflate: string;
  /** The bytes of the text in UTF-8. */
  readonly bytes: number;
}

/** Returns the text; `undefined` if it is damaged, has more than `maxBytes` in UTF-8, or more than it says. */
export function readText(recorded: RecordedText, maxBytes: number): string | undefined {
  if ("deflate" in recorded)
    return recorded.bytes > maxBytes ? undefined : decompress(recorded.deflate, recorded.bytes);
  const text = "json" in recorded ? printJson(recorded.json) : recorded.text;
  return text.length > maxBytes ? undefined : text;
}

/**
 * Returns the text as a file keeps it: as JSON if that gives the same bytes again, as a string, or compressed.
 *
 * @param mayCompress - `false` if the file is compressed as a whole.
 */
export function textJson(recorded: RecordedText, mayCompress: boolean): JsonValue {
  if ("deflate" in recorded) return { ...recorded };
  if ("json" in recorded) return recorded.json;
  const { text } = recorded;
  if (mayCompress && text.length > maxPlainLength) return { deflate: compress(text), bytes: utf8Length(text) };
  const value = parseJson(text);
  return isObject(value) && !isCompressed(value) && printJson(value) === text ? value : text;
}

/** Reads the compressed texts that were left out of a file's JSON, by the marks in their places. */
export type LeftOut = Map<string, () => string>;

/**
 * Reads what {@link textJson} wrote; `undefined` for anything else.
 *
 * @param leftOut - A text that is in its place is taken from here.
 */
export function textFrom(value: JsonValue | undefined, leftOut?: LeftOut): RecordedText | undefined {
  if (typeof value === "string") return { text: value };
  if (!isObject(value)) return undefined;
  if (!isCompressed(value)) return { json: value };
  const { deflate: mark, bytes } = value;
  const read = leftOut?.get(mark);
  if (!read) return value;
  leftOut?.delete(mark);
  return {
    get deflate() {
      return read();
    },
    bytes,
  };
}

function isCompressed(value: JsonValue): value is JsonObject & CompressedText {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const { deflate, bytes } = value;
  return typeof deflate === "string" && typeof bytes === "number" && bytes >= 0;
}

/** Returns the bytes of a text in UTF-8; most texts are ASCII, and a search is faster than a copy. */
export function utf8Length(text: string): number {
  return /[^\x00-\x7f]/.test(text) ? new TextEncoder().encode(text).length : text.length;
}
