import { deeperThan, stringEnd, wordEnd } from "../base/jsonScan.ts";
import { memoByObject, memoOfLast } from "../base/memo.ts";
import { type Span, shift, span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { isJson } from "../notebook/json.ts";
import type { FileText } from "../notebook/readFile.ts";

export interface FormattingOptions {
  /** One level: spaces or a tab. */
  readonly indent: string;
}

export interface Replacement {
  readonly span: Span;
  readonly insert: string;
}

/** The line width, in characters. Longer lines are broken if possible. */
const width = 100;

/**
 * Lays a cell out afresh: short arrays and objects on one line, the rest a member a line; an object that was written
 * over several lines stays so. Only white space is touched, so that numbers, strings and placeholders stay as they
 * are written; twice gives the same as once.
 *
 * @returns Nothing if the text is already formatted, or is not JSON.
 */
export function formatCell({ kind, text }: Cell, options: FormattingOptions): readonly Replacement[] {
  if (kind === "markdown") return [];
  const root = treeOf(text, maxDepth);
  return root && root.kind !== "scalar" ? laidOut(text, root, { ...options, eol: eolOf(text), level: 0 }) : [];
}

/** Like {@link formatCell}, for a whole file: its frame, its header and its cells. */
export function formatFile(file: FileText, options: FormattingOptions): readonly Replacement[] {
  return formatParts(file, options).flatMap(({ at, items }) =>
    items.map((one) => ({ ...one, span: shift(one.span, at) })),
  );
}

/** Replacements in one cell of a file, or between two. */
interface FormattedPart {
  /** The offset in the file that their spans count from. */
  readonly at: number;
  /** The same array for a cell that has not changed. */
  readonly items: readonly Replacement[];
}

/** Formats each cell of a file by itself, and what is around them as a text that has a digit in the place of each. */
export function formatParts(file: FileText, { indent }: FormattingOptions): readonly FormattedPart[] {
  const { text, form, spans, cells, scan } = file;
  const eol = eolOf(text);
  const around = form === "none" ? undefined : formattedFrame(frameOf(file), scan.list?.open, indent, eol);
  if (!around) return [];
  if (form === "object") return [{ at: 0, items: around }];
  const level = form === "array" ? 1 : 2;
  const parts: FormattedPart[] = [];
  let done = 0;
  let by = 0; // characters that the cells so far have more than their digits
  for (const [index, cell] of cells.entries()) {
    const { start, end } = spans.at(index) ?? span(0, 0);
    const items = formatted(cell)(indent, eol, level);
    if (!items) return [];
    const from = done;
    while ((around[done]?.span.end ?? Number.POSITIVE_INFINITY) <= start - by) done++;
    if (done > from) parts.push({ at: by, items: around.slice(from, done) });
    parts.push({ at: start, items });
    by += end - start - 1;
  }
  return [...parts, { at: by, items: around.slice(done) }];
}

/** Returns a file with a digit in the place of each cell. The text itself if it is a cell. */
function frameOf({ text, form, spans }: FileText): string {
  if (form === "object") return text;
  let at = 0;
  const pieces = spans.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return before;
  });
  return [...pieces, text.slice(at)].join("0");
}

/**
 * Most edits leave the frame as it is.
 *
 * @param list - Where the cells begin.
 * @returns `undefined` if it is not JSON.
 */
const formattedFrame = memoOfLast((frame: string, list: number | undefined, indent: string, eol: string) => {
  const root = treeOf(frame, maxDepth);
  if (!root || root.kind === "scalar") return undefined;
  const forced = list === undefined ? [] : [root, ...nodesAt(root, list)];
  return laidOut(frame, root, { indent, eol, level: 0 }, forced, eol);
});

/** Returns what formats a cell: `undefined` if the cell is not JSON. */
const formatted = memoByObject((cell: Cell) =>
  memoOfLast((indent: string, eol: string, level: number): readonly Replacement[] | undefined => {
    const root = treeOf(cell.text, maxDepth - level);
    return root && laidOut(cell.text, root, { indent, eol, level }, linesOf(cell.text, root));
  }),
);

/** The root or a member of it, if it begins at an offset. */
function nodesAt(root: Group, offset: number): readonly Tree[] {
  return [root, ...root.members.map(({ value }) => value)].filter(({ span }) => span.start === offset);
}

/** A cell with lines of Markdown, and those lines: they always span several lines. */
function linesOf(text: string, cell: Tree): readonly Tree[] {
  if (cell.kind === "scalar") return [];
  return cell.members.flatMap((member) => (isLines(text, member) ? [cell, member.value] : []));
}

function isLines(text: string, { key, value }: Member): boolean {
  const name = key && text.slice(key.start, key.end);
  return (name === '"markdown"' || name === '"text"') && value.kind === "array" && value.members.length > 1;
}

function eolOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
}

type Tree = Group | { readonly kind: "scalar"; readonly span: Span };

interface Group {
  readonly kind: "object" | "array";
  /** Brackets included. */
  readonly span: Span;
  readonly members: readonly Member[];
  /** Characters that it takes on one line. */
  readonly flat: number;
  /** It was written over several lines, or holds what was. */
  readonly broken: boolean;
}

interface Member {
  readonly key: Span | undefined;
  readonly value: Tree;
}

/** Deeper cells are not read anywhere; with a frame around. */
const maxDepth = 520;

/** @returns `undefined` for text that is not JSON or nested more deeply than that. */
function treeOf(text: string, depth: number): Tree | undefined {
  const bom = text.startsWith("\ufeff") ? 1 : 0;
  if (deeperThan(text, depth) || !isJson(text.slice(bom))) return undefined;
  let at = bom;
  /** The next token; commas and colons mean nothing, since the text is known to be JSON. */
  const next = (): Span => {
    while (" \t\r\n,:".includes(text.charAt(at))) at++;
    const start = at;
    const mark = text.charAt(start);
    at = mark === '"' ? stringEnd(text, start) : "{}[]".includes(mark) ? start + 1 : wordEnd(text, start);
    return span(start, at);
  };
  const value = (token: Span): Tree => {
    const mark = text.charAt(token.start);
    if (mark !== "{" && mark !== "[") return { kind: "scalar", span: token };
    const members: Member[] = [];
    for (let first = next(); !"}]".includes(text.charAt(first.start)); first = next()) {
      members.push(mark === "{" ? { key: first, value: value(next()) } : { key: undefined, value: value(first) });
    }
    return group(text, mark === "{" ? "object" : "array", span(token.start, at), members);
  };
  return value(next());
}

function group(text: string, kind: Group["kind"], at: Span, members: readonly Member[]): Group {
  const inner = members.map(({ key, value }) => (key ? key.end - key.start + 2 : 0) + flatOf(value));
  const room = kind === "object" && members.length > 0 ? 4 : 2;
  const first = members[0]?.key?.start ?? at.start; // where an empty object has its line ends means nothing
  return {
    kind,
    span: at,
    members,
    flat: inner.reduce((sum, each) => sum + each, room + Math.max(0, members.length - 1) * 2),
    broken: /[\r\n]/.test(text.slice(at.start, first)) || members.some(({ value }) => isBroken(value)),
  };
}

function flatOf(tree: Tree): number {
  return tree.kind === "scalar" ? tree.span.end - tree.span.start : tree.flat;
}

function isBroken(tree: Tree): boolean {
  return tree.kind !== "scalar" && tree.broken;
}

interface Layout extends FormattingOptions {
  readonly eol: string;
  /** How many containers are around the text. */
  readonly level: number;
}

/**
 * @param forced - Nodes that always span several lines.
 * @param end - The text after the root.
 */
function laidOut(
  text: string,
  root: Tree,
  { indent, eol, level: outer }: Layout,
  forced: readonly Tree[] = [],
  end = "",
): readonly Replacement[] {
  const edits: Replacement[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  /** Puts white space, and the mark that is in it, between what was written last and what comes at `start`. */
  const gap = (start: number, wanted: string): void => {
    if (text.slice(at, start) !== wanted) edits.push({ span: span(at, start), insert: wanted });
  };
  const token = ({ start, end }: Span, before: string): void => {
    gap(start, before);
    at = end;
  };
  const columns = indent === "\t" ? 4 : indent.length;
  /** @param room - Characters left on the line; all there are inside of what fits on one. */
  const put = (tree: Tree, before: string, level: number, room: number): void => {
    if (tree.kind === "scalar") {
      token(tree.span, before);
      return;
    }
    const { kind, members, span: all } = tree;
    const fits = !tree.broken && !forced.includes(tree) && tree.flat < room;
    const line = (depth: number): string => eol + indent.repeat(depth);
    const lead = fits ? (kind === "object" ? " " : "") : line(level + 1);
    const tail = fits ? " " : lead;
    token(span(all.start, all.start + 1), before);
    for (const [index, { key, value }] of members.entries()) {
      const between = index === 0 ? lead : `,${tail}`;
      if (key) token(key, between);
      const taken = columns * (level + 1) + (key ? key.end - key.start + 2 : 0);
      put(value, key ? ": " : between, level + 1, fits ? Number.POSITIVE_INFINITY : width - taken);
    }
    token(span(all.end - 1, all.end), members.length === 0 ? "" : fits ? lead : line(level));
  };
  put(root, "", outer, width - columns * outer);
  gap(text.length, end);
  return edits;
}
