import { openParts, secretPieces } from "./addressPieces.ts";
import { looksLikeKey } from "./keyLike.ts";
import { percentDecoded } from "./text.ts";

/** A form of a secret value, as it is searched for. */
export interface Form {
  readonly text: string;
  /** It is a number: digits directly in front of it or behind it make another one, zeros in front excepted. */
  readonly number?: "decimal" | "hex" | "fraction";
  /** Whether a part of it reveals too much as well. */
  readonly parts?: boolean;
}

/** Shorter ones reveal too little to search for encodings of them. */
export const shortest = 6;

/** Every form of a value, and of its parts that are worth as much as the whole. */
export function formsOf(value: string): readonly Form[] {
  const pieces = [...piecesOf(value), ...keysIn(value)];
  const whole = formsOfOne(value, looksWhole(value));
  const words = wordsOf(value).flatMap((word) => formsOfOne(word, false));
  return [...whole, ...pieces.flatMap((piece) => formsOfOne(piece, looksWhole(piece))), ...words];
}

/** A single key, and not an address, a sentence or a document: then a part of it is not something else. */
function looksWhole(value: string): boolean {
  return value.length >= 16 && (/^0x[\da-f]{41,}$/i.test(value) || looksLikeKey(value)) && !value.includes("://");
}

/** The table of encodings. Case, separators, white space and escapes are the skeleton's. */
function formsOfOne(value: string, parts: boolean): readonly Form[] {
  const bytes = new TextEncoder().encode(value);
  const others = [
    ...encodedBytes(bytes, parts),
    ...(/^\d{6,78}$/.test(value) ? numberForms(BigInt(value)) : []),
    ...ofHex(value, parts),
  ];
  return [{ text: value, parts }, ...others.filter(({ text }) => new Set(text).size > 2)]; // zeros are not a secret
}

/** Bytes in hex, as a number, in base64 wherever they begin, and as a list of numbers or an object with an index for each. */
function encodedBytes(bytes: Uint8Array, parts: boolean): readonly Form[] {
  if (bytes.length > maxBytes) return [];
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = [0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)).filter(({ length }) => length >= shortest);
  const prefixed = [...bytes].map((byte) => `0x${byte.toString(16)}`);
  const padded = [...bytes].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`);
  const indexed = [...bytes].map((byte, at) => `${at}:${byte}`); // a Uint8Array as JSON
  const list =
    bytes.length < shortest
      ? []
      : [bytes.join(","), prefixed.join(), padded.join(), indexed.join()].map((text) => ({ text }));
  const words = bytes.length > 32 ? [] : [hex, hex.padEnd(64, "0")]; // as the ABI reads a number in their place
  const numbers = words.map((word): Form => ({ text: BigInt(`0x${word}`).toString(), number: "decimal" }));
  return [
    { text: hex, parts },
    ...numbers,
    ...base64.map((text) => ({ text, parts: parts || text.length > 32 })),
    ...list,
  ]; // the ABI splits longer texts
}

/** Longer values are looked for as they are, and word by word. */
const maxBytes = 4096;

/** The value of a hex secret: without its prefix, as bytes, as a number. */
function ofHex(value: string, parts: boolean): readonly Form[] {
  const [, prefix = "", digits = ""] = /^(0x)?([\da-f]{6,})$/i.exec(value) ?? [];
  if (digits === "" || (prefix === "" && (/^\d+$/.test(digits) || digits.length < 16))) return [];
  const pairs = digits.match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  const isShort = digits.length < 16;
  return [
    { text: digits, parts, ...(isShort && { number: "hex" as const }) },
    ...(isShort || digits.length % 2 === 1 ? [] : encodedBytes(bytes, false)),
    ...(digits.length <= 64 ? numberForms(BigInt(`0x${digits}`)) : []),
  ];
}

/** In digits, as a quantity, and as an amount of a token. */
function numberForms(number: bigint): readonly Form[] {
  const digits = number.toString();
  const significant = digits.replace(/0+$/, "");
  const forms: readonly Form[] = [
    { text: digits, number: "decimal" },
    { text: number.toString(16), number: "hex" },
    { text: significant, number: "fraction" },
  ];
  return forms.filter(({ text, number: kind }) => text.length >= (kind === "hex" ? 5 : shortest));
}

/** Returns the parts of an address or of an authorization that are as sensitive as the whole. */
function piecesOf(value: string): readonly string[] {
  const word = /^(?:bearer|basic|token) +(\S+)$/i.exec(value)?.[1];
  const pieces = word === undefined ? [] : [word];
  if (URL.canParse(value)) {
    const encoded = secretPieces(value);
    pieces.push(...encoded, ...encoded.map(percentDecoded));
  }
  return pieces.filter((piece) => piece.length >= shortest);
}

/** Keys within a document, such as a line of a PEM file or a member of JSON. */
function keysIn(value: string): readonly string[] {
  if (!/[\s"]/.test(value)) return [];
  const tokens = value.split(/[\s"'`{}[\]()<>,;]+/).filter((token) => token !== value && token.length >= 16);
  return tokens.filter((token) => /^0x[\da-f]{64}$/i.test(token) || looksLikeKey(token)).slice(0, maxKeys);
}

const maxKeys = 200;

/** The words of 32 bytes that the ABI splits a longer value into. A rest of less than 4 bytes reveals too little. */
function wordsOf(value: string): readonly string[] {
  const hex = /^(?:0x)?([\da-f]{65,})$/i.exec(value)?.[1];
  if (hex)
    return (hex.match(/.{1,64}/g) ?? [])
      .filter((word) => word.length >= 8 && new Set(word).size > 2)
      .slice(0, maxWords);
  const bytes = new TextEncoder().encode(value);
  if (bytes.length <= 32) return [];
  const isOpen = bytes.length === value.length ? openParts(value) : () => false;
  const words: string[] = [];
  for (let at = 0; at < bytes.length && words.length < maxWords; at += 32) {
    const word = new TextDecoder().decode(bytes.slice(at, at + 32)).replaceAll("\ufffd", "");
    if (word.length >= shortest && new Set(word).size > 4 && !isOpen(at, Math.min(at + 32, bytes.length)))
      words.push(word);
  }
  return words;
}

const maxWords = 256;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Returns the base64 digits that depend on these bytes only, if `shift` other bytes precede them; and the same with the padded
 * end that they have if no others follow.
 */
function base64Forms(bytes: Uint8Array, shift: number): readonly string[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const skipped = (6 - ((shift * 8) % 6)) % 6;
  const groups = bits.slice(skipped).match(/.{1,6}/g) ?? [];
  const text = groups.map((group) => alphabet.charAt(Number.parseInt(group.padEnd(6, "0"), 2))).join("");
  const rest = (bits.length - skipped) % 6;
  return rest === 0 ? [text] : [text.slice(0, -1), text + "=".repeat((6 - rest) / 2)];
}

/** A part of a text with binary data, as bytes. */
interface PrintedBytes {
  /** Two digits for each. */
  readonly hex: string;
  /** Where each is in the text, and where the last one ends. */
  readonly at: readonly number[];
}

/** What binary data nearly always has: escapes of bytes, and characters beyond ASCII that are one byte. */
const binary = /\\(?:x|u00|u\{|[0-3][0-7]{2})|%[\da-f]{2}|[\0-\x08\x0e-\x1f\x7f-\xff]/gi;
/** Binary data has so many of them, with no more than so many characters from one to the next and at its ends. */
const [least, farthest] = [3, 48];

/**
 * The ways to write one byte, by how backslashes are written: as themselves, as escapes, as escapes within JSON, in any number
 * of JSON texts within each other, and in a URL.
 */
const printed = [
  /%(?<percent>[\da-f]{2})|(?<char>[\s\S])/giu,
  printedAfter("\\\\"),
  printedAfter("\\\\\\\\"),
  printedAfter("\\\\+"),
  printedAfter("%(?:25)*5c", String.raw`%(?:25)*(?<percent>[\da-f]{2})|`),
] as const;

/** Escapes of Python, C, Perl, Postgres, JSON and URLs; other characters are bytes themselves. */
function printedAfter(slash: string, percent = ""): RegExp {
  const hex = String.raw`[xu]\{(?<braced>[\da-f]{1,2})\}|x(?<x>[\da-f]{1,2})|u00(?<u>[\da-f]{2})`;
  const others = String.raw`(?<octal>[0-3][0-7]{2})|(?<letter>[abtnvfr])|(?<slash>${slash})|(?<sign>\\?['"])`;
  return new RegExp(String.raw`${slash}(?:${hex}|${others})|${percent}\\?(?<char>[\s\S])`, "giu");
}

const named = new Map([..."abtnvfr"].map((letter, at) => [letter, [7, 8, 9, 10, 11, 12, 13][at] ?? 0]));

/** Reads binary data in a text: `b"\x7f:\xab"` has the bytes 7f 3a ab. */
export function* printedBytes(text: string): Generator<PrintedBytes> {
  let [first, last, count] = [0, 0, 0];
  for (const { index } of text.matchAll(binary)) {
    if (index - last > farthest) {
      if (count >= least) yield* bytesIn(text, first, last);
      [first, count] = [index, 0];
    }
    last = index;
    count++;
  }
  if (count >= least) yield* bytesIn(text, first, last);
}

function* bytesIn(text: string, first: number, last: number): Generator<PrintedBytes> {
  const [start, end] = [Math.max(0, first - farthest), Math.min(text.length, last + farthest)];
  for (const pattern of printed) {
    const [digits, at]: [string[], number[]] = [[], []]; // matches are not kept: they take much more memory
    for (const read of text.slice(start, end).matchAll(pattern)) {
      digits.push(digitsOf(read));
      at.push(start + read.index);
    }
    at.push(end);
    yield { hex: digits.join(""), at };
  }
}

function digitsOf({ groups = {} }: RegExpExecArray): string {
  const { braced, x, u, percent, octal, letter, slash, sign, char } = groups;
  const hex = braced ?? x ?? u ?? percent ?? (slash && "5c");
  if (hex !== undefined) return hex.padStart(2, "0");
  const last = (sign ?? char)?.at(-1) ?? ""; // the sign may be escaped once more
  const code = octal ? Number.parseInt(octal, 8) : (named.get(letter?.toLowerCase() ?? "") ?? last.charCodeAt(0));
  return code > 0xff ? "--" : code.toString(16).padStart(2, "0");
}
