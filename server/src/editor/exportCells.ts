import type { Scope } from "../analysis/scope.ts";
import { secretParts } from "../base/secretParts.ts";
import { exportCells } from "../convert/exportCells.ts";
import type { ExportEndpoint, ExportTarget } from "../convert/exportModel.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Cell } from "../notebook/cell.ts";
import type { ExportResult } from "../protocol/conversion.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";

/**
 * Writes a cell of a document, or all of them, for another tool.
 *
 * @param index - `undefined` for all.
 * @returns `undefined` if there is no such cell.
 */
export async function exportOf(
  document: Document,
  index: number | undefined,
  target: ExportTarget,
  scope: Scope,
  routes: Routes,
): Promise<ExportResult | undefined> {
  const cells = index === undefined ? document.cells : document.cells.slice(index, index + 1);
  if (index !== undefined && cells.length === 0) return undefined;
  const { endpointOf } = await routes.forRun(document, undefined, cells);
  const { text, notes } = exportCells(cells, target, {
    scope,
    endpointOf(cell: Cell) {
      const resolved = endpointOf(cell);
      return "endpoint" in resolved ? publicParts(resolved.endpoint, resolved.origin) : { url: undefined, headers: [] };
    },
  });
  return { text, notes: notes.map(({ cell, what }) => ({ index: document.cells.indexOf(cell), what })) };
}

/** Leaves out an address of which any part can be private: a path may be a key. Of headers only the names are written. */
function publicParts({ url, headers, carries }: Endpoint, origin: string): ExportEndpoint {
  const isPublic = carries.length === 0 && !origin.includes("private") && secretParts(url).length === 0;
  const isSite = url === `${new URL(url).origin}/`; // anything more is hidden in every text that leaves
  return { url: isPublic && isSite ? url : undefined, headers: Object.keys(headers) };
}
