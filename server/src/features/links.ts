import { abiEntries } from "../analysis/abi.ts";
import type { Scope, ScopedEndpoint } from "../analysis/scope.ts";
import { type TypedValue, typedNodes } from "../analysis/typedTokens.ts";
import { isAddress, quantity } from "../base/hex.ts";
import type { Span } from "../base/span.ts";
import { labelText } from "../base/text.ts";
import type { BytesType } from "../catalog/spec.ts";
import { isBlock, shapesOf } from "../catalog/types.ts";
import type { Cell } from "../notebook/cell.ts";
import { inQuotes, items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { type Explored, explorerPage } from "./explorerPage.ts";

/** Something to follow with a click. */
export interface Link {
  readonly span: Span;
  /** An address on the web, or a path from the notebook's folder with its segments encoded. */
  readonly target: { readonly url: string } | { readonly path: string };
  readonly tooltip: string;
}

/** The files that a cell names, and what a block explorer shows: accounts, transactions and blocks. */
export function links(cell: Cell, scope: Scope): readonly Link[] {
  const found = [...filesIn(cell), ...onExplorer(cell, scope)];
  return found.sort((a, b) => a.span.start - b.span.start);
}

function filesIn(cell: Cell): readonly Link[] {
  const { kind, root } = cell;
  const named =
    kind === "header"
      ? [member(root, "$schema"), ...listed(member(root, "openrpc")), ...listed(member(root, "descriptors"))]
      : [];
  const abis = abiEntries(cell).flatMap(({ node, found }) => (found.kind === "file" ? node : []));
  return [...named, ...abis].flatMap((node) => fileLink(cell, node));
}

/** One as well as many. */
function listed(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? items(node) : node ? [node] : [];
}

function fileLink({ text }: Cell, node: JsonNode | undefined): readonly Link[] {
  if (node?.type !== "string" || node.value === "") return [];
  const written = String(node.value);
  const target = targetOf(written);
  return target ? [{ span: inQuotes(text, spanOf(node)), target, tooltip: openFile }] : [];
}

/** Contains no text of the notebook: VS Code shows tooltips of links as Markdown, with commands. */
const openFile = "Open this file";

/** Absolute paths and other schemes lead out of the project, `//host` even to another machine. */
function targetOf(written: string): Link["target"] | undefined {
  if (/^https:\/\//i.test(written)) return URL.canParse(written) ? { url: new URL(written).href } : undefined;
  if (/^[\\/]|^[a-z][\w+.-]*:/i.test(written)) return undefined;
  const whole = written.replace(/\p{Surrogate}/gu, "\ufffd");
  return { path: whole.split("/").map(encodeURIComponent).join("/") };
}

function onExplorer(cell: Cell, { endpoint, catalog }: Scope): readonly Link[] {
  const explorer = explorerOf(cell, endpoint);
  if (explorer === undefined) return [];
  const pages = [
    ...addressesOf(cell),
    ...typedNodes(cell, catalog).flatMap((one) => (one.kind === "value" ? pageOf(one) : [])),
  ];
  return pages.flatMap(({ node, what, id }) => {
    const page = explorerPage(explorer, what, id);
    const span = node.type === "string" ? inQuotes(cell.text, spanOf(node)) : spanOf(node);
    return page ? [{ span, target: { url: page.url }, tooltip: `Open this ${what} at ${labelText(page.host)}` }] : [];
  });
}

/** Something that an explorer has a page for. */
interface Page {
  readonly node: JsonNode;
  readonly what: Explored;
  readonly id: string;
}

/** None where the cell goes to another endpoint, of which nothing is known here. */
function explorerOf({ kind, root, requests }: Cell, endpoint: ScopedEndpoint | undefined): string | undefined {
  const own = kind === "batch" ? member(root, "endpoint") : requests[0]?.members.get("endpoint")?.value;
  return own === undefined || own.value === endpoint?.name ? endpoint?.explorer : undefined;
}

/** Those of a header: what labels are for, and variables that hold one. */
function addressesOf({ kind, root }: Cell): readonly Page[] {
  if (kind !== "header") return [];
  const ends = (key: string, end: 0 | 1): readonly JsonNode[] =>
    (member(root, key)?.children ?? []).flatMap(({ children }) => children?.[end] ?? []);
  return [...ends("labels", 0), ...ends("variables", 1)].flatMap((node) =>
    isAddress(node.value) ? [{ node, what: "address", id: node.value }] : [],
  );
}

function pageOf({ node, type, field, method }: TypedValue): readonly Page[] {
  const value: unknown = node.value;
  const shapes = shapesOf(type).flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  const is = (role: BytesType["role"]): boolean => shapes.some((one) => one.kind === "bytes" && one.role === role);
  if (isAddress(value) && is("address")) return [{ node, what: "address", id: value }];
  if (typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) && is("hash")) {
    const what = isBlock(type) ? "block" : hashed(field?.name ?? "", method);
    return what ? [{ node, what, id: value }] : [];
  }
  const number = shapes.some((one) => one.kind === "quantity" && one.unit === "block") ? quantity(value) : undefined;
  return number !== undefined && number >= 0n && number < 1n << 64n
    ? [{ node, what: "block", id: String(number) }]
    : [];
}

/** The kind of a hash, by the name of its field or, failing that, by the method. */
function hashed(field: string, method: string): Explored | undefined {
  const name = field === "hash" ? method.replace(/^.*?_/, "") : field;
  if (/^(get|trace|replay)?(raw)?block/i.test(name)) return "block";
  return /transaction|^tx/i.test(name) ? "transaction" : undefined;
}
