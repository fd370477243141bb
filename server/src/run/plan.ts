import type { AbiItem } from "../abi/item.ts";
import { order, referredTo } from "../analysis/order.ts";
import { declarations, nameOf } from "../analysis/references.ts";
import { memoByObject } from "../base/memo.ts";
import type { Span } from "../base/span.ts";
import type { FileRange } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell, CellRef } from "../notebook/cell.ts";
import { cellNumbers } from "../notebook/key.ts";
import { isBlank } from "../notebook/lines.ts";
import { type Document, fileRange, toDocument } from "../workspace/documents.ts";
import { indexOfRef, keysOf } from "../workspace/openDocuments.ts";

/** One cell of a run. */
export interface Step {
  /** Index among the notebook's cells, from 0, without the header. */
  readonly index: number;
  /** Number for people, if it has no name: from 1, without Markdown. */
  readonly number: number;
  readonly cell: Cell;
  /** Steps that must end first, by index, in the order of the notebook: the first cell that has a name gives its value. */
  readonly needs: readonly number[];
  /** Names of the cells that refer to each other in a circle with this one; such a cell is never sent. */
  readonly cycle: readonly string[] | undefined;
  /** The requests of the last run, if they depend only on what is named here. */
  made?: PreparedRequests;
}

/** Requests, and what they depend on beside the text of their cell. */
export interface PreparedRequests {
  readonly requests: readonly EvaluatedRequest[];
  readonly expected: undefined;
  /** The id of the first request that has none of its own. */
  readonly freshId: number;
  readonly catalog: Catalog;
  readonly abi: readonly AbiItem[];
}

/**
 * Plans a run: the requested cells and, before them, those that they refer to. Markdown is left out, and so are cells
 * without any text, unless one is all that was requested: an editor adds one below the last cell that was run.
 *
 * @param wanted - Indices of cells; absent for all.
 * @returns Steps in the order of the notebook; `needs` says which ones wait for others.
 */
export function plan(cells: readonly Cell[], wanted?: readonly number[]): readonly Step[] {
  if (!wanted) return wholePlan(cells);
  const all = wanted.length === 1 ? everyStep(cells) : wholePlan(cells);
  const byIndex = new Map(all.map((step) => [step.index, step]));
  const included = new Set<number>();
  const open = [...wanted];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (included.has(index)) continue;
    included.add(index);
    open.push(...(byIndex.get(index)?.needs ?? nothing));
  }
  return all.filter(({ index }) => included.has(index));
}

/** Plans of whole notebooks, by their list of cells. */
const everyStep = memoByObject(planned);
const wholePlan = memoByObject((cells: readonly Cell[]): readonly Step[] =>
  everyStep(cells).filter(({ cell }) => !isBlank(cell)),
);

function planned(cells: readonly Cell[]): readonly Step[] {
  let places: ReadonlyMap<Cell, number> | undefined;
  const needsOf = (cell: Cell): readonly number[] => {
    const targets = referredTo(cell, cells);
    if (targets.length === 0) return nothing;
    places ??= new Map(cells.map((each, index) => [each, index] as const).toReversed()); // the first of two counts
    return targets.flatMap((target) => places?.get(target) ?? []).sort((a, b) => a - b);
  };
  const { cycles } = order(cells);
  const numbers = cellNumbers(cells);
  const steps: Step[] = [];
  let index = -1;
  for (const cell of cells) {
    index++;
    if (cell.kind === "markdown" || cell.kind === "header") continue;
    const ring = cycles.find((each) => each.includes(cell));
    const cycle = ring?.map((each) => nameOf(each) ?? "a cell");
    steps.push({ index, number: numbers[index] ?? 0, cell, needs: needsOf(cell), cycle });
  }
  return steps;
}

const nothing: readonly number[] = [];

/** Returns the cells of a plan: the same list for the same plan. */
const cellsOf = memoByObject((steps: readonly Step[]): readonly Cell[] => steps.map(({ cell }) => cell));

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
