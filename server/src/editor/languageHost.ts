import type { Scope } from "../analysis/scope.ts";
import type { InlayHint } from "../features/inlayHints.ts";
import type { CellPlace, Document } from "../workspace/documents.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import type { WorkspaceData } from "../workspace/workspaceData.ts";
import type { AnalysisContexts } from "./analysisContexts.ts";
import type { CellQueries } from "./cellQueries.ts";

/** The parts of the service that language features need. */
export interface LanguageHost {
  readonly documents: OpenDocuments;
  readonly workspace: WorkspaceData;
  readonly queries: CellQueries;
  readonly contexts: AnalysisContexts;
  readonly signatures: SignatureTable;
  /** Returns hints with what the request of a cell would give now. */
  hintOf(place: CellPlace, scope: Scope, document: Document): readonly InlayHint[];
}

/** Reads the contracts of the workspace. Features call it when they need them: opening a file reads none. */
export function needContracts({ documents, workspace }: LanguageHost, uri: string): void {
  const document = documents.of(uri);
  if (document) workspace.contracts.want(document);
}
