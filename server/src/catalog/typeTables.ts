import type { TypeSpec } from "./spec.ts";

/** Types by their whole name, the table's own name behind an `@`: `Transfer@acme`. */
export type TypeTable = ReadonlyMap<string, TypeSpec>;

const tables = new Map<string, WeakRef<TypeTable>>();

/**
 * Opens a table for the types of one document. They are found for as long as somebody holds the table: a document
 * that is read again takes a new one, and what refers to the old one keeps its meaning until it is gone.
 *
 * @param label - What people call the document. Where another table has that name, a number follows it.
 */
export function openTable(label: string): { readonly name: string; readonly types: Map<string, TypeSpec> } {
  const plain = label.replace(/[^\w-]+/g, "_").slice(0, 40) || "document";
  let name = plain;
  for (let number = 2; tables.get(name)?.deref(); number++) name = `${plain}.${number}`;
  const types = new Map<string, TypeSpec>();
  tables.set(name, new WeakRef(types));
  return { name, types };
}

/** A type of a document by its whole name. */
export function documentType(name: string): TypeSpec | undefined {
  const at = name.lastIndexOf("@");
  return at < 0
    ? undefined
    : tables
        .get(name.slice(at + 1))
        ?.deref()
        ?.get(name);
}
