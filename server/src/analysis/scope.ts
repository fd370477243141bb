import type { AddressOfKey } from "../abi/address.ts";
import type { Creatable } from "../abi/artifact.ts";
import type { AbiItem } from "../abi/item.ts";
import type { Signatures } from "../abi/signatures.ts";
import type { StorageLayout } from "../abi/storageLayout.ts";
import type { JsonValue } from "../base/json.ts";
import type { Markdown } from "../base/markdown.ts";
import type { FilePlace } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { HostNames } from "../endpoints/hostValue.ts";
import type { KnownState } from "../evaluate/assume/stateQuestion.ts";
import type { Cell } from "../notebook/cell.ts";
import type { AmountsBefore } from "../report/additions.ts";
import type { Cadence } from "../rpc/cadence.ts";

/** The context of a cell: all that a feature may know beyond the cell itself. Plain data; `editor/analysisContexts.ts` fills it. */
export interface Scope extends NamesInScope {
  /** All cells in order, the header left out. */
  readonly cells: readonly Cell[];
  readonly catalog: Catalog;
  /** Problems with OpenRPC documents, by path as written in the header. */
  readonly openrpcProblems: readonly { readonly path: string; readonly what: string }[];
  /** The same for ERC-7730 descriptors. */
  readonly descriptorProblems: readonly { readonly path: string; readonly what: string }[];
  /** Absent until a cell has 32 bytes and an address. */
  readonly addressOfKey?: AddressOfKey | undefined;
  /** Names that a cell's `endpoint` may take. */
  readonly endpoints: readonly KnownEndpoint[];
  /** The endpoint that the cell's requests would go to now; `undefined` if none is chosen. */
  readonly endpoint: ScopedEndpoint | undefined;
  /** Names set in the environment, `.env` and secrets; `undefined` until the host reports them, or if it may not. */
  readonly hostNames: HostNames | undefined;
  /** Summary of the last outcome of a cell in this session. */
  lastResult(cell: Cell): LastResult | undefined;
  /** Facts about the chain of the endpoint that were learned for assumptions. */
  readonly knownState?: KnownState | undefined;
}

/** What gives names to addresses, functions and places in storage. */
export interface NamesInScope extends DeclarationsScope {
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Names of addresses in files around the notebook, by the address in lower case. The header's `labels` win. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Where declarations of functions and events are found. */
export interface DeclarationsScope {
  /** The header, where the notebook has one. */
  readonly header: Cell | undefined;
  readonly abis: ProjectAbis;
}

/** ABIs and contracts known from outside the notebook. */
export interface ProjectAbis {
  /** Those that the notebook names, by the path as it has it; absent while one is not read yet. */
  readonly files: ReadonlyMap<string, AbiFile>;
  /** Items of the contracts found in the workspace; empty until the search ends. */
  readonly contracts: readonly AbiItem[];
  /** Those of them whose creation can be recognised. */
  readonly creatables?: readonly Creatable[];
  readonly layouts?: readonly StorageLayout[];
  /** Names of contracts that were looked up, by the address in lower case. */
  readonly names?: ReadonlyMap<string, string>;
  /** Signatures of well-known packages; absent until something needs them. */
  readonly signatures?: Signatures;
}

export interface AbiFile {
  readonly items: readonly AbiItem[];
  readonly creatables?: readonly Creatable[];
  readonly layouts?: readonly StorageLayout[];
  /** The problem, as a clause without a full stop; `"untrusted"` if the file was not read. */
  readonly fault: { readonly what: string } | "untrusted" | undefined;
}

interface KnownEndpoint {
  readonly name: string;
  /** The host of the URL; empty if the URL is broken. */
  readonly host: string;
  readonly origin: string;
  /** The reason why it cannot be used, in a clause. */
  readonly broken?: string;
  /** The place of its name, if that is in a file. */
  readonly place?: FilePlace;
}

export interface ScopedEndpoint {
  readonly name: string;
  readonly host: string;
  readonly origin: string;
  /** The source of the choice, in the user's words: "the header". */
  readonly why: string;
  /** Greatest toBlock − fromBlock that it takes in `eth_getLogs`. */
  readonly logRange: bigint | undefined;
  readonly refuses: readonly string[];
  /** How new state reaches it. */
  readonly cadence: Cadence;
  readonly chainId: bigint | undefined;
  /** Number of the newest block that a run has read; `undefined` before the first. */
  readonly head: bigint | undefined;
  readonly explorer: string | undefined;
  /** URL of the lookup host that its entry names. */
  readonly contracts: string | undefined;
}

/** Whether `pending` of the endpoint is ahead of `latest`. */
export function servesAhead({ endpoint }: Scope): boolean {
  return endpoint?.cadence.kind === "pre-confirmed";
}

/**
 * - `changed`: the request, what it expects, or what it refers to.
 * - `elsewhere`: it would go to another endpoint.
 * - `outrun`: a cell that it refers to, by way of others too, has run again.
 */
export type Staleness = "changed" | "elsewhere" | "outrun";

/** The largest answers, in bytes, that are kept for placeholders. */
export const keptAnswerBytes = 1_000_000;

export interface LastResult {
  readonly ok: boolean;
  /** The reason why it is stale; absent without a sign of that. */
  readonly stale?: Staleness;
  /** It, or what was asked, is not as in its snapshot. */
  readonly differs?: boolean;
  /** One line, safe to show. */
  readonly summary: string;
  /** The calls inside it, for a hover; absent if it has none. */
  readonly calls?: Markdown | undefined;
  /** Keeps the numbers of its answers for a later result, which is compared with them when it is shown. */
  amountsForLater?(): AmountsBefore | undefined;
  /**
   * Values that placeholders reach, by cell name: `{ result, decoded, error }`. Empty if they were too large to keep.
   */
  values(): ReadonlyMap<string, JsonValue>;
}
