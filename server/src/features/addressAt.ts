import { type CursorContext, cursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { type Hex, isAddress } from "../base/hex.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { referenceAt } from "./placeholderDocs.ts";
import { placeholderValue } from "./placeholderValue.ts";

/** The address that is under the cursor, spelt out or by a placeholder. */
export function addressAt(
  cell: Cell,
  offset: number,
  scope: Scope,
): { readonly address: Hex; readonly span: Span } | undefined {
  const place = cursorContext(cell, offset, scope.catalog);
  if (place?.text === undefined) return undefined;
  const reference = place.param === undefined ? undefined : referenceAt(cell, place.span, offset);
  if (!reference) return isAddress(place.text) ? { address: place.text, span: place.span } : labelled(place);
  const meant = placeholderValue(reference.path, scope);
  const value = "value" in meant ? meant.value : undefined;
  return isAddress(value) ? { address: value, span: reference.span } : undefined;
}

/** The label of an address, in the header. */
function labelled({ path, role, span }: CursorContext): { readonly address: Hex; readonly span: Span } | undefined {
  const key = path.at(-1)?.key;
  return role.kind === "member" && role.name === "label" && isAddress(key) ? { address: key, span } : undefined;
}
