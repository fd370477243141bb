import assert from "node:assert/strict";
import { encodeFunctionData, type Hex } from "viem";
import { accounts } from "../../devchain/accounts.ts";
import { type ContractName, contracts, type Transaction } from "../../devchain/contracts.ts";
import type { Devchain } from "../../devchain/devchain.ts";
import type { CellResult } from "../../server/src/run/result/cellResult.ts";
import { person, runText } from "./host.ts";

/** A notebook with one cell that explains a transaction, and names for the accounts and contracts of the devchain. */
export function caseNotebook(hash: string, method = "eth_getTransactionByHash"): string {
  const named = [...Object.entries(accounts), ...Object.entries(contracts)];
  return JSON.stringify({
    labels: Object.fromEntries(named.map(([name, { address }]) => [address, name])),
    abi: [
      "error TooSmall(uint256 given, uint256 least)",
      "function tooSmall(uint256 given, uint256 least)",
      "function forward(uint256 depth, address target, bytes data) returns (bytes)",
    ],
    cells: [{ name: "case", method, params: [hash], explain: true }],
  });
}

/** The `case` member of `--report json`, as far as tests read it. */
export interface CaseJson {
  readonly status: string;
  readonly what: string;
  readonly revert?: {
    readonly reason: string;
    readonly path?: readonly { readonly path: string; readonly to: string }[];
  };
  readonly movements: readonly {
    readonly from: string;
    readonly to: string;
    readonly asset: string;
    readonly amount: Hex;
    readonly id?: Hex;
  }[];
  readonly balanceChanges: readonly {
    readonly address: Hex;
    readonly asset: Hex | "";
    readonly change: string;
    readonly id?: Hex;
    readonly incomplete?: true;
  }[];
  readonly block?: Hex;
  readonly gas: { readonly used?: Hex; readonly fee?: Hex; readonly price?: Hex };
  readonly life: readonly { readonly stage: string; readonly how: string; readonly at?: number }[];
  readonly gaps: readonly { readonly what: string; readonly method: string; readonly why: string }[];
  readonly replacedBy?: { readonly hash: string; readonly block: Hex } | null;
  readonly senderNonces?: { readonly latest: Hex; readonly pending: Hex };
}

export interface ReadCase {
  readonly json: CaseJson;
  readonly text: string;
  readonly cell: CellResult;
}

/** Runs a cell that explains a transaction. */
export async function readCase(endpoint: string, hash: string, method?: string): Promise<ReadCase> {
  const { cells } = await runText(caseNotebook(hash, method), {
    endpoint,
    host: { consent: person({ allowHost: async () => true }) },
  });
  const [cell] = cells;
  assert.ok(cell);
  return { json: caseJson(cell), text: cell.output.text, cell };
}

export function caseJson(cell: Pick<CellResult, "answers">): CaseJson {
  const [answer] = cell.answers();
  return Object(answer).case; // the test compares each member
}

/** Sends a transaction, and returns its hash. */
export async function sendTransaction(
  chain: Devchain,
  transaction: Transaction & { readonly nonce?: Hex },
): Promise<Hex> {
  return (await chain.rpc("eth_sendTransaction", [{ gas: "0x2dc6c0", ...transaction }])) as Hex; // anvil's answer
}

export function encoded(name: ContractName, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: contracts[name].abi, functionName, args });
}
