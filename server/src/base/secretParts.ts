import { isEveryday, isStandIn, isUuid, looksLikeKey } from "./keyLike.ts";
import { privateKeysIn } from "./privateKeys.ts";
import { type Span, shift, span } from "./span.ts";
import { percentDecoded } from "./text.ts";

/** Where long hashes in a path are public. */
const publicHosts =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|unpkg\.com|jsdelivr\.net|ipfs\.io|dweb\.link|localhost)$/i;

/** Characters of an address that are looked at: servers take fewer. */
const maxLength = 10_000;

/** Scheme, authority, path, query and fragment; the beginning may be a placeholder. */
const components =
  /^((?:[a-z][\w+.-]*:)?[\\/]{2,}|)((?:\{\{[^{}]*\}\}|[^\\/?#{}])*)((?:\{\{[^{}]*\}\}|[^?#])*)(\?[^#]*)?(#[\s\S]*)?$/i;

/**
 * Finds the secret parts of an address: credentials, and keys in the host, the path and its parameters, the query and the
 * fragment; private keys anywhere. Placeholders are not secret.
 *
 * @param address - As written. Its scheme may be missing, and placeholders may be part of it.
 * @returns Spans in order, which do not overlap.
 */
export function secretParts(address: string): readonly Span[] {
  if (/^enode:/i.test(address)) return []; // the public key of a node
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] =
    components.exec(address.slice(0, maxLength)) ?? [];
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  const found = [
    { spans: inAuthority(authority), before: scheme },
    { spans: publicHosts.test(host) ? [] : inPath(path), before: scheme + authority },
    { spans: inPairs(query), before: scheme + authority + path },
    { spans: inPairs(fragment), before: scheme + authority + path + query },
  ];
  const parts = found.flatMap(({ spans, before }) => spans.map((one) => shift(one, before.length)));
  const keys = privateKeysIn(address.slice(0, maxLength)).filter(
    (key) => !parts.some(({ start, end }) => start < key.end && key.start < end),
  );
  return keys.length === 0 ? parts : [...parts, ...keys].sort((a, b) => a.start - b.start);
}

/** Credentials, and labels of the host but the last one. */
function inAuthority(authority: string): readonly Span[] {
  const end = authority.lastIndexOf("@");
  const host = authority.slice(end + 1).replace(/:\d*$/, "");
  const labels = piecesOf(host, /\.|\{\{[^{}]*\}\}/g);
  const candidates = labels.length > 1 ? labels.slice(0, -1) : labels;
  const keys = candidates.filter(({ text }) => looksLikeKey(text) && (!text.includes("-") || isUuid(text)));
  return [...inCredentials(authority.slice(0, Math.max(end, 0))), ...keys.map(({ at }) => shift(at, end + 1))];
}

/** All of them, unless the password, or a name without one, is a placeholder. */
function inCredentials(text: string): readonly Span[] {
  const colon = text.indexOf(":");
  const secret = text.slice(colon + 1);
  if (secret === "" ? colon <= 0 : isStandIn(secret)) return [];
  return [span(text.includes("{{") ? colon + 1 : 0, text.length)];
}

/** Segments that look like keys; short ones too if a version or the name of a key precedes them. */
function inPath(path: string, isDecoded = false): readonly Span[] {
  const segments = piecesOf(path, /[\\/]|\{\{[^{}]*\}\}/g);
  return segments.flatMap(({ text, at }, index) => {
    const before = segments[index - 1]?.text ?? "";
    if (/^(?:bc|tx|block|address|hash|commit|tree|blob|ipfs|ipns)$/i.test(before)) return [];
    const isExpected =
      /^v\d{1,2}$|^(?:keys?|tokens?|apps?|projects?|auth|secret)$/i.test(before) || strong.test(before);
    const found = inSegment(text, isExpected);
    const isHidden =
      !isDecoded && found.length === 0 && text.includes("%") && inPath(percentDecoded(text), true).length > 0;
    return isHidden ? [at] : found.map((one) => shift(one, at.start));
  });
}

/** A key, or parameters: `rpc;key=value`. */
function inSegment(segment: string, isExpected: boolean): readonly Span[] {
  return piecesOf(segment, /[;&,]/g).flatMap(({ text, at }, place) => {
    const pair = inPair(text).map((one) => shift(one, at.start));
    const isKey = pair.length === 0 && place === 0 && looksLikeKey(percentDecoded(text), isExpected);
    return isKey ? [at] : pair;
  });
}

/** Finds secrets in a query or a fragment: `?name=value&name=value`, or a key by itself. */
function inPairs(text: string): readonly Span[] {
  return piecesOf(text, /[?#&;,]/g).flatMap((piece) => {
    const pieces = piece.text.includes("=") ? [piece] : piecesOf(piece.text, /\//g).map((one) => moved(one, piece.at));
    return pieces.flatMap(({ text, at }) => {
      if (text.includes("=")) return inPair(text).map((one) => shift(one, at.start));
      return looksLikeKey(percentDecoded(text)) ? [at] : [];
    });
  });
}

/** Names whose values are secret, whatever they look like. */
const strong =
  /pass(?:w(?:or)?d|phrase)?$|pwd|secret|api[-_.]?key|dkey$|(?:access|auth|private|account|license|subscription|billing)[-_.]?(?:key|token)|bearer|jwt|mnemonic|x-amz-(?:signature|credential)|(?:^|[-_.])(?:signature|credentials?)$/i;
/** Names whose values are secret unless they are words, or data of a chain. */
const weak = /key|token|auth|basic|bearer|session|(?:^|[-_.])(?:sig|sid|pat|k|t|cred)$/i;
/** Names whose values are keys if they look like one, however short. */
const identifying = /(?:app|project|client|user|customer|tenant)[-_.]?(?:id|name)?$|^(?:id|code)$/i;
/** Members of JSON in a parameter. */
const members = /"([^"]{1,60})"\s*:\s*"([^"]*)"/g;
/** Names of public values. */
const harmless =
  /^(?:hash|tx(?:id|hash)?|transaction|block(?:hash|number)?|address|addr|account|from|to|contract|topics?\d?|slot|root|cid|commit|sha|rev|v(?:er(?:sion)?)?|chain(?:id)?|network|net|hint|builder|origin(?:id)?|utm_\w+|ref|lang|format|encoding|timeout|batch|region|tag)$/i;

/** The value of `name=value` or `name:value`, if it is secret. */
function inPair(text: string): readonly Span[] {
  const [all = "", name = ""] = /^([^=:]{1,60})[=:]/.exec(text) ?? [];
  const values = piecesOf(text.slice(all.length), /\{\{[^{}]*\}\}/g);
  if (name === "") return [];
  return values.flatMap(({ text: value, at }) =>
    isSecretValue(percentDecoded(name), percentDecoded(value)) ? [shift(at, all.length)] : [],
  );
}

/** Whether values of that name are secret, whatever they look like: `apiKey`, `password`. */
export function isSecretName(name: string): boolean {
  return strong.test(name);
}

function isSecretValue(name: string, value: string): boolean {
  if (/^\s*[[{]/.test(value))
    return [...value.matchAll(members)].some(([, key = "", text = ""]) => isSecretValue(key, text));
  if (value === "" || isStandIn(value)) return false;
  if (/^[a-z][\w+.-]*:\/\//i.test(value)) return secretParts(value).length > 0;
  if (strong.test(name)) return value.length > 2 && !/^(?:true|false|null|none|yes|off|\d{1,2})$/i.test(value);
  if (harmless.test(name)) return false;
  if (weak.test(name) && value.length >= 8 && !/^0x/i.test(value) && !isEveryday(value)) return true;
  return looksLikeKey(value, weak.test(name) || identifying.test(name));
}

interface Piece {
  readonly text: string;
  readonly at: Span;
}

function moved({ text, at }: Piece, { start }: Span): Piece {
  return { text, at: shift(at, start) };
}

/** Returns the pieces between separators; pieces may be empty. */
function piecesOf(text: string, separator: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const add = (end: number): void => void pieces.push({ text: text.slice(from, end), at: span(from, end) });
  for (const { 0: mark, index } of text.matchAll(separator)) {
    add(index);
    from = index + mark.length;
  }
  add(text.length);
  return pieces;
}
