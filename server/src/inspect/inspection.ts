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
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { Audit } from "./audit.ts";
import { comparableCells, compareCell } from "./compareCell.ts";
import { findWhen } from "./findWhen.ts";
import { auditEndpoint, probeEndpoint } from "./probeEndpoint.ts";
import { showStorage, storageChoices } from "./showStorage.ts";

/** Measurements and comparisons that a person asked for. They keep no results. */
export type Inspection = ReturnType<typeof openInspection>;

export function openInspection(documents: OpenDocuments, support: RunSupport) {
  return {
    /**
     * Measures what the endpoint of a document's header can do. Completions and warnings use what it measured.
     *
     * @param endpoint - In place of that one.
     */
    async probe(uri: string, endpoint: string | undefined, signal: AbortSignal): Promise<CellOutput | undefined> {
      const document = documents.of(uri);
      return document && probeEndpoint(document, endpoint, signal, support);
    },
    /** Lists what a contract stores, at one block or at two with the differences. */
    async contractStorage(params: ContractStorageParams, signal: AbortSignal): Promise<CellOutput | undefined> {
      const document = documents.of(params.uri);
      return document && showStorage(document, params, signal, support);
    },
    /** Returns the contracts with a storage layout, and the addresses that have names. */
    async storageContracts(uri: string): Promise<StorageContractsResult> {
      const document = documents.of(uri);
      return document ? storageChoices(document, support) : { contracts: [], addresses: [] };
    },
    /**
     * Compares what an endpoint shows as pre-confirmed with what is sealed.
     *
     * @param forMs - Milliseconds.
     * @param progress - Called after each sealed block, with the audit until then.
     */
    async audit(
      uri: string,
      { endpoint, forMs }: { readonly endpoint?: string | undefined; readonly forMs: number },
      signal: AbortSignal,
      progress?: (audit: Audit) => void,
    ): Promise<CellOutput | undefined> {
      const document = documents.of(uri);
      return document && auditEndpoint(document, { endpoint, forMs }, signal, { ...support, progress });
    },
    /** Finds the first block at which what a cell expects holds. Keeps no results. */
    async findWhen(
      params: FindWhenParams,
      signal: AbortSignal,
      progress?: (text: string) => void,
    ): Promise<CellOutput | undefined> {
      const { uri, index, offset } = params;
      const document = documents.of(uri);
      const at = index ?? document?.placeAt(uri, offset ?? 0)?.index;
      return document && at !== undefined ? findWhen(document, at, params, signal, support, progress) : undefined;
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
      const { uri, index, offset } = params;
      const document = documents.of(uri);
      const at = index ?? document?.placeAt(uri, offset ?? 0)?.index;
      return document && at !== undefined ? compareCell(document, at, params, variables, signal, support) : undefined;
    },
  };
}
