import type { Scope } from "../analysis/scope.ts";
import { span } from "../base/span.ts";
import { newLabel } from "../features/variables.ts";
import { type Document, type TextEdit, textEdits } from "../workspace/documents.ts";

/**
 * Returns the edits that name an address in the header of a notebook. A file without a header gets one around its cells.
 *
 * @returns The text of a header if the notebook is shown as cells and has none; `undefined` if the header has a mistake.
 */
export function labelEdits(
  document: Document,
  scope: Scope,
  address: string,
  name: string,
): readonly TextEdit[] | { readonly header: string } | undefined {
  const { header, file, uri } = document;
  if (header) {
    const edit = newLabel(address, name, scope);
    return edit && textEdits(document, [edit]);
  }
  const labels = `"labels": { ${JSON.stringify(address)}: ${JSON.stringify(name)} }`;
  if (!file) return { header: `{ ${labels} }` };
  if (file.form === "none" || file.faults.length > 0) return undefined;
  const { start, end } = file.scan.root;
  const [open, close] = file.form === "array" ? ["", ""] : ["[", "]"];
  return [
    { uri, span: span(start, start), insert: `{ ${labels}, "cells": ${open}` },
    { uri, span: span(end, end), insert: `${close} }` },
  ];
}
