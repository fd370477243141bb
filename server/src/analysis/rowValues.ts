import type { AbiItem } from "../abi/item.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { type Edit, edited } from "../evaluate/conversion.ts";
import { writtenValues } from "../evaluate/each.ts";
import { fill, type Values } from "../evaluate/fill.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf, textsIn } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import { message } from "./message.ts";
import type { Problem, ProblemWith } from "./problem.ts";
import { severity } from "./severity.ts";
import { checkValue } from "./value.ts";

/** Values of one list that are checked. */
const maxChecked = 100;

/**
 * Checks the values that `each` has in lists of its cell, as the parameters that take them.
 *
 * @param values - Of variables: the name of one with an address means that address.
 */
export function checkRowValues(
  { text, directives, requests }: Cell,
  values: Values,
  catalog: Catalog,
  abi: readonly AbiItem[],
): readonly ProblemWith<"bad-each">[] {
  if (!directives.has("each")) return [];
  return requests.flatMap((request) => {
    const rows = request.members.get("each")?.value;
    const taking = rows ? paramsOf(text, request, catalog, abi) : [];
    const written = rows && taking.length > 0 ? writtenValues(text, rows, values, maxChecked) : [];
    return written.flatMap((one): readonly ProblemWith<"bad-each">[] => {
      const only = { of: (name: string) => (name === one.name ? one.sent : undefined) };
      const [found] = taking.flatMap(
        ({ node, type }) => faultOf(text, node, type, fill(text, node, only).edits, abi) ?? [],
      );
      const what = found && `Item ${one.item} of \`${one.name}\`: ${message(found)}`;
      return what === undefined ? [] : [{ code: "bad-each", span: spanOf(one.node), what }];
    });
  });
}

/**
 * Checks what becomes of parameters by the values of variables. What other cells and rows give is not known before a run.
 *
 * @param values - Of variables.
 */
export function checkVariableValues(
  { text, requests }: Cell,
  values: Values,
  catalog: Catalog,
  abi: readonly AbiItem[],
): readonly Problem[] {
  return requests.flatMap((request) =>
    paramsOf(text, request, catalog, abi).flatMap(({ node, type }) =>
      [...textsIn(node)].flatMap(({ node: string }): readonly Problem[] => {
        const found = faultOf(text, node, type, fill(text, string, values).edits, abi);
        if (!found) return [];
        return [
          { code: "bad-variable", span: spanOf(string), what: `With the value of this variable: ${message(found)}` },
        ];
      }),
    ),
  );
}

/** The parameters with placeholders in which nothing else is wrong. */
function paramsOf(text: string, { method = "", members }: RequestNode, catalog: Catalog, abi: readonly AbiItem[]) {
  const specs = catalog.methodNamed(method)?.params ?? [];
  return items(members.get("params")?.value).flatMap((node, at) => {
    const type = specs[at]?.type;
    const isOpen = text.slice(node.offset, node.offset + node.length).includes("{{");
    return type !== undefined && isOpen && !checkValue(text, node, type, abi).some(isError) ? [{ node, type }] : [];
  });
}

/** Returns what is wrong with a parameter once values are in it. */
function faultOf(
  text: string,
  param: JsonNode,
  type: TypeRef,
  edits: readonly Edit[],
  abi: readonly AbiItem[],
): Problem | undefined {
  if (edits.length === 0) return undefined;
  const filled = `{"value":${edited(text, spanOf(param), edits)}}`;
  const node = member(readCell(filled).root, "value");
  return node && checkValue(filled, node, type, abi).find(isError);
}

function isError(problem: Problem): boolean {
  return severity(problem) === "error";
}
