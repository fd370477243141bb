import { type Span, touches } from "../base/span.ts";
import { type FoldingRange, fileFoldingRanges, foldingRanges } from "../features/folding.ts";
import { type FormattingOptions, formatCell, formatParts, type Replacement } from "../features/formatting.ts";
import { fileSelectionRanges, selectionRanges } from "../features/selectionRanges.ts";
import { type DocumentSymbol, symbols } from "../features/symbols.ts";
import { cellNumbers } from "../notebook/key.ts";
import { type CellPlace, toDocument } from "../workspace/documents.ts";
import { type CellFeature, inTextOrder, type Placed, together } from "./cellQueries.ts";
import type { LanguageHost } from "./languageHost.ts";

/** Features of the structure of a text. */
export type StructureFeatures = ReturnType<typeof structureFeatures>;

export function structureFeatures({ documents, queries }: LanguageHost) {
  const { at, everywhere, within } = queries;
  return {
    symbols: (uri: string): readonly Placed<DocumentSymbol>[] => inTextOrder(everywhere(uri, symbolsOfCell)),
    foldingRanges(uri: string): readonly Placed<FoldingRange>[] {
      const document = documents.of(uri);
      const ranges = everywhere(uri, foldingRanges);
      if (document?.file) return [{ at: 0, items: fileFoldingRanges(document.file) }, ...ranges];
      const isHeader = document !== undefined && document.placesIn(uri)[0]?.cell === document.header;
      if (!isHeader) return ranges;
      return ranges.map(({ at, items: [first, ...rest] }) => ({
        at,
        items: first ? [{ ...first, isHeader }, ...rest] : [],
      }));
    },
    /** Returns the ranges around an offset, the innermost first, each inside of the next. */
    selectionRanges(uri: string, offset: number): readonly Span[] {
      const inCell =
        at(uri, offset, (place, at) => selectionRanges(place.cell, at).map((one) => toDocument(place, one))) ?? [];
      const file = documents.of(uri)?.file;
      return file ? fileSelectionRanges(file, inCell, offset) : inCell;
    },
    /** @param range - Formats only the cells that it touches. Absent for the whole document. */
    formatting(uri: string, options: FormattingOptions, range?: Span): readonly Placed<Replacement>[] {
      const document = documents.of(uri);
      if (!document) return [];
      const edits = document.file
        ? formatParts(document.file, options)
        : document.placesIn(uri).map(({ cell, at }) => ({ at, items: formatCell(cell, options) }));
      const cells = range && within(uri, range, spansOf);
      if (!cells) return edits;
      const inRange = together(edits).filter(({ span }) => cells.some((cell) => touches(cell, span.end)));
      return [{ at: 0, items: inRange }];
    },
  };
}

/** Returns the spans of a cell in its document. The header of a file surrounds the cells, so it has two. */
function spansOf({ at, cell }: CellPlace): readonly Span[] {
  if (typeof at === "number") return [{ start: at, end: at + cell.text.length }];
  const { span, cut } = at;
  return [
    { start: span.start, end: cut.start },
    { start: cut.end, end: span.end },
  ];
}

const symbolsOfCell: CellFeature<DocumentSymbol> = (cell, scope, index) =>
  symbols(cell, index === undefined ? undefined : cellNumbers(scope.cells)[index], scope);
