import { wellKnownItems } from "../abi/wellKnownAbis.ts";
import type { ValueContext } from "../analysis/cursorContext.ts";
import { declarations, dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress, toQuantity } from "../base/hex.ts";
import { chains } from "../catalog/chains.ts";
import { logFileForms } from "../catalog/logFiles.ts";
import type { Cell } from "../notebook/cell.ts";
import { declared } from "./abiLookup.ts";
import { stop, string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests values of members that the catalogue has no type for: of requests and of the header. */
export function memberValues(name: string, cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  switch (name) {
    case "jsonrpc":
      return plainValues(['"2.0"']);
    case "snapshot":
    case "explain":
      return plainValues(["true", "false"]);
    case "within":
      return plainValues(['"10 s"', '"30 s"', '"3 blocks"']);
    case "save":
      return plainValues(logFileForms.map((form) => JSON.stringify(`${nameIn(cell) ?? "logs"}.${form}`)).reverse());
    case "eachValues":
      return rowValues(place, scope);
    case "name":
      return nameSuggestions(cell, place, scope);
    case "abi":
    case "declaration":
      return declarationSuggestions(place);
    case "chainId":
      return chainIds(scope);
    case "$schema":
      return plainValues([JSON.stringify(schema)]);
    case "cells":
      return [{ label: "[…]", kind: "value", detail: "The requests of the notebook", insert: `[\n  ${stop(0)}\n]` }];
    default:
      return [];
  }
}

/** Suggests ranges of blocks for a name of `each`, and in a list the variables that hold addresses. */
function rowValues({ key }: ValueContext, { variables }: Scope): readonly Suggestion[] {
  if (key !== undefined) return plainValues(['["0x0", "latest", "+1000"]', '["latest - 1000", "latest", "+10"]']);
  return [...variables].flatMap(([name, value]): readonly Suggestion[] =>
    isAddress(value) ? [{ label: name, kind: "value", detail: value, insert: string(name) }] : [],
  );
}

function nameIn({ requests }: Cell): string | undefined {
  return requests.find(({ members }) => members.has("save"))?.name;
}

function plainValues(all: readonly string[]): readonly Suggestion[] {
  return all.map((json) => ({ label: json, kind: "value", insert: json, typed: json.replaceAll('"', "") }));
}

/** The path of the schema if the package is installed beside the notebook. */
export const schema = "./node_modules/rpc-notebook/rpc-notebook.schema.json";

/** Names that a notebook has, but for those of one cell. */
function takenNames({ cells, variables }: Scope, except?: Cell): ReadonlySet<string> {
  const others = cells.filter((cell) => cell !== except);
  return new Set([...variables.keys(), ...others.flatMap((cell) => declarations(cell).map(({ name }) => name))]);
}

/** Names that placeholders refer to and nothing has. */
export function missedNames(scope: Scope, taken = takenNames(scope)): readonly string[] {
  const referred = new Set(scope.cells.flatMap((cell) => dependencies(cell).map(({ name }) => name)));
  return [...referred].filter((name) => !taken.has(name));
}

/** Suggests names that other cells refer to but no cell declares, then one made from the method. */
function nameSuggestions(cell: Cell, { method }: ValueContext, scope: Scope): readonly Suggestion[] {
  const taken = takenNames(scope, cell);
  const wanted = missedNames(scope, taken);
  const own = ofMethod(method ?? "");
  return [
    ...wanted.map((name) => ({ label: name, detail: "other cells refer to it" })),
    ...(own === "" || wanted.includes(own) ? [] : [{ label: free(own, taken), detail: "after the method" }]),
  ].map((one) => ({ ...one, kind: "value", insert: string(one.label) }));
}

/** @example ofMethod("eth_getBlockReceipts"); //=> "blockReceipts" */
function ofMethod(method: string): string {
  const bare = method.replace(/^[^_]*_/, "").replace(/^get(?=[A-Z])/, "");
  return /^[A-Za-z]\w*$/.test(bare) ? bare.charAt(0).toLowerCase() + bare.slice(1) : "";
}

function free(name: string, taken: ReadonlySet<string>): string {
  let found = name;
  for (let count = 2; taken.has(found); count++) found = `${name}${count}`;
  return found;
}

/** Suggests bundled declarations as a start for your own. */
function declarationSuggestions(place: ValueContext): readonly Suggestion[] {
  const { events, functions } = wellKnownItems;
  const inList = place.key === undefined;
  const seen = new Set<string>();
  return [...events, ...functions]
    .map((item) => ({ item, text: declared(item) }))
    .filter(({ text }) => !seen.has(text) && seen.add(text))
    .map(({ item, text }) => ({
      label: item.name,
      kind: item.kind === "event" ? "event" : "function",
      detail: `${text} · ${item.source}`,
      insert: inList ? string(text) : `[${string(text)}]`,
      typed: `${item.name} ${text}`,
    }));
}

/** The chain of the endpoint in use first. */
function chainIds({ endpoint }: Scope): readonly Suggestion[] {
  const known = chains.map(({ id, name }) => ({ id: BigInt(id), name }));
  const current = endpoint?.chainId;
  const here =
    current === undefined || known.some(({ id }) => id === current) ? [] : [{ id: current, name: "this endpoint" }];
  return [...here, ...known.toSorted((a, b) => Number(b.id === current) - Number(a.id === current))].map(
    ({ id, name }) => ({
      label: name,
      kind: "value",
      detail: `${id}`,
      insert: string(toQuantity(id)),
      typed: `${name} ${id} ${toQuantity(id)}`,
    }),
  );
}
