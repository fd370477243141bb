import {
  blockHash,
  hashedBlock,
  numberedBlock,
  signedTransfer,
  transactionHash,
  transferHash,
  zeros,
} from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

const rollupNode = "https://docs.optimism.io/node-operators/reference/op-node-json-rpc";
const metering = "https://github.com/base/base/blob/main/crates/execution/metering/README.md";
const ownRollupNode =
  "The rollup node has it (`op-node` and the like), at an address of its own; few providers let it through.";
const ofBase = "Nodes of Base have it, where their operators switched it on.";
const oldNode = "Nodes of the OVM, from before the Bedrock upgrade of 2023, had it; some providers still answer it.";
const oldPage = "https://docs.getblock.io/api-reference/optimism-op";

const name = { hash: blockHash, number: 2000000 } as const;
const layer1 = { ...name, parentHash: zeros, timestamp: 1721808580 } as const;
const layer2 = { ...layer1, l1origin: name, sequenceNumber: 3 } as const;
const measured = {
  blockHash,
  blockNumber: 2000000,
  executionTimeUs: 8123,
  stateRootTimeUs: 1240,
  totalTimeUs: 9363,
} as const;
const bundle = { txs: [signedTransfer], blockNumber: "0x1e8481" } as const;
const bundleMeasured = {
  bundleHash: transferHash,
  results: [],
  totalGasUsed: 21000,
  totalExecutionTimeUs: 214,
  stateBlockNumber: 2000000,
} as const;

/**
 * Methods that only nodes of the OP stack have: the rollup node's view of both layers, methods of Base, and the rest
 * of the OVM.
 * @see https://specs.optimism.io/protocol/rollup-node.html
 * @see https://github.com/base/base/tree/main/crates/execution
 */
export const opStack = [
  {
    name: "optimism_syncStatus",
    summary: "Returns how far the rollup node is: its unsafe, safe and finalized blocks, and those of layer 1.",
    params: [],
    result: "rollupSync",
    effect: "reads",
    limits: [ownRollupNode],
    source: rollupNode,
    example: { params: [], result: { current_l1: layer1, head_l1: layer1, unsafe_l2: layer2, safe_l2: layer2 } },
  },
  {
    name: "optimism_outputAtBlock",
    summary: "Returns the output root of a block of layer 2, as it is proposed to layer 1.",
    params: [numberedBlock],
    result: "rollupOutput",
    effect: "reads",
    limits: [ownRollupNode, "Some nodes take a number only."],
    source: rollupNode,
    example: {
      params: ["0x1e8480"],
      result: {
        version: zeros,
        outputRoot: blockHash,
        blockRef: layer2,
        withdrawalStorageRoot: blockHash,
        stateRoot: blockHash,
        syncStatus: { unsafe_l2: layer2 },
      },
    },
  },
  {
    name: "optimism_safeHeadAtL1Block",
    summary: "Returns the block of layer 2 that was safe as of a block of layer 1.",
    params: [{ ...numberedBlock, name: "l1Block", summary: "The block of layer 1." }],
    result: "safeHead",
    effect: "reads",
    errors: [{ code: -32000, message: "safe head database not enabled", when: "The node does not keep them." }],
    limits: [ownRollupNode, "Some nodes take a number only."],
    source: rollupNode,
    example: { params: ["0x13de180"], result: { l1Block: name, safeHead: name } },
  },
  {
    name: "optimism_rollupConfig",
    summary: "Returns the rules of the rollup: its genesis, its forks by time, its contracts on layer 1.",
    params: [],
    result: "any",
    effect: "reads",
    limits: [ownRollupNode],
    source: rollupNode,
    example: {
      params: [],
      result: {
        block_time: 2,
        l1_chain_id: 1,
        l2_chain_id: 8453,
        genesis: { l1: name, l2: name, l2_time: 1686789347 },
      },
    },
  },
  {
    name: "optimism_version",
    summary: "Returns the version of the rollup node's software.",
    params: [],
    result: "text",
    effect: "reads",
    limits: [ownRollupNode],
    source: rollupNode,
    example: { params: [], result: "v1.16.5" },
  },

  {
    name: "base_transactionStatus",
    summary: "Tells whether the node knows a transaction, also before it is in a block.",
    params: [{ name: "transactionHash", type: "hash", required: true, summary: "The transaction's hash." }],
    result: "knownTransaction",
    effect: "reads",
    limits: [ofBase],
    source: "https://github.com/base/base/blob/main/crates/rpc/src/base/traits.rs",
    example: { params: [transactionHash], result: { status: "Known" } },
  },
  {
    name: "base_meterBundle",
    summary: "Tries signed transactions one after the other and returns the gas and the time that they take.",
    params: [{ name: "bundle", type: "meteredBundle", required: true, summary: "The transactions." }],
    result: "bundleMeasured",
    effect: "simulates",
    limits: [ofBase],
    source: metering,
    example: { params: [bundle], result: bundleMeasured },
  },
  {
    name: "base_meteredPriorityFeePerGas",
    summary: "Tries signed transactions and returns the priority fee per gas that recent blocks suggest for them.",
    params: [{ name: "bundle", type: "meteredBundle", required: true, summary: "The transactions." }],
    result: "bundleMeasured",
    effect: "simulates",
    limits: [ofBase],
    source: metering,
    example: { params: [bundle], result: { ...bundleMeasured, priorityFee: "0x5f5e100" } },
  },
  {
    name: "base_meterBlockByNumber",
    summary: "Runs a block again, by its number or tag, and returns how long that took.",
    params: [numberedBlock],
    result: "blockMeasured",
    effect: "simulates",
    pending: "Blocks that are not sealed are refused.",
    limits: [ofBase],
    source: metering,
    example: { params: ["latest"], result: measured },
  },
  {
    name: "base_meterBlockByHash",
    summary: "Runs a block again, by its hash, and returns how long that took.",
    params: [hashedBlock],
    result: "blockMeasured",
    effect: "simulates",
    limits: [ofBase],
    source: metering,
    example: { params: [blockHash], result: measured },
  },

  {
    name: "rollup_getInfo",
    summary: "Returns how far an old node of the rollup was, and at which block of layer 1.",
    params: [],
    result: "any",
    effect: "reads",
    limits: [oldNode],
    source: oldPage,
    example: {
      params: [],
      result: { mode: "verifier", syncing: false, ethContext: { blockNumber: 19686775, timestamp: 1713497023 } },
    },
  },
  {
    name: "rollup_gasPrices",
    summary: "Returns what one gas cost on layer 1 and on layer 2, as an old node of the rollup knew it.",
    params: [],
    result: "any",
    effect: "reads",
    limits: [oldNode],
    source: oldPage,
    example: { params: [], result: { l1GasPrice: "0x237aa50984", l2GasPrice: "0xf4240" } },
  },
] as const satisfies readonly MethodSpec[];
