import type { AbiScope } from "../abi/abiScope.ts";
import { loadKeysOfAddresses } from "../abi/address.ts";
import type { AbiItem } from "../abi/item.ts";
import { needsSignatures } from "../abi/needsSignatures.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { masked } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import { secretParts } from "../base/secretParts.ts";
import { exportCells } from "../convert/exportCells.ts";
import type { ExportEndpoint, ExportTarget } from "../convert/exportModel.ts";
import { decodableIn } from "../convert/recognise/recognise.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { cellNeedsSignatures, completesSignatures, placeNeedsSignatures } from "../features/needsSignatures.ts";
import { templates } from "../features/templates.ts";
import { type WireForm, wireForm } from "../features/wireForm.ts";
import type { Cell } from "../notebook/cell.ts";
import type { ExplainResult, ExportResult, ImportResult, TemplatesResult } from "../protocol/conversion.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";
import { type Annotations, annotations } from "./annotations.ts";
import { type CursorFeatures, cursorFeatures } from "./cursorFeatures.ts";
import { type LanguageHost, needContracts } from "./languageHost.ts";
import { type NameFeatures, nameFeatures } from "./nameFeatures.ts";
import { explained, pasted } from "./pastedRequests.ts";
import { type StructureFeatures, structureFeatures } from "./structureFeatures.ts";

/** The subject of an answer: a place in a cell, all cells of a document, or data that is not in it. */
export type Needs = { readonly offset: number; readonly completes?: boolean } | { readonly data: JsonValue } | "cells";

/**
 * Language features of open documents. URIs name text documents, notebooks and cell documents alike. Offsets and spans
 * count UTF-16 code units from the start of the document named.
 */
export interface LanguageFeatures extends CursorFeatures, Annotations, NameFeatures, StructureFeatures {
  /**
   * Loads what an answer may need beside the document: contracts of the workspace, the table of signatures.
   *
   * @returns `undefined` if there is nothing to wait for; else resolves within about a second, and never rejects.
   */
  prepare(uri: string, needs?: Needs): Promise<unknown> | undefined;
  /** Returns the ABI that the header and the contracts of the workspace declare for a document. */
  abi(uri: string): { readonly items: readonly AbiItem[]; readonly scope: AbiScope } | undefined;
  /** Returns the ordinal of the cell at an offset; `undefined` for the header and outside of cells. */
  cellAt(uri: string, offset: number): number | undefined;
  /** Returns the exact text that a cell would send now, or why it cannot be sent. */
  wireForm(uri: string, index: number): WireForm | undefined;
  /**
   * Writes a cell, or a whole document, for another tool.
   *
   * @param index - Of the cell; `undefined` for all.
   */
  exported(uri: string, index: number | undefined, target: ExportTarget): Promise<ExportResult | undefined>;
  /** Converts requests that another tool has copied, and values. @param uri - The document that they are put into. */
  pasted(uri: string | undefined, text: string): Promise<ImportResult>;
  /** Says what a text may be, with cells that ask about it. @param uri - The document that they are put into. */
  explained(uri: string | undefined, text: string): Promise<ExplainResult>;
  /** Returns requests to begin a document with. */
  templates(uri: string): TemplatesResult;
}

export function openLanguageFeatures(host: LanguageHost): LanguageFeatures {
  const { documents, contexts, workspace } = host;
  return {
    ...cursorFeatures(host),
    ...annotations(host),
    ...nameFeatures(host),
    ...structureFeatures(host),
    prepare: (uri, needs) => prepare(host, uri, needs),
    abi(uri) {
      needContracts(host, uri);
      const document = documents.of(uri);
      const cell = document?.header ?? document?.cells[0];
      const declared = document && { header: document.header, abis: workspace.contracts.of(document) };
      return cell && declared && { items: abiItems(cell, declared), scope: abiScope(cell, declared) };
    },
    cellAt: (uri, offset) => documents.of(uri)?.placeAt(uri, offset)?.index,
    wireForm(uri, index) {
      needContracts(host, uri);
      const document = documents.of(uri);
      const cell = document?.cells[index];
      return document && cell && wireForm(cell, contexts.of(document).scope);
    },
    async exported(uri, index, target) {
      const document = documents.of(uri);
      if (!document) return undefined;
      needContracts(host, uri);
      await workspace.contracts.settled(document.uri); // a run waits for them too
      return exportOf(document, index, target, contexts.of(document).scope, workspace.routes);
    },
    pasted: async (uri, text) => pasted(text, await scopeFor(host, uri, text)),
    explained: async (uri, text) => explained(text, await scopeFor(host, uri, text)),
    templates(uri) {
      const document = documents.of(uri);
      if (!document) return { templates: [] };
      return {
        templates: templates(contexts.of(document).scope).map(({ label, detail, insert }) => ({
          label,
          detail,
          insert,
        })),
      };
    },
  };
}

/** The scope of the document that a text is put into, with the declarations that decode the text. */
async function scopeFor(host: LanguageHost, uri: string | undefined, text: string): Promise<Scope | undefined> {
  if (uri === undefined) return undefined;
  needContracts(host, uri);
  await prepare(host, uri, { data: decodableIn(text) });
  const document = host.documents.of(uri);
  return document && host.contexts.of(document).scope;
}

function prepare(host: LanguageHost, uri: string, needs: Needs | undefined): Promise<unknown> | undefined {
  if (typeof needs === "object" && "offset" in needs) needContracts(host, uri);
  const waits = [
    host.workspace.contracts.firstSearch(),
    host.signatures.loadIf(() => needsTable(host, uri, needs)),
    ...(needs === undefined ? [] : unfinishedTexts(host, uri).map(loadKeysOfAddresses)),
  ];
  const pending = waits.filter((wait) => wait !== undefined);
  return pending.length === 0 ? undefined : Promise.all(pending);
}

/** Texts that may be values alone, as pasted. */
function unfinishedTexts({ documents }: LanguageHost, uri: string): readonly string[] {
  const places = documents.of(uri)?.placesIn(uri) ?? [];
  return places.filter(({ cell }) => cell.kind === "unfinished").map(({ cell }) => cell.text);
}

/** Whether an answer may need the table of signatures. */
function needsTable({ documents, queries }: LanguageHost, uri: string, needs: Needs | undefined): boolean {
  if (needs === undefined) return false;
  if (needs === "cells") return (documents.of(uri)?.placesIn(uri) ?? []).some(({ cell }) => cellNeedsSignatures(cell));
  if ("data" in needs) return needsSignatures(needs.data);
  const isNeeded = needs.completes ? completesSignatures : placeNeedsSignatures;
  return queries.at(uri, needs.offset, ({ cell }, offset, scope) => isNeeded(cell, offset, scope)) === true;
}

/**
 * Writes a cell of a document, or all of them, for another tool.
 *
 * @param index - `undefined` for all.
 * @returns `undefined` if there is no such cell.
 */
async function exportOf(
  document: Document,
  index: number | undefined,
  target: ExportTarget,
  scope: Scope,
  routes: Routes,
): Promise<ExportResult | undefined> {
  const cells = index === undefined ? document.cells : document.cells.slice(index, index + 1);
  if (index !== undefined && cells.length === 0) return undefined;
  const { endpointOf } = await routes.forRun(document, undefined, cells);
  const { text, notes } = exportCells(cells, target, {
    scope,
    endpointOf(cell: Cell) {
      const resolved = endpointOf(cell);
      return "endpoint" in resolved ? publicParts(resolved.endpoint, resolved.origin) : { url: undefined, headers: [] };
    },
  });
  return { text, notes: notes.map(({ cell, what }) => ({ index: document.cells.indexOf(cell), what })) };
}

/** Leaves out an address of which any part can be private: a path may be a key. Of headers only the names are written. */
function publicParts({ url, headers, carries }: Endpoint, origin: string): ExportEndpoint {
  const isPublic = carries.length === 0 && !origin.includes("private") && secretParts(url).length === 0;
  const isSite = url === `${new URL(url).origin}/`; // anything more is hidden in every text that leaves
  return { url: isPublic && isSite ? url : undefined, headers: Object.keys(headers) };
}

/** Hides values of the host in everything that an editor shows of a document without a run. Edits stay as they are. */
export function maskedFeatures(language: LanguageFeatures, mask: Mask): Partial<LanguageFeatures> {
  const maskedMessages = <One extends { readonly message: string }>(all: readonly One[]): readonly One[] =>
    mask.isEmpty ? all : all.map((one) => ({ ...one, message: mask.text(one.message) }));
  return {
    hover(uri, offset) {
      const hover = language.hover(uri, offset);
      return hover && (mask.isEmpty ? hover : { ...hover, markdown: masked(hover.markdown, mask) });
    },
    diagnostics: (uri) => maskedMessages(language.diagnostics(uri)),
    fileDiagnostics: () => maskedMessages(language.fileDiagnostics()),
    inlayHints(uri, range) {
      const hints = language.inlayHints(uri, range);
      return mask.isEmpty ? hints : hints.map((hint) => ({ ...hint, label: mask.text(hint.label) }));
    },
    async exported(uri, index, form) {
      const result = await language.exported(uri, index, form);
      return result && { ...result, text: mask.text(result.text) };
    },
  };
}
