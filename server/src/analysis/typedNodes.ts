import { memoByPair } from "../base/memo.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FieldSpec, TypeRef } from "../catalog/spec.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import { membersOf } from "./object.ts";
import { hasPlaceholder } from "./references.ts";
import { fieldAt, itemType, mapAt } from "./types.ts";

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
