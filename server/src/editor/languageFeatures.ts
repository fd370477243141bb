import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiItem } from "../abi/item.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import type { ExportForm } from "../convert/exported.ts";
import { type WireForm, wireForm } from "../features/wireForm.ts";
import type { ExportResult } from "../protocol/conversion.ts";
import { type Annotations, annotations } from "./annotations.ts";
import { type CursorFeatures, cursorFeatures } from "./cursorFeatures.ts";
import { exportOf } from "./exportCells.ts";
import { type LanguageHost, needContracts } from "./languageHost.ts";
import { type NameFeatures, nameFeatures } from "./nameFeatures.ts";
import { type StructureFeatures, structureFeatures } from "./structureFeatures.ts";

/**
 * Language features of open documents. URIs name text documents, notebooks and cell documents alike. Offsets and spans
 * count UTF-16 code units from the start of the document named.
 */
export interface LanguageFeatures extends CursorFeatures, Annotations, NameFeatures, StructureFeatures {
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
  exported(uri: string, index: number | undefined, form: ExportForm): Promise<ExportResult | undefined>;
}

export function openLanguageFeatures(host: LanguageHost): LanguageFeatures {
  const { documentOf, contexts, contracts, routes } = host;
  return {
    ...cursorFeatures(host),
    ...annotations(host),
    ...nameFeatures(host),
    ...structureFeatures(host),
    abi(uri) {
      needContracts(host, uri);
      const document = documentOf(uri);
      const cell = document?.header ?? document?.cells[0];
      const declared = document && { header: document.header, abis: contracts.of(document) };
      return cell && declared && { items: abiItems(cell, declared), scope: abiScope(cell, declared) };
    },
    cellAt: (uri, offset) => documentOf(uri)?.placeAt(uri, offset)?.index,
    wireForm(uri, index) {
      needContracts(host, uri);
      const document = documentOf(uri);
      const cell = document?.cells[index];
      return document && cell && wireForm(cell, contexts.of(document).scope);
    },
    async exported(uri, index, form) {
      const document = documentOf(uri);
      return document && exportOf(document, index, form, contexts.of(document).scope, routes);
    },
  };
}
