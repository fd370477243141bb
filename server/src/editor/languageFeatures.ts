import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiItem } from "../abi/item.ts";
import { needsSignatures } from "../abi/needsSignatures.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { type Span, touches } from "../base/span.ts";
import type { FilePlace } from "../base/text.ts";
import type { ExportForm } from "../convert/exported.ts";
import { type CodeAction, codeActions } from "../features/codeActions.ts";
import { type CodeLens, codeLenses } from "../features/codeLens.ts";
import { type Completion, completion } from "../features/completion.ts";
import { definition } from "../features/definition.ts";
import {
  type Diagnostic,
  diagnostics,
  endpointDiagnostics,
  type FileDiagnostic,
  fileDiagnostics,
} from "../features/diagnostics.ts";
import { type FoldingRange, fileFoldingRanges, foldingRanges } from "../features/folding.ts";
import { type FormattingOptions, formatCell, formatFile } from "../features/formatting.ts";
import { type Hover, hover } from "../features/hover.ts";
import { type InlayHint, inlayHints } from "../features/inlayHints.ts";
import { links } from "../features/links.ts";
import { cellNeedsSignatures, completesSignatures, placeNeedsSignatures } from "../features/needsSignatures.ts";
import { references } from "../features/references.ts";
import { type Renameable, rename, renameable } from "../features/rename.ts";
import { fileSelectionRanges, selectionRanges } from "../features/selectionRanges.ts";
import { type SemanticToken, semanticTokens } from "../features/semanticTokens.ts";
import { type SignatureHelp, signatureHelp } from "../features/signatureHelp.ts";
import { type DocumentSymbol, symbols } from "../features/symbols.ts";
import { type WireForm, wireForm } from "../features/wireForm.ts";
import { cellNumbers } from "../notebook/number.ts";
import type { ExportResult } from "../protocol/conversion.ts";
import {
  type CellPlace,
  type Document,
  type DocumentSpan,
  located,
  type TextEdit,
  textEdits,
  toCell,
  toDocument,
} from "../workspace/documents.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import type { AnalysisContexts } from "./analysisContexts.ts";
import type { CellFeature, CellQueries } from "./cellQueries.ts";
import { exportOf } from "./exportCells.ts";
import { writablePlace } from "./writablePlace.ts";

/** A place in an open document, or in a file that is not one of ours. */
export type Location = DocumentSpan | FilePlace;

export interface Highlight {
  readonly span: Span;
  readonly kind: "declaration" | "use";
}

/** What an answer is about: a place in a cell, all cells of a document, or data that is not in it. */
export type Needs = { readonly offset: number; readonly completes?: boolean } | { readonly data: JsonValue } | "cells";

/**
 * What an editor asks of an open document. URIs name text documents, notebooks and cell documents alike; offsets and
 * spans count UTF-16 code units from the start of the document named.
 */
export interface LanguageFeatures {
  /**
   * Loads what an answer may need beside the document: contracts of the workspace, the table of signatures.
   *
   * @returns `undefined` if there is nothing to wait for; else resolves within about a second, and never rejects.
   */
  prepare(uri: string, needs?: Needs): Promise<unknown> | undefined;
  /** What is declared for a document by its header and by the contracts of the workspace. */
  abi(uri: string): { readonly items: readonly AbiItem[]; readonly scope: AbiScope } | undefined;
  completion(uri: string, offset: number): readonly Completion[];
  hover(uri: string, offset: number): Hover | undefined;
  signatureHelp(uri: string, offset: number): SignatureHelp | undefined;
  diagnostics(uri: string): readonly Diagnostic[];
  /** What is wrong in the files of endpoints that the open documents go by, as they were read last. */
  fileDiagnostics(): readonly FileDiagnostic[];
  /** What can be done about a range: fixes of the problems in it, the best first, then what else may be wanted. */
  codeActions(
    uri: string,
    range: Span,
  ): readonly (Omit<CodeAction, "edits"> & { readonly edits: readonly TextEdit[] })[];
  codeLenses(uri: string): readonly CodeLens[];
  inlayHints(uri: string, range: Span): readonly InlayHint[];
  /** @param range - Absent for all of the document. */
  semanticTokens(uri: string, range?: Span): readonly SemanticToken[];
  symbols(uri: string): readonly DocumentSymbol[];
  foldingRanges(uri: string): readonly FoldingRange[];
  /** The ranges around an offset, the innermost first, each in the next. */
  selectionRanges(uri: string, offset: number): readonly Span[];
  links(uri: string): readonly { readonly span: Span; readonly target: string; readonly tooltip: string }[];
  definition(uri: string, offset: number): readonly Location[];
  references(uri: string, offset: number, includeDeclaration: boolean): readonly Location[];
  /** Those of the same document. */
  highlights(uri: string, offset: number): readonly Highlight[];
  renameable(uri: string, offset: number): Renameable | undefined;
  /** @returns Edits in all documents of the notebook, or why there are none. */
  rename(uri: string, offset: number, name: string): readonly TextEdit[] | { readonly refused: string };
  /** @param range - The cells that it touches are laid out, and nothing else; absent for all of the document. */
  formatting(uri: string, options: FormattingOptions, range?: Span): readonly TextEdit[];
  /** Ordinal of the cell at a place; `undefined` for the header and where there is none. */
  cellAt(uri: string, offset: number): number | undefined;
  /** The exact text that a cell would send now, or why it cannot be sent. */
  wireForm(uri: string, index: number): WireForm | undefined;
  /**
   * A cell, or all of a document, written for another tool.
   *
   * @param index - Of the cell; `undefined` for all.
   */
  exported(uri: string, index: number | undefined, form: ExportForm): Promise<ExportResult | undefined>;
}

interface LanguageHost {
  documentOf(uri: string): Document | undefined;
  /** The notebook of a cell; any other document itself. */
  ownerOf(uri: string): string;
  readonly looks: CellQueries;
  readonly scopes: AnalysisContexts;
  readonly contracts: ProjectContracts;
  readonly signatures: SignatureTable;
  readonly routes: Routes;
  /** What stands behind a cell for what its request would give now. */
  hintOf(place: CellPlace, scope: Scope, document: Document): readonly InlayHint[];
}

export function openLanguageFeatures({
  documentOf,
  ownerOf,
  looks,
  scopes,
  contracts,
  signatures,
  routes,
  hintOf,
}: LanguageHost): LanguageFeatures {
  const { at, within, everywhere } = looks;
  /** Contracts of the workspace are looked for when somebody first wants to know something, and not before. */
  const needContracts = (uri: string): void => {
    const document = documentOf(uri);
    if (document) contracts.need(document);
  };
  const inDocument = <T>(uri: string, look: (document: Document) => readonly T[]): readonly T[] => {
    const document = documentOf(uri);
    return document ? look(document) : [];
  };

  return {
    prepare(uri, needs) {
      if (typeof needs === "object" && "offset" in needs) needContracts(uri);
      const isNeeded = (): boolean => {
        if (needs === undefined) return false;
        if (needs === "cells")
          return (documentOf(uri)?.placesIn(uri) ?? []).some(({ cell }) => cellNeedsSignatures(cell));
        if ("data" in needs) return needsSignatures(needs.data);
        const needed = needs.completes ? completesSignatures : placeNeedsSignatures;
        return at(uri, needs.offset, ({ cell }, inCell, scope) => needed(cell, inCell, scope)) === true;
      };
      const waits = [contracts.firstSearch(), signatures.loadIf(isNeeded)].filter((wait) => wait !== undefined);
      return waits.length === 0 ? undefined : Promise.all(waits);
    },
    abi(uri) {
      needContracts(uri);
      const document = documentOf(uri);
      const cell = document?.header ?? document?.cells[0];
      const around = document && { header: document.header, abis: contracts.known(document) };
      return cell && around && { items: abiItems(cell, around), scope: abiScope(cell, around) };
    },
    completion(uri, offset) {
      needContracts(uri);
      const document = documentOf(uri);
      const found = document && writablePlace(document, uri, offset);
      const inCell = found && toCell(found.place, offset);
      if (!document || !found || inCell === undefined) return [];
      const { place, shape } = found;
      return completion(place.cell, inCell, scopes.of(document).scope, shape).map((one) => ({
        ...moved(one, place),
        ...(one.also && { also: one.also.map((edit) => moved(edit, place)) }),
      }));
    },
    hover(uri, offset) {
      needContracts(uri);
      return at(uri, offset, (place, inCell, scope) => {
        const found = hover(place.cell, inCell, scope);
        return found && moved(found, place);
      });
    },
    signatureHelp(uri, offset) {
      needContracts(uri);
      return at(uri, offset, ({ cell }, inCell, scope) => signatureHelp(cell, inCell, scope));
    },
    diagnostics(uri) {
      const faults = documentOf(uri)?.faults ?? [];
      const found = everywhere(uri, diagnostics);
      if (found.some(({ code }) => ofAbis.has(code))) needContracts(uri);
      return faults.length === 0 ? found : [...fileDiagnostics(faults), ...found];
    },
    fileDiagnostics: () => endpointDiagnostics(routes.problems()),
    codeActions: (uri, range) =>
      within(uri, range, (place, inCell, scope, document) =>
        codeActions(place.cell, inCell, scope).flatMap(({ edits, fixes, ...action }) => {
          const made = textEdits(document, edits);
          return made ? [{ ...action, ...(fixes && { fixes: moved(fixes, place) }), edits: made }] : [];
        }),
      ),
    codeLenses: (uri) => everywhere(uri, lensesOfCell),
    inlayHints: (uri, range) =>
      within(uri, range, (place, _, scope, document) =>
        [...inlayHints(place.cell, scope), ...hintOf(place, scope, document)].map((hint) => moved(hint, place)),
      ).filter(({ span }) => range.start <= span.start && span.start <= range.end),
    semanticTokens(uri, range) {
      const found = range
        ? within(uri, range, (place, _, scope) => semanticTokens(place.cell, scope).map((one) => moved(one, place)))
        : everywhere(uri, semanticTokens);
      return documentOf(uri)?.file ? [...found].sort((a, b) => a.span.start - b.span.start) : found;
    },
    symbols: (uri) => [...everywhere(uri, symbolsOfCell, movedSymbol)].sort((a, b) => a.span.start - b.span.start),
    foldingRanges(uri) {
      const file = documentOf(uri)?.file;
      return [...(file ? fileFoldingRanges(file) : []), ...everywhere(uri, foldingRanges)];
    },
    selectionRanges(uri, offset) {
      const inCell =
        at(uri, offset, (place, at) => selectionRanges(place.cell, at).map((one) => toDocument(place, one))) ?? [];
      const file = documentOf(uri)?.file;
      return file ? fileSelectionRanges(file, inCell, offset) : inCell;
    },
    links: (uri) =>
      everywhere(uri, links).flatMap(({ target, ...link }) => {
        const [written, base] = "url" in target ? [target.url] : [target.path, ownerOf(uri)];
        return URL.canParse(written, base) ? [{ ...link, target: new URL(written, base).href }] : [];
      }),
    definition: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        definition(cell, inCell, scope).flatMap((found): readonly Location[] =>
          "uri" in found ? [found] : located(document, found),
        ),
      ) ?? [],
    references: (uri, offset, includeDeclaration) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope)
          .filter(({ kind }) => includeDeclaration || kind === "use")
          .flatMap((use) => located(document, use)),
      ) ?? [],
    highlights: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope).flatMap((use) =>
          located(document, use).flatMap((place) => (place.uri === uri ? { span: place.span, kind: use.kind } : [])),
        ),
      ) ?? [],
    renameable: (uri, offset) =>
      at(uri, offset, (place, inCell, scope) => {
        const found = renameable(place.cell, inCell, scope);
        return found && moved(found, place);
      }),
    rename: (uri, offset, name) =>
      at(uri, offset, ({ cell }, inCell, scope, document) => {
        const edits = rename(cell, inCell, name, scope);
        if ("refused" in edits) return edits;
        return textEdits(document, edits) ?? { refused: "The header cannot be changed here." };
      }) ?? { refused: "There is nothing to rename here." },
    formatting: (uri, options, range) =>
      inDocument(uri, (document) => {
        const edits = document.file
          ? formatFile(document.file, options)
          : document.placesIn(uri).flatMap(({ cell }) => formatCell(cell, options));
        const cells = range && within(uri, range, spansOf);
        const wanted = cells ? edits.filter(({ span }) => cells.some((cell) => touches(cell, span.end))) : edits;
        return wanted.map((edit) => ({ uri, ...edit }));
      }),
    cellAt: (uri, offset) => documentOf(uri)?.placeAt(uri, offset)?.index,
    wireForm(uri, index) {
      needContracts(uri);
      const document = documentOf(uri);
      const cell = document?.cells[index];
      return document && cell && wireForm(cell, scopes.of(document).scope);
    },
    async exported(uri, index, form) {
      const document = documentOf(uri);
      return document && exportOf(document, index, form, scopes.of(document).scope, routes);
    },
  };
}

/** What contracts of the workspace may mend. */
const ofAbis: ReadonlySet<string> = new Set(["unknown-function", "unknown-event"]);

const lensesOfCell: CellFeature<CodeLens> = (cell, scope, index) =>
  index === undefined ? [] : codeLenses(cell, scope, index);

/** Something found in a cell, with its span in the document. */
function moved<Found extends { readonly span: Span }>(found: Found, place: CellPlace): Found {
  return { ...found, span: toDocument(place, found.span) };
}

/** Where a cell's text stands in its document; the header of a file stands around the cells. */
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

function movedSymbol(symbol: DocumentSymbol, place: CellPlace): DocumentSymbol {
  return {
    ...moved(symbol, place),
    selection: toDocument(place, symbol.selection),
    children: symbol.children.map((child) => movedSymbol(child, place)),
  };
}
