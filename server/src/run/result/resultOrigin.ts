import { names, order } from "../../analysis/order.ts";
import { dependencies } from "../../analysis/references.ts";
import { hash64 } from "../../base/hash.ts";
import { memoByObject } from "../../base/memo.ts";
import type { Cell } from "../../notebook/cell.ts";
import { member, tokens } from "../../notebook/json.ts";
import { requestHash } from "../../notebook/key.ts";
import type { Document } from "../../workspace/documents.ts";

/** Returns a text that identifies what a cell sends and expects, whatever its layout, and everything that it refers to. */
export function originOf(cell: Cell, document: Document): string {
  if (isIndependent(cell)) return contentHash(cell);
  return origins(document).get(cell) ?? contentHash(cell); // cells in a ring are never sent
}

/** Whether a cell refers to no other cell and no variable. */
export function isIndependent(cell: Cell): boolean {
  return dependencies(cell).length === 0;
}

/** Returns the origins of all cells that refer to something. Each is made of others: chains may be as long as the notebook. */
function originsIn({ cells, header }: Document): ReadonlyMap<Cell, string> {
  const variables = member(header?.root, "variables");
  const byName = names(cells);
  const byCell = new Map<Cell, string>();
  for (const cell of order(cells).cells) {
    if (isIndependent(cell)) continue;
    const parts = dependencies(cell).map(({ name }) => {
      const variable = header && member(variables, name);
      if (variable) return tokens(header.text, variable);
      const target = byName.get(name)?.cell;
      return target && (byCell.get(target) ?? contentHash(target));
    });
    byCell.set(cell, hash64([contentHash(cell), ...parts].join("\n")));
  }
  return byCell;
}

const origins = memoByObject(originsIn);

/** Identifies the request of a cell and its expectations. */
function contentHash(cell: Cell): string {
  return cell.directives.has("expect") ? hashOf(cell) : requestHash(cell);
}

const hashOf = memoByObject(hashWithExpectations);

function hashWithExpectations(cell: Cell): string {
  const expected = [member(cell.root, "expect"), ...cell.requests.map(({ members }) => members.get("expect")?.value)];
  return [requestHash(cell), ...expected.map((node) => (node ? tokens(cell.text, node) : ""))].join(" ");
}
