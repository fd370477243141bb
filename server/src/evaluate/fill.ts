import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { type Span, shift } from "../base/span.ts";
import { type HostReference, hostReference } from "../endpoints/hostValue.ts";
import { type JsonNode, spanOf, textsIn } from "../notebook/json.ts";
import { type Part, partsOf, type Reference } from "../notebook/placeholder.ts";
import type { Edit } from "./conversion.ts";
import { follow, kindOf, type NoSuchPath, printPath } from "./path.ts";

/** Values of placeholders: variables by name, and earlier cells as `{ result, decoded, error }`. */
export interface Values {
  of(name: string): JsonValue | undefined;
  /** Returns a value of the host, always text. Absent if they may not be read. */
  readonly ofHost?: (reference: HostReference) => string | undefined;
}

/** A placeholder without a value that could be sent. */
export interface Unresolved {
  readonly code: "unresolved-placeholder";
  readonly span: Span;
  /** The path as written, without the braces. */
  readonly path: string;
  readonly why: UnresolvedWhy;
}

export type UnresolvedWhy =
  | { readonly kind: "unknown-name"; readonly name: string }
  /** A value of the host that is not set. */
  | { readonly kind: "unset"; readonly reference: HostReference }
  | { readonly kind: "no-such-path"; readonly missing: NoSuchPath }
  | { readonly kind: "not-text"; readonly found: string };

export interface Filled {
  readonly edits: readonly Edit[];
  readonly problems: readonly Unresolved[];
}

/**
 * Fills the placeholders inside the strings and keys of a node. A string that is one placeholder takes the value with
 * its JSON type; inside other text only strings and numbers are allowed.
 *
 * @returns Edits in the text of the cell, in order; strings without placeholders are left as they are.
 */
export function fill(text: string, node: JsonNode, values: Values): Filled {
  const edits: Edit[] = [];
  const problems: Unresolved[] = [];
  for (const { node: string, isKey } of textsIn(node)) {
    const at = spanOf(string);
    const parts = partsOf(text.slice(at.start, at.end));
    if (parts.every((part) => part.kind === "text" && !part.unescaped)) continue;
    const made = isKey || parts.length > 1 ? interpolated(parts, at.start, values) : whole(parts[0], at.start, values);
    if (typeof made === "string") edits.push({ span: at, text: made });
    else problems.push(...made);
  }
  return { edits, problems };
}

function whole(part: Part | undefined, start: number, values: Values): string | readonly Unresolved[] {
  if (part?.kind !== "reference") return JSON.stringify(part?.text ?? "");
  const found = resolve(part, values);
  return "why" in found ? [unresolved(part, start, found.why)] : printJson(found.value);
}

function interpolated(parts: readonly Part[], start: number, values: Values): string | readonly Unresolved[] {
  const problems: Unresolved[] = [];
  const text = parts.map((part) => {
    if (part.kind === "text") return part.text;
    const found = resolve(part, values);
    if ("why" in found) problems.push(unresolved(part, start, found.why));
    else if (isArray(found.value) || isObject(found.value) || found.value === null)
      problems.push(unresolved(part, start, { kind: "not-text", found: kindOf(found.value) }));
    else return String(found.value);
    return "";
  });
  return problems.length > 0 ? problems : JSON.stringify(text.join(""));
}

function resolve({ path }: Reference, values: Values): { readonly value: JsonValue } | { readonly why: UnresolvedWhy } {
  const reference = hostReference(path);
  if (reference) {
    const set = values.ofHost?.(reference);
    return set === undefined ? { why: { kind: "unset", reference } } : { value: set };
  }
  const name = String(path[0]);
  const value = values.of(name);
  if (value === undefined) return { why: { kind: "unknown-name", name } };
  const found = follow({ [name]: value }, path);
  return "value" in found ? found : { why: { kind: "no-such-path", missing: found.missing } };
}

function unresolved({ path, span }: Reference, start: number, why: UnresolvedWhy): Unresolved {
  return { code: "unresolved-placeholder", span: shift(span, start), path: printPath(path), why };
}
