import { deeperThan, stringEnd, wordEnd } from "../base/jsonScan.ts";
import { type Span, span } from "../base/span.ts";
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
export function formatCell(cell: Cell, options: FormattingOptions): readonly Replacement[] {
  if (cell.kind === "markdown") return [];
  const root = treeOf(cell.text);
  return root ? laidOut(cell.text, root, options, { forced: new Set(), end: "" }) : [];
}

/** Like {@link formatCell}, for a whole file: its frame, its header and its cells. */
export function formatFile({ text, form }: FileText, options: FormattingOptions): readonly Replacement[] {
  const root = form === "none" ? undefined : treeOf(text);
  if (!root) return [];
  const forced = new Set(form === "object" ? [] : framesOf(text, root));
  return laidOut(text, root, options, { forced, end: eolOf(text) });
}

/** Nodes that always span several lines: the root, the list of cells, the lines of Markdown. */
function framesOf(text: string, root: Group): readonly Tree[] {
  const list = root.kind === "array" ? root : root.members.findLast((member) => keyOf(text, member) === "cells")?.value;
  if (list?.kind !== "array") return [root];
  const lines = list.members.flatMap(({ value: cell }) =>
    cell.kind === "scalar" ? [] : cell.members.flatMap((member) => (isLines(text, member) ? [cell, member.value] : [])),
  );
  return [root, list, ...lines];
}

function isLines(text: string, { key, value }: Member): boolean {
  const name = key && text.slice(key.start, key.end);
  return (name === '"markdown"' || name === '"text"') && value.kind === "array" && value.members.length > 1;
}

function keyOf(text: string, { key }: Member): string {
  return key ? text.slice(key.start + 1, key.end - 1) : "";
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

/** @returns `undefined` for text that is not JSON, not a container, or nested too deeply. */
function treeOf(text: string): Group | undefined {
  const bom = text.startsWith("\ufeff") ? 1 : 0;
  if (deeperThan(text, maxDepth) || !isJson(text.slice(bom))) return undefined;
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
  const root = value(next());
  return root.kind === "scalar" ? undefined : root;
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

interface Frame {
  readonly forced: ReadonlySet<Tree>;
  /** The text after the root. */
  readonly end: string;
}

function laidOut(text: string, root: Group, { indent }: FormattingOptions, frame: Frame): readonly Replacement[] {
  const eol = eolOf(text);
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
    const fits = !tree.broken && !frame.forced.has(tree) && tree.flat < room;
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
  put(root, "", 0, width);
  gap(text.length, frame.end);
  return edits;
}
