import { account, blockHash, ethereumPage, other, pooledTransaction, spec } from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

const kept = { disabled: false, oldestBlock: "0x0" } as const;

/**
 * Methods about the node itself.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/client.yaml
 * @see https://eips.ethereum.org/EIPS/eip-7910 (eth_config)
 */
export const ethNode = [
  {
    name: "eth_syncing",
    summary: "Says whether the node is still syncing, and how far it is.",
    params: [],
    result: "syncing",
    effect: "reads",
    source: `${spec}/client.yaml`,
    example: { params: [], result: { startingBlock: "0x0", currentBlock: "0x1518", highestBlock: "0x1e8480" } },
  },
  {
    name: "eth_accounts",
    summary: "Lists the accounts whose keys the node holds; none on public endpoints.",
    params: [],
    result: "address[]",
    effect: "reads",
    source: `${spec}/client.yaml`,
    example: { params: [], result: [account, other] },
  },
  {
    name: "eth_coinbase",
    summary: "Returns the account that gets what the node earns with blocks.",
    params: [],
    result: "address",
    effect: "reads",
    limits: ["Many nodes no longer have it: nothing is mined since proof of stake."],
    source: `${spec}/client.yaml`,
    example: { params: [], result: "0x0000000000000000000000000000000000000000" },
  },
  {
    name: "eth_pendingTransactions",
    summary: "Lists the transactions that wait and come from accounts of the node itself.",
    params: [],
    result: "transaction[]",
    effect: "reads",
    limits: ["Not in the specification; geth and Besu have it."],
    source: "https://github.com/ethereum/go-ethereum/blob/master/internal/ethapi/api.go",
    example: { params: [], result: [pooledTransaction] },
  },
  {
    name: "eth_config",
    summary: "Returns the rules of the chain: forks, blobs, precompiles and system contracts (EIP-7910).",
    params: [],
    result: "forkConfigs",
    effect: "reads",
    source: `${spec}/client.yaml`,
    example: {
      params: [],
      result: {
        current: {
          activationTime: 1746612311,
          blobSchedule: { baseFeeUpdateFraction: 5007716, max: 9, target: 6 },
          chainId: "0x1",
          forkId: "0x3ff0e375",
          precompiles: { ECREC: "0x0000000000000000000000000000000000000001" },
          systemContracts: { BEACON_ROOTS_ADDRESS: "0x000f3df6d732807ef1319fb7b8bb8522d0beac02" },
        },
        next: null,
        last: null,
      },
    },
  },
  {
    name: "eth_capabilities",
    summary: "Tells how far back the node has state, transactions, logs, receipts and blocks.",
    params: [],
    result: "capabilities",
    effect: "reads",
    limits: ["A recent addition to the specification that few nodes have yet."],
    source: `${spec}/capabilities.yaml`,
    example: {
      params: [],
      result: {
        head: { number: "0x1e8480", hash: blockHash },
        state: {
          disabled: false,
          oldestBlock: "0x1e0000",
          deleteStrategy: { type: "window", retentionBlocks: "0x15f90" },
        },
        tx: kept,
        logs: kept,
        receipts: kept,
        blocks: kept,
        stateproofs: { disabled: true },
      },
    },
  },
  {
    name: "eth_protocolVersion",
    summary: "Returns the version of the protocol that the node speaks with its peers.",
    params: [],
    result: "protocolVersion",
    effect: "reads",
    limits: ["Not in the specification any more; geth has dropped it."],
    source: `${ethereumPage}eth_protocolversion`,
    example: { params: [], result: "0x44" },
  },
  {
    name: "eth_mining",
    summary: "Tells whether the node mines; `false` since proof of stake.",
    params: [],
    result: "boolean",
    effect: "reads",
    limits: ["Not in the specification any more; geth has dropped it."],
    source: `${ethereumPage}eth_mining`,
    example: { params: [], result: false },
  },
  {
    name: "eth_hashrate",
    summary: "Returns how many hashes a second the node mines with; none since proof of stake.",
    params: [],
    result: "count",
    effect: "reads",
    limits: ["Not in the specification any more; geth has dropped it."],
    source: `${ethereumPage}eth_hashrate`,
    example: { params: [], result: "0x0" },
  },
] as const satisfies readonly MethodSpec[];
