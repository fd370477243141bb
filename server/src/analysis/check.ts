import { span } from "../base/span.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Cell } from "../notebook/cell.ts";
import { checkBatch } from "./batch.ts";
import { checkHeader } from "./header.ts";
import type { Problem } from "./problem.ts";
import { checkRequest } from "./request.ts";
import type { Scope } from "./scope.ts";
import { checkInScope } from "./surroundings.ts";

const checked = new WeakMap<Cell, { readonly catalog: Catalog; readonly problems: readonly Problem[] }>();

/**
 * Finds the mistakes in a cell, in the order of the text. What the cell alone decides is remembered for as long as
 * the cell lives, so that only its names, endpoint and limits are looked at again.
 */
export function check(cell: Cell, scope: Scope): readonly Problem[] {
  const found = [...alone(cell, scope.catalog), ...checkInScope(cell, scope)];
  return found.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function alone(cell: Cell, catalog: Catalog): readonly Problem[] {
  const known = checked.get(cell);
  if (known?.catalog === catalog) return known.problems;
  const problems = checkAlone(cell, catalog);
  checked.set(cell, { catalog, problems });
  return problems;
}

/** What the cell alone decides. In broken text nothing is said to be missing: it may be what is being typed. */
function checkAlone(cell: Cell, catalog: Catalog): readonly Problem[] {
  const hidden = cell.kind === "markdown" ? [] : hiddenCharacters(cell.text);
  switch (cell.kind) {
    case "batch":
      return [...cell.faults, ...hidden, ...checkBatch(cell), ...inRequests(cell, catalog)];
    case "request":
      return [...cell.faults, ...hidden, ...inRequests(cell, catalog)];
    case "header":
      return [...cell.faults, ...hidden, ...checkHeader(cell.text, cell.root)];
    case "unfinished":
    case "opaque":
    case "markdown":
      return [...cell.faults, ...hidden];
  }
}

function inRequests({ text, requests, faults }: Cell, catalog: Catalog): readonly Problem[] {
  return requests.flatMap((request) => checkRequest(text, request, faults.length > 0, catalog));
}

/** Marks that reorder a line and spaces without width, raw in the text; written as an escape they can be seen. */
const hiddenMark = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function hiddenCharacters(text: string): readonly Problem[] {
  return [...text.matchAll(hiddenMark)].map(({ 0: mark, index }) => ({
    code: "bidi-character",
    span: span(index, index + 1),
    character: `U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  }));
}
