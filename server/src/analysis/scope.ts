import type { JsonValue } from "../base/json.ts";
import type { Cell } from "../notebook/cell.ts";

/** What a feature may know beyond the cell that it looks at. Plain data; `service.ts` fills it. */
export interface Scope {
  /** The header, where the notebook has one. */
  readonly header: Cell | undefined;
  /** All cells in order, the header left out. */
  readonly cells: readonly Cell[];
  /** `variables` of the header. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Names that a cell's `endpoint` may take. */
  readonly endpoints: readonly { readonly name: string; readonly host: string; readonly origin: string }[];
  /** Where the cell's requests would go now; `undefined` where nothing is chosen. */
  readonly endpoint: ScopedEndpoint | undefined;
  /** Summary of the last outcome of a cell in this session. */
  lastResult(cell: Cell): LastResult | undefined;
}

export interface ScopedEndpoint {
  readonly name: string;
  readonly host: string;
  readonly origin: string;
  /** Greatest toBlock − fromBlock that it takes in `eth_getLogs`. */
  readonly logRange: bigint | undefined;
  /** Methods that it refuses. */
  readonly refuses: readonly string[];
}

export interface LastResult {
  readonly ok: boolean;
  /** One line, safe to show. */
  readonly summary: string;
}
