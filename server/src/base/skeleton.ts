import { type Span, span } from "./span.ts";
import { percentDecoded } from "./text.ts";

/**
 * Letters and digits of a text as UTF-8 in lower case, without everything between them: separators, white space, case,
 * accents and full-width letters make no difference.
 */
export interface Skeleton {
  readonly codes: Uint8Array;
  /** How many of the codes count: the arrays are reused. */
  readonly length: number;
  /** Where the character of each code is in the text. */
  readonly at: Int32Array;
  /** The text may contain escapes. */
  readonly isEscaped: boolean;
}

/** For each ASCII character its code, or 0 if it does not count. */
const ascii = new Uint8Array(128);
/** The code of a character that begins an escape. */
const escaping = 1;
for (const sign of "%&\\") ascii[sign.charCodeAt(0)] = escaping;
for (const char of "0123456789abcdefghijklmnopqrstuvwxyz") {
  ascii[char.charCodeAt(0)] = char.charCodeAt(0);
  ascii[char.toUpperCase().charCodeAt(0)] = char.charCodeAt(0);
}

let room: { codes: Uint8Array; at: Int32Array } = { codes: new Uint8Array(1024), at: new Int32Array(1024) };
/** Beyond this many codes the room is not kept. */
const maxKeptChars = 1 << 20;
/** No character decomposes into more bytes. */
const maxBytes = 64;

/** The skeleton of a text; valid until the next call. */
export function skeletonOf(text: string): Skeleton {
  let { codes, at } = roomFor(text.length + maxBytes);
  let length = 0;
  let isEscaped = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 128) {
      const code = ascii[unit] ?? 0;
      if (code > escaping) {
        codes[length] = code;
        at[length++] = index;
      } else if (code === escaping) isEscaped = true;
      continue;
    }
    const char = String.fromCodePoint(text.codePointAt(index) ?? unit);
    for (const byte of bytesOf(char)) {
      codes[length] = byte;
      at[length++] = index;
    }
    index += char.length - 1;
    if (length + maxBytes + text.length - index > codes.length)
      ({ codes, at } = grown(codes, at, 2 * (length + maxBytes + text.length)));
  }
  return { codes, at, length, isEscaped };
}

/** The end of the character that begins at a place. */
export function endOfChar(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

function roomFor(size: number): typeof room {
  if (size <= room.codes.length) return room;
  const isKept = size <= maxKeptChars;
  const made = { codes: new Uint8Array(isKept ? 2 * size : size), at: new Int32Array(isKept ? 2 * size : size) };
  if (isKept) room = made;
  return made;
}

function grown(codes: Uint8Array, at: Int32Array, size: number): typeof room {
  const made = { codes: new Uint8Array(size), at: new Int32Array(size) };
  made.codes.set(codes);
  made.at.set(at);
  return made;
}

const utf8 = new TextEncoder();
const known = new Map<string, Uint8Array>();

/** Returns the bytes of a character beyond ASCII. */
function bytesOf(char: string): Uint8Array {
  let bytes = known.get(char);
  if (!bytes) {
    const counted = char
      .normalize("NFKD")
      .toUpperCase()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{S}]/gu, "");
    bytes = utf8.encode(counted.slice(0, maxBytes / 4));
    if (known.size > 5000) known.clear();
    known.set(char, bytes);
  }
  return bytes;
}

/** A text as a reader decodes it, with the way back. */
export interface Layer {
  readonly text: string;
  /** The part of the outermost text that a part of this one was read from. */
  origin(at: Span): Span;
}

/**
 * Escapes of URLs, JSON, JavaScript and HTML that represent or contain letters and digits. A backslash before a sign
 * does not change a skeleton; several backslashes are those of JSON within JSON.
 */
const escapes =
  /(?:%[89a-f][\da-f])+|(?:\\+(?:x[89a-f][\da-f]|[23][0-7]{2})){2,}|%[0-7][\da-f]|%u[\da-f]{4}|\\+(?:u\{[\da-f]{1,6}\}|u0{4}[\da-f]{4}|u[\da-f]{4}|x[\da-f]{2}|[0-3]?[0-7]{2}|[nrtbfv])|&#x[\da-f]{1,6};|&#\d{1,7};|&[a-z]{2,8};/gi;
/** An encoding within an encoding, and so on: no more than this. */
const maxLayers = 5;

/** The readings of a text with one more level of escapes decoded each. */
export function* layersOf(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text, origin: (at) => at };
  for (let depth = 1; depth < maxLayers; depth++) {
    layer = decoded(layer);
    if (!layer) return;
    yield layer;
  }
}

/** Printable characters in hex may be text, from this many on. */
const hexText = /(?:[2-7][\da-f]){8,}/gi;
/** Characters of ASCII, and of two bytes. */
const printed = /(?:0[9-d]|[2-7][\da-f]|c[2-9a-f][89ab][\da-f]|d[\da-f][89ab][\da-f])*/iy;

/** A part of a text that is text itself. */
export interface Inner extends Span {
  readonly text: string;
}

/** Parts of a text that are text in hex, such as strings among ABI words. They may begin at any digit. */
export function hexTextsIn(text: string): readonly Inner[] {
  if (text.length < 16) return [];
  const found: Inner[] = [];
  let done = 0;
  for (const { index } of text.matchAll(hexText)) {
    if (index < done) continue;
    for (const start of [index, index + 1]) {
      printed.lastIndex = start;
      const [hex = ""] = printed.exec(text) ?? [];
      if (hex.length < 16) continue;
      const end = start + hex.length;
      const inner = percentDecoded(hex.replace(/../g, "%$&"));
      found.push({ start, end, text: inner });
      const isLength = text.slice(start - 2, start) === "00"; // of a string of ABI: as text it may be a digit, which makes another number
      if (isLength) found.push({ start: start + 2, end, text: inner.slice(1) });
      done = Math.max(done, end - 1);
    }
  }
  return found;
}

function decoded(outer: Layer): Layer | undefined {
  const pieces: string[] = [];
  /** Beginnings and ends of escapes: here, and in the outer text. */
  const [here, there]: [number[], number[]] = [[], []];
  let [from, length] = [0, 0];
  for (const { 0: written, index } of outer.text.matchAll(escapes)) {
    const meant = meaning(written);
    if (meant === written) continue;
    pieces.push(outer.text.slice(from, index), meant);
    length += index - from;
    here.push(length, length + meant.length);
    from = index + written.length;
    there.push(index, from);
    length += meant.length;
  }
  if (pieces.length === 0) return undefined;
  pieces.push(outer.text.slice(from));
  /** @param isEnd - Within an written: its end, not its beginning. */
  const back = (place: number, isEnd: boolean): number => {
    const before = lastUpTo(here, isEnd ? place - 1 : place);
    if (before < 0) return place;
    if (before % 2 === 0) return there[isEnd ? before + 1 : before] ?? 0;
    return (there[before] ?? 0) + place - (here[before] ?? 0);
  };
  return {
    text: pieces.join(""),
    origin: ({ start, end }) => outer.origin(span(back(start, false), back(end, true))),
  };
}

/** Returns the index of the last number that is not greater; -1 if there is none. */
function lastUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  percnt: "%",
  bsol: "\\",
  num: "#",
  semi: ";",
};

function meaning(written: string): string {
  const [first, second = ""] = written;
  if (first === "%" && second !== "u" && second !== "U")
    return /^%[0-7]/.test(written)
      ? String.fromCharCode(Number.parseInt(written.slice(1), 16))
      : percentDecoded(written);
  if (first === "&") {
    if (second !== "#") return named[written.slice(1, -1).toLowerCase()] ?? " ";
    const isHex = /x/i.test(written[2] ?? "");
    return charOf(Number.parseInt(written.slice(isHex ? 3 : 2), isHex ? 16 : 10), written);
  }
  const bytes = [...written.matchAll(/\\+(?:x([\da-f]{2})|([0-7]{3}))/gi)];
  if (bytes.length > 1)
    return fromBytes(bytes.map(([, hex, octal = ""]) => Number.parseInt(hex ?? octal, hex ? 16 : 8)));
  const digits = /^(?:%|\\+)[ux]\{?([\da-f]+)/i.exec(written)?.[1];
  if (digits !== undefined) return charOf(Number.parseInt(digits, 16), written);
  const octal = /[0-7]+$/.exec(written)?.[0];
  return octal === undefined ? " " : charOf(Number.parseInt(octal, 8), written);
}

function charOf(code: number, written: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** Bytes as UTF-8, otherwise as characters of their own. */
function fromBytes(bytes: readonly number[]): string {
  const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join("");
  const text = percentDecoded(escaped);
  return text === escaped ? String.fromCharCode(...bytes) : text;
}
