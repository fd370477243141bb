import { isMarkedKey, isStandIn, looksLikeKey } from "./keyLike.ts";
import { type KeyTest, noKey, privateKeysIn } from "./privateKeys.ts";
import { isSecretName, secretParts } from "./secretParts.ts";
import { type Span, shift, span } from "./span.ts";

/** Headers whose values are mostly secret. */
const secretHeader = /auth|key|token|secret|cookie|session|password|signature|credential|jwt/i;

export function isSecretHeader(header: string): boolean {
  return secretHeader.test(header);
}

/**
 * The secret parts of a header's value: all of it but its scheme and placeholders if the name says so or the value
 * contains a key; otherwise what {@link secretsInText} finds.
 */
export function secretInHeader(name: string, value: string, isSecret = isSecretHeader(name)): readonly Span[] {
  const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+/i.exec(value)?.[0].length ?? 0;
  const holdsKey = value.split(/[\s,;:="']+/).some((word) => looksLikeKey(word));
  if (scheme === 0 && !isSecret && !holdsKey) return secretsInText(value);
  return literalsIn(value.slice(scheme)).map((one) => shift(one, scheme));
}

/** The text around placeholders, without punctuation between two of them. */
function literalsIn(text: string): readonly Span[] {
  const found: Span[] = [];
  let from = 0;
  const add = (end: number): void => {
    const piece = text.slice(from, end);
    const isAll = from === 0 && end === text.length;
    const start = from + (piece.length - piece.trimStart().length);
    const isText = isAll ? piece.trim() !== "" : /[\p{L}\p{N}]{3}/u.test(piece);
    if (isText && !isStandIn(piece.trim())) found.push(span(start, start + piece.trim().length));
  };
  for (const { 0: placeholder, index } of text.matchAll(/\{\{[^{}]*\}\}/g)) {
    add(index);
    from = index + placeholder.length;
  }
  add(text.length);
  return found;
}

const address = /(?:\b[a-z][a-z\d+.-]{1,20}:[\\/]{2}|\{\{[^{}\r\n]*\}\}\/)(?:\{\{[^{}\r\n]*\}\}|[^\s"'`<>|()[\]])+/gi;
const credentials = /\b(?:bearer|basic|token|apikey)[ \t]+([\w.~+/=-]{8,})/dgi;
const userOption = /(?:^|\s)(?:-u|--user|--proxy-user)[ =]?["']?([^\s"':]+:[^\s"']+)/dg;
const pair = /([\w.-]{2,60})["']?[ \t]*[=:][ \t]*["']?([^\s"'`&,;(){}[\]]{4,})/dg;
const word = /([\w.~+/=-]{16,})/dg;

/**
 * Secrets in any text: private keys, in the addresses in it, behind `Bearer`, `apiKey=` and `-u`, and tokens that services mark as
 * theirs. A word that only looks random is not a secret: most of them are hashes.
 *
 * @returns Spans in order, which do not overlap.
 */
export function secretsInText(text: string, isKey: KeyTest = noKey): readonly Span[] {
  const found = [
    ...[...text.matchAll(address)].flatMap(({ 0: url, index }) =>
      secretParts(url.replace(/[.,;:!?*_]+$/, "")).map((one) => shift(one, index)),
    ),
    ...placesOf(text, credentials, ([value = ""]) => /\d/.test(value) || looksLikeKey(value, true)),
    ...placesOf(text, userOption, ([value = ""]) => !isStandIn(value)),
    ...placesOf(text, pair, ([name = "", value = ""]) => isSecretPair(name, value)),
    ...privateKeysIn(text, isKey),
    ...placesOf(text, word, ([value = ""]) => isMarkedKey(value)),
  ];
  const inOrder = found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return inOrder.filter((one) => {
    const isFree = one.start >= end;
    if (isFree) end = one.end;
    return isFree;
  });
}

/** Stricter than in an address: in prose many names are followed by a value. */
function isSecretPair(name: string, value: string): boolean {
  if (isStandIn(value)) return false;
  if (isSecretName(name)) return /\d/.test(value);
  return isSecretHeader(name) && looksLikeKey(value);
}

/** Spans of the last group of a pattern, for matches that are secrets. */
function placesOf(text: string, pattern: RegExp, isSecret: (groups: readonly string[]) => boolean): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.at(-1) ?? [0, 0];
    return isSecret(match.slice(1)) ? [span(start, end)] : [];
  });
}
