import type { Scope } from "./analysis/scope.ts";
import { secretParts } from "./base/secretParts.ts";
import { exportCells } from "./convert/exportCells.ts";
import type { ExportEndpoint, ExportForm } from "./convert/exported.ts";
import type { Document } from "./documents.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { Cell } from "./notebook/cell.ts";
import type { ExportResult } from "./protocol.ts";
import type { Routes } from "./routes.ts";

/**
 * Writes a cell of a document, or all of them, for another tool.
 *
 * @param index - `undefined` for all.
 * @returns `undefined` where there is no such cell.
 */
export async function exportOf(
  document: Document,
  index: number | undefined,
  form: ExportForm,
  scope: Scope,
  routes: Routes,
): Promise<ExportResult | undefined> {
  const cells = index === undefined ? document.cells : document.cells.slice(index, index + 1);
  if (index !== undefined && cells.length === 0) return undefined;
  const { endpointOf } = await routes.courierHost(document, undefined, cells);
  const { text, notes } = exportCells(cells, form, {
    scope,
    endpointOf(cell: Cell) {
      const found = endpointOf(cell);
      return "endpoint" in found ? shown(found.endpoint, found.origin) : { url: undefined, headers: [] };
    },
  });
  return { text, notes: notes.map(({ cell, what }) => ({ index: document.cells.indexOf(cell), what })) };
}

/** Writes an address out only if nothing of it can be private: a path may be a key. Of headers only the names are written. */
function shown({ url, headers, carries }: Endpoint, origin: string): ExportEndpoint {
  const isOpen = carries.length === 0 && !origin.includes("private") && secretParts(url).length === 0;
  const isSite = url === `${new URL(url).origin}/`; // anything more is hidden in every text that leaves
  return { url: isOpen && isSite ? url : undefined, headers: Object.keys(headers) };
}
