import { isAddress, shortQuantity, toQuantity } from "../base/hex.ts";
import { isArray, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { Span } from "../base/span.ts";
import { grouped } from "../base/units.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { effectByName, isHarmless } from "../catalog/effects.ts";
import { type Cell, filledNodes, type RequestNode } from "../notebook/cell.ts";
import { exactValue, items, type JsonNode, spanOf, textsIn } from "../notebook/json.ts";
import { partsOf, type Segment } from "../notebook/placeholder.ts";
import { edited, type UnknownHead } from "./conversion.ts";
import { fill, type Unresolved, type Values } from "./fill.ts";
import { follow, printPath } from "./path.ts";
import { isRowFile, type RowFile } from "./rowFile.ts";

/** Rows of one `each`: as many requests are sent. */
const maxEachRows = 10_000;

/** The values with which a request is sent once. */
export interface EachRow {
  /** Values of placeholders, by name. */
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The values that the request takes from it, by their paths: a column of the table each. */
  readonly columns: JsonObject;
}

/** A mistake in `each`. */
export interface BadEach {
  readonly code: "bad-each";
  readonly span: Span;
  /** One or two sentences. */
  readonly what: string;
}

/** What `each` is read with in a run. */
interface EachContext {
  readonly values: Values;
  /** By their paths as written; absent before a run. */
  readonly rowFiles?: ReadonlyMap<string, RowFile> | undefined;
  /** Block numbers by tag. */
  readonly heads: ReadonlyMap<string, bigint>;
}

/** A value of a name, and how it is shown if that differs. */
interface EachValue {
  readonly sent: JsonValue;
  readonly shown?: JsonValue;
}

/** The values of one name. */
interface Source {
  readonly name: string;
  /** `undefined` if only a run knows them. */
  readonly values: readonly EachValue[] | undefined;
}

/**
 * Returns the rows of a request: all combinations of the values, those of the last name vary first. Of rows in which the
 * request takes the same, one is left.
 *
 * @param text - The text of the cell.
 * @param node - The value of `each`.
 */
export function eachRows(
  text: string,
  node: JsonNode,
  request: RequestNode,
  context: EachContext,
): readonly EachRow[] | { readonly problems: readonly EachProblem[] } {
  const { sources, problems } = readSources(text, node, context);
  if (problems.length > 0) return { problems };
  const paths = pathsOf(text, request, sources);
  const rows = new Map<string, EachRow>();
  for (const combination of combinations(sources)) {
    const row = rowOf(combination, paths);
    const key = printJson(row.columns);
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()];
}

/** Finds the mistakes in `each` that are there without a run. */
export function checkEach(text: string, node: JsonNode, request: RequestNode): readonly BadEach[] {
  const { sources, problems } = readSources(text, node);
  const used = new Set(pathsOf(text, request, sources).map(([name]) => name));
  const unused = keysOf(node).filter(({ value }) => !used.has(value));
  return [
    ...problems.flatMap((one) => (one.code === "bad-each" ? one : [])),
    ...unused.map((key) =>
      bad(key, `Nothing takes the value of \`${key.value}\`. Write \`{{${key.value}}}\` in \`params\`.`),
    ),
  ];
}

/** A value of a name as a list in the cell has it. */
export interface WrittenValue {
  readonly name: string;
  /** From 1. */
  readonly item: number;
  readonly node: JsonNode;
  readonly sent: JsonValue;
}

/** Returns the first values of the lists that are written in a cell, without ranges, placeholders and `null`. */
export function writtenValues(text: string, node: JsonNode, values: Values, most: number): readonly WrittenValue[] {
  return (node.children ?? []).flatMap(({ children: [key, list] = [] }) => {
    const written = list?.type === "array" ? items(list).slice(0, most) : [];
    if (!key || stepOf(written.map(({ value }) => value)) !== undefined) return [];
    return written.flatMap((node, at) => {
      const value = textAt(text, node).includes("{{") ? null : (exactValue(text, node) ?? null);
      return value === null ? [] : [{ name: String(key.value), item: at + 1, node, sent: accountOf(value, values) }];
    });
  });
}

function textAt(text: string, { offset, length }: JsonNode): string {
  return text.slice(offset, offset + length);
}

/** Returns the files whose rows a cell takes, or is meant to take, with the strings that name them. */
export function rowFilesOf({
  requests,
  directives,
}: Cell): readonly { readonly path: string; readonly node: JsonNode }[] {
  if (!directives.has("each")) return [];
  return requests.flatMap(({ members }) =>
    (members.get("each")?.value?.children ?? []).flatMap(({ children: [, value] = [] }) =>
      value?.type === "string" && !String(value.value).includes("{{")
        ? [{ path: String(value.value), node: value }]
        : [],
    ),
  );
}

/** Returns why a request cannot be sent for several rows; `undefined` if it can. */
export function whyNotEach(
  { kind }: Cell,
  { method = "", members }: RequestNode,
  catalog: Catalog,
): string | undefined {
  if (kind === "batch") return "`each` is not possible in a batch. Make the request a cell of its own.";
  if (members.has("explain")) return "A cell with `each` cannot have `explain`.";
  if (method === "eth_subscribe") return "A subscription cannot have `each`.";
  const effect = catalog.methodNamed(method)?.effect ?? effectByName(method);
  return isHarmless(effect) || effect === "unknown" ? undefined : "`each` is only for requests that read.";
}

type EachProblem = BadEach | UnknownHead | Unresolved;

/** The names of `each`. */
export function eachNames({ members }: RequestNode): ReadonlySet<string> {
  const node = members.get("each")?.value;
  return node?.type === "object" ? new Set(keysOf(node).map(({ value }) => String(value))) : noNames;
}

const noNames: ReadonlySet<string> = new Set();

function keysOf(node: JsonNode): readonly JsonNode[] {
  return (node.children ?? []).flatMap(({ children }) => children?.[0] ?? []);
}

/** @param context - Absent before a run: what only a run knows is left out. */
function readSources(text: string, node: JsonNode, context?: EachContext) {
  const problems: EachProblem[] = [];
  const sources: Source[] = [];
  const fail = (problem: EachProblem): undefined => {
    problems.push(problem);
    return undefined;
  };
  for (const { children: [key, value] = [] } of node.type === "object" ? (node.children ?? []) : []) {
    if (!key || !value) continue;
    const name = String(key.value);
    const values = readValues(text, value, context, fail);
    if (values?.length === 0) fail(bad(value, `There is no value for \`${name}\`.`));
    sources.push({ name, values });
  }
  if (sources.length === 0) fail(bad(node, 'Expected names with their values: `{ "holder": ["alice", "bob"] }`.'));
  const count = sources.reduce((product, { values }) => product * (values?.length ?? 1), 1);
  if (count > maxEachRows)
    fail(bad(node, `These are ${grouped(count)} requests. A cell sends at most ${grouped(maxEachRows)}.`));
  return { sources, problems };
}

/** Reads the values of one name; `undefined` if only a run knows them, or if there is a problem. */
function readValues(
  text: string,
  node: JsonNode,
  context: EachContext | undefined,
  fail: (problem: EachProblem) => undefined,
): readonly EachValue[] | undefined {
  const written = textAt(text, node);
  const isOpen = written.includes("{{");
  if (node.type === "string" && !isOpen) return ofFile(node, context, fail);
  if (node.type !== "array" && node.type !== "string") return fail(bad(node, expected));
  if (isOpen && !context) return undefined;
  const { edits, problems } = context ? fill(text, node, context.values) : { edits: [], problems: [] };
  for (const problem of problems) fail(problem);
  const list = parseJson(edited(text, spanOf(node), edits));
  if (problems.length > 0 || list === undefined) return undefined; // broken JSON is said elsewhere
  if (!isArray(list)) return fail(bad(node, `${written.slice(1, -1)} is not a list.`));
  const step = stepOf(list);
  const empty = list.indexOf(null);
  if (empty >= 0) return fail(bad(items(node)[empty] ?? node, `Item ${empty + 1} of the list is null. Write a value.`));
  if (step === undefined) return list.map((value) => ({ sent: accountOf(value, context?.values) }));
  const [from, to] = [0, 1].map((at) => endOf(list[at] ?? null, items(node)[at] ?? node, context, fail));
  return from === undefined || to === undefined ? undefined : numbersIn(from, to, step, node, fail);
}

const expected =
  'Expected a list, a range `["0x1", "latest", "+1000"]`, a placeholder of a list, or a `.csv` or `.ndjson` file.';

function ofFile(
  node: JsonNode,
  context: EachContext | undefined,
  fail: (problem: BadEach) => undefined,
): readonly EachValue[] | undefined {
  const path = String(node.value);
  const file = context?.rowFiles?.get(path);
  if (file && "rows" in file) return file.rows.map((sent) => ({ sent }));
  if (!isRowFile(path) && !file) {
    const isParquet = /\.parquet$/i.test(path);
    return fail(bad(node, isParquet ? "Parquet files are not read. Write a `.csv` or `.ndjson` file." : expected));
  }
  return context && fail(bad(node, `${path} cannot be used: ${file?.fault ?? "only a run reads it"}.`));
}

/** The step of a range: `"+1000"` in the third of three values. */
function stepOf(list: readonly unknown[]): string | undefined {
  const [, , step] = list;
  return list.length === 3 && typeof step === "string" && /^[+-]\s*\d/.test(step) ? step : undefined;
}

function numbersIn(
  from: bigint,
  to: bigint,
  step: string,
  node: JsonNode,
  fail: (problem: BadEach) => undefined,
): readonly EachValue[] | undefined {
  const by = /^\+\s*[1-9]\d{0,17}$/.test(step) ? BigInt(step.replace(/\s/g, "")) : 0n;
  if (by === 0n)
    return fail(bad(items(node)[2] ?? node, "The step of a range is a number above zero, such as `+1000`."));
  if (from > to) return fail(bad(node, "The range ends before it begins."));
  const count = (to - from) / by + 1n;
  if (count > maxEachRows)
    return fail(
      bad(
        node,
        `These are ${grouped(count)} requests. A cell sends at most ${grouped(maxEachRows)}: use a larger step.`,
      ),
    );
  return Array.from({ length: Number(count) }, (_, at) => {
    const number = from + BigInt(at) * by;
    return { sent: toQuantity(number), shown: number };
  });
}

/** Reads an end of a range: a number, or a block by its tag. */
function endOf(
  value: JsonValue,
  node: JsonNode,
  context: EachContext | undefined,
  fail: (problem: EachProblem) => undefined,
): bigint | undefined {
  const [, tag = "", sign = "+", digits = "0"] =
    (typeof value === "string" && /^\s*([a-z]+)\s*(?:([-+])\s*(\d{1,18}))?\s*$/.exec(value)) || [];
  const number = shortQuantity(typeof value === "string" && /^\d{1,18}$/.test(value) ? Number(value) : value);
  if (number !== undefined && number >= 0n) return number;
  if (tag === "earliest") return 0n;
  if (!tags.has(tag))
    return fail(bad(node, 'Expected a number or a block: `1000`, `"0x3e8"`, `"latest"`, `"latest - 100"`.'));
  const head = context?.heads.get(tag);
  if (head === undefined) return context && fail({ code: "unknown-head", span: spanOf(node), tag });
  const end = sign === "-" ? head - BigInt(digits) : head + BigInt(digits);
  return end < 0n ? 0n : end;
}

const tags: ReadonlySet<string> = new Set(["latest", "pending", "safe", "finalized"]);

/** The name of a variable with an address means that address. */
function accountOf(value: JsonValue, values: Values | undefined): JsonValue {
  const named = typeof value === "string" ? values?.of(value) : undefined;
  return isAddress(named) ? named : value;
}

function bad(node: JsonNode, what: string): BadEach {
  return { code: "bad-each", span: spanOf(node), what };
}

/** The paths that a request takes from its rows, each once, in the order of the names. */
function pathsOf(text: string, request: RequestNode, sources: readonly Source[]): readonly (readonly Segment[])[] {
  const paths = new Map<string, readonly Segment[]>();
  for (const { node } of filledNodes(request).flatMap((one) => [...textsIn(one)])) {
    const { start, end } = spanOf(node);
    for (const part of partsOf(text.slice(start, end)))
      if (part.kind === "reference") paths.set(printPath(part.path), part.path);
  }
  return sources.flatMap(({ name }) => [...paths.values()].filter(([first]) => first === name));
}

function* combinations([first, ...rest]: readonly Source[]): Generator<ReadonlyMap<string, EachValue>> {
  if (!first) {
    yield new Map();
    return;
  }
  for (const value of first.values ?? [])
    for (const others of combinations(rest)) yield new Map([[first.name, value], ...others]);
}

function rowOf(combination: ReadonlyMap<string, EachValue>, paths: readonly (readonly Segment[])[]): EachRow {
  const values = new Map([...combination].map(([name, { sent }]) => [name, sent]));
  const columns = paths.map((path): [string, JsonValue] => {
    const [name, ...steps] = path;
    const { sent = null, shown } = combination.get(String(name)) ?? {};
    const found = follow(sent, steps);
    return [printPath(path), shown ?? ("value" in found ? found.value : null)];
  });
  return { values, columns: Object.fromEntries(columns) };
}
