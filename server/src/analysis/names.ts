import { isAddress } from "../base/hex.ts";
import { memoByObject } from "../base/memo.ts";
import { type Span, span, touches } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { inQuotes, items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { parsePath } from "../notebook/placeholder.ts";
import { abiEntries } from "./abi.ts";
import { endpointsIn } from "./cellEndpoint.ts";
import { membersOf } from "./object.ts";
import { names } from "./order.ts";
import { declarations, dependencies, rowReferences } from "./references.ts";
import type { Scope } from "./scope.ts";

/** A place in a cell that names something: a variable, another cell, a value of `each`, an address, an endpoint. */
export interface Mention {
  readonly cell: Cell;
  /** The name alone, without quotes, braces and the rest of a path. */
  readonly span: Span;
  /** Where the cursor is on it: a placeholder counts whole. */
  readonly reach: Span;
  readonly kind: "name" | "row" | "address" | "endpoint";
  /** A name as it is decoded; an address in lower case. */
  readonly name: string;
  /** The kind of thing that this place declares; `label` is the name of an address, `entry` the address before it. */
  readonly declares: "variable" | "cell" | "row" | "label" | "entry" | undefined;
}

/** The thing named at a place. */
export interface NamedThing {
  readonly kind: "variable" | "cell" | "row" | "address" | "endpoint" | "unknown";
  readonly name: string;
  /** The mention under the cursor. */
  readonly at: Mention;
  /** Where the name is given; none for what is declared elsewhere or nowhere. */
  readonly declarations: readonly Mention[];
}

/**
 * Finds what the text under the cursor names. Of names that are given twice the one that a run takes is meant by
 * placeholders: a variable before a cell, the first cell before the others.
 *
 * @returns `undefined` if nothing is named.
 */
export function thingAt(cell: Cell, offset: number, scope: Scope): NamedThing | undefined {
  const touched = mentions(cell).filter(({ reach }) => touches(reach, offset));
  const at = touched.find(({ reach }) => offset < reach.end) ?? touched[0];
  return at && thingNamed(at, scope);
}

/** Every place of the notebook that names the thing, in its order, the header first. */
export function mentionsOf({ at, name, declarations }: NamedThing, scope: Scope): readonly Mention[] {
  if (at.declares && !declarations.includes(at)) return [at]; // a name that was given before
  const all = scope.header ? [scope.header, ...scope.cells] : scope.cells;
  const cells = at.kind === "row" ? [at.cell] : all;
  return cells.flatMap((cell) =>
    mentions(cell).filter(
      (one) => one.kind === at.kind && one.name === name && (!one.declares || declarations.includes(one)),
    ),
  );
}

/** Where a name is given, as placeholders mean it; where the name of an address is. */
export function declarationsOf(kind: Mention["kind"], name: string, scope: Scope): readonly Mention[] {
  const inHeader = declaredIn(scope.header, kind, name);
  return inHeader.length > 0 || kind !== "name"
    ? inHeader
    : declaredIn(names(scope.cells).get(name)?.cell, kind, name).slice(0, 1);
}

function declaredIn(cell: Cell | undefined, kind: Mention["kind"], name: string): readonly Mention[] {
  return cell ? mentions(cell).filter((one) => one.declares && one.kind === kind && one.name === name) : [];
}

function thingNamed(at: Mention, scope: Scope): NamedThing {
  const declarations =
    at.kind === "row" ? declaredIn(at.cell, "row", at.name) : declarationsOf(at.kind, at.name, scope);
  return { kind: kindOf(at, declarations), name: at.name, at, declarations };
}

function kindOf({ kind, declares }: Mention, declarations: readonly Mention[]): NamedThing["kind"] {
  if (kind !== "name") return kind;
  if ((declares ?? declarations[0]?.declares) === "variable") return "variable";
  return (declares ?? declarations[0]) ? "cell" : "unknown";
}

const mentions = memoByObject((cell: Cell): readonly Mention[] =>
  cell.kind === "header"
    ? inHeader(cell)
    : [
        ...namesIn(cell),
        ...endpointsIn(cell).flatMap((node) => stringMention(cell, "endpoint", node)),
        ...addressesIn(cell),
      ],
);

function namesIn(cell: Cell): readonly Mention[] {
  return [
    ...declarations(cell).map(({ name, span }) => mention(cell, "name", name, inQuotes(cell.text, span), "cell")),
    ...dependencies(cell).map(({ name, nameSpan, span }) => ({
      ...mention(cell, "name", name, nameSpan),
      reach: span,
    })),
    ...contractsIn(cell),
    ...accountsIn(cell),
    ...rowNames(cell),
  ];
}

function isName(value: unknown): boolean {
  return typeof value === "string" && parsePath(value)?.length === 1;
}

/** The names of `each`, which are only of their own cell, and the accounts among their values. */
function rowNames(cell: Cell): readonly Mention[] {
  if (!cell.directives.has("each")) return [];
  const declared = cell.requests.flatMap(({ members }) => {
    const node = members.get("each")?.value;
    return node?.type === "object" ? membersOf(node) : [];
  });
  const values = declared.flatMap(({ value }) => items(value));
  return [
    ...declared.flatMap(({ key }) => stringMention(cell, "row", key, "row")),
    ...values.flatMap((node) => (isName(node.value) ? stringMention(cell, "name", node) : [])), // variables with addresses
    ...rowReferences(cell).map(({ name, nameSpan, span }) => ({
      ...mention(cell, "row", name, nameSpan),
      reach: span,
    })),
  ];
}

/** The names of accounts in `assume`, of variables and of labels alike. */
export function accountsIn(cell: Cell): readonly Mention[] {
  return cell.requests.flatMap(({ members }) => {
    const assumed = members.get("assume")?.value;
    return Object.entries(accountLevels).flatMap(([name, levels]) =>
      keysIn(member(assumed, name), levels).flatMap((key) =>
        isAddress(key.value) || String(key.value).includes("{{") ? [] : stringMention(cell, "name", key),
      ),
    );
  });
}

/** Levels of accounts in each member of `assume`. */
const accountLevels = { balance: 1, token: 2, allowance: 3, code: 1, storage: 1 };

function keysIn(node: JsonNode | undefined, levels: number): readonly JsonNode[] {
  if (node?.type !== "object" || levels === 0) return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key ? [key, ...keysIn(value, levels - 1)] : [],
  );
}

/** The variables that hold the contracts which an `abi` is for. */
function contractsIn(cell: Cell): readonly Mention[] {
  const nodes = new Set(abiEntries(cell).flatMap(({ address }) => address ?? []));
  return [...nodes].flatMap((node) => {
    const at = spanOf(node);
    const [, before = "", name = ""] = /^("\{\{\s*)([\w$]+)\s*\}\}"$/.exec(cell.text.slice(at.start, at.end)) ?? [];
    const start = at.start + before.length;
    return name === ""
      ? []
      : { ...mention(cell, "name", name, span(start, start + name.length)), reach: inQuotes(cell.text, at) };
  });
}

function addressesIn(cell: Cell): readonly Mention[] {
  return [...cell.text.matchAll(/\b0x[0-9a-fA-F]{40}\b/g)].map(({ 0: text, index }) =>
    mention(cell, "address", text.toLowerCase(), span(index, index + text.length)),
  );
}

function inHeader(header: Cell): readonly Mention[] {
  const variables = entriesOf(header, "variables").flatMap(({ key }) => stringMention(header, "name", key, "variable"));
  const labels = entriesOf(header, "labels").flatMap(({ name, key, value }) => {
    if (!isAddress(name) || value?.type !== "string") return [];
    return [key, value].map((node, at) => {
      const declares = at === 0 ? "entry" : "label";
      return mention(header, "address", name.toLowerCase(), inQuotes(header.text, spanOf(node)), declares);
    });
  });
  const labelled = new Set(labels.map((one) => one.span.start));
  return [
    ...variables,
    ...contractsIn(header),
    ...labels,
    ...stringMention(header, "endpoint", member(header.root, "endpoint")),
    ...addressesIn(header).filter((one) => !labelled.has(one.span.start)),
  ];
}

function entriesOf({ root }: Cell, key: string): ReturnType<typeof membersOf> {
  const node = member(root, key);
  return node?.type === "object" ? membersOf(node) : [];
}

function stringMention(
  cell: Cell,
  kind: Mention["kind"],
  node: JsonNode | undefined,
  declares?: Mention["declares"],
): readonly Mention[] {
  if (node?.type !== "string" || node.value === "") return [];
  return [mention(cell, kind, String(node.value), inQuotes(cell.text, spanOf(node)), declares)];
}

function mention(cell: Cell, kind: Mention["kind"], name: string, at: Span, declares?: Mention["declares"]): Mention {
  return { cell, span: at, reach: at, kind, name, declares };
}
