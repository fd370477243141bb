import { membersOf } from "../analysis/object.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress } from "../base/hex.ts";
import type { Span } from "../base/span.ts";
import { brief, plural, shortHex } from "../base/text.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { addressNames } from "./addressNames.ts";

/** A line of the outline. */
export interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  /** `header` is a member of the header. */
  readonly kind: "header" | "variable" | "label" | "request" | "batch" | "markdown";
  /** All of it. */
  readonly span: Span;
  /** The range to select when navigating to it; it is in `span`. */
  readonly selection: Span;
  readonly children: readonly DocumentSymbol[];
}

/**
 * Names a cell in the outline: by its name, else by number and method. A header gives a line for each of its members,
 * since in a file its braces are around all cells.
 *
 * @param number - Of the cell, from 1, for those that have no name; `undefined` for the header.
 */
export function symbols(cell: Cell, number: number | undefined, scope: Scope): readonly DocumentSymbol[] {
  switch (cell.kind) {
    case "header":
      return inHeader(cell);
    case "request":
      return cell.requests.map((request) => requestSymbol(cell, request, number, scope));
    case "batch":
      return cell.root ? [batchSymbol(cell, cell.root, number, scope)] : [];
    case "markdown":
      return [lineOf(cell, heading(markdownOf(cell)) || "Markdown", "", "markdown")];
    case "opaque":
      return [lineOf(cell, `${number}: nested too deeply to read`, "", "request")];
    case "unfinished":
      return cell.text.trim() === "" ? [] : [lineOf(cell, `${number}: unfinished`, brief(cell.text, width), "request")];
  }
}

/** Characters of a name and of a detail. */
const width = 60;

function lineOf({ text }: Cell, name: string, detail: string, kind: DocumentSymbol["kind"]): DocumentSymbol {
  const span = { start: 0, end: text.length };
  return { name, detail, kind, span, selection: span, children: [] };
}

function inHeader({ text, root }: Cell): readonly DocumentSymbol[] {
  const members = root?.type === "object" ? membersOf(root) : [];
  return members.flatMap(({ name, key, value }) => {
    if (name === "" || name.startsWith("$")) return []; // `$schema`
    const entries = value?.type === "object" ? membersOf(value) : [];
    const children = entries.map((entry) => entrySymbol(text, name, entry));
    return [keySymbol(name, "header", detailOf(text, value), key, value, children)];
  });
}

function entrySymbol(
  text: string,
  parent: string,
  { name, key, value }: ReturnType<typeof membersOf>[number],
): DocumentSymbol {
  if (parent !== "labels") return keySymbol(name, "variable", detailOf(text, value), key, value);
  const label = value?.type === "string" ? String(value.value) : "";
  return keySymbol(label || name, "label", brief(shortHex(name), width), key, value);
}

function keySymbol(
  name: string,
  kind: DocumentSymbol["kind"],
  detail: string,
  key: JsonNode,
  value: JsonNode | undefined,
  children: readonly DocumentSymbol[] = [],
): DocumentSymbol {
  const selection = spanOf(key);
  const end = Math.max(selection.end, value ? spanOf(value).end : 0);
  return { name: shown(name), detail, kind, span: { start: selection.start, end }, selection, children };
}

/** A value in a few words; of many entries their number. */
function detailOf(text: string, value: JsonNode | undefined): string {
  if (!value) return "";
  const { start, end } = spanOf(value);
  if (value.type === "string") return brief(String(value.value), width);
  const count = value.children?.length ?? 0;
  return count > 0 ? plural(count, "entry", "entries") : brief(text.slice(start, end), width);
}

function requestSymbol(cell: Cell, request: RequestNode, number: number | undefined, scope: Scope): DocumentSymbol {
  const { node, method, name, members } = request;
  const at = members.get(name ? "name" : "method")?.value;
  const span = spanOf(node);
  const called = method === undefined ? "no method" : shown(method);
  const parts = [name ? called : "", subjectOf(cell, request, scope) ?? ""];
  return {
    name: name ? shown(name) : `${number}: ${called}`,
    detail: parts.filter((part) => part !== "").join(" "),
    kind: "request",
    span,
    selection: at ? spanOf(at) : { start: span.start, end: span.start },
    children: [],
  };
}

function batchSymbol(cell: Cell, root: JsonNode, number: number | undefined, scope: Scope): DocumentSymbol {
  const at = member(root, "name");
  const name = at?.type === "string" ? String(at.value) : "";
  const span = spanOf(root);
  return {
    name: name === "" ? `${number}: batch` : shown(name),
    detail: plural(cell.requests.length, "request"),
    kind: "batch",
    span,
    selection: at && name !== "" ? spanOf(at) : { start: span.start, end: span.start },
    children: cell.requests.map((request, index) => requestSymbol(cell, request, index + 1, scope)),
  };
}

/** The subject of a request: the first parameter that distinguishes it from others of its method. */
function subjectOf({ text }: Cell, { members }: RequestNode, scope: Scope): string | undefined {
  for (const param of items(members.get("params")?.value)) {
    const first = param.type === "object" ? (member(param, "to") ?? member(param, "address")) : param;
    const node = first?.type === "array" ? first.children?.[0] : first;
    if (!node || node.type === "object" || node.type === "array") continue;
    if (node.type !== "string") return brief(text.slice(node.offset, node.offset + node.length), width);
    const value = String(node.value);
    if (value === "") continue;
    const label = isAddress(value) ? addressNames(scope).get(value.toLowerCase()) : undefined;
    return brief(label ?? (/^0x[0-9a-f]{15,}$/i.test(value) ? shortHex(value) : value), width);
  }
  return undefined;
}

function markdownOf({ text, root }: Cell): string {
  const value = member(root, "markdown");
  if (!root) return text;
  return value?.type === "string"
    ? String(value.value)
    : items(value)
        .map((item) => String(item.value))
        .join("\n");
}

/** The first heading, else the first line with text. */
function heading(markdown: string): string {
  const lines = markdown.split(/\r\n|\r|\n/);
  const line = lines.find((one) => /^ {0,3}#{1,6}\s+\S/.test(one)) ?? lines.find((one) => one.trim() !== "") ?? "";
  return brief(line.replace(/^\s*#{1,6}\s+|\s+#+\s*$/g, ""), width);
}

function shown(text: string): string {
  return brief(text, width) || "…";
}
