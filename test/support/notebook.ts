import assert from "node:assert/strict";
import type { Scope } from "../../server/src/analysis/scope.ts";
import type { Span } from "../../server/src/base/span.ts";
import type { Cell } from "../../server/src/notebook/cell.ts";
import { headerValues } from "../../server/src/notebook/header.ts";
import { type Document, located, textDocument, toCell } from "../../server/src/workspace/documents.ts";
import { type Around, cursor, scopeOf } from "./cell.ts";

/** A position in a whole notebook. */
export interface Spot {
  readonly text: string;
  readonly document: Document;
  /** The cell under the cursor. */
  readonly cell: Cell;
  /** In that cell. */
  readonly offset: number;
  readonly scope: Scope;
}

const uri = "file:///w/a.rpc.json";

type Surroundings = Omit<Around, "header" | "cells">;

/** Opens a notebook whose text has the cursor `|` in it. */
export function spotIn(marked: string, around: Surroundings = {}): Spot {
  const { text, offset } = cursor(marked);
  return spotsIn(text, around)(offset) ?? assert.fail("the cursor is in a cell");
}

/** Opens a notebook to test many offsets; the result is `undefined` outside every cell. */
export function spotsIn(text: string, around: Surroundings = {}): (offset: number) => Spot | undefined {
  const document = textDocument(uri, text);
  const { header, cells } = document;
  const { variables } = headerValues(header);
  return (offset) => {
    const place = document.placeAt(uri, offset);
    const inCell = place && toCell(place, offset);
    if (!place || inCell === undefined) return undefined;
    const scope: Scope = { ...scopeOf(place.cell, around), header, cells, variables };
    return { text, document, cell: place.cell, offset: inCell, scope };
  };
}

/** A span of a cell as one of the notebook's text. */
export function inText(document: Document, at: { readonly cell: Cell; readonly span: Span }): Span {
  return located(document, at)[0]?.span ?? assert.fail("the cell is of this notebook");
}
