import type { StorageScope } from "../abi/storageScope.ts";
import type { ConverterContext } from "../evaluate/conversion.ts";
import { readablesAt } from "../evaluate/readable.ts";
import type { Cell } from "../notebook/cell.ts";
import { items, type JsonNode } from "../notebook/json.ts";
import { abiItems, scopedLayouts } from "./abi.ts";
import { labels } from "./labels.ts";
import type { Problem } from "./problem.ts";
import type { NamesInScope, Scope } from "./scope.ts";

const noHeads: ReadonlyMap<string, bigint> = new Map();

/** Returns the context for encoding the readable values of a cell. */
export function converterContext(cell: Cell, scope: NamesInScope, heads = noHeads): ConverterContext {
  return { abi: abiItems(cell, scope), heads, storage: () => storageScope(cell, scope) };
}

/** Returns the storage layouts for a cell, and the names that keys may have. */
export function storageScope(cell: Cell, scope: NamesInScope): StorageScope {
  const layouts = scopedLayouts(cell, scope);
  const known = new Set(layouts.map(({ layout }) => layout.contract));
  const without = (scope.abis.creatables ?? []).flatMap(({ name }) => (known.has(name) ? [] : name));
  return { layouts, without, keys: { variables: scope.variables, labels: labels(scope) } };
}

const ownPaths: readonly string[] = ["contract", "variable", "type"];

/** Returns whether a cell may have places in storage that are given by the name of a variable. */
export function namesVariables({ text, directives }: Cell): boolean {
  return text.includes('"variable"') || (directives.has("assume") && text.includes('"storage"'));
}

/** Returns whether the storage layouts that a cell may refer to have been read. */
export function layoutsAreRead(cell: Cell, scope: NamesInScope): boolean {
  return scope.abis.layouts !== undefined || scopedLayouts(cell, scope).length > 0;
}

/** Finds problems with places in storage that are given by the name of a variable. */
export function checkStoredVariables(cell: Cell, scope: Scope): readonly Problem[] {
  if (!namesVariables(cell) || cell.faults.length > 0) return [];
  const context = converterContext(cell, scope);
  if (!layoutsAreRead(cell, scope)) return [];
  return cell.requests.flatMap(({ method, members }) => {
    const spec = method === undefined ? undefined : scope.catalog.methodNamed(method);
    return items(members.get("params")?.value).flatMap((node: JsonNode, at) => {
      const type = spec?.params[at]?.type;
      const problems = type === undefined ? [] : readablesAt(cell.text, node, type, context, false).problems;
      return problems.filter((problem) => problem.code === "bad-argument" && ownPaths.includes(problem.path));
    });
  });
}
