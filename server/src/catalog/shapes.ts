import { memoByObject } from "../base/memo.ts";
import type { TypeRef, TypeSpec, UnionType } from "./spec.ts";
import { itemsOf, typeNamed } from "./typeOf.ts";

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

/** It names a block. */
export function isBlock(ref: TypeRef): boolean {
  const type = typeNamed(ref);
  return type?.kind === "union" && type.role === "block";
}
