import { typeNamed } from "./catalog.ts";
import type { TypeRef, TypeSpec } from "./spec.ts";

/** What a value may be, with unions taken apart and lists told from single values. */
export type Shape =
  | { readonly kind: "list"; readonly items: TypeRef }
  | { readonly kind: "one"; readonly ref: TypeRef; readonly type: Exclude<TypeSpec, { readonly kind: "union" }> };

const known = new WeakMap<TypeSpec, readonly Shape[]>();

/** The shapes that a type allows, the usual one first; none for a name that the type table lacks. */
export function shapesOf(ref: TypeRef): readonly Shape[] {
  if (ref.endsWith("[]")) return [{ kind: "list", items: ref.slice(0, -2) }];
  const type = typeNamed(ref);
  if (!type) return [];
  const found = known.get(type) ?? (type.kind === "union" ? type.of.flatMap(shapesOf) : [{ kind: "one", ref, type }]);
  known.set(type, found);
  return found;
}

/** It names a block. */
export function isBlock(ref: TypeRef): boolean {
  const type = typeNamed(ref);
  return type?.kind === "union" && type.role === "block";
}
