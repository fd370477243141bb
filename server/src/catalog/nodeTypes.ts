import type { FieldSpec, TypeSpec } from "./spec.ts";

const kept = (name: string, of: string): FieldSpec => ({
  name,
  type: "keptHistory",
  required: true,
  summary: `Which ${of} the node has.`,
});

/**
 * Results about nodes, their fees and their transaction pool.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/client.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/capabilities.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/txpool.yaml
 * @see https://github.com/ethereum/go-ethereum/blob/master/internal/ethapi/api.go (the parts of a sync, the summaries)
 */
export const nodeTypes = {
  syncing: {
    kind: "union",
    of: ["boolean", "syncProgress"],
    summary: "`false` if the node is in sync with the chain, else how far it is.",
  },
  syncProgress: {
    kind: "object",
    open: true,
    summary: "How far a node is with reading the chain.",
    fields: [
      { name: "startingBlock", type: "blockNumber", summary: "Where it began." },
      { name: "currentBlock", type: "blockNumber", summary: "Where it is." },
      { name: "highestBlock", type: "blockNumber", summary: "Where the chain is." },
    ],
  },
  feeHistory: {
    kind: "object",
    open: true,
    summary: "The fees of a range of blocks, which can be shorter than what was asked for.",
    fields: [
      { name: "oldestBlock", type: "blockNumber", required: true, summary: "The first block of the range." },
      {
        name: "baseFeePerGas",
        type: "wei[]",
        required: true,
        summary: "Wei per gas that are burned, by block; the one after the range comes last.",
      },
      { name: "gasUsedRatio", type: "ratio[]", required: true, summary: "Gas used against the gas limit, by block." },
      { name: "reward", type: "weiList[]", nullable: true, summary: "Priority fees at the percentiles, by block." },
      {
        name: "baseFeePerBlobGas",
        type: "wei[]",
        nullable: true,
        summary: "Wei per blob gas, by block; the one after the range comes last.",
      },
      {
        name: "blobGasUsedRatio",
        type: "ratio[]",
        nullable: true,
        summary: "Blob gas used against the most, by block.",
      },
    ],
  },
  weiList: { kind: "union", of: ["wei[]"], summary: "Amounts in wei." },

  forkConfigs: {
    kind: "object",
    open: true,
    summary: "The rules of the chain now, after the next fork and after the last one that is planned (EIP-7910).",
    fields: [
      { name: "current", type: "forkConfig", required: true, nullable: true, summary: "The rules now." },
      { name: "next", type: "forkConfig", required: true, nullable: true, summary: "The rules after the next fork." },
      { name: "last", type: "forkConfig", required: true, nullable: true, summary: "The rules after the last fork." },
    ],
  },
  forkConfig: {
    kind: "object",
    open: true,
    summary: "The rules from a fork on.",
    fields: [
      { name: "activationTime", type: "integer", required: true, summary: "From when, in seconds since 1970." },
      { name: "chainId", type: "uint256", required: true, summary: "The chain's id." },
      { name: "forkId", type: "forkId", required: true, summary: "What peers call the fork (EIP-6122)." },
      { name: "blobSchedule", type: "blobSchedule", nullable: true, summary: "How many blobs blocks take." },
      { name: "precompiles", type: "namedAddresses", required: true, summary: "Precompiles by name." },
      { name: "systemContracts", type: "namedAddresses", required: true, summary: "System contracts by name." },
    ],
  },
  forkId: { kind: "bytes", length: 4, summary: "The hash of a fork: 4 bytes." },
  blobSchedule: {
    kind: "object",
    open: true,
    summary: "How many blobs blocks take.",
    fields: [
      { name: "target", type: "integer", required: true, summary: "Blobs of a block at which their fee stays." },
      { name: "max", type: "integer", required: true, summary: "The maximum number of blobs in a block." },
      { name: "baseFeeUpdateFraction", type: "integer", required: true, summary: "How slowly the blob fee moves." },
    ],
  },
  namedAddresses: { kind: "map", keys: "text", values: "address", summary: "Name → address." },

  capabilities: {
    kind: "object",
    open: true,
    summary: "How far back a node can answer.",
    fields: [
      { name: "head", type: "headBlock", required: true, summary: "The newest block that it knows." },
      kept("state", "state"),
      kept("tx", "transactions"),
      kept("logs", "logs"),
      kept("receipts", "receipts"),
      kept("blocks", "blocks"),
      kept("stateproofs", "proofs"),
    ],
  },
  headBlock: {
    kind: "object",
    open: true,
    summary: "A block by number and hash.",
    fields: [
      { name: "number", type: "blockNumber", required: true, summary: "The block's number." },
      { name: "hash", type: "hash", required: true, summary: "The block's hash." },
    ],
  },
  keptHistory: {
    kind: "object",
    open: true,
    summary: "From where on a node has something.",
    fields: [
      { name: "disabled", type: "boolean", required: true, summary: "It has none of it." },
      { name: "oldestBlock", type: "blockNumber", summary: "The first block that it has it of." },
      { name: "deleteStrategy", type: "deleteStrategy", summary: "When it forgets." },
    ],
  },
  deleteStrategy: {
    kind: "object",
    open: true,
    summary: "When a node forgets.",
    fields: [
      { name: "type", type: "text", required: true, summary: "`window`: it keeps the newest blocks." },
      { name: "retentionBlocks", type: "count", summary: "How many blocks it keeps." },
    ],
  },

  poolStatus: {
    kind: "object",
    open: true,
    summary: "How many transactions wait.",
    fields: [
      { name: "pending", type: "count", required: true, summary: "Transactions that can go into the next block." },
      { name: "queued", type: "count", required: true, summary: "Transactions that wait for an earlier nonce." },
    ],
  },
  poolContent: {
    kind: "object",
    open: true,
    summary: "The transactions that wait, by sender and nonce.",
    fields: [
      { name: "pending", type: "poolBySender", required: true, summary: "Those that can go into the next block." },
      { name: "queued", type: "poolBySender", required: true, summary: "Those that wait for an earlier nonce." },
    ],
  },
  poolOfSender: {
    kind: "object",
    open: true,
    summary: "The transactions of one sender that wait, by nonce.",
    fields: [
      { name: "pending", type: "poolByNonce", required: true, summary: "Those that can go into the next block." },
      { name: "queued", type: "poolByNonce", required: true, summary: "Those that wait for an earlier nonce." },
    ],
  },
  poolSummaries: {
    kind: "object",
    open: true,
    summary: "The transactions that wait, a line each, by sender and nonce.",
    fields: [
      { name: "pending", type: "summariesBySender", required: true, summary: "Those that can go into the next block." },
      { name: "queued", type: "summariesBySender", required: true, summary: "Those that wait for an earlier nonce." },
    ],
  },
  poolBySender: { kind: "map", keys: "address", values: "poolByNonce", summary: "Sender → nonce → transaction." },
  poolByNonce: { kind: "map", keys: "digits", values: "transaction", summary: "Nonce in decimal → transaction." },
  summariesBySender: { kind: "map", keys: "address", values: "summariesByNonce", summary: "Sender → nonce → line." },
  summariesByNonce: {
    kind: "map",
    keys: "digits",
    values: "text",
    summary: "Nonce in decimal → receiver, value, gas and price in a line.",
  },
  protocolVersion: {
    kind: "union",
    of: ["uint64", "integer", "text"],
    summary: "A version, as a quantity, a number or text.",
  },
  modules: { kind: "map", keys: "text", values: "text", summary: "Namespace → its version." },
} as const satisfies Readonly<Record<string, TypeSpec>>;

/**
 * Parameters and results of the methods of development nodes.
 * @see https://github.com/foundry-rs/foundry/blob/master/crates/anvil/core/src/types.rs
 * @see https://hardhat.org/hardhat-network/docs/reference
 */
export const devTypes = {
  done: {
    kind: "union",
    of: ["boolean", "null", "text"],
    summary: "Nothing that matters: `null` from anvil, mostly `true` from Hardhat.",
  },
  timeMoved: {
    kind: "union",
    of: ["integer", "text"],
    summary: "How far the time has been moved in all, in seconds; Hardhat writes it as a string.",
  },
  dropped: {
    kind: "union",
    of: ["hash", "boolean"],
    summary: "The transaction that is gone, or whether there was one.",
  },
  resetOptions: {
    kind: "object",
    open: true,
    summary: "What to start anew from.",
    fields: [{ name: "forking", type: "forking", nullable: true, summary: "The chain to fork." }],
  },
  forking: {
    kind: "object",
    open: true,
    summary: "A chain to fork.",
    fields: [
      { name: "jsonRpcUrl", type: "text", summary: "The address of an endpoint of that chain." },
      { name: "blockNumber", type: "numberOrQuantity", summary: "The block to fork at, else the newest." },
    ],
  },
  reorgTransaction: {
    kind: "union",
    of: ["any[]"],
    summary: "A list of two: the transaction, as a call or signed, and its block, counted from zero.",
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
