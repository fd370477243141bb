import { type Form, shortest as shortestForm } from "./maskForms.ts";
import { endOfChar, type Skeleton, skeletonOf } from "./skeleton.ts";
import type { Span } from "./span.ts";

export interface MaskMatch extends Span {
  readonly label: string;
}

interface Wanted {
  readonly codes: Uint8Array;
  readonly label: string;
  readonly number: Form["number"];
  readonly parts: boolean;
  /** Separators are part of the value itself. */
  readonly isSpaced: boolean;
  /** Signs around the codes that are part of the value. */
  readonly edges: readonly [before: string, after: string];
}

/** A place within a form. */
interface Place {
  readonly form: Wanted;
  readonly offset: number;
}

/** Codes of a part of a form that tell too much. */
const leastPart = 16;
/** Codes beside an ellipsis that tell too much: there a text was cut. */
const leastCut = 8;
/** Forms of fewer codes may match by chance when separators are left out. */
const leastSpaced = 12;
/** A gram may repeat within a form; these many of its places are tried. */
const maxPlaces = 4;

/** Every run of `2 * size - 1` codes contains one whole block of `size` codes, wherever it begins. */
const [short, long] = [3, 8] as const;
const leastLong = 2 * long - 1;

/** Finds the forms of secret values in texts by their skeletons. The time does not depend on how many forms there are. */
export function openSearch() {
  const forms = new Map<string, Wanted>();
  const grams = { [short]: openGrams(short), [long]: openGrams(long) };
  let shortest = Number.POSITIVE_INFINITY;
  return {
    /** @returns Whether the form has a skeleton that can be searched for. */
    add({ text, number, parts = false }: Form, label: string): boolean {
      const { codes, length, at } = skeletonOf(text);
      const least = number === "hex" ? shortestForm - 1 : shortestForm;
      let characters = length === 0 ? 0 : 1;
      let isSpaced = false;
      for (let index = 1; index < length; index++) {
        if (at[index] === at[index - 1]) continue;
        characters++;
        isSpaced ||= (at[index] ?? 0) > endOfChar(text, at[index - 1] ?? 0);
      }
      if (characters < least) return false;
      const key = `${number ?? ""} ${parts} ${codes.subarray(0, length).join()}`;
      if (forms.has(key)) return true;
      const edges = [text.slice(0, at[0]), text.slice(endOfChar(text, at[length - 1] ?? 0))] as const;
      const form = { codes: codes.slice(0, length), label, number, parts, isSpaced, edges };
      forms.set(key, form);
      shortest = Math.min(shortest, least);
      if (length < leastLong) grams[short].add(form);
      if (length >= leastLong || (number === undefined && length > leastCut)) grams[long].add(form);
      return true;
    },
    /** Texts of fewer code units contain none. */
    get shortest() {
      return shortest;
    },
    /** @param skeleton - Of the text. */
    in(text: string, skeleton: Skeleton): readonly MaskMatch[] {
      let found: MaskMatch[] | undefined;
      const budget = { left: 1_000_000 + 20 * text.length };
      for (const size of [long, short] as const) {
        if (grams[size].size === 0) continue;
        let done = 0;
        for (let at = grams[size].next(skeleton, 0); at >= 0; at = grams[size].next(skeleton, at + size)) {
          if (at + size <= done) continue;
          for (const place of grams[size].at(skeleton.codes, at)) {
            const run = runAround(skeleton, at, place);
            budget.left -= run.end - run.start;
            if (!isFound(text, skeleton, run, place.form, budget.left < 0)) continue;
            found ??= [];
            found.push(spanOf(text, skeleton, run, place.form));
            done = Math.max(done, run.end);
          }
        }
      }
      if (grams[long].size > 0 && /…|\.{3}|\*{3}/.test(text))
        found = [...(found ?? none), ...cuts(text, skeleton, grams[long], budget)];
      return found ?? none;
    },
  };
}

type Grams = ReturnType<typeof openGrams>;

const none: readonly MaskMatch[] = [];
const nowhere: readonly Place[] = [];

/** Places of forms by the codes that are there. */
function openGrams(size: number) {
  const places = new Map<number, Place[]>();
  const seen = new Uint8Array(1 << 16); // nearly every block of a text is answered here
  const keyAt =
    size === short
      ? (codes: Uint8Array, at: number): number => third(codes, at)
      : (codes: Uint8Array, at: number): number =>
          Math.imul(third(codes, at), 0x01000193) ^ Math.imul(third(codes, at + 3), 0x85ebca6b) ^ third(codes, at + 5);
  const slot = (key: number): number => (key ^ (key >>> 15)) & 0xffff;
  return {
    get size() {
      return places.size;
    },
    add(form: Wanted): void {
      const isPlain = variety(form.codes, 0, form.codes.length) < 3;
      const most = isPlain ? size : form.codes.length;
      for (let offset = 0; offset + size <= form.codes.length && offset < most; offset++) {
        if (!isPlain && size === long && variety(form.codes, offset, offset + size) < 3) continue;
        const key = keyAt(form.codes, offset);
        const there = places.get(key) ?? [];
        if (there.filter((one) => one.form === form).length >= maxPlaces) continue;
        there.push({ form, offset });
        places.set(key, there);
        seen[slot(key)] = 1;
      }
    },
    /** The next block from a block on that may have places; -1 if there are none. */
    next({ codes, length }: Skeleton, from: number): number {
      for (let at = from; at + size <= length; at += size) if (seen[slot(keyAt(codes, at))] === 1) return at;
      return -1;
    },
    at: (codes: Uint8Array, at: number): readonly Place[] => places.get(keyAt(codes, at)) ?? nowhere,
  };
}

/** Three codes as a number. */
function third(codes: Uint8Array, at: number): number {
  return (codes[at] ?? 0) | ((codes[at + 1] ?? 0) << 8) | ((codes[at + 2] ?? 0) << 16);
}

/** How many different codes there are, about. */
function variety(codes: Uint8Array, start: number, end: number): number {
  let bits = 0;
  for (let at = start; at < end; at++) bits |= 1 << ((codes[at] ?? 0) & 31);
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** A run of codes that a text and a form share. */
interface Run extends Span {
  /** In the form. */
  readonly offset: number;
}

/** The longest one around a place in the text and the same in the form. */
function runAround(
  { codes, length }: Skeleton,
  at: number,
  { form, offset }: Place,
  most = Number.POSITIVE_INFINITY,
): Run {
  let back = 0;
  while (back < Math.min(offset, most) && at - back > 0 && codes[at - back - 1] === form.codes[offset - back - 1])
    back++;
  let end = 0;
  while (
    end < most &&
    offset + end < form.codes.length &&
    at + end < length &&
    codes[at + end] === form.codes[offset + end]
  )
    end++;
  return { start: at - back, end: at + end, offset: offset - back };
}

/** @param isLate - Too much time was spent on this text: then any part of a value is hidden. */
function isFound(text: string, skeleton: Skeleton, run: Run, form: Wanted, isLate: boolean): boolean {
  const length = run.end - run.start;
  if (isLate) return length >= Math.min(leastPart, form.codes.length);
  if (length < form.codes.length)
    return form.parts && length >= leastPart && variety(skeleton.codes, run.start, run.end) > 4;
  if (form.number !== undefined) return isNumber(text, skeleton, run, form.number);
  return length >= leastSpaced || form.isSpaced || isTight(text, skeleton, run);
}

/** Between the codes there is hardly anything, and nothing that separates values. */
function isTight(text: string, { at }: Skeleton, { start, end }: Run): boolean {
  let gaps = 0;
  for (let index = start; index + 1 < end; index++) {
    const after = endOfChar(text, at[index] ?? 0);
    const next = at[index + 1] ?? 0;
    if (next <= after) continue;
    if (++gaps >= (end - start) / 2 || !/^[\s,._:'’*`~-]{1,3}$/.test(text.slice(after, next))) return false;
  }
  return true;
}

const [zero, nine, x] = [0x30, 0x39, 0x78];

/** Whether a number ends where the run ends, and begins there but for zeros. */
function isNumber(text: string, skeleton: Skeleton, run: Run, kind: NonNullable<Form["number"]>): boolean {
  const { codes, at, length } = skeleton;
  const isDigit = (code = 0): boolean =>
    (code >= zero && code <= nine) || (kind === "hex" && code >= 0x61 && code <= 0x66);
  const touches = (index: number): boolean => at[index + 1] === endOfChar(text, at[index] ?? 0);
  let { start } = run;
  while (start > 0 && codes[start - 1] === zero && (touches(start - 1) || kind === "fraction")) start--;
  if (kind === "fraction" && !text.slice(at[start], at[run.end - 1]).includes(".")) return false;
  const isPadded = kind === "hex" && run.end - start >= 64;
  if (!isPadded && run.end < length && touches(run.end - 1) && isDigit(codes[run.end])) return false;
  if (isPadded || start === 0 || !touches(start - 1)) return isTight(text, skeleton, run);
  const isPrefixed = kind === "hex" && codes[start - 1] === x;
  return (isPrefixed || !isDigit(codes[start - 1])) && isTight(text, skeleton, run);
}

/** The characters of a run, with the signs that belong to a whole value. */
function spanOf(text: string, { at }: Skeleton, run: Run, { codes, label, edges }: Wanted): MaskMatch {
  let [start, end] = [at[run.start] ?? 0, endOfChar(text, at[run.end - 1] ?? 0)];
  const [before, after] = edges;
  if (run.offset === 0)
    for (let sign = before.length; sign > 0 && start > 0 && text[start - 1] === before[sign - 1]; sign--) start--;
  if (run.offset + run.end - run.start === codes.length)
    for (let sign = 0; sign < after.length && text[end] === after[sign]; sign++) end++;
  return { start, end, label };
}

/** Texts are cut for people: then only the beginning or the end of a value is beside the ellipsis. */
function* cuts(text: string, skeleton: Skeleton, grams: Grams, budget: { left: number }): Generator<MaskMatch> {
  let index = 0;
  for (const { 0: ellipsis, index: place } of text.matchAll(/…|\.{3}|\*{3,}/g)) {
    while (index < skeleton.length && (skeleton.at[index] ?? 0) < place) index++;
    for (const [from, isBefore] of [
      [index - leastCut, true],
      [index, false],
    ] as const) {
      if (from < 0 || from + leastCut > skeleton.length) continue;
      if (!isBeside(text, skeleton, index, isBefore ? place : place + ellipsis.length, isBefore)) continue;
      for (const at of grams.at(skeleton.codes, from)) {
        const run = runAround(skeleton, from, at, budget.left < 0 ? leastCut : undefined);
        budget.left -= run.end - run.start;
        const isCut = isBefore ? run.end >= index : run.start <= index; // it may go on by chance
        if (!isCut || run.end - run.start < leastCut || at.form.number !== undefined) continue;
        yield spanOf(text, skeleton, run, at.form);
      }
    }
  }
}

/** No more than a quotation mark or so is between an ellipsis and the codes beside it. */
function isBeside(text: string, { at }: Skeleton, index: number, edge: number, isBefore: boolean): boolean {
  if (!isBefore) return (at[index] ?? 0) - edge <= 3;
  return index > 0 && edge - endOfChar(text, at[index - 1] ?? 0) <= 3;
}
