import { referredTo } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type CellPlace, type Document, partIn, toCell, toDocument } from "../workspace/documents.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { AnalysisContext, AnalysisContexts, ReplacedCells } from "./analysisContexts.ts";

/** A feature of a whole cell. It depends on other cells only by their names, and on those that the cell refers to. */
export type CellFeature<Item> = (cell: Cell, scope: Scope, index: number | undefined) => readonly Item[];

/** Applies features to the cells of open documents. URIs and offsets are those of the editor. */
export interface CellQueries {
  /** Asks about the cell at an offset. The query gets the offset in the cell. */
  at<Result>(
    uri: string,
    offset: number,
    query: (place: CellPlace, offset: number, scope: Scope, document: Document) => Result,
  ): Result | undefined;
  /** Asks about every cell that a range touches. The query gets the part of the range in the cell. */
  within<Item>(
    uri: string,
    range: Span,
    query: (place: CellPlace, part: Span, scope: Scope, document: Document) => readonly Item[],
  ): readonly Item[];
  /**
   * Asks about all cells, and keeps the answers while nothing changes that they depend on.
   *
   * @param range - Asks only about the cells that it touches.
   */
  everywhere<Item>(uri: string, feature: CellFeature<Item>, range?: Span): readonly Placed<Item>[];
}

/** The answer of a feature about one cell, or about what is around the cells. */
export interface Placed<Item> {
  readonly at: CellPlace["at"];
  /** Spans count in the cell. The same array until something changes that it depends on. */
  readonly items: readonly Item[];
}

/** Returns the items of all cells. Their spans count in the document. */
export function together<Item extends { readonly span: Span }>(placed: readonly Placed<Item>[]): readonly Item[] {
  const [first] = placed;
  if (!first) return none;
  if (first.at === 0 && placed.length === 1) return first.items; // the same array while nothing changes
  return placed.flatMap((one) => one.items.map((item) => inDocument(item, one)));
}

const none: readonly never[] = [];

/** Puts the items of a file's header, which is around the cells, before the cells and after them. */
export function inTextOrder<Item extends { readonly span: Span }>(
  placed: readonly Placed<Item>[],
): readonly Placed<Item>[] {
  const header = placed.at(-1);
  if (!header || typeof header.at === "number") return placed;
  const { at, items } = header;
  const isBefore = (item: Item): boolean => toDocument(header, item.span).start <= at.cut.start;
  const [before, after] = [items.filter(isBefore), items.filter((item) => !isBefore(item))];
  return [{ at, items: before }, ...placed.slice(0, -1), { at, items: after }].filter(({ items }) => items.length > 0);
}

/** Moves a span in a cell to its place in the document. */
export function inDocument<Item extends { readonly span: Span }>(
  item: Item,
  place: { readonly at: CellPlace["at"] },
): Item {
  return { ...item, span: toDocument(place, item.span) };
}

export function openCellQueries(documents: OpenDocuments, contexts: AnalysisContexts): CellQueries {
  const answers = cachedAnswers();
  return {
    at(uri, offset, query) {
      const document = documents.of(uri);
      const place = document?.placeAt(uri, offset);
      const inCell = place && toCell(place, offset);
      return document && place && inCell !== undefined
        ? query(place, inCell, contexts.of(document).scope, document)
        : undefined;
    },
    within(uri, range, query) {
      const document = documents.of(uri);
      if (!document) return [];
      const { scope } = contexts.of(document);
      return document.placesIn(uri, range).flatMap((place) => {
        const part = partIn(place, range);
        return part ? query(place, part, scope, document) : [];
      });
    },
    everywhere<Item>(uri: string, feature: CellFeature<Item>, range?: Span) {
      const document = documents.of(uri);
      if (!document) return [];
      const answerOf = answers(feature, contexts.of(document));
      const all: Placed<Item>[] = []; // filled in a loop: most of thousands of cells have nothing to add
      for (const place of document.placesIn(uri, range)) {
        if (range && !partIn(place, range)) continue;
        const items = answerOf(place);
        if (items.length > 0) all.push({ at: place.at, items });
      }
      return all;
    },
  };
}

interface CachedAnswer {
  readonly cell: Cell;
  readonly items: unknown;
  /** The cells that the cell refers to. */
  readonly referred: readonly Cell[];
}

/** Asks a feature about cells, unless it has answered and nothing has changed that the answer depends on. */
function cachedAnswers(): <Item>(
  feature: CellFeature<Item>,
  context: AnalysisContext,
) => (place: CellPlace) => readonly Item[] {
  /** By the place of the cell: none is added or moved while the set of replaced cells is the same. */
  const cache = new WeakMap<object, WeakMap<ReplacedCells, CachedAnswer[]>>();
  return <Item>(feature: CellFeature<Item>, { scope, replaced }: AnalysisContext) => {
    const ofFeature = cache.get(feature) ?? new WeakMap<ReplacedCells, CachedAnswer[]>();
    cache.set(feature, ofFeature);
    const answers = ofFeature.get(replaced) ?? [];
    ofFeature.set(replaced, answers);
    return ({ cell, index }: CellPlace): readonly Item[] => {
      const place = index === undefined ? 0 : index + 1; // the header is the first
      const last = answers[place];
      const isCurrent = last?.cell === cell && !last.referred.some((other) => replaced.has(other));
      if (isCurrent) return last.items as readonly Item[]; // of this feature
      const items = feature(cell, scope, index);
      answers[place] = { cell, items, referred: referredTo(cell, scope.cells) };
      return items;
    };
  };
}
