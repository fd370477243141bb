import { parseTree } from "jsonc-parser";
import { maxDepth } from "../base/json.ts";
import { deeperThan } from "../base/jsonScan.ts";
import { type Cell, type CellKind, directives, type MemberNode, type RequestNode, type SyntaxFault } from "./cell.ts";
import { rootFaults, syntaxFaults } from "./fault.ts";
import type { JsonNode } from "./json.ts";
import { isLines, items, member } from "./json.ts";

/**
 * Reads one cell. Never throws: broken text gives what could be made out of it, with faults.
 *
 * @param text - What the cell shows, or its slice of the file.
 * @param kind - Where the caller knows it: the text alone does not tell a header, nor Markdown, from a request.
 * @example readCell(`{ "method": "eth_chainId" }`).requests[0]?.method; //=> "eth_chainId"
 */
export function readCell(text: string, kind?: "header" | "markdown"): Cell {
  const none = { text, root: undefined, requests: [], faults: [], directives: noDirectives, literal: true };
  if (kind === "markdown") return { kind, ...none };
  if (deeperThan(text, maxDepth)) return { kind: "opaque", ...none };
  const { root, faults } = readTree(text);
  const shape = kind ?? shapeOf(root);
  const requests = requestsOf(root, shape);
  return {
    kind: shape,
    text,
    root,
    requests,
    faults,
    directives: directivesOf(root, shape, requests),
    literal: !/\{\{|[$\\]/.test(text),
  };
}

function readTree(text: string): { readonly root: JsonNode | undefined; readonly faults: readonly SyntaxFault[] } {
  const errors: Parameters<typeof parseTree>[1] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowEmptyContent: true });
  const faults = errors.length > 0 ? syntaxFaults(text, errors) : rootFaults(text, root);
  return { root, faults };
}

function shapeOf(root: JsonNode | undefined): CellKind {
  if (root?.type === "array") return "batch";
  if (root?.type !== "object") return "unfinished";
  const has = (key: string): boolean => root.children?.some((node) => node.children?.[0]?.value === key) ?? false;
  if (has("method")) return "request";
  if (has("batch")) return "batch";
  if (has("markdown") && isLines(member(root, "markdown"))) return "markdown";
  return root.children?.length === 1 && has("text") && isLines(member(root, "text")) ? "unfinished" : "request";
}

function requestsOf(root: JsonNode | undefined, kind: CellKind): readonly RequestNode[] {
  if (root === undefined) return [];
  if (kind === "request") return [requestOf(root)];
  if (kind !== "batch") return [];
  const batch = root.type === "array" ? root : member(root, "batch");
  return items(batch)
    .filter((node) => node.type === "object")
    .map(requestOf);
}

function requestOf(node: JsonNode): RequestNode {
  const members = new Map<string, MemberNode>();
  for (const { children } of node.children ?? []) {
    const key = children?.[0];
    if (key) members.set(String(key.value), { key, value: children[1] });
  }
  const text = (key: string): string | undefined => {
    const value = members.get(key)?.value;
    return value?.type === "string" ? String(value.value) : undefined;
  };
  const method = text("method");
  return { node, method: method && shared(method), name: text("name"), members };
}

/** Names of methods that were read, so that a thousand cells hold one text and looking it up compares no letters. */
const methods = new Map<string, string>();

function shared(method: string): string {
  const known = methods.get(method);
  if (known !== undefined || methods.size >= 1000) return known ?? method;
  methods.set(method, method);
  return method;
}

function directivesOf(
  root: JsonNode | undefined,
  kind: CellKind,
  requests: readonly RequestNode[],
): ReadonlySet<string> {
  const batch = kind === "batch" && root?.type === "object" ? root : undefined;
  const found = directives.filter((key) => member(batch, key) || requests.some(({ members }) => members.has(key)));
  if (found.length === 0) return noDirectives;
  const key = found.join(" ");
  const known = directiveSets.get(key) ?? new Set(found);
  directiveSets.set(key, known);
  return known;
}

const noDirectives: ReadonlySet<string> = new Set();
/** By their names: as many as there are ways to choose from the directives. */
const directiveSets = new Map<string, ReadonlySet<string>>();
