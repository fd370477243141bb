import type { TypeRef, TypeSpec } from "./spec.ts";
import { types } from "./types.ts";

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
