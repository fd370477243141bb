import { quantity } from "../base/hex.ts";
import { nearest } from "../base/text.ts";
import { chain } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { logRange } from "../catalog/tags.ts";
import { rowFilesOf } from "../evaluate/each.ts";
import { writerOf } from "../evaluate/save.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { abiItems, badAbis } from "./abi.ts";
import { checkAssumptions } from "./assume.ts";
import { endpointsIn, goesElsewhere, notAhead } from "./cellEndpoint.ts";
import { names, order, referredTo } from "./order.ts";
import { checkPlaceholders } from "./placeholders.ts";
import type { Problem } from "./problem.ts";
import { cellWords, declarations, dependencies, hasPlaceholder } from "./references.ts";
import { checkRowValues, checkVariableValues } from "./rowValues.ts";
import type { Scope } from "./scope.ts";
import { checkStoredVariables } from "./storage.ts";
import { fieldAt } from "./types.ts";

/** Finds problems with a cell that come from its surroundings: other cells, variables, endpoints. */
export function checkInScope(cell: Cell, scope: Scope): readonly Problem[] {
  if (cell.kind === "header") {
    return [
      ...unknownEndpoint(cell.text, member(cell.root, "endpoint"), scope),
      ...badDocuments(cell, scope),
      ...badAbis(cell, scope),
    ];
  }
  return [
    ...duplicateNames(cell, scope),
    ...takenRowNames(cell, scope),
    ...savedRows(cell, scope),
    ...valuesOfParams(cell, scope),
    ...checkPlaceholders(cell, scope),
    ...cycle(cell, scope),
    ...endpointsIn(cell).flatMap((node) => unknownEndpoint(cell.text, node, scope)),
    ...inRequests(cell, scope),
    ...checkAssumptions(cell, scope),
    ...notAhead(cell, scope),
    ...badAbis(cell, scope),
    ...checkStoredVariables(cell, scope),
  ];
}

/** Finds problems with files that the header names, shown at their paths. */
function badDocuments({ root }: Cell, { openrpcProblems, descriptorProblems }: Scope): readonly Problem[] {
  const at = (key: string, problems: Scope["openrpcProblems"], code: "bad-openrpc" | "bad-descriptor") => {
    const written = problems.length === 0 ? undefined : member(root, key);
    const paths = written?.type === "array" ? items(written) : written ? [written] : [];
    return paths.flatMap((node) => {
      const found = problems.find(({ path }) => path === node.value);
      return found ? [{ code, span: spanOf(node), ...found }] : [];
    });
  };
  return [...at("openrpc", openrpcProblems, "bad-openrpc"), ...at("descriptors", descriptorProblems, "bad-descriptor")];
}

/** Checks requests against the endpoint that the notebook uses now; only that one is known well enough. */
function inRequests(cell: Cell, scope: Scope): readonly Problem[] {
  const endpoint = goesElsewhere(cell, scope) ? undefined : scope.endpoint;
  return cell.requests.flatMap((request) => [...refused(request, endpoint), ...logRanges(request, endpoint, scope)]);
}

/** Finds files of rows that another cell writes, since a run reads them before it sends anything. */
function savedRows(cell: Cell, { cells }: Scope): readonly Problem[] {
  return rowFilesOf(cell).flatMap(({ path, node }): readonly Problem[] => {
    const writer = writerOf(path, cells);
    return writer ? [{ code: "saved-by-cell", span: spanOf(node), path, cell: cellWords(writer) }] : [];
  });
}

/** Checks values that are written in the notebook as the parameters that take them. */
function valuesOfParams(cell: Cell, scope: Scope): readonly Problem[] {
  if (!cell.text.includes("{{")) return [];
  const values = { of: (name: string) => scope.variables.get(name) };
  const check = cell.directives.has("each") ? checkRowValues : checkVariableValues;
  return check(cell, values, scope.catalog, abiItems(cell, scope));
}

/** Finds names of rows that a placeholder could also mean otherwise. */
function takenRowNames(cell: Cell, scope: Scope): readonly Problem[] {
  if (!cell.directives.has("each")) return [];
  return cell.requests.flatMap(({ members }) => {
    const node = members.get("each")?.value;
    return (node?.type === "object" ? (node.children ?? []) : []).flatMap(
      ({ children: [key] = [] }): readonly Problem[] => {
        const name = String(key?.value);
        const taken = scope.variables.has(name) ? "variable" : names(scope.cells).has(name) ? "cell" : undefined;
        const what = `A ${taken} is also called \`${name}\`. Choose another name.`;
        return key && taken ? [{ code: "bad-each", span: spanOf(key), what }] : [];
      },
    );
  });
}

function duplicateNames(cell: Cell, scope: Scope): readonly Problem[] {
  const declared = names(scope.cells);
  const own = new Set<string>();
  return declarations(cell).flatMap(({ name, span }): readonly Problem[] => {
    const again = own.has(name);
    own.add(name);
    if (scope.variables.has(name)) return [{ code: "duplicate-name", span, name, taken: "variable" }];
    const first = declared.get(name)?.cell === cell && !again;
    return first || (declared.get(name)?.count ?? 0) < 2 ? [] : [{ code: "duplicate-name", span, name, taken: "cell" }];
  });
}

function cycle(cell: Cell, scope: Scope): readonly Problem[] {
  if (!mayComeBack(cell, scope.cells)) return [];
  const { cycles } = order(scope.cells);
  const ring = cycles.find((cells) => cells.includes(cell));
  if (!ring) return [];
  const declared = names(scope.cells);
  const through = dependencies(cell).find(({ name }) => {
    const target = declared.get(name)?.cell;
    return target !== undefined && ring.includes(target) && !scope.variables.has(name);
  });
  return through ? [{ code: "reference-cycle", span: through.span, names: wayRound(cell, ring, scope) }] : [];
}

/** Cells up to which a look from one to the next is quicker than the order of all of them. */
const fewCells = 200;

/** Whether references may lead from a cell back to it; a few cells are looked at, beyond them it is left open. */
function mayComeBack(cell: Cell, cells: readonly Cell[]): boolean {
  if (dependencies(cell).length === 0) return false;
  const reached = new Set<Cell>();
  const queue = [cell];
  for (const here of queue) {
    for (const target of referredTo(here, cells)) {
      if (target === cell) return true;
      if (!reached.has(target)) queue.push(target);
      reached.add(target);
    }
    if (queue.length > fewCells) return true;
  }
  return false;
}

/** The shortest way from a cell back to itself, by name. */
function wayRound(cell: Cell, ring: readonly Cell[], scope: Scope): readonly string[] {
  const from = new Map<Cell, Cell>();
  const inRing = new Set(ring);
  const queue = [cell];
  for (const here of queue) {
    for (const target of referredTo(here, scope.cells)) {
      if (target === cell) return [...pathTo(here, cell, from), cell].map(nameOf);
      if (!inRing.has(target) || from.has(target)) continue;
      from.set(target, here);
      queue.push(target);
    }
  }
  return [nameOf(cell)];
}

function pathTo(cell: Cell, start: Cell, from: ReadonlyMap<Cell, Cell>): readonly Cell[] {
  const path = [cell];
  for (let here = cell; here !== start; ) {
    here = from.get(here) ?? start;
    path.unshift(here);
  }
  return path;
}

function nameOf(cell: Cell): string {
  return declarations(cell)[0]?.name ?? "this cell";
}

function unknownEndpoint(text: string, node: JsonNode | undefined, scope: Scope): readonly Problem[] {
  if (node?.type !== "string" || hasPlaceholder(text, node)) return [];
  const name = String(node.value);
  const found = scope.endpoints.find((endpoint) => endpoint.name === name);
  if (found?.broken !== undefined)
    return [{ code: "unusable-endpoint", span: spanOf(node), name, origin: found.origin, what: found.broken }];
  if (found || /^(https?|wss?):\/\//i.test(name)) return [];
  const known = scope.endpoints.map((endpoint) => endpoint.name);
  return [{ code: "unknown-endpoint", span: spanOf(node), name, nearest: nearest(name, known, 1) }];
}

function refused({ method, members }: RequestNode, endpoint: Scope["endpoint"]): readonly Problem[] {
  const at = members.get("method")?.value;
  if (method === undefined || !at || !endpoint?.refuses.includes(method)) return [];
  return [{ code: "refused-method", span: spanOf(at), method, endpoint: endpoint.name }];
}

function logRanges(
  { method, members }: RequestNode,
  endpoint: Scope["endpoint"],
  { catalog }: Scope,
): readonly Problem[] {
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  const params = items(members.get("params")?.value);
  return (spec?.params ?? []).flatMap(({ type }, position): readonly Problem[] => {
    const [from, to] = ["fromBlock", "toBlock"].map((name) => boundOf(params[position], type, name));
    const [first, last] = [from?.node ?? to?.node, to?.node ?? from?.node];
    if (!from || !to || !first || !last) return [];
    const hash = member(params[position], "blockHash");
    if (hash && hash.type !== "null") return []; // the range does not count beside it
    const range = blocksBetween(from.value, to.value, leastHead(endpoint));
    if (range === undefined) return [];
    const { blocks, sure, atLeast } = range;
    if (blocks < 0n) return [{ code: "inverted-range", span: spanOf(first), sure, assumed: !from.node }];
    const limit = endpoint?.logRange ?? logRange;
    if (blocks <= limit) return [];
    const whose = endpoint?.logRange === undefined ? undefined : endpoint.name;
    const splits = method === "eth_getLogs";
    return [
      { code: "log-range-over-limit", span: spanOf(last), range: blocks, atLeast, limit, endpoint: whose, splits },
    ];
  });
}

/** One end of a range: as it is written, or what nodes assume. */
function boundOf(
  filter: JsonNode | undefined,
  type: TypeRef,
  name: string,
): { readonly node: JsonNode | undefined; readonly value: unknown } | undefined {
  const written = member(filter, name);
  const field = fieldAt(type, name);
  if (!field) return undefined;
  if (written && written.type !== "null") return { node: written, value: written.value };
  const assumed = field.default?.replaceAll('"', "");
  return assumed === undefined ? undefined : { node: undefined, value: assumed };
}

/** Blocks that every public chain of the catalogue has long had. */
const blocksOfPublicChains = 1_000_000n;
/** Blocks by which `safe` and `finalized` are behind, at most: hours, where blocks come every 200 ms. */
const maxBehind = 100_000n;

/** The number of a block that the newest one is not before. */
function leastHead(endpoint: Scope["endpoint"]): bigint | undefined {
  if (endpoint?.head !== undefined) return endpoint.head;
  const known = endpoint?.chainId === undefined ? undefined : chain(endpoint.chainId);
  return known?.explorer === undefined ? undefined : blocksOfPublicChains;
}

/** From the oldest block to the newest. */
const tagsInOrder: readonly string[] = ["earliest", "finalized", "safe", "latest", "pending"];

interface Between {
  /** toBlock − fromBlock; below zero where `fromBlock` is after `toBlock`. */
  readonly blocks: bigint;
  /** Not below zero only as long as the chain is as expected. */
  readonly sure: boolean;
  readonly atLeast: boolean;
}

/**
 * How far one block is after another, as far as that is known of tags.
 *
 * @param head - The newest block is not before it; `undefined` if nothing is known.
 */
function blocksBetween(from: unknown, to: unknown, head: bigint | undefined): Between | undefined {
  const [first, last] = [blockOf(from), blockOf(to)];
  if (!first || !last) return undefined;
  if (first.tag === last.tag) return { blocks: last.offset - first.offset, sure: true, atLeast: false };
  const inverted = { blocks: -1n, sure: false, atLeast: false };
  if (first.tag === undefined) return upTo(first.offset, last, head);
  if (last.tag === undefined) return isBefore(last.offset, first, head) ? inverted : undefined;
  if (first.offset !== 0n || last.offset !== 0n) return undefined;
  return tagsInOrder.indexOf(first.tag) > tagsInOrder.indexOf(last.tag) ? inverted : undefined;
}

/** From a number to a tag. */
function upTo(first: bigint, last: Block, head: bigint | undefined): Between | undefined {
  const least = leastOf(last, head);
  return least === undefined || least < first ? undefined : { blocks: least - first, sure: false, atLeast: true };
}

/** Whether a number is before the block of a tag; of `latest` that is so unless more is known. */
function isBefore(last: bigint, first: Block, head: bigint | undefined): boolean {
  const least = leastOf(first, head);
  const isNewest = first.tag === "latest" || first.tag === "pending";
  return least === undefined ? isNewest : last < least;
}

function leastOf({ tag, offset }: Block, head: bigint | undefined): bigint | undefined {
  if (head === undefined) return undefined;
  const behind = tag === "latest" || tag === "pending" ? 0n : maxBehind;
  return head - behind + offset;
}

interface Block {
  /** `undefined` for a number; `earliest` is one. */
  readonly tag: string | undefined;
  readonly offset: bigint;
}

/** A number, a tag, or so many blocks from a tag: `latest - 100`. */
function blockOf(value: unknown): Block | undefined {
  const number = quantity(value === "earliest" ? 0 : value) ?? decimal(value);
  if (number !== undefined) return { tag: undefined, offset: number };
  const [, tag = "", offset = "0"] = /^\s*([a-z]+)\s*([-+]\s*\d{1,18})?\s*$/.exec(String(value)) ?? [];
  return tagsInOrder.includes(tag) ? { tag, offset: BigInt(offset.replace(/\s/g, "")) } : undefined;
}

/** Some nodes read a string of decimal digits as a block. */
function decimal(value: unknown): bigint | undefined {
  return typeof value === "string" && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined;
}
