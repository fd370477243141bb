import { type Span, span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import type { Replacement } from "./formatting.ts";

/** The innermost node that takes up exactly this span. */
export function nodeAt(root: JsonNode | undefined, at: Span): JsonNode | undefined {
  if (!root || root.offset > at.start || root.offset + root.length < at.end) return undefined;
  for (const child of root.children ?? []) {
    const found = nodeAt(child, at);
    if (found) return found;
  }
  const same = root.offset === at.start && root.offset + root.length === at.end;
  return same && root.type !== "property" ? root : undefined;
}

/** The innermost object or array that begins or ends with the bracket at an offset. */
export function containerAt(root: JsonNode | undefined, bracket: number): JsonNode | undefined {
  if (!root || bracket < root.offset || bracket >= root.offset + root.length) return undefined;
  for (const child of root.children ?? []) {
    const found = containerAt(child, bracket);
    if (found) return found;
  }
  const edge = bracket === root.offset || bracket === root.offset + root.length - 1;
  return edge && (root.type === "object" || root.type === "array") ? root : undefined;
}

/** The property that a key belongs to. */
export function propertyOf(key: JsonNode | undefined): JsonNode | undefined {
  const parent = key?.parent;
  return parent?.type === "property" && parent.children?.[0] === key ? parent : undefined;
}

/** Takes an item or a property out of its list, with one comma. */
export function removal(node: JsonNode): Replacement {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before) return { span: span(endOf(before), endOf(node)), insert: "" };
  return { span: span(node.offset, after ? after.offset : endOf(node)), insert: "" };
}

/** Adds an item at the end of an array; `json` is its text. */
export function addItem(text: string, array: JsonNode, json: string): Replacement {
  return append(text, array, json, "");
}

/** Adds a member at the end of an object. */
export function addMember(text: string, object: JsonNode, key: string, json: string): Replacement {
  return append(text, object, `${JSON.stringify(key)}: ${json}`, " ");
}

function append(text: string, list: JsonNode, insert: string, padding: string): Replacement {
  const last = list.children?.at(-1);
  if (!last) {
    const inside = text.slice(list.offset + 1, endOf(list) - 1);
    const end = inside === "" ? padding : "";
    return { span: span(list.offset + 1, list.offset + 1), insert: padding + insert + end };
  }
  return { span: span(endOf(last), endOf(last)), insert: `,${gapBefore(text, last)}${insert}` };
}

/** The white space that parts an item from what is before it: a line break with its indent, or a space. */
export function gapBefore(text: string, node: JsonNode): string {
  const before = text.slice(0, node.offset);
  return /\r?\n[ \t]*$/.exec(before)?.[0] ?? " ";
}

export function textOf(text: string, node: JsonNode): string {
  return text.slice(node.offset, endOf(node));
}

function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

export function replace(at: Span | JsonNode, insert: string): Replacement {
  return { span: "offset" in at ? spanOf(at) : at, insert };
}

/** A text that was changed in steps, as what stayed of the first one and what was put between. */
type Piece = { readonly kept: Span } | { readonly text: string };

/** A cell's text under change: steps are added in the offsets of the text so far, and come out in those of the first. */
export interface Draft {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

export function draftOf({ text }: Cell): Draft {
  return { text, pieces: text === "" ? [] : [{ kept: span(0, text.length) }] };
}

/** @param edits - Without overlaps, in any order. */
export function changed({ text, pieces }: Draft, edits: readonly Replacement[]): Draft {
  const inOrder = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const next: Piece[] = [];
  let after = "";
  let from = 0;
  for (const { span: at, insert } of inOrder) {
    next.push(...cut(pieces, span(from, at.start)), { text: insert });
    after += text.slice(from, at.start) + insert;
    from = at.end;
  }
  next.push(...cut(pieces, span(from, text.length)));
  return { text: after + text.slice(from), pieces: next };
}

function cut(pieces: readonly Piece[], at: Span): readonly Piece[] {
  const found: Piece[] = [];
  let start = 0;
  for (const piece of pieces) {
    const length = "kept" in piece ? piece.kept.end - piece.kept.start : piece.text.length;
    const from = Math.max(at.start - start, 0);
    const to = Math.min(at.end - start, length);
    if (from < to) {
      found.push(
        "kept" in piece
          ? { kept: span(piece.kept.start + from, piece.kept.start + to) }
          : { text: piece.text.slice(from, to) },
      );
    }
    start += length;
  }
  return found;
}

/** The replacements that make the draft of the first text, in order. */
export function editsOf({ pieces }: Draft, length: number): readonly Replacement[] {
  const edits: Replacement[] = [];
  let from = 0;
  let insert = "";
  for (const piece of [...pieces, { kept: span(length, length) }]) {
    if ("text" in piece) {
      insert += piece.text;
      continue;
    }
    if (insert !== "" || piece.kept.start > from) edits.push({ span: span(from, piece.kept.start), insert });
    insert = "";
    from = piece.kept.end;
  }
  return edits;
}
