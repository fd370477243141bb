import type { FieldSpec, TypeSpec } from "./spec.ts";

const reference = (name: string, type: string, summary: string): FieldSpec => ({ name, type, nullable: true, summary });

const hashAndNumber = [
  { name: "hash", type: "hash", required: true, summary: "The block's hash." },
  { name: "number", type: "numberOrQuantity", required: true, summary: "The block's number." },
] as const satisfies readonly FieldSpec[];
const reached = [
  ...hashAndNumber,
  { name: "parentHash", type: "hash", required: true, summary: "The block before it." },
  { name: "timestamp", type: "timestamp", required: true, summary: "When it was made." },
] as const satisfies readonly FieldSpec[];

/**
 * Results of rollup nodes about both layers, and measurements of Base nodes.
 * @see https://specs.optimism.io/protocol/rollup-node.html#output-method-api
 * @see https://github.com/base/base/blob/main/crates/execution/metering/README.md
 */
export const opTypes = {
  blockName: { kind: "object", open: true, summary: "A block by hash and number.", fields: hashAndNumber },
  layer1Block: { kind: "object", open: true, summary: "A block of layer 1.", fields: reached },
  layer2Block: {
    kind: "object",
    open: true,
    summary: "A block of layer 2, with the block of layer 1 that it was derived from.",
    fields: [
      ...reached,
      { name: "l1origin", type: "blockName", required: true, summary: "The block of layer 1." },
      { name: "sequenceNumber", type: "numberOrQuantity", summary: "Blocks since the first one with that origin." },
    ],
  },
  rollupSync: {
    kind: "object",
    open: true,
    summary: "How far the rollup node is, on both layers.",
    fields: [
      reference("current_l1", "layer1Block", "The block of layer 1 that it reads now."),
      reference("current_l1_finalized", "layer1Block", "The same, of finalized blocks alone."),
      reference("head_l1", "layer1Block", "The newest block of layer 1."),
      reference("safe_l1", "layer1Block", "The safe block of layer 1."),
      reference("finalized_l1", "layer1Block", "The finalized block of layer 1."),
      reference("unsafe_l2", "layer2Block", "The newest block of layer 2, which the sequencer alone vouches for."),
      reference("safe_l2", "layer2Block", "The newest block of layer 2 that was derived from layer 1."),
      reference("finalized_l2", "layer2Block", "The newest block of layer 2 that finalized blocks of layer 1 give."),
      reference("pending_safe_l2", "layer2Block", "The newest block of a batch that is not read to its end."),
    ],
  },
  rollupOutput: {
    kind: "object",
    open: true,
    summary: "The output root of a block, as it is proposed to layer 1, and what it is made of.",
    fields: [
      { name: "version", type: "hash", required: true, summary: "The version of the root, zeros until now." },
      { name: "outputRoot", type: "hash", required: true, summary: "The root." },
      { name: "blockRef", type: "layer2Block", required: true, summary: "The block." },
      { name: "withdrawalStorageRoot", type: "hash", required: true, summary: "The storage root of withdrawals." },
      { name: "stateRoot", type: "hash", required: true, summary: "The state root of the block." },
      { name: "syncStatus", type: "rollupSync", nullable: true, summary: "How far the node is." },
    ],
  },
  safeHead: {
    kind: "object",
    open: true,
    summary: "The safe block of layer 2 as of a block of layer 1.",
    fields: [
      { name: "l1Block", type: "blockName", required: true, summary: "The block of layer 1." },
      { name: "safeHead", type: "blockName", required: true, summary: "The safe block of layer 2 then." },
    ],
  },
  meteredBundle: {
    kind: "object",
    open: false,
    summary: "Signed transactions to be tried one after the other.",
    fields: [
      { name: "txs", type: "bytes[]", required: true, summary: "The signed transactions." },
      { name: "blockNumber", type: "blockNumber", required: true, summary: "The block that they are for." },
      { name: "flashblockNumberMin", type: "uint64", summary: "The first part of the block that they may be in." },
      { name: "flashblockNumberMax", type: "uint64", summary: "The last part of the block that they may be in." },
      { name: "minTimestamp", type: "uint64", summary: "Not before this time." },
      { name: "maxTimestamp", type: "uint64", summary: "Not after this time." },
      { name: "revertingTxHashes", type: "hash[]", summary: "Transactions that may revert." },
      { name: "droppingTxHashes", type: "hash[]", summary: "Transactions to drop from the pool." },
      { name: "replacementUuid", type: "text", nullable: true, summary: "An id by which it can be replaced." },
    ],
  },
  bundleMeasured: {
    kind: "object",
    open: true,
    summary: "What a bundle took.",
    fields: [
      { name: "bundleHash", type: "hash", required: true, summary: "The hash of its transactions' hashes." },
      { name: "results", type: "any[]", required: true, summary: "What each transaction did." },
      { name: "totalGasUsed", type: "numberOrQuantity", required: true, summary: "Gas of all of them." },
      { name: "totalExecutionTimeUs", type: "numberOrQuantity", summary: "Microseconds of all of them." },
      { name: "stateBlockNumber", type: "numberOrQuantity", summary: "The block that they were tried on." },
      { name: "priorityFee", type: "wei", summary: "The priority fee per gas that recent blocks suggest." },
    ],
  },
  blockMeasured: {
    kind: "object",
    open: true,
    summary: "How long a block took to run again.",
    fields: [
      { name: "blockHash", type: "hash", required: true, summary: "The block's hash." },
      { name: "blockNumber", type: "numberOrQuantity", required: true, summary: "The block's number." },
      { name: "executionTimeUs", type: "numberOrQuantity", required: true, summary: "Microseconds of its execution." },
      { name: "stateRootTimeUs", type: "numberOrQuantity", summary: "Microseconds of its state root." },
      { name: "totalTimeUs", type: "numberOrQuantity", summary: "Microseconds of all of it." },
    ],
  },
  knownTransaction: {
    kind: "object",
    open: true,
    summary: "Whether the node knows a transaction.",
    fields: [{ name: "status", type: "text", required: true, summary: "`Known` or `Unknown`." }],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
