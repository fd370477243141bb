import { declarations } from "../analysis/references.ts";
import type { Span } from "../base/span.ts";
import type { FileRange } from "../base/text.ts";
import type { Cell, CellRef } from "../notebook/cell.ts";
import { type Document, fileRange, toDocument } from "../workspace/documents.ts";
import { indexOfRef, keysOf } from "../workspace/openDocuments.ts";
import { cellsOf, plan, type Step } from "./plan.ts";

/** The cells of one run, and how clients, snapshots, editors and other cells refer to each of them. */
export class CellLocator {
  /** The steps of the requested cells, and of those that they refer to. */
  readonly steps: readonly Step[];
  /** The cells of the steps. */
  readonly cells: readonly Cell[];
  /** The keys of all cells of the document, in order. */
  readonly keys: readonly string[];
  readonly #document: Document;
  readonly #requested: ReadonlySet<number> | undefined;
  #byCell: ReadonlyMap<Cell, Step> | undefined;

  /** @param requested - Absent for all cells. */
  constructor(document: Document, requested: readonly CellRef[] | undefined) {
    const indices = requested?.flatMap((ref) => indexOfRef(document, ref) ?? []);
    this.#document = document;
    this.#requested = indices && new Set(indices);
    this.steps = plan(document.cells, indices);
    this.cells = cellsOf(this.steps);
    this.keys = keysOf(document);
  }

  /** @returns `undefined` for a cell that is not part of the run. */
  stepOf(cell: Cell): Step | undefined {
    this.#byCell ??= new Map(this.steps.map((step) => [step.cell, step])); // most runs never ask
    return this.#byCell.get(cell);
  }
  /** Whether a step was asked for, and not added because another one refers to it. */
  isRequested({ index }: Step): boolean {
    return this.#requested?.has(index) !== false;
  }
  /** Returns how the client refers to a cell. */
  refOf({ index }: Step): CellRef {
    return this.#document.refs[index] ?? { index };
  }
  /** Returns how results and snapshots refer to a cell. */
  keyOf({ index }: Step): string {
    return this.keys[index] ?? String(index + 1);
  }
  /** Returns a span of a cell as lines and columns, for an editor. */
  rangeOf(cell: Cell, span: Span): FileRange | undefined {
    return fileRange(this.#document, cell, span);
  }
  /** Returns a span of a cell as one of its document. */
  toDocument(cell: Cell, span: Span): Span {
    const place = this.#document.placeOf(cell);
    return place ? toDocument(place, span) : span;
  }
  /** Returns the names that cells of the document declare. */
  names(): readonly string[] {
    return this.#document.cells.flatMap((cell) => declarations(cell).map(({ name }) => name));
  }
}
