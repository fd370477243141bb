import { keysOfAddresses } from "../abi/address.ts";
import { secretStrings } from "../analysis/secrets.ts";
import { secretsInText } from "../base/secretText.ts";
import { slice } from "../base/span.ts";
import { spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";

/** Returns the keys and passwords that are written in the cells of a notebook, as `check` finds them. */
export function literalSecrets(cells: readonly { readonly kind: string; readonly text: string }[]): readonly string[] {
  return cells.flatMap(({ kind, text }) => {
    const isKey = keysOfAddresses(text);
    const cell = kind === "markdown" ? undefined : readCell(text);
    if (!cell?.root) return secretsInText(text, isKey).map((part) => slice(text, part));
    return secretStrings(cell, isKey).flatMap(({ node, parts }) => {
      const value = node.type === "string" ? String(node.value) : slice(text, spanOf(node));
      return parts.map((part) => slice(value, part));
    });
  });
}
