import { memoByObject } from "../base/memo.ts";
import { type Span, shift } from "../base/span.ts";
import { type HostReference, hostReference } from "../endpoints/hostValue.ts";
import { eachNames } from "../evaluate/each.ts";
import { type Cell, filledNodes, type RequestNode, referringNodes } from "../notebook/cell.ts";
import { type JsonNode, member, spanOf } from "../notebook/json.ts";
import { partsOf, type Segment } from "../notebook/placeholder.ts";

/** A place in a cell that names a variable or another cell. */
export interface Dependency {
  readonly name: string;
  /** The name alone. */
  readonly nameSpan: Span;
  /** The whole placeholder with its braces. */
  readonly span: Span;
  /** The path as written, without the braces. */
  readonly path: string;
  /** The path taken apart, the name first, and where each step is written. */
  readonly steps: readonly Segment[];
  readonly stepSpans: readonly Span[];
}

/** A name that a cell gives to itself or to an item of its batch. */
export interface Declaration {
  readonly name: string;
  readonly span: Span;
}

const none: readonly never[] = [];

/** Returns the dependencies of a cell, in order, without values of the host (`$env`, `$secret`, `$dotenv`). */
export function dependencies(cell: Cell): readonly Dependency[] {
  if (cell.literal || !cell.text.includes("{{")) return none;
  return dependenciesIn(cell);
}

const dependenciesIn = memoByObject((cell: Cell): readonly Dependency[] =>
  [...cell.requests.flatMap((request) => outOf(cell.text, request)), ...inNodes(cell.text, expectedValues(cell))].sort(
    (a, b) => a.span.start - b.span.start,
  ),
);

/** The names of `each` are of the request's own. */
function outOf(text: string, request: RequestNode): readonly Dependency[] {
  const own = eachNames(request);
  const rows = request.members.get("each")?.value;
  return [
    ...inNodes(text, rows ? [rows] : none),
    ...inNodes(text, filledNodes(request)).filter(({ name }) => !own.has(name)),
  ];
}

function inNodes(text: string, nodes: readonly JsonNode[]): readonly Dependency[] {
  return nodes.flatMap((node) => [...stringsIn(node)].flatMap((one) => inString(text, one)));
}

/** Returns the places in which a cell takes values of its own `each`, in order. */
export function rowReferences({ text, requests, directives }: Cell): readonly Dependency[] {
  if (!directives.has("each")) return none;
  return requests.flatMap((request) => {
    const own = eachNames(request);
    return inNodes(text, filledNodes(request)).filter(({ name }) => own.has(name));
  });
}

/**
 * Returns the expected values of `expect`, in a batch and in its items: placeholders are filled there as in `params`.
 */
export function expectedValues({ kind, root, requests }: Cell): readonly JsonNode[] {
  const ofBatch = kind === "batch" ? [member(root, "expect")] : [];
  return [...ofBatch, ...requests.map(({ members }) => members.get("expect")?.value)].flatMap((node) =>
    node?.type === "object" ? (node.children ?? []).flatMap(({ children }) => children?.[1] ?? []) : [],
  );
}

/** The names of a cell: a request's, a batch's, those of a batch's items. */
export function declarations(cell: Cell): readonly Declaration[] {
  return cell.directives.has("name") ? declarationsIn(cell) : none;
}

/** Returns the first name of a cell: its own, or that of a request in its batch. */
export function nameOf(cell: Cell): string | undefined {
  return declarations(cell)[0]?.name;
}

/** Names a cell in a sentence. */
export function cellWords(cell: Cell): string {
  const name = nameOf(cell);
  return name === undefined ? "another cell" : `cell \`${name}\``;
}

const declarationsIn = memoByObject((cell: Cell): readonly Declaration[] => {
  if (cell.kind !== "request" && cell.kind !== "batch") return none;
  const own = cell.kind === "batch" ? [member(cell.root, "name")] : [];
  return [...own, ...cell.requests.map(({ members }) => members.get("name")?.value)].flatMap((node) =>
    node?.type === "string" && node.value !== "" ? [{ name: String(node.value), span: spanOf(node) }] : [],
  );
});

/** Values of the host that a cell takes, in order. */
export function hostDependencies(cell: Cell): readonly (HostReference & { readonly span: Span })[] {
  if (cell.literal) return none;
  return cell.requests
    .flatMap(referringNodes)
    .flatMap((node) => [...stringsIn(node)])
    .flatMap((node) => {
      const at = spanOf(node);
      return partsOf(cell.text.slice(at.start, at.end)).flatMap((part) => {
        const reference = part.kind === "reference" ? hostReference(part.path) : undefined;
        return reference ? [{ ...reference, span: shift(part.span, at.start) }] : [];
      });
    });
}

function inString(text: string, node: JsonNode): readonly Dependency[] {
  if (!String(node.value).includes("{{")) return [];
  const at = spanOf(node);
  return partsOf(text.slice(at.start, at.end)).flatMap((part) => {
    if (part.kind !== "reference") return [];
    const name = String(part.path[0]);
    if (name.startsWith("$")) return [];
    const span = shift(part.span, at.start);
    const stepSpans = part.segments.map((segment) => shift(segment, at.start));
    const path = text.slice(span.start + 2, span.end - 2).trim();
    return [{ name, nameSpan: stepSpans[0] ?? span, span, path, steps: part.path, stepSpans }];
  });
}

/** Whether a string has a placeholder, whose value is known only during a run. */
export function hasPlaceholder(text: string, node: JsonNode): boolean {
  if (node.type !== "string" || !String(node.value).includes("{{")) return false;
  const { start, end } = spanOf(node);
  return partsOf(text.slice(start, end)).some((part) => part.kind === "reference");
}

/** Strings and keys, in the order of the text. */
export function* stringsIn(node: JsonNode): Generator<JsonNode> {
  if (node.type === "string") yield node;
  for (const child of node.children ?? []) yield* stringsIn(child);
}
