import { type KeyTest, keyMark, privateKeysIn } from "./privateKeys.ts";
import type { Span } from "./span.ts";

/** A place in a file, as people count: both from 1, columns in UTF-16 code units. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export function lineColumn(text: string, offset: number): LineColumn {
  return lineColumns(text)(offset);
}

/** A place in a file that is named by its URI. */
export interface FilePlace {
  readonly uri: string;
  readonly place: LineColumn;
}

/** A range in a document of the client. */
export interface FileRange {
  readonly uri: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

/** The text whose lines were looked for last: places are asked for one after the other, a hundred thousand in one file. */
let latest = { text: "", starts: [0] as readonly number[] };

/** A version of {@link lineColumn} for many places of one text. */
export function lineColumns(text: string): (offset: number) => LineColumn {
  if (text !== latest.text) {
    latest = { text, starts: [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)] };
  }
  const { starts } = latest;
  return (offset) => {
    let line = 0;
    for (let beyond = starts.length; line + 1 < beyond; ) {
      const middle = (line + beyond) >> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/**
 * Characters that text from outside must not bring into a terminal, a hover or a log: C0 and C1 controls (except tab and
 * newline), all format characters, and other marks that are invisible or break a line, including tags (U+E0000 and up).
 */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\u115f\u1160\u2028\u2029\u2065\u3164\uffa0\ufff0-\ufff8]|\u034f|\u17b4|\u17b5|[\u180b-\u180d\u180f]|[\u{e0000}-\u{e03ff}]/gu;

/**
 * Makes control and bidirectional characters visible. Text from a chain or a notebook passes through here before
 * anyone sees it. Inside a JSON string the result means the same.
 *
 * @example visible("a\u202eb"); //=> "a\\u202eb"
 */
export function visible(text: string): string {
  return plain.test(text) ? text : text.replace(unseen, unicodeEscape);
}

/** Most text is that, and a search for these few characters is much faster. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** Replaces what {@link visible} would escape by a mark for a character that cannot be shown. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, "\ufffd");
}

/** @example unicodeEscape("\u202e"); //=> "\\u202e" */
export function unicodeEscape(mark: string): string {
  return mark.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Decodes percent-encoding; text that cannot be decoded is returned unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Formats as {@link visible} does, on one line: ends of lines and tabs are made visible too. */
export function oneLine(text: string, limit = 500): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return visible(cut).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

/** Styles of text on a screen. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** Styles a text, or returns it unchanged if output has no styles. */
export type Paint = (style: Style, text: string) => string;

/** Formats as {@link brief} does, for labels and titles, where VS Code would draw `$(name)` as an icon. */
export function labelText(text: string, limit = 200): string {
  return brief(text, limit).replaceAll("$(", "$ (");
}

/** Formats as {@link visible} does, on one line and in at most `limit` characters. No part of a private key is left by the cut. */
export function brief(text: string, limit = 120): string {
  const line = visible(text.replace(/\s+/g, " ").trim());
  return line.length <= limit ? line : `${withoutKeys(line.slice(0, limit + 100)).slice(0, limit - 1)}…`;
}

/** Hides private keys, for messages that repeat what was typed. */
export function withoutKeys(text: string, isKey?: KeyTest): string {
  return replaced(
    text,
    privateKeysIn(text, isKey).map((span) => ({ span, insert: keyMark })),
  );
}

/** @example plural(2, "log"); //=> "2 logs" */
export function plural(count: number | bigint, noun: string, many = `${noun}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${count === 1 || count === 1n ? noun : many}`;
}

/** @example capitalized("not sent"); //=> "Not sent" */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @example uncapitalized("Not an address."); //=> "not an address." */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @example listed(["a", "b", "c"], "or"); //=> "a, b or c" */
export function listed(items: readonly string[], conjunction: "and" | "or" = "and"): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1)}`;
}

/** `0x7099…79C8`: enough to tell addresses and hashes of one page apart. */
export function shortHex(hex: string): string {
  return hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/**
 * Names that are looked at for one word, and that are compared with it: a file may hold a hundred thousand of both. After
 * the first few, those that begin with another letter are passed over.
 */
const most = { seen: 1000, compared: 200, beginningOtherwise: 50 };

/**
 * The names that `word` was probably meant to be, nearest first: at most a third of its letters are other ones.
 *
 * @example nearest("eth_getBalanc", ["eth_getBalance", "eth_call"]); //=> ["eth_getBalance"]
 */
export function nearest(word: string, names: Iterable<string>, count = 3): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  const lower = word.toLowerCase();
  let [seen, compared] = [0, 0];
  for (const name of names) {
    if (++seen > most.seen || compared >= most.compared) break;
    if (Math.abs(name.length - word.length) > limit) continue;
    if (compared >= most.beginningOtherwise && name.charAt(0).toLowerCase() !== lower.charAt(0)) continue;
    compared++;
    const distance = editDistance(lower, name.toLowerCase(), limit);
    if (distance <= limit) found.push({ name, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * Levenshtein distance, two letters that changed places counting once; anything over `limit` may come back as any larger
 * number. Only the cells of the table that can stay within the limit are filled in.
 */
function editDistance(a: string, b: string, limit: number): number {
  const beyond = limit + 1;
  if (rows[0].length <= b.length)
    rows = [new Uint32Array(2 * b.length), new Uint32Array(2 * b.length), new Uint32Array(2 * b.length)];
  let [before, row, next] = rows;
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    next.fill(beyond, 0, b.length + 1);
    next[0] = i;
    let least = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isTurned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const turn = isTurned ? (before[j - 2] ?? 0) + 1 : swap;
      const distance = Math.min(swap, turn, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next[j] = distance;
      least = Math.min(least, distance);
    }
    if (least > limit) return beyond;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] ?? 0;
}

/** Rows of the table, used again and again. */
let rows = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)] as const;

/** Makes replacements that are in order and do not overlap. */
export function replaced(text: string, edits: readonly { readonly span: Span; readonly insert: string }[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { span, insert } of edits) {
    parts.push(text.slice(from, span.start), insert);
    from = span.end;
  }
  return parts.join("") + text.slice(from);
}

/** @returns `undefined` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
