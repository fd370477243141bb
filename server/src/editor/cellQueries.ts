import { referredTo } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type CellPlace, type Document, partIn, toCell, toDocument } from "../workspace/documents.ts";
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
  /** Asks about all cells, and keeps the answers while nothing changes that they depend on. Spans count in the document. */
  everywhere<Item extends { readonly span: Span }>(
    uri: string,
    feature: CellFeature<Item>,
    move?: MoveToDocument<Item>,
  ): readonly Item[];
}

/** Moves an item from its cell to the document. Must be the same function every time. */
type MoveToDocument<Item> = (item: Item, place: CellPlace) => Item;

export function openCellQueries(
  documentOf: (uri: string) => Document | undefined,
  contexts: AnalysisContexts,
): CellQueries {
  const answer = cachedAnswers();
  const moved = cachedMoves();
  return {
    at(uri, offset, query) {
      const document = documentOf(uri);
      const place = document?.placeAt(uri, offset);
      const inCell = place && toCell(place, offset);
      return document && place && inCell !== undefined
        ? query(place, inCell, contexts.of(document).scope, document)
        : undefined;
    },
    within(uri, range, query) {
      const document = documentOf(uri);
      if (!document) return [];
      const { scope } = contexts.of(document);
      return document.placesIn(uri, range).flatMap((place) => {
        const part = partIn(place, range);
        return part ? query(place, part, scope, document) : [];
      });
    },
    everywhere<Item extends { readonly span: Span }>(
      uri: string,
      feature: CellFeature<Item>,
      move: MoveToDocument<Item> = (item, place) => ({ ...item, span: toDocument(place, item.span) }),
    ): readonly Item[] {
      const document = documentOf(uri);
      if (!document) return [];
      const context = contexts.of(document);
      const places = document.placesIn(uri);
      const [only] = places;
      if (only?.at === 0 && places.length === 1) return answer(feature, only, context); // the same array while nothing changes
      const all: Item[] = []; // filled in a loop: most of thousands of cells have nothing to add
      for (const place of places) {
        const items = answer(feature, place, context);
        if (items.length > 0) for (const item of moved(items, place, move)) all.push(item);
      }
      return all;
    },
  };
}

/** Moves the items of a cell to the document, once for as long as the cell stays at its place. */
function cachedMoves(): <Item>(
  items: readonly Item[],
  place: CellPlace,
  move: MoveToDocument<Item>,
) => readonly Item[] {
  const cache = new WeakMap<readonly unknown[], { readonly at: CellPlace["at"]; readonly moved: unknown }>();
  return <Item>(items: readonly Item[], place: CellPlace, move: MoveToDocument<Item>) => {
    const last = cache.get(items);
    if (last?.at === place.at) return last.moved as readonly Item[]; // the same items
    const moved = items.map((item) => move(item, place));
    cache.set(items, { at: place.at, moved });
    return moved;
  };
}

interface CachedAnswer {
  readonly items: unknown;
  readonly replaced: ReplacedCells;
  /** The cells that the cell refers to. */
  readonly referred: readonly Cell[];
}

/** Asks a feature about a cell, unless it has answered and nothing has changed that the answer depends on. */
function cachedAnswers(): <Item>(
  feature: CellFeature<Item>,
  place: CellPlace,
  context: AnalysisContext,
) => readonly Item[] {
  const cache = new WeakMap<object, WeakMap<Cell, CachedAnswer>>();
  return <Item>(feature: CellFeature<Item>, { cell, index }: CellPlace, { scope, replaced }: AnalysisContext) => {
    const answers = cache.get(feature) ?? new WeakMap<Cell, CachedAnswer>();
    cache.set(feature, answers);
    const last = answers.get(cell);
    const isCurrent = last?.replaced === replaced && !last.referred.some((other) => replaced.has(other));
    if (isCurrent) return last.items as readonly Item[]; // of this feature
    const items = feature(cell, scope, index);
    answers.set(cell, { items, replaced, referred: referredTo(cell, scope.cells) });
    return items;
  };
}
