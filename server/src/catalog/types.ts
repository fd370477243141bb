import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { accountTypes } from "./accountTypes.ts";
import { assumptionTypes } from "./assumptionTypes.ts";
import { blockTypes } from "./blockTypes.ts";
import { callTypes } from "./callTypes.ts";
import { logTypes, subscriptionTypes } from "./logTypes.ts";
import { devTypes, nodeTypes } from "./nodeTypes.ts";
import { opTypes } from "./opTypes.ts";
import { simulationTypes } from "./simulationTypes.ts";
import type { FieldSpec, TypeRef, TypeSpec, UnionType } from "./spec.ts";
import { traceTypes } from "./traceTypes.ts";
import { valueTypes } from "./valueTypes.ts";

/** The type table: the type behind every {@link TypeRef} of the catalogue. */
export const types: Readonly<Record<string, TypeSpec>> = {
  ...valueTypes,
  ...callTypes,
  ...logTypes,
  ...blockTypes,
  ...simulationTypes,
  ...assumptionTypes,
  ...accountTypes,
  ...nodeTypes,
  ...subscriptionTypes,
  ...traceTypes,
  ...opTypes,
  ...devTypes,
};

/** Returns the type that a reference names; `undefined` for lists, and for names that the type table lacks. */
export function typeNamed(ref: TypeRef): TypeSpec | undefined {
  if (typeof ref !== "string") return ref.type;
  return Object.hasOwn(types, ref) ? types[ref] : undefined;
}

/** Returns the type of a list's items; `undefined` for a reference that is not a list. */
export function itemsOf(ref: TypeRef): TypeRef | undefined {
  if (typeof ref !== "string") return ref.items;
  return ref.endsWith("[]") ? ref.slice(0, -2) : undefined;
}

/** Returns the type of a list of such items. */
export function listOf(item: TypeRef): TypeRef {
  return typeof item === "string" ? `${item}[]` : { name: `${item.name}[]`, type: undefined, items: item };
}

/** Returns a reference as people read it: `Transfer@acme[]`. */
export function textOfRef(ref: TypeRef): string {
  return typeof ref === "string" ? ref : ref.name;
}

/**
 * Returns the type that a reference names, and whether it is a list of it.
 *
 * @example typeOf("log[]")?.list; //=> true
 */
export function typeOf(ref: TypeRef): { readonly type: TypeSpec; readonly list: boolean } | undefined {
  const items = itemsOf(ref);
  const type = typeNamed(items ?? ref);
  return type && { type, list: items !== undefined };
}

/** A possible shape of a value, with unions split and lists separate from single values. */
export type Shape =
  | { readonly kind: "list"; readonly items: TypeRef }
  | { readonly kind: "one"; readonly ref: TypeRef; readonly type: Exclude<TypeSpec, { readonly kind: "union" }> };

/** The shapes that a type allows, the usual one first; none for a name that the type table lacks. */
export function shapesOf(ref: TypeRef): readonly Shape[] {
  const items = itemsOf(ref);
  if (items !== undefined) return [{ kind: "list", items }];
  const type = typeNamed(ref);
  if (!type) return [];
  return type.kind === "union" ? shapesOfUnion(type) : [{ kind: "one", ref, type }];
}

const shapesOfUnion = memoByObject((type: UnionType): readonly Shape[] => type.of.flatMap(shapesOf));

export function isBlock(ref: TypeRef): boolean {
  const type = typeNamed(ref);
  return type?.kind === "union" && type.role === "block";
}

/** The plainest value of a type: zeros, empty lists, objects with what they need. */
export function sampleOf(ref: TypeRef, levels = 6): JsonValue {
  const found = typeOf(ref);
  if (!found || levels === 0) return null;
  return found.list ? [] : sampleOfType(found.type, levels - 1);
}

function sampleOfType(type: TypeSpec, levels: number): JsonValue {
  switch (type.kind) {
    case "quantity":
      return "0x0";
    case "bytes":
      return `0x${"00".repeat(Math.min(type.length ?? 0, 64))}`;
    case "oneOf":
      return type.values[0]?.value ?? "";
    case "boolean":
      return false;
    case "integer":
      return 0;
    case "string":
      return "";
    case "null":
    case "any":
      return null;
    case "map":
      return {};
    case "union":
      return sampleOf(type.of[0] ?? "any", levels);
    case "object": {
      const needed = type.fields.filter(({ required }: FieldSpec) => required);
      return Object.fromEntries(needed.map((field): [string, JsonValue] => [field.name, sampleOf(field.type, levels)]));
    }
  }
}
