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
import type { FormattingOptions } from "../features/formatting.ts";
import type { DocumentSymbol } from "../features/symbols.ts";
import { toEdit } from "./locations.ts";
import { type OpenText, spanOf, toRange } from "./positions.ts";
import { type Session, textRequest } from "./session.ts";

/** Answers with the outline of a text: nested, or as a list for editors that do not nest symbols. */
export function answerSymbols(session: Session): void {
  const { connection, client, service } = session;
  connection.onDocumentSymbol(
    textRequest<DocumentSymbolParams, LspDocumentSymbol[] | SymbolInformation[]>(session, "symbols", (text) => {
      const symbols = service.symbols(text.uri);
      return client.nestsSymbols ? symbols.map((symbol) => toSymbol(text, symbol)) : toList(text, symbols);
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
  text: OpenText,
  { name, detail, kind, span, selection, children }: DocumentSymbol,
): LspDocumentSymbol {
  return {
    name: name || "…", // editors refuse a symbol without a name, and all others with it
    kind: symbolKinds[kind],
    range: toRange(text, span),
    selectionRange: toRange(text, selection),
    ...(detail && { detail }),
    ...(children.length > 0 && { children: children.map((child) => toSymbol(text, child)) }),
  };
}

function toList(text: OpenText, symbols: readonly DocumentSymbol[], containerName?: string): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, span, children }) => [
    {
      name: name || "…",
      kind: symbolKinds[kind],
      location: { uri: text.uri, range: toRange(text, span) },
      ...(containerName !== undefined && { containerName }),
    },
    ...toList(text, children, name),
  ]);
}

/** Answers with the ranges that span several lines. */
export function answerFolding(session: Session): void {
  const { connection, service } = session;
  connection.onFoldingRanges(
    textRequest<FoldingRangeParams, LspFoldingRange[]>(session, "folding", (text) =>
      service.foldingRanges(text.uri).flatMap(({ span, isHeader }) => {
        const { start, end } = toRange(text, span);
        if (start.line >= end.line) return [];
        // The only kind that VS Code can show folded at first.
        return [{ startLine: start.line, endLine: end.line, ...(isHeader && { kind: "imports" }) }];
      }),
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
  connection.onDocumentFormatting(
    textRequest<DocumentFormattingParams, TextEdit[]>(session, "formatting", (text, { options }) =>
      service.formatting(text.uri, indentOf(options)).map((edit) => toEdit(text, edit)),
    ),
  );
  connection.onDocumentRangeFormatting(
    textRequest<DocumentRangeFormattingParams, TextEdit[]>(session, "range formatting", (text, { options, range }) =>
      service.formatting(text.uri, indentOf(options), spanOf(text, range)).map((edit) => toEdit(text, edit)),
    ),
  );
}

function indentOf({ tabSize, insertSpaces }: DocumentFormattingParams["options"]): FormattingOptions {
  const spaces = Number.isInteger(tabSize) ? Math.min(Math.max(tabSize, 1), 16) : 2;
  return { indent: insertSpaces === false ? "\t" : " ".repeat(spaces) };
}
