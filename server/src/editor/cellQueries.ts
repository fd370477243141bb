import { referredTo } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type CellPlace, type Document, partIn, toCell, toDocument } from "../workspace/documents.ts";
import type { AnalysisContext, AnalysisContexts, ChangedCells } from "./analysisContexts.ts";

/** What a feature knows of a whole cell. Other cells it goes by only in their names, and in those that its cell refers to. */
export type CellFeature<Found> = (cell: Cell, scope: Scope, index: number | undefined) => readonly Found[];

/** Looks at the cells of open documents; URIs and offsets are those of the client. */
export interface CellQueries {
  /** At the cell under an offset, which comes in the cell's. */
  at<T>(
    uri: string,
    offset: number,
    look: (place: CellPlace, offset: number, scope: Scope, document: Document) => T,
  ): T | undefined;
  /** At every cell that a range touches, with the part of it that lies there. */
  within<T>(
    uri: string,
    range: Span,
    look: (place: CellPlace, part: Span, scope: Scope, document: Document) => readonly T[],
  ): readonly T[];
  /** At all cells. Those that nothing has changed for are not looked at again; spans count in the document. */
  everywhere<T extends { readonly span: Span }>(
    uri: string,
    feature: CellFeature<T>,
    move?: MoveToDocument<T>,
  ): readonly T[];
}

/** Something found in a cell as it stands in the document; the same function every time. */
type MoveToDocument<T> = (found: T, place: CellPlace) => T;

export function openCellQueries(
  documentOf: (uri: string) => Document | undefined,
  scopes: AnalysisContexts,
): CellQueries {
  const answer = cachedAnswers();
  const moved = cachedMoves();
  return {
    at(uri, offset, look) {
      const document = documentOf(uri);
      const place = document?.placeAt(uri, offset);
      const inCell = place && toCell(place, offset);
      return document && place && inCell !== undefined
        ? look(place, inCell, scopes.of(document).scope, document)
        : undefined;
    },
    within(uri, range, look) {
      const document = documentOf(uri);
      if (!document) return [];
      const { scope } = scopes.of(document);
      return document.placesIn(uri, range).flatMap((place) => {
        const part = partIn(place, range);
        return part ? look(place, part, scope, document) : [];
      });
    },
    everywhere<T extends { readonly span: Span }>(
      uri: string,
      feature: CellFeature<T>,
      move: MoveToDocument<T> = (one, place) => ({ ...one, span: toDocument(place, one.span) }),
    ): readonly T[] {
      const document = documentOf(uri);
      if (!document) return [];
      const around = scopes.of(document);
      const places = document.placesIn(uri);
      const [only] = places;
      if (only?.at === 0 && places.length === 1) return answer(feature, only, around); // the same array while nothing changes
      const all: T[] = []; // filled in a loop: most of thousands of cells have nothing to add
      for (const place of places) {
        const found = answer(feature, place, around);
        if (found.length > 0) for (const one of moved(found, place, move)) all.push(one);
      }
      return all;
    },
  };
}

/** Moves what was found in a cell to where the cell stands, once for as long as it stands there. */
function cachedMoves(): <T>(found: readonly T[], place: CellPlace, move: MoveToDocument<T>) => readonly T[] {
  const known = new WeakMap<readonly unknown[], { readonly at: CellPlace["at"]; readonly moved: unknown }>();
  return <T>(found: readonly T[], place: CellPlace, move: MoveToDocument<T>) => {
    const last = known.get(found);
    if (last?.at === place.at) return last.moved as readonly T[]; // of what was found
    const moved = found.map((one) => move(one, place));
    known.set(found, { at: place.at, moved });
    return moved;
  };
}

interface Answer {
  readonly found: unknown;
  readonly mark: ChangedCells;
  readonly referred: readonly Cell[];
}

/** Asks a feature about a cell, unless it has answered and nothing that it goes by has changed. */
function cachedAnswers(): <T>(feature: CellFeature<T>, place: CellPlace, around: AnalysisContext) => readonly T[] {
  const known = new WeakMap<object, WeakMap<Cell, Answer>>();
  return <T>(feature: CellFeature<T>, { cell, index }: CellPlace, { scope, mark }: AnalysisContext) => {
    const answers = known.get(feature) ?? new WeakMap<Cell, Answer>();
    known.set(feature, answers);
    const last = answers.get(cell);
    const holds = last?.mark === mark && !last.referred.some((other) => mark.has(other));
    if (holds) return last.found as readonly T[]; // of this feature
    const found = feature(cell, scope, index);
    answers.set(cell, { found, mark, referred: referredTo(cell, scope.cells) });
    return found;
  };
}
