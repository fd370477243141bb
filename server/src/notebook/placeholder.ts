import type { Span } from "../base/span.ts";
import { span } from "../base/span.ts";

/** A piece of a JSON string: text to send, or the name of something whose value takes its place. */
export type Part = Text | Reference;

export interface Text {
  readonly kind: "text";
  /** Decoded: what is sent. */
  readonly text: string;
  /** Doubled braces stood in it, so that it is not sent as it is written. */
  readonly unescaped: boolean;
  readonly span: Span;
}

export interface Reference {
  readonly kind: "reference";
  /** Never empty. `$env`, `$secret` and `$dotenv` come first of exactly two. */
  readonly path: readonly Segment[];
  /** Where each segment is written, without dot or brackets. */
  readonly segments: readonly Span[];
  /** With the braces. */
  readonly span: Span;
}

/** A member's name, or the place of an item, from 0. */
export type Segment = string | number;

const name = "[\\p{L}_][\\p{L}\\p{N}_-]*";
const path = `(?:\\$(?:env|secret|dotenv)\\.${name}|${name}(?:\\.[\\p{L}\\p{N}_$-]+|\\[\\d{1,9}\\])*)`;

/** Made when the first text has braces: reading the classes of all letters takes longer than a start may. */
let patterns: { readonly braced: RegExp; readonly wholePath: RegExp } | undefined;

function grammar(): NonNullable<typeof patterns> {
  patterns ??= {
    braced: new RegExp(`(?<!\\{)(\\{{2,})(?!\\{)([ \\t]*)(${path})[ \\t]*(\\}{2,})`, "gu"),
    wholePath: new RegExp(`^${path}$`, "u"),
  };
  return patterns;
}

/**
 * Finds the placeholders in a JSON string. Only a grammatical path between `{{` and `}}` is one; doubled braces are
 * escapes of themselves.
 *
 * @param token - The string as it is written, with its quotes; the closing one may be missing.
 * @returns Parts with spans in the token; none for the empty string.
 * @example partsOf(`"{{{{x}}}}"`); //=> [{ kind: "text", text: "{{x}}", unescaped: true, span: { start: 1, end: 10 } }]
 */
export function partsOf(token: string): readonly Part[] {
  const { value, place } = decode(token);
  const parts: Part[] = [];
  let text = "";
  let unescaped = false;
  let start = 0;
  const flush = (end: number): void => {
    if (end > start) parts.push({ kind: "text", text, unescaped, span: span(place(start), place(end)) });
    text = "";
    unescaped = false;
  };
  let from = 0;
  for (const found of value.includes("{{") ? value.matchAll(grammar().braced) : []) {
    const [all, open = "", space = "", named = "", close = ""] = found;
    const pairs = Math.min(open.length >> 1, close.length >> 1);
    const outer = found.index + open.length - 2 * pairs;
    const end = found.index + all.length - close.length + 2 * pairs;
    text += value.slice(from, outer);
    from = end;
    if (pairs > 1) {
      text += value.slice(outer + 2, end - 2);
      unescaped = true;
    } else {
      flush(outer);
      const { path, segments } = readSegments(named, found.index + open.length + space.length, place);
      parts.push({ kind: "reference", path, segments, span: span(place(outer), place(end)) });
      start = end;
    }
  }
  text += value.slice(from);
  flush(value.length);
  return parts;
}

/**
 * Reads a path into a result, as placeholders and `expect` have it.
 *
 * @returns `undefined` if the text is not a path.
 * @example parsePath("logs.decoded[0].args"); //=> ["logs", "decoded", 0, "args"]
 */
export function parsePath(text: string): readonly Segment[] | undefined {
  return grammar().wholePath.test(text) ? readSegments(text, 0, (offset) => offset).path : undefined;
}

/**
 * Text that means itself in a JSON string, whatever braces it has. Escapes of JSON are not added.
 *
 * @example escapePlaceholders("{{x}}"); //=> "{{{{x}}}}"
 */
export function escapePlaceholders(text: string): string {
  return text.replace(grammar().braced, (all) => `{{${all}}}`);
}

function readSegments(
  text: string,
  start: number,
  place: (offset: number) => number,
): { readonly path: readonly Segment[]; readonly segments: readonly Span[] } {
  const found = [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)];
  return {
    path: found.map(({ 0: all, 1: digits }) => (digits === undefined ? all : Number(digits))),
    segments: found.map(({ 0: all, 1: digits, index }) => {
      const inner = digits === undefined ? 0 : 1;
      return span(place(start + index + inner), place(start + index + all.length - inner));
    }),
  };
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The value of a string token, and where each of its characters is written. */
function decode(token: string): { readonly value: string; readonly place: (offset: number) => number } {
  if (!token.includes("\\")) {
    return {
      value: token.slice(1, token.length > 1 && token.endsWith('"') ? -1 : undefined),
      place: (offset) => offset + 1,
    };
  }
  const places: number[] = [];
  let value = "";
  let end = 1;
  for (const [all, hex, letter] of token.slice(1).matchAll(/\\u([0-9a-fA-F]{4})|\\(.?)|[^\\"]+/gs)) {
    const plain = !all.startsWith("\\");
    const one = plain
      ? all
      : hex
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : (escapes[letter ?? ""] ?? letter ?? "");
    for (let i = 0; i < one.length; i++) places.push(end + (plain ? i : 0));
    value += one;
    end += all.length;
  }
  return { value, place: (offset) => places[offset] ?? end };
}
