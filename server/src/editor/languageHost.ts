import type { Scope } from "../analysis/scope.ts";
import type { InlayHint } from "../features/inlayHints.ts";
import type { CellPlace, Document } from "../workspace/documents.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import type { ProjectDescriptors } from "../workspace/projectDescriptors.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import type { AnalysisContexts } from "./analysisContexts.ts";
import type { CellQueries } from "./cellQueries.ts";

/** The parts of the service that language features need. */
export interface LanguageHost {
  documentOf(uri: string): Document | undefined;
  /** Returns the notebook of a cell, and any other document itself. */
  ownerOf(uri: string): string;
  readonly queries: CellQueries;
  readonly contexts: AnalysisContexts;
  readonly contracts: ProjectContracts;
  readonly signatures: SignatureTable;
  readonly routes: Routes;
  readonly descriptors: ProjectDescriptors;
  /** Returns hints with what the request of a cell would give now. */
  hintOf(place: CellPlace, scope: Scope, document: Document): readonly InlayHint[];
}

/** Reads the contracts of the workspace. Features call it when they need them: opening a file reads none. */
export function needContracts({ documentOf, contracts }: LanguageHost, uri: string): void {
  const document = documentOf(uri);
  if (document) contracts.want(document);
}
