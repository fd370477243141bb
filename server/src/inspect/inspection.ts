import type { JsonValue } from "../base/json.ts";
import type {
  ComparedOutput,
  CompareParams,
  ContractStorageParams,
  FindWhenParams,
  StorageContractsResult,
} from "../protocol/endpoints.ts";
import type { CellOutput } from "../report/report.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { Document } from "../workspace/documents.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { Audit } from "./audit.ts";
import { comparableCells, compareCell } from "./compareCell.ts";
import { findWhen } from "./findWhen.ts";
import { auditEndpoint, probeEndpoint } from "./probeEndpoint.ts";
import { showStorage, storageChoices } from "./showStorage.ts";

/** Measurements and comparisons that a person asked for. They keep no results. */
export type Inspection = ReturnType<typeof openInspection>;

export function openInspection(documents: OpenDocuments, support: RunSupport) {
  const ifOpen = async <Result>(uri: string, inspect: (document: Document) => Promise<Result> | Result) => {
    const document = documents.of(uri);
    return document && inspect(document);
  };
  return {
    /**
     * Measures what the endpoint of a document's header can do. Completions and warnings use what it measured.
     *
     * @param endpoint - In place of that one.
     */
    probe: (uri: string, endpoint: string | undefined, signal: AbortSignal): Promise<CellOutput | undefined> =>
      ifOpen(uri, (document) => probeEndpoint(document, endpoint, signal, support)),
    /** Lists what a contract stores, at one block or at two with the differences. */
    contractStorage: (params: ContractStorageParams, signal: AbortSignal): Promise<CellOutput | undefined> =>
      ifOpen(params.uri, (document) => showStorage(document, params, signal, support)),
    /** Returns the contracts with a storage layout, and the addresses that have names. */
    storageContracts: async (uri: string): Promise<StorageContractsResult> =>
      (await ifOpen(uri, (document) => storageChoices(document, support))) ?? { contracts: [], addresses: [] },
    /**
     * Compares what an endpoint shows as pre-confirmed with what is sealed.
     *
     * @param forMs - Milliseconds.
     * @param progress - Called after each sealed block, with the audit until then.
     */
    audit: (
      uri: string,
      { endpoint, forMs }: { readonly endpoint?: string | undefined; readonly forMs: number },
      signal: AbortSignal,
      progress?: (audit: Audit) => void,
    ): Promise<CellOutput | undefined> =>
      ifOpen(uri, (document) => auditEndpoint(document, { endpoint, forMs }, signal, { ...support, progress })),
    /** Finds the first block at which what a cell expects holds. Keeps no results. */
    async findWhen(params: FindWhenParams, signal: AbortSignal, progress?: (text: string) => void) {
      const cell = cellOf(params, documents);
      return cell && findWhen(cell.document, cell.index, params, signal, support, progress);
    },
    /** Finds the cells that such a comparison takes. */
    comparableCells(params: CompareParams) {
      const document = documents.of(params.uri);
      return document ? comparableCells(document, params) : { indices: [], others: 0 };
    },
    /**
     * Runs a cell's request at several blocks, or at two endpoints. Keeps no results.
     *
     * @param variables - Override those of the header.
     */
    async compare(
      params: CompareParams,
      signal: AbortSignal,
      variables: ReadonlyMap<string, JsonValue> = new Map(),
    ): Promise<ComparedOutput | undefined> {
      const cell = cellOf(params, documents);
      return cell && compareCell(cell.document, cell.index, params, variables, signal, support);
    },
  };
}

/** Finds the cell that is named by its index, or is at an offset. */
function cellOf({ uri, index, offset = 0 }: CompareParams, documents: OpenDocuments) {
  const document = documents.of(uri);
  const at = index ?? document?.placeAt(uri, offset)?.index;
  return document && at !== undefined ? { document, index: at } : undefined;
}
