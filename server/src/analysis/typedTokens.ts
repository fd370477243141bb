import { memoByPair } from "../base/memo.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FieldSpec, TypeRef } from "../catalog/spec.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import {
  type Context,
  type CursorContext,
  isContainer,
  type PathStep,
  rootContext,
  step,
  treeOf,
  type Word,
} from "./cursorContext.ts";
import { membersOf } from "./object.ts";
import { hasPlaceholder } from "./references.ts";
import type { TolerantContainer, TolerantNode, TolerantScalar } from "./tolerantTree.ts";
import { fieldAt, itemType, mapAt } from "./types.ts";

/** A string, a number or a word of a cell and what it is: as much of a {@link CursorContext} as needs no cursor. */
export interface TypedToken extends Word {
  readonly kind: CursorContext["kind"];
  readonly text: string;
}

/** Every word of a cell in the order of its text, keys among them. Remembered by cell. */
export const typedTokens = memoByPair((cell: Cell, catalog: Catalog): readonly TypedToken[] => {
  const tokens: TypedToken[] = [];
  if (cell.kind !== "markdown" && cell.kind !== "opaque") {
    for (const { value } of treeOf(cell)) {
      if (isContainer(value)) collect(tokens, value, rootContext(cell, value, catalog), []);
    }
  }
  return tokens;
});

function collect(into: TypedToken[], container: TolerantContainer, here: Context, path: readonly PathStep[]): void {
  const isObject = container.kind === "object";
  for (const [index, { key, colon, value }] of container.slots.entries()) {
    if (!key && !value) continue;
    const next = step(here, isObject ? key?.text : undefined, index, value);
    const way = [...path, { container, index, key: key?.text }];
    if (key) into.push(typedToken("key", key, next, here, way));
    if (isContainer(value)) collect(into, value, next, way);
    else if (value) into.push(typedToken(isObject && colon === undefined ? "key" : "value", value, next, here, way));
  }
}

function typedToken(
  kind: TypedToken["kind"],
  { span, quoted, text }: TolerantScalar,
  { role, method, param, catalog }: Context,
  owner: Context,
  path: readonly PathStep[],
): TypedToken {
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  return { kind, span, quoted, text, role, owner: owner.role, method, spec, param, path };
}

/** The value of a member of an object, the last of equal keys. */
export function memberOf(container: TolerantNode | undefined, key: string): TolerantNode | undefined {
  if (container?.kind !== "object") return undefined;
  return container.slots.findLast((slot) => slot.key?.text === key)?.value;
}

/** The text of a scalar; `undefined` for brackets and for nothing. */
export function textOf(value: TolerantNode | undefined): string | undefined {
  return value?.kind === "scalar" ? value.text : undefined;
}

/** Keys and ordinals from a bracket on the way down to a word, that bracket's own first. */
export function pathFrom(path: readonly PathStep[], start: number): readonly (string | number)[] {
  return path.slice(start).map(({ container, index, key }) => (container.kind === "array" ? index : (key ?? index)));
}

/** A string, number or literal in the parameters of a request whose meaning the catalogue knows. */
export type TypedNode = TypedKey | TypedValue;

/** The name of a field. */
export interface TypedKey {
  readonly kind: "field";
  readonly node: JsonNode;
  readonly field: FieldSpec;
}

/** A value; the key of a map is one too. */
export interface TypedValue {
  readonly kind: "value";
  readonly node: JsonNode;
  readonly type: TypeRef;
  /** The field or parameter that it is the value of, or one of the values of. */
  readonly field: FieldSpec | undefined;
  readonly method: string;
}

/** The parameters in a cell with their types, in the order of the text. Remembered with the cell. */
export const typedNodes = memoByPair((cell: Cell, catalog: Catalog): readonly TypedNode[] =>
  cell.requests.flatMap((request) => inRequest(cell.text, request, catalog)),
);

function inRequest(text: string, { method, members }: RequestNode, catalog: Catalog): readonly TypedNode[] {
  const params = members.get("params")?.value;
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  if (!spec || params?.type !== "array") return [];
  return (params.children ?? []).flatMap((node, position) => {
    const field = spec.params[position];
    return field ? [...walk(text, { kind: "value", node, type: field.type, field, method: spec.name })] : [];
  });
}

function* walk(text: string, value: TypedValue): Generator<TypedNode> {
  const { node, type } = value;
  if (node.type === "array") {
    const items = itemType(type);
    if (items === undefined) return;
    for (const item of node.children ?? []) yield* walk(text, { ...value, node: item, type: items });
  } else if (node.type === "object") yield* inObject(text, value);
  else if (!hasPlaceholder(text, node) && spanOf(node).end > node.offset) yield value;
}

function* inObject(text: string, value: TypedValue): Generator<TypedNode> {
  const map = mapAt(value.type);
  for (const { name, key, value: node } of membersOf(value.node)) {
    const field = fieldAt(value.type, name);
    const type = field?.type ?? map?.values;
    if (field) yield { kind: "field", node: key, field };
    else if (map) yield* walk(text, { ...value, node: key, type: map.keys, field: undefined });
    if (node && type !== undefined) yield* walk(text, { ...value, node, type, field });
  }
}
