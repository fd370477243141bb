import { type Span, span } from "../base/span.ts";

/**
 * The probable meaning of a cell's text while it is being typed: words without quotes, missing commas and brackets,
 * strings that never end. Only the place under a cursor is read from it; what is checked and sent comes from the
 * strict tree.
 */
export type TolerantNode = TolerantContainer | TolerantScalar;

export interface TolerantContainer {
  readonly kind: "object" | "array";
  /** The span from the opening bracket to the end of the closing one, or to where it must have ended. */
  readonly span: Span;
  readonly closed: boolean;
  /** At least one; an empty container has one empty slot. */
  readonly slots: readonly TolerantSlot[];
}

/** A string, a number, a literal, or a word that is none of them yet. */
export interface TolerantScalar {
  readonly kind: "scalar";
  readonly span: Span;
  readonly quoted: boolean;
  /** Without quotes and escapes. */
  readonly text: string;
}

/** The room between two separators: a member of an object, an item of an array. */
export interface TolerantSlot {
  readonly span: Span;
  readonly key: TolerantScalar | undefined;
  readonly colon: number | undefined;
  readonly value: TolerantNode | undefined;
}

/** JSON has none, but people write them. Behind a colon or a letter it is the middle of an address. */
const comment = String.raw`(?<![:\w])//[^\r\n]*|/\*[^]*?(?:\*/|$)`;

/**
 * JSON never has a letter directly behind a closing quote, so such a quote opens the next string and the one before
 * it was forgotten. A string without an end stops where a value would.
 */
const token = new RegExp(
  [
    `(?<comment>${comment})`,
    String.raw`(?<closed>"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"(?!\w))`,
    String.raw`(?<open>"(?:\{\{[\w.$-]*(?:\[\d*\][\w.$-]*)*(?:\}\})?|\\.|[^\s,\]}"\\])*)`,
    String.raw`(?<single>'(?:[^'\\\r\n]|\\.)*'(?!\w)|'(?:\\.|[^\s,\]}'"\\])*)`,
    String.raw`(?<word>(?:\{\{[^{}"\s]*\}\}|[^\s{}[\],:"])+"?)`,
    String.raw`(?<mark>[{}[\],:])`,
  ].join("|"),
  "g",
);

interface Slot {
  start: number;
  end: number;
  key: TolerantScalar | undefined;
  colon: number | undefined;
  value: TolerantNode | undefined;
}

interface Frame {
  readonly kind: "object" | "array";
  readonly start: number;
  readonly slots: Slot[];
}

/**
 * Reads any text.
 *
 * @returns The values in a row: one for a cell as it should be, none for white space.
 */
export function tolerantTree(text: string): readonly TolerantSlot[] {
  const root: Frame = { kind: "array", start: -1, slots: [emptySlot(0)] };
  const stack: Frame[] = [root];
  for (const found of text.matchAll(token)) {
    if (found.groups?.comment !== undefined) continue;
    const at = span(found.index, found.index + found[0].length);
    if (found.groups?.mark === undefined) addScalar(top(stack), scalar(found[0], at));
    else mark(stack, found[0], at.start);
  }
  while (stack.length > 1) close(stack, text.length, false);
  slotOf(root).end = text.length;
  return root.slots.map(frozen);
}

/** Whether the cursor is in a comment, where completions are not offered. */
export function inComment(text: string, offset: number): boolean {
  if (!text.includes("//") && !text.includes("/*")) return false;
  for (const { 0: all, index, groups } of text.matchAll(token)) {
    if (index >= offset) return false;
    const end = index + all.length;
    if (groups?.comment !== undefined) {
      const closed = all.endsWith("*/") && all.length > 3;
      if (offset < end || (offset === end && !closed)) return true;
    }
  }
  return false;
}

function mark(stack: Frame[], sign: string, at: number): void {
  const frame = top(stack);
  const slot = slotOf(frame);
  switch (sign) {
    case "{":
    case "[":
      if (slot.value) nextSlot(frame, endOf(slot.value), at);
      stack.push({ kind: sign === "{" ? "object" : "array", start: at, slots: [emptySlot(at + 1)] });
      return;
    case ",":
      nextSlot(frame, at, at + 1);
      return;
    case ":":
      if (frame.kind === "object") slot.colon ??= at;
      return;
    default:
      closeUpTo(stack, sign === "}" ? "object" : "array", at);
  }
}

/** Containers left open inside end here; a bracket that closes nothing is passed over. */
function closeUpTo(stack: Frame[], kind: Frame["kind"], at: number): void {
  const target = stack.findLastIndex((frame, depth) => depth > 0 && frame.kind === kind);
  if (target < 0) return;
  while (stack.length > target + 1) close(stack, at, false);
  close(stack, at, true);
}

function close(stack: Frame[], at: number, closed: boolean): void {
  const frame = stack.pop();
  if (!frame) return;
  slotOf(frame).end = at;
  const value: TolerantContainer = {
    kind: frame.kind,
    span: span(frame.start, closed ? at + 1 : at),
    closed,
    slots: frame.slots.map(frozen),
  };
  slotOf(top(stack)).value = value;
}

function addScalar(frame: Frame, found: TolerantScalar): void {
  const slot = slotOf(frame);
  if (frame.kind === "array") {
    if (slot.value) nextSlot(frame, endOf(slot.value), found.span.start);
    slotOf(frame).value = found;
  } else if (slot.value || (slot.key && slot.colon === undefined)) {
    nextSlot(frame, endOf(slot.value ?? slot.key), found.span.start);
    slotOf(frame).key = found;
  } else if (slot.colon === undefined) slot.key = found;
  else slot.value = found;
}

function nextSlot(frame: Frame, end: number, start: number): void {
  slotOf(frame).end = end;
  frame.slots.push(emptySlot(start));
}

function scalar(raw: string, at: Span): TolerantScalar {
  const quoted = raw.startsWith('"') || raw.startsWith("'");
  const closed = raw.length > 1 && raw.endsWith(quoted ? raw.charAt(0) : '"');
  const inner = raw.slice(quoted ? 1 : 0, closed ? -1 : undefined);
  return { kind: "scalar", span: at, quoted, text: inner.includes("\\") ? unescaped(inner) : inner };
}

function unescaped(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string; // a string literal parses to a string
  } catch {
    return inner;
  }
}

function emptySlot(start: number): Slot {
  return { start, end: start, key: undefined, colon: undefined, value: undefined };
}

function frozen({ start, end, key, colon, value }: Slot): TolerantSlot {
  return { span: span(start, end), key, colon, value };
}

function top(stack: readonly Frame[]): Frame {
  return stack.at(-1) as Frame; // the root frame is never popped
}

function slotOf(frame: Frame): Slot {
  return frame.slots.at(-1) as Slot; // every frame starts with a slot
}

function endOf(value: TolerantNode | undefined): number {
  return value?.span.end ?? 0;
}
