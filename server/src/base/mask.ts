/** Hides values that nobody is to see, wherever they turn up. */
export interface Mask {
  /** From now on `value`, and what of it could be told from a piece, is shown as `label`. */
  add(value: string, label: string): void;
  readonly isEmpty: boolean;
  text(text: string): string;
  /** A copy with every string and key masked; what holds nothing to hide comes back as it is. */
  value<Value>(value: Value): Value;
}

/** Shorter ones stand for too little: they are hidden as words of their own, and in no other form. */
const shortest = 6;
/** Characters of the beginning of a value that tell too much of it, where a text is cut within the value. */
const leastCut = 8;

export function openMask(): Mask {
  const labels = new Map<string, string>();
  let pattern: RegExp | undefined;
  let beginnings: RegExp | undefined;
  const add = (form: string, label: string): void => {
    if (form === "" || labels.has(form.toLowerCase())) return;
    labels.set(form.toLowerCase(), label);
    [pattern, beginnings] = [undefined, undefined];
  };
  const text = (given: string): string => {
    if (labels.size === 0) return given;
    pattern ??= patternOf([...labels.keys()]);
    const whole = given.replace(pattern, (found) => labels.get(found.toLowerCase()) ?? "…");
    if (!whole.includes("…")) return whole;
    beginnings ??= patternOf(
      [...labels.keys()].filter(({ length }) => length > leastCut).map((form) => form.slice(0, leastCut)),
    );
    return withoutCuts(whole, beginnings, labels);
  };
  return {
    add(value, label) {
      if (value.length < shortest) return add(value, label);
      for (const whole of [value, ...piecesOf(value)]) for (const form of formsOf(whole)) add(form, label);
    },
    get isEmpty() {
      return labels.size === 0;
    },
    text,
    value: (given) => (labels.size === 0 ? given : (masked(given, text) as typeof given)), // strings stay strings
  };
}

/** The longest first, so that no rest of a value is left; letters of hex come in both cases. */
function patternOf(forms: readonly string[]): RegExp {
  const parts = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => {
      const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return form.length < shortest ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
    });
  return new RegExp(parts.join("|") || "(?!)", "giu"); // where there are none, nothing fits
}

/** Texts are cut for people before they are masked: then only the beginning of a value stands before the ellipsis. */
function withoutCuts(text: string, beginnings: RegExp, labels: ReadonlyMap<string, string>): string {
  let made = "";
  let from = 0;
  for (const { index } of text.matchAll(beginnings)) {
    if (index < from) continue;
    for (const [form, label] of labels) {
      const end = index + sameLength(text, index, form);
      if (end - index < leastCut || text[end] !== "…") continue;
      made += text.slice(from, index) + label;
      from = end;
      break;
    }
  }
  return made + text.slice(from);
}

/** How many characters of a form in lower case stand at a place. */
function sameLength(text: string, index: number, form: string): number {
  let length = 0;
  while (length < form.length && text[index + length]?.toLowerCase() === form[length]) length++;
  return length;
}

/** What of an address, or of an authorization, is worth as much as the whole. */
function piecesOf(value: string): readonly string[] {
  const word = /^(?:bearer|basic|token) +(\S+)$/i.exec(value)?.[1];
  const pieces = word === undefined ? [] : [word];
  if (URL.canParse(value)) {
    const { username, password, pathname, search } = new URL(value);
    const parts = search.slice(1).split("&");
    const queries = parts.map((part) => part.slice(part.indexOf("=") + 1));
    const encoded = [username, password, pathname + search, ...queries, ...pathname.split("/").filter(isLong)];
    pieces.push(...encoded, ...encoded.map(decoded));
  }
  return pieces.filter((piece) => piece.length >= shortest);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece; // a sign of percent that is none of an encoding
  }
}

function isLong(part: string): boolean {
  return part.length >= 12;
}

/** A value as it is, and as URLs, JSON, base64 and hex have it. */
function formsOf(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const encoded = [0, 1, 2].map((shift) => base64Within(bytes, shift));
  return [
    value,
    percentEncoded(bytes, /[A-Za-z0-9_.~-]/),
    percentEncoded(bytes, /[A-Za-z0-9_.~!*'()-]/),
    percentEncoded(bytes, /[A-Za-z0-9_.~!*'()-]/).replaceAll("%20", "+"),
    JSON.stringify(value).slice(1, -1),
    hex,
    ...[...encoded, ...encoded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))].filter(
      (form) => form.length >= shortest,
    ),
  ];
}

function percentEncoded(bytes: Uint8Array, plain: RegExp): string {
  return [...bytes]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return byte < 0x80 && plain.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The digits of base64 that stand for nothing but these bytes, where `shift` others stand in front of them. */
function base64Within(bytes: Uint8Array, shift: number): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const skipped = (6 - ((shift * 8) % 6)) % 6;
  const digits: string[] = [];
  for (let at = skipped; at + 6 <= bits.length; at += 6) {
    digits.push(alphabet.charAt(Number.parseInt(bits.slice(at, at + 6), 2)));
  }
  return digits.join("");
}

/** Nothing deeper is shown. */
const deepest = 1000;

function masked(value: unknown, text: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return text(value);
  if (depth > deepest) return "…";
  if (Array.isArray(value)) {
    const items = value.map((item) => masked(item, text, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const made = entries.map(([key, item]): readonly [string, unknown] => [text(key), masked(item, text, depth + 1)]);
  const same = made.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1]);
  return same ? value : Object.fromEntries(made);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
