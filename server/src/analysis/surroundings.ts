import { quantity } from "../base/hex.ts";
import { nearest } from "../base/text.ts";
import { logRange } from "../catalog/limits.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { names, order, referredTo } from "./order.ts";
import type { Problem } from "./problem.ts";
import { declarations, dependencies, hasPlaceholder } from "./references.ts";
import type { Scope } from "./scope.ts";
import { fieldAt } from "./types.ts";

/** What is wrong with a cell because of what is around it: other cells, variables, endpoints. */
export function checkInScope(cell: Cell, scope: Scope): readonly Problem[] {
  if (cell.kind === "header") return unknownEndpoint(cell.text, member(cell.root, "endpoint"), scope);
  return [
    ...duplicateNames(cell, scope),
    ...unresolved(cell, scope),
    ...cycle(cell, scope),
    ...cell.requests.flatMap((request) => [
      ...unknownEndpoint(cell.text, request.members.get("endpoint")?.value, scope),
      ...refused(request, scope),
      ...logRanges(request, scope),
    ]),
  ];
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

function unresolved(cell: Cell, scope: Scope): readonly Problem[] {
  const declared = names(scope.cells);
  return dependencies(cell).flatMap(({ name, span, path }) => {
    if (scope.variables.has(name) || declared.has(name)) return [];
    const near = nearest(name, [...scope.variables.keys(), ...declared.keys()], 1);
    return [{ code: "unresolved-placeholder", span, path, name, nearest: near }];
  });
}

function cycle(cell: Cell, scope: Scope): readonly Problem[] {
  if (dependencies(cell).length === 0) return [];
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

/** The shortest way from a cell back to itself, by name. */
function wayRound(cell: Cell, ring: readonly Cell[], scope: Scope): readonly string[] {
  const from = new Map<Cell, Cell>();
  const queue = [cell];
  for (const here of queue) {
    for (const target of referredTo(here, scope.cells)) {
      if (target === cell) return [...pathTo(here, cell, from), cell].map(nameOf);
      if (!ring.includes(target) || from.has(target)) continue;
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
  const known = scope.endpoints.map((endpoint) => endpoint.name);
  if (known.includes(name) || /^(https?|wss?):\/\//i.test(name)) return [];
  return [{ code: "unknown-endpoint", span: spanOf(node), name, nearest: nearest(name, known, 1) }];
}

function refused({ method, members }: RequestNode, { endpoint }: Scope): readonly Problem[] {
  const at = members.get("method")?.value;
  if (method === undefined || !at || !endpoint?.refuses.includes(method)) return [];
  return [{ code: "refused-method", span: spanOf(at), method, endpoint: endpoint.name }];
}

function logRanges({ method, members }: RequestNode, { endpoint, catalog }: Scope): readonly Problem[] {
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  const params = items(members.get("params")?.value);
  return (spec?.params ?? []).flatMap(({ type }, position): readonly Problem[] => {
    const from = member(params[position], "fromBlock");
    const to = member(params[position], "toBlock");
    if (!from || !to || !fieldAt(type, "fromBlock") || !fieldAt(type, "toBlock")) return [];
    const [first, last] = [quantity(from.value), quantity(to.value)];
    if (first === undefined || last === undefined) return [];
    const limit = endpoint?.logRange ?? logRange;
    if (first > last) return [{ code: "inverted-range", span: spanOf(from) }];
    if (last - first <= limit) return [];
    const whose = endpoint?.logRange === undefined ? undefined : endpoint.name;
    return [{ code: "log-range-over-limit", span: spanOf(to), range: last - first, limit, endpoint: whose }];
  });
}
