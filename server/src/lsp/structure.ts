import {
  type DocumentFormattingParams,
  type DocumentLink,
  type DocumentLinkParams,
  type DocumentRangeFormattingParams,
  type DocumentSymbolParams,
  type FoldingRangeParams,
  type DocumentSymbol as LspDocumentSymbol,
  type FoldingRange as LspFoldingRange,
  type Range,
  type SelectionRange,
  type SelectionRangeParams,
  type SymbolInformation,
  SymbolKind,
  type TextEdit,
} from "vscode-languageserver";
import type { FoldingRange } from "../features/folding.ts";
import type { FormattingOptions, Replacement } from "../features/formatting.ts";
import type { DocumentSymbol } from "../features/symbols.ts";
import { joinedAnswers } from "./joined.ts";
import { piecesBy, type RangeOf } from "./pieces.ts";
import { type OpenText, spanOf, toRange } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with the outline of a text: nested, or as a list for editors that do not nest symbols. */
export function answerSymbols(session: Session): void {
  const { connection, client, service } = session;
  const nested = piecesBy((symbols: readonly DocumentSymbol[], rangeOf) =>
    symbols.map((symbol) => toSymbol(symbol, rangeOf)),
  );
  const list = piecesBy(toList);
  const joined = joinedAnswers();
  connection.onDocumentSymbol(
    textRequest<DocumentSymbolParams, LspDocumentSymbol[] | SymbolInformation[]>(session, "symbols", (text) => {
      const placed = service.symbols(text.uri);
      return client.nestsSymbols
        ? joined<LspDocumentSymbol>(text, nested(text, placed))
        : joined<SymbolInformation>(text, list(text, placed));
    }),
  );
}

const symbolKinds: Readonly<Record<DocumentSymbol["kind"], SymbolKind>> = {
  header: SymbolKind.Module,
  variable: SymbolKind.Variable,
  label: SymbolKind.Constant,
  request: SymbolKind.Method,
  batch: SymbolKind.Array,
  markdown: SymbolKind.String,
};

function toSymbol(
  { name, detail, kind, span, selection, children }: DocumentSymbol,
  rangeOf: RangeOf,
): LspDocumentSymbol {
  return {
    name: name || "…", // editors refuse a symbol without a name, and all others with it
    kind: symbolKinds[kind],
    range: rangeOf(span),
    selectionRange: rangeOf(selection),
    ...(detail && { detail }),
    ...(children.length > 0 && { children: children.map((child) => toSymbol(child, rangeOf)) }),
  };
}

function toList(
  symbols: readonly DocumentSymbol[],
  rangeOf: RangeOf,
  text: OpenText,
  containerName?: string,
): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, span, children }) => [
    {
      name: name || "…",
      kind: symbolKinds[kind],
      location: { uri: text.uri, range: rangeOf(span) },
      ...(containerName !== undefined && { containerName }),
    },
    ...toList(children, rangeOf, text, name),
  ]);
}

/** Answers with the ranges that span several lines. */
export function answerFolding(session: Session): void {
  const { connection, service } = session;
  const folds = piecesBy((ranges: readonly FoldingRange[], rangeOf) =>
    ranges.flatMap(({ span, isHeader }): LspFoldingRange[] => {
      const { start, end } = rangeOf(span);
      if (start.line >= end.line) return [];
      // The only kind that VS Code can show folded at first.
      return [{ startLine: start.line, endLine: end.line, ...(isHeader && { kind: "imports" }) }];
    }),
  );
  const joined = joinedAnswers();
  connection.onFoldingRanges(
    textRequest<FoldingRangeParams, LspFoldingRange[]>(session, "folding", (text) =>
      joined(text, folds(text, service.foldingRanges(text.uri))),
    ),
  );
}

/** Answers with the nested ranges around each position. */
export function answerSelectionRanges(session: Session): void {
  const { connection, service } = session;
  connection.onSelectionRanges(
    textRequest<SelectionRangeParams, SelectionRange[]>(session, "selection ranges", (text, { positions }) =>
      positions.map((position) => {
        const offset = text.offsetAt(position);
        const ranges = service.selectionRanges(text.uri, offset).map((span) => toRange(text, span));
        return nested(ranges) ?? { range: toRange(text, { start: offset, end: offset }) };
      }),
    ),
  );
}

/** @param ranges - The innermost first. */
function nested(ranges: readonly Range[]): SelectionRange | undefined {
  return ranges.reduceRight<SelectionRange | undefined>(
    (parent, range) => ({ range, ...(parent && { parent }) }),
    undefined,
  );
}

/** Answers with the links of a text: addresses at explorers, and files of the project. */
export function answerLinks(session: Session): void {
  const { connection, service } = session;
  connection.onDocumentLinks(
    textRequest<DocumentLinkParams, DocumentLink[]>(session, "links", (text) =>
      service
        .links(text.uri)
        .map(({ span, target, tooltip }) => ({ range: toRange(text, span), target, ...(tooltip && { tooltip }) })),
    ),
  );
}

/** Answers with the edits that format a text, or the cells that a range touches. */
export function answerFormatting(session: Session): void {
  const { connection, service } = session;
  const toEdits = piecesBy((edits: readonly Replacement[], rangeOf) =>
    edits.map(({ span, insert }): TextEdit => ({ range: rangeOf(span), newText: insert })),
  );
  const joined = joinedAnswers();
  const edits = (text: OpenText, options: DocumentFormattingParams["options"], range?: Range): TextEdit[] => {
    const placed = service.formatting(text.uri, indentOf(options), range && spanOf(text, range));
    return joined(text, toEdits(text, placed));
  };
  connection.onDocumentFormatting(
    textRequest<DocumentFormattingParams, TextEdit[]>(session, "formatting", (text, { options }) =>
      edits(text, options),
    ),
  );
  connection.onDocumentRangeFormatting(
    textRequest<DocumentRangeFormattingParams, TextEdit[]>(session, "range formatting", (text, { options, range }) =>
      edits(text, options, range),
    ),
  );
}

function indentOf({ tabSize, insertSpaces }: DocumentFormattingParams["options"]): FormattingOptions {
  const spaces = Number.isInteger(tabSize) ? Math.min(Math.max(tabSize, 1), 16) : 2;
  return { indent: insertSpaces === false ? "\t" : " ".repeat(spaces) };
}
