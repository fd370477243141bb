import { ExactNumber, type JsonValue, printJson } from "./json.ts";
import { type Form, formsOf, printedBytes, shortest } from "./maskForms.ts";
import { type MaskMatch, openSearch } from "./maskSearch.ts";
import { hexTextsIn, layersOf, skeletonOf } from "./skeleton.ts";
import type { Span } from "./span.ts";

/** Hides values that no one is to see, wherever and however they appear. */
export interface Mask {
  /** Shows `value`, and any part that would reveal it, as `label` from now on. */
  add(value: string, label: string): void;
  readonly isEmpty: boolean;
  text(text: string): string;
  /** Returns the parts of a text that {@link text} replaces; they may overlap. */
  hiddenIn(text: string): readonly Span[];
  /**
   * A copy with every string, number and key masked; what holds nothing to hide comes back as it is. A list or an object that
   * reveals a value only as a whole, as a list of bytes does, becomes its masked text.
   *
   * @param isKept - Strings that stay as they are, for callers that mask the whole once more.
   */
  value<Value>(value: Value, isKept?: (text: string) => boolean): Value;
  /** A copy without the pieces of a value that several strings hold together; for data in which no text alone reveals one. */
  pieces<Value>(value: Value): Value;
  /** The same for data of our own, such as a report: the names of its members stay, and so do its {@link forms}. */
  own<Value>(value: Value): Value;
}

/** Members of our own data that say which form it has. They hold no text from elsewhere. */
const forms: ReadonlySet<string> = new Set(["kind", "role", "status", "align", "unit"]);

const none: readonly MaskMatch[] = [];

/** Hex digits of bytes; fewer may match by chance. */
const leastBytes = 16;

export function openMask(): Mask {
  const search = openSearch();
  const literals = new LiteralSearch();
  const values = new Set<string>();
  const add = (form: Form, label: string): void => {
    if (search.add(form, label)) return;
    for (const written of [form.text, JSON.stringify(form.text).slice(1, -1), percentEncoded(form.text)])
      literals.add(written, label);
  };
  const matchesIn = (given: string): readonly MaskMatch[] => {
    if (given.length < search.shortest && literals.isEmpty) return none;
    const skeleton = skeletonOf(given);
    const { isEscaped } = skeleton;
    // a list that grows: a text can have ten thousand of them
    const all: MaskMatch[] = [...search.in(given, skeleton)];
    const push = (some: readonly MaskMatch[]): void => {
      for (const one of some) all.push(one);
    };
    if (!literals.isEmpty) push(literals.in(given));
    for (const layer of isEscaped ? layersOf(given) : []) {
      const inLayer = search.in(layer.text, skeletonOf(layer.text)).concat(literals.in(layer.text));
      push(inLayer.map(({ label, ...at }) => ({ ...layer.origin(at), label })));
    }
    for (const { start, end, text: inHex } of hexTextsIn(given)) {
      const [first] = matchesIn(inHex);
      if (first) all.push({ start, end, label: first.label });
    }
    for (const { hex, at } of printedBytes(given)) {
      const inBytes = search.in(hex, skeletonOf(hex)).filter(({ start, end }) => end - start >= leastBytes);
      const place = (digit: number): number => at[Math.ceil(digit / 2)] ?? given.length;
      push(inBytes.map(({ start, end, label }) => ({ start: place(start - 1), end: place(end), label })));
    }
    return all;
  };
  const text = (given: string): string => {
    const all = matchesIn(given);
    return all.length === 0 ? given : replaced(given, all);
  };
  return {
    add(value, label) {
      if (value === "" || values.has(value)) return;
      values.add(value);
      if (value.length < shortest) return literals.add(value, label);
      for (const form of formsOf(value)) add(form, label);
    },
    get isEmpty() {
      return values.size === 0;
    },
    text,
    hiddenIn: matchesIn,
    value(given, isKept) {
      if (values.size === 0) return given;
      const whole = withoutPieces(given, matchesIn);
      if (isKept) return masked(whole, (one) => (isKept(one) ? one : text(one)), text) as typeof given; // strings stay strings
      return withoutSpread(masked(whole, text, text), text) as typeof given; // a caller that hides values takes text for them
    },
    pieces(given) {
      return values.size === 0 ? given : (withoutPieces(given, matchesIn) as typeof given); // strings stay strings
    },
    own(given) {
      return values.size === 0 ? given : (masked(withoutPieces(given, matchesIn), text) as typeof given); // strings stay strings
    },
  };
}

/** Finds values that have no letters and digits to search for: short ones, and those of signs. */
class LiteralSearch {
  /** Labels by value, in lower case. */
  readonly #labels = new Map<string, string>();
  #pattern: RegExp | undefined;

  get isEmpty(): boolean {
    return this.#labels.size === 0;
  }
  add(form: string, label: string): void {
    const key = form.toLowerCase();
    if (!this.#labels.has(key)) this.#labels.set(key, label);
    this.#pattern = undefined;
  }
  in(text: string): readonly MaskMatch[] {
    if (this.isEmpty) return none;
    this.#pattern ??= patternOf([...this.#labels.keys()]);
    return [...text.matchAll(this.#pattern)].map(({ 0: form, index }) => ({
      start: index,
      end: index + form.length,
      label: this.#labels.get(form.toLowerCase()) ?? "…",
    }));
  }
}

function percentEncoded(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** The text with everything that was found under its label. What overlaps has the label of what begins first. */
function replaced(text: string, all: readonly MaskMatch[]): string {
  const sorted = all.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let made = "";
  let [from, end] = [0, -1];
  for (const one of sorted) {
    if (one.start >= end) {
      made += text.slice(from, one.start) + one.label;
      end = one.end;
    } else end = Math.max(end, one.end);
    from = end;
  }
  return made + text.slice(from);
}

/** The longest first, so that no rest of a value is left. A short one counts as a word of its own. */
function patternOf(forms: readonly string[]): RegExp {
  const parts = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => {
      const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return form.length < shortest ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
    });
  return new RegExp(parts.join("|"), "giu");
}

/** A list or an object while a copy of it is made. */
interface OpenCopy {
  readonly given: object;
  readonly entries: readonly (readonly [key: string, item: unknown])[];
  readonly items: unknown[];
}

/**
 * Without recursion: the trace of a call can be two thousand levels deep.
 *
 * @param keyText - Without it the data is our own: the names of its members and its {@link forms} stay.
 */
function masked(given: unknown, text: (text: string) => string, keyText?: (key: string) => string): unknown {
  const open = isContainer(given) ? [openCopy(given)] : [];
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const entry = last.entries[last.items.length];
    if (entry === undefined) {
      const made = finished(last, keyText ?? same);
      open.pop();
      const around = open.at(-1);
      if (!around) return made;
      around.items.push(made);
    } else if (isContainer(entry[1])) open.push(openCopy(entry[1]));
    else if (!keyText && forms.has(entry[0])) last.items.push(entry[1]);
    else last.items.push(maskedScalar(entry[1], text));
  }
  return maskedScalar(given, text);
}

/** Hides the pieces of a value that several strings hold together. */
function withoutPieces(given: unknown, matchesIn: (text: string) => readonly MaskMatch[]): unknown {
  if (!isContainer(given)) return given;
  const texts: string[] = [];
  const collected = (one: string): string => {
    texts.push(one.length < leastPiece ? "" : one); // what is short does not part two pieces
    return one;
  };
  masked(given, collected, same);
  const pieces = piecesOf(texts, matchesIn(texts.join(between)));
  let next = 0;
  const hidden = (one: string): string => {
    const pieced = pieces.get(next++);
    return pieced ? replaced(one, [...pieced, ...matchesIn(one)]) : one;
  };
  return pieces.size === 0 ? given : masked(given, hidden, same);
}

const between = '","';

/** The parts of matches by the place of the text that they are in. Bytes, one a text, are no pieces. */
function piecesOf(texts: readonly string[], matches: readonly MaskMatch[]): ReadonlyMap<number, readonly MaskMatch[]> {
  const pieces = new Map<number, MaskMatch[]>();
  const sorted = matches.toSorted((a, b) => a.start - b.start);
  let [first, firstStart] = [0, 0];
  for (const { start, end, label } of sorted) {
    for (; first < texts.length; first++) {
      const firstEnd = firstStart + (texts[first] ?? "").length;
      if (firstEnd > start) break;
      firstStart = firstEnd + between.length;
    }
    const found: [place: number, match: MaskMatch][] = [];
    for (let [place, at] = [first, firstStart]; place < texts.length && at < end; place++) {
      const { length } = texts[place] ?? "";
      const piece = { start: Math.max(start - at, 0), end: Math.min(end - at, length), label };
      if (piece.end - piece.start >= leastPiece) found.push([place, piece]);
      at += length + between.length;
    }
    if (found.length < 2 || found.every(([place]) => (texts[place] ?? "").length <= maxByteText)) continue;
    for (const [place, piece] of found) pieces.set(place, [...(pieces.get(place) ?? none), piece]);
  }
  return pieces;
}

/** Replaces the smallest lists and objects that reveal a value only as a whole by their masked text. */
function withoutSpread(given: unknown, text: (text: string) => string): unknown {
  if (!isContainer(given)) return given;
  const hidden = hiddenWhole(given, text);
  if (hidden === undefined) return given;
  const items = Object.values(given).map((item) => withoutSpread(item, text));
  const made = finished({ ...openCopy(given), items }, same);
  return made === given || hiddenWhole(made, text) !== undefined ? hidden : made;
}

/** Returns the masked text of a list or an object that reveals a value as a whole; `undefined` if it does not. */
function hiddenWhole(given: object, text: (text: string) => string): string | undefined {
  const forms = [printJson(given as JsonValue), shortScalarsIn(given).join()]; // lists and objects of plain values
  return forms.map((form) => ({ form, hidden: text(form) })).find(({ form, hidden }) => hidden !== form)?.hidden;
}

/** A byte in decimal or hex digits is not longer. */
const maxByteText = 4;

/** Fewer characters may belong to something else. */
const leastPiece = 4;

/** Returns the bytes in a list or an object, however deep they are: `[{ "b": 115 }, { "b": 51 }]` too. */
function shortScalarsIn(given: object): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [given];
  while (open.length > 0) {
    const next = open.pop();
    if (isContainer(next)) open.push(...Object.values(next).reverse());
    else if ((typeof next === "number" || typeof next === "string") && String(next).length <= maxByteText)
      found.push(String(next));
  }
  return found;
}

function same(text: string): string {
  return text;
}

function openCopy(given: object): OpenCopy {
  return { given, entries: Object.entries(given), items: [] };
}

function finished({ given, entries, items }: OpenCopy, keyText: (key: string) => string): object {
  const isChanged = entries.some(([, item], at) => item !== items[at]);
  if (Array.isArray(given)) return isChanged ? items : given;
  const keys = entries.map(([key]) => keyText(key));
  if (!isChanged && keys.every((key, at) => key === entries[at]?.[0])) return given;
  return Object.fromEntries(keys.map((key, at) => [key, items[at]]));
}

function maskedScalar(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "number" && typeof value !== "bigint" && !(value instanceof ExactNumber)) return value;
  const digits = String(value);
  return text(digits) === digits ? value : text(digits);
}

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return false;
  return Array.isArray(value) || isPlain(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
