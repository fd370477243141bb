import type { FieldSpec, TypeSpec } from "./spec.ts";

/** The fields of every block; a simulated block also has its calls. Pending blocks may lack hash and nonce. */
export const blockFields = [
  { name: "number", type: "blockNumber", required: true, nullable: true, summary: "The block's number." },
  {
    name: "hash",
    type: "hash",
    required: true,
    nullable: true,
    summary: "The block's hash; provisional until it is sealed.",
  },
  { name: "parentHash", type: "hash", required: true, summary: "The block before it." },
  { name: "timestamp", type: "seconds", required: true, summary: "When it was made, in seconds since 1970." },
  {
    name: "timestampMs",
    type: "milliseconds",
    nullable: true,
    summary: "The same in milliseconds, if several blocks share a second; absent if the node cannot prove it.",
  },
  { name: "gasLimit", type: "gas", required: true, summary: "The maximum gas for all its transactions together." },
  { name: "gasUsed", type: "gas", required: true, summary: "The gas that its transactions used." },
  { name: "baseFeePerGas", type: "wei", nullable: true, summary: "Wei per gas that are burned." },
  { name: "miner", type: "address", nullable: true, summary: "Who gets the priority fees." },
  { name: "transactions", type: "blockTransaction[]", summary: "Its transactions, as hashes or in full." },
  { name: "stateRoot", type: "hash", summary: "Root of the state after it; zeros in some nodes' simulations." },
  { name: "transactionsRoot", type: "hash", summary: "Root of its transactions." },
  { name: "receiptsRoot", type: "hash", summary: "Root of its receipts." },
  { name: "logsBloom", type: "bloom", nullable: true, summary: "The bloom filter over its logs." },
  { name: "extraData", type: "bytes", summary: "Whatever its producer wrote there." },
  { name: "mixHash", type: "hash", nullable: true, summary: "The randomness of the beacon chain, `prevRandao`." },
  { name: "nonce", type: "blockNonce", nullable: true, summary: "The proof-of-work nonce, zeros today." },
  { name: "difficulty", type: "uint256", nullable: true, summary: "The proof-of-work difficulty, zero today." },
  {
    name: "totalDifficulty",
    type: "uint256",
    nullable: true,
    summary: "The difficulty of the chain up to it; older nodes.",
  },
  { name: "size", type: "count", nullable: true, summary: "Its size in bytes." },
  { name: "sha3Uncles", type: "hash", summary: "Hash of its uncles." },
  { name: "uncles", type: "hash[]", summary: "Its uncles, none today." },
  { name: "withdrawals", type: "withdrawal[]", nullable: true, summary: "Withdrawals from the beacon chain." },
  { name: "withdrawalsRoot", type: "hash", nullable: true, summary: "Root of its withdrawals." },
  { name: "blobGasUsed", type: "gas", nullable: true, summary: "The blob gas that its transactions used." },
  {
    name: "excessBlobGas",
    type: "gas",
    nullable: true,
    summary: "Blob gas above the target so far, which sets the blob fee.",
  },
  { name: "parentBeaconBlockRoot", type: "hash", nullable: true, summary: "Root of the beacon block before it." },
  {
    name: "requestsHash",
    type: "hash",
    nullable: true,
    summary: "Hash of its requests to the beacon chain (EIP-7685).",
  },
  { name: "blockAccessListHash", type: "hash", nullable: true, summary: "Hash of what it read and wrote (EIP-7928)." },
] as const satisfies readonly FieldSpec[];

/**
 * Blocks and receipts. `timestampMs` is of chains with native fast blocks.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/block.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/receipt.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/withdrawal.yaml
 * @see https://docs.base.org/base-chain/api-reference/ethereum-json-rpc-api/eth_getTransactionReceipt (the layer 2 fields)
 * @see https://github.com/base/docs (200ms-blocks.mdx: `timestampMs`, `blockTimestampMs`)
 */
export const blockTypes = {
  blockInfo: {
    kind: "object",
    open: true,
    summary: "A block with its header and its transactions.",
    fields: blockFields,
  },
  blockTransaction: {
    kind: "union",
    of: ["hash", "transaction"],
    summary: "A transaction of a block, by hash or in full.",
  },
  withdrawal: {
    kind: "object",
    open: true,
    summary: "A withdrawal from the beacon chain.",
    fields: [
      { name: "index", type: "index", required: true, summary: "Its number among all withdrawals." },
      { name: "validatorIndex", type: "index", required: true, summary: "The validator that it comes from." },
      { name: "address", type: "address", required: true, summary: "The account that gets it." },
      { name: "amount", type: "uint256", required: true, summary: "How much, in gwei." },
    ],
  },
  status: {
    kind: "oneOf",
    summary: "How an execution ended.",
    values: [
      { value: "0x1", summary: "It succeeded." },
      { value: "0x0", summary: "It failed, and its changes were undone." },
    ],
  },
  receipt: {
    kind: "object",
    open: true,
    summary: "The receipt of a transaction: its status, its gas and its logs.",
    fields: [
      { name: "transactionHash", type: "hash", required: true, summary: "The transaction's hash." },
      { name: "transactionIndex", type: "index", required: true, summary: "Its place in the block." },
      { name: "type", type: "transactionType", summary: "The kind of transaction." },
      { name: "status", type: "status", nullable: true, summary: "Whether it succeeded; absent before Byzantium." },
      {
        name: "blockHash",
        type: "hash",
        required: true,
        nullable: true,
        summary: "Its block; `null` or zeros until that is sealed.",
      },
      { name: "blockNumber", type: "blockNumber", required: true, nullable: true, summary: "The number of its block." },
      { name: "blockTimestamp", type: "timestamp", nullable: true, summary: "When its block was made." },
      { name: "from", type: "address", required: true, summary: "Who sent it." },
      {
        name: "to",
        type: "address",
        nullable: true,
        summary: "The account or contract called; `null` if it deployed one.",
      },
      { name: "contractAddress", type: "address", nullable: true, summary: "The contract that it deployed." },
      { name: "gasUsed", type: "gas", required: true, summary: "The gas that it used." },
      {
        name: "cumulativeGasUsed",
        type: "gas",
        required: true,
        summary: "The gas used in the block up to and with it.",
      },
      { name: "effectiveGasPrice", type: "wei", required: true, summary: "Wei paid per gas." },
      { name: "logs", type: "log[]", required: true, summary: "The events that it emitted." },
      { name: "logsBloom", type: "bloom", required: true, summary: "The bloom filter over its logs." },
      { name: "root", type: "hash", nullable: true, summary: "Root of the state after it; only before Byzantium." },
      { name: "blobGasUsed", type: "gas", nullable: true, summary: "The blob gas that it used." },
      { name: "blobGasPrice", type: "wei", nullable: true, summary: "Wei paid per blob gas." },
      { name: "l1Fee", type: "wei", nullable: true, summary: "Layer 2: what it paid for its data on layer 1, in wei." },
      { name: "l1GasUsed", type: "gas", nullable: true, summary: "Layer 2: the layer 1 gas that its data costs." },
      { name: "l1GasPrice", type: "wei", nullable: true, summary: "Layer 2: the base fee of layer 1, in wei." },
      { name: "l1BaseFeeScalar", type: "uint64", nullable: true, summary: "Layer 2: weight of the layer 1 base fee." },
      { name: "l1BlobBaseFee", type: "wei", nullable: true, summary: "Layer 2: the blob base fee of layer 1, in wei." },
      {
        name: "l1BlobBaseFeeScalar",
        type: "uint64",
        nullable: true,
        summary: "Layer 2: weight of the layer 1 blob base fee.",
      },
      {
        name: "l1FeeScalar",
        type: "text",
        nullable: true,
        summary: "Layer 2: a decimal factor on the layer 1 fee, before Ecotone.",
      },
      {
        name: "operatorFeeScalar",
        type: "uint64",
        nullable: true,
        summary: "Layer 2: the operator's fee for each gas.",
      },
      {
        name: "operatorFeeConstant",
        type: "uint64",
        nullable: true,
        summary: "Layer 2: the operator's fee for each transaction.",
      },
      {
        name: "daFootprintGasScalar",
        type: "uint64",
        nullable: true,
        summary: "Layer 2: gas counted for each byte of data.",
      },
      { name: "depositNonce", type: "count", nullable: true, summary: "Layer 2: the sender's nonce of a deposit." },
      {
        name: "depositReceiptVersion",
        type: "uint64",
        nullable: true,
        summary: "Layer 2: the version of a deposit's receipt.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
