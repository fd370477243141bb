import { labels } from "../analysis/labels.ts";
import type { Scope } from "../analysis/scope.ts";
import { converterContext } from "../analysis/storage.ts";
import { isAddress } from "../base/hex.ts";
import { touches } from "../base/span.ts";
import { readablesAt } from "../evaluate/readable.ts";
import type { Cell } from "../notebook/cell.ts";
import { items, type JsonNode, spanOf, textsIn } from "../notebook/json.ts";
import { assumeNeeded } from "./assumeNeeded.ts";
import { replace } from "./edits.ts";
import { inTitle } from "./fix.ts";
import { nameOfPlace } from "./fixValues.ts";
import type { CellEdit } from "./location.ts";
import { freeName, nameFrom, newVariable } from "./variables.ts";

/** A change that fixes nothing and that people want all the same. */
interface Refactoring {
  readonly title: string;
  readonly edits: readonly CellEdit[];
}

/** Refactorings of the place under the cursor. */
export function refactorings(cell: Cell, offset: number, scope: Scope): readonly Refactoring[] {
  return [
    ...extractAddress(cell, offset, scope),
    ...inWireForm(cell, offset, scope),
    ...assumeNeeds(cell, offset),
    ...wrapInBatch(cell, offset),
  ];
}

/** Gives the accounts of the request under the cursor what its calls spend. */
function assumeNeeds(cell: Cell, offset: number): readonly Refactoring[] {
  const request = cell.requests.find(({ node }) => touches(spanOf(node), offset));
  const needed = request && assumeNeeded(cell, request);
  return needed ? [needed] : [];
}

/** Replaces the readable value under the cursor with the value that a run would send. */
function inWireForm(cell: Cell, offset: number, scope: Scope): readonly Refactoring[] {
  const known = converterContext(cell, scope);
  const found = cell.requests.flatMap(({ method, members }) => {
    const spec = method === undefined ? undefined : scope.catalog.methodNamed(method);
    return items(members.get("params")?.value).flatMap((node, at) => {
      const type = spec?.params[at]?.type;
      const here = type !== undefined && touches(spanOf(node), offset);
      return here ? readablesAt(cell.text, node, type, known, false).found : [];
    });
  });
  const edits = found.find(({ span }) => touches(span, offset))?.edits;
  return edits
    ? [{ title: "Write in wire form", edits: edits.map(({ span, text }) => ({ cell, span, insert: text })) }]
    : [];
}

/** The address under the cursor becomes a variable, everywhere in the parameters of the cell. */
function extractAddress(cell: Cell, offset: number, scope: Scope): readonly Refactoring[] {
  const strings = cell.requests.flatMap(({ members }) => {
    const params = members.get("params")?.value;
    return params ? [...textsIn(params)].map(({ node }) => node) : [];
  });
  const here = strings.find((node) => touches(spanOf(node), offset));
  const address = here?.value;
  if (!here || !isAddress(address)) return [];
  const same = (value: unknown): boolean => String(value).toLowerCase() === address.toLowerCase();
  const use = (name: string): readonly CellEdit[] =>
    strings
      .filter(({ value }) => same(value))
      .map((node: JsonNode) => ({ cell, ...replace(node, JSON.stringify(`{{${name}}}`)) }));
  const known = [...scope.variables].find(([, value]) => same(value))?.[0];
  if (known !== undefined) {
    return [{ title: `Write the variable ${inTitle(`{{${known}}}`)} instead of the address`, edits: use(known) }];
  }
  const label = labels(scope).get(address.toLowerCase()) ?? "";
  const name = freeName(nameFrom(label, nameOfPlace({ cell, scope }, spanOf(here))), scope);
  const variable = newVariable(name, JSON.stringify(address), scope);
  return variable
    ? [{ title: `Make the address a variable ${inTitle(`{{${name}}}`)}`, edits: [variable, ...use(name)] }]
    : [];
}

/** Turns a request into the first of a batch, if the cursor is on its method. */
function wrapInBatch(cell: Cell, offset: number): readonly Refactoring[] {
  const { kind, root, requests, faults } = cell;
  const method = requests[0]?.members.get("method");
  if (kind !== "request" || !root || faults.length > 0 || !method?.value) return [];
  if (offset < method.key.offset || offset > method.value.offset + method.value.length) return [];
  const end = root.offset + root.length;
  const edits = [
    { cell, span: { start: root.offset, end: root.offset }, insert: '{ "batch": [' },
    { cell, span: { start: end, end }, insert: "] }" },
  ];
  return [{ title: "Put the request in a batch", edits }];
}
