import { namesVariables } from "../analysis/storage.ts";
import type { Span } from "../base/span.ts";
import { type CodeLens, codeLenses } from "../features/codeLens.ts";
import {
  type Diagnostic,
  descriptorDiagnostics,
  diagnostics,
  endpointDiagnostics,
  type FileDiagnostic,
  fileDiagnostics,
} from "../features/diagnostics.ts";
import { type InlayHint, inlayHints } from "../features/inlayHints.ts";
import { links } from "../features/links.ts";
import { type SemanticToken, semanticTokens } from "../features/semanticTokens.ts";
import { type CellFeature, inDocument, inTextOrder, type Placed, together } from "./cellQueries.ts";
import { type LanguageHost, needContracts } from "./languageHost.ts";

/** Features that an editor shows in the text by itself. */
export type Annotations = ReturnType<typeof annotations>;

export function annotations(host: LanguageHost) {
  const { documents, queries, workspace, hintOf } = host;
  const { everywhere, within } = queries;
  return {
    diagnostics(uri: string): readonly Diagnostic[] {
      const faults = documents.of(uri)?.faults ?? [];
      const ofCells = together(everywhere(uri, diagnostics));
      const isNamed = documents.of(uri)?.cells.some(namesVariables) ?? false;
      if (isNamed || ofCells.some(({ code }) => ofAbis.has(code))) needContracts(host, uri);
      return faults.length === 0 ? ofCells : [...fileDiagnostics(faults), ...ofCells];
    },
    /** Returns the problems of the files of endpoints and descriptors that open documents depend on, as they were read last. */
    fileDiagnostics: (): readonly FileDiagnostic[] => [
      ...endpointDiagnostics(workspace.routes.problems()),
      ...descriptorDiagnostics(workspace.descriptors.fileProblems()),
    ],
    codeLenses: (uri: string): readonly Placed<CodeLens>[] => everywhere(uri, lensesOfCell),
    inlayHints: (uri: string, range: Span): readonly InlayHint[] =>
      within(uri, range, (place, _, scope, document) =>
        [...inlayHints(place.cell, scope), ...hintOf(place, scope, document)].map((hint) => inDocument(hint, place)),
      ).filter(({ span }) => range.start <= span.start && span.start <= range.end),
    /** @param range - Absent for the whole document. */
    semanticTokens: (uri: string, range?: Span): readonly Placed<SemanticToken>[] =>
      inTextOrder(everywhere(uri, semanticTokens, range)),
    links: (uri: string): readonly { readonly span: Span; readonly target: string; readonly tooltip: string }[] =>
      together(everywhere(uri, links)).flatMap(({ target, ...link }) => {
        const [written, base] = "url" in target ? [target.url] : [target.path, documents.ownerOf(uri)];
        return URL.canParse(written, base) ? [{ ...link, target: new URL(written, base).href }] : [];
      }),
  };
}

/** Problems that contracts of the workspace may solve. */
const ofAbis: ReadonlySet<string> = new Set(["unknown-function", "unknown-event"]);

const lensesOfCell: CellFeature<CodeLens> = (cell, scope, index) =>
  index === undefined ? [] : codeLenses(cell, scope, index);
