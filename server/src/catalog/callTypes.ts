import type { FieldSpec, ObjectType, TypeSpec } from "./spec.ts";

/** Says the same of two pairs of fields: old and new fees cannot be mixed. */
const feesMixed =
  "Nodes refuse both: `gasPrice` is for legacy transactions, `maxFeePerGas` and `maxPriorityFeePerGas` for the fee market.";

const callFields = [
  {
    name: "from",
    type: "address",
    default: '"0x0000000000000000000000000000000000000000"',
    summary: "The account that calls.",
  },
  {
    name: "to",
    type: "address",
    nullable: true,
    summary: "The account or contract that is called; leave it out to deploy the code in `data`.",
  },
  {
    name: "data",
    type: "calldata",
    default: '"0x"',
    summary: "The call data. The specification calls it `input`; nodes take both names.",
  },
  {
    name: "input",
    type: "calldata",
    default: '"0x"',
    summary: "The call data, under the name of the specification; `data` means the same.",
  },
  { name: "value", type: "wei", default: '"0x0"', summary: "Native currency that is sent, in wei." },
  {
    name: "gas",
    type: "gas",
    summary: "The maximum gas for the call; without it, nodes use a high limit of their own.",
  },
  { name: "gasPrice", type: "wei", summary: "Wei per gas, in legacy transactions." },
  { name: "maxFeePerGas", type: "wei", summary: "The maximum wei per gas, base fee and priority fee together." },
  { name: "maxPriorityFeePerGas", type: "wei", summary: "The maximum wei per gas that goes to the block's producer." },
  { name: "nonce", type: "count", summary: "The sender's nonce; without it, nodes use the right one." },
  { name: "chainId", type: "uint256", summary: "The chain that it is for; nodes refuse another chain's id." },
  {
    name: "type",
    type: "transactionType",
    summary: "The kind of transaction; nodes infer it from the other fields.",
  },
  {
    name: "accessList",
    type: "accessListEntry[]",
    summary: "Accounts and slots that are warm from the start (EIP-2930).",
  },
  {
    name: "authorizationList",
    type: "authorization[]",
    summary: "Signed permissions of accounts to run a contract's code as their own (EIP-7702).",
  },
  { name: "maxFeePerBlobGas", type: "wei", summary: "The maximum wei per blob gas (EIP-4844)." },
  { name: "blobVersionedHashes", type: "hash[]", summary: "Versioned hashes of the transaction's blobs (EIP-4844)." },
  { name: "blobs", type: "blob[]", summary: "The blobs themselves (EIP-4844)." },
  { name: "commitments", type: "kzg[]", summary: "A KZG commitment for each blob (EIP-4844)." },
  { name: "proofs", type: "kzg[]", summary: "KZG proofs: one per blob, or 128 cell proofs per blob since PeerDAS." },
] as const satisfies readonly FieldSpec[];

const transactionFields = [
  { name: "hash", type: "hash", required: true, summary: "The transaction's hash." },
  { name: "type", type: "transactionType", summary: "The kind of transaction." },
  { name: "from", type: "address", required: true, summary: "Who sent it." },
  {
    name: "to",
    type: "address",
    nullable: true,
    summary: "The account or contract called; `null` if it deploys one.",
  },
  { name: "value", type: "wei", required: true, summary: "Native currency that is sent, in wei." },
  {
    name: "input",
    type: "calldata",
    required: true,
    summary: "The call data, or the code that deploys a contract.",
  },
  { name: "nonce", type: "count", required: true, summary: "The sender's nonce." },
  { name: "gas", type: "gas", required: true, summary: "The maximum gas that it may use." },
  {
    name: "gasPrice",
    type: "wei",
    nullable: true,
    summary: "Wei per gas: bid in legacy transactions, else what was paid.",
  },
  { name: "maxFeePerGas", type: "wei", nullable: true, summary: "The maximum wei per gas in all." },
  {
    name: "maxPriorityFeePerGas",
    type: "wei",
    nullable: true,
    summary: "The maximum wei per gas that goes to the block's producer.",
  },
  { name: "maxFeePerBlobGas", type: "wei", nullable: true, summary: "The maximum wei per blob gas." },
  {
    name: "accessList",
    type: "accessListEntry[]",
    nullable: true,
    summary: "Accounts and slots that are warm from the start.",
  },
  {
    name: "authorizationList",
    type: "authorization[]",
    nullable: true,
    summary: "Permissions to run a contract's code.",
  },
  { name: "blobVersionedHashes", type: "hash[]", nullable: true, summary: "Versioned hashes of its blobs." },
  { name: "chainId", type: "uint256", nullable: true, summary: "The chain that it is for." },
  { name: "blockHash", type: "hash", nullable: true, summary: "Its block; `null` or zeros until that is sealed." },
  { name: "blockNumber", type: "blockNumber", nullable: true, summary: "The number of its block." },
  { name: "blockTimestamp", type: "timestamp", nullable: true, summary: "When its block was made." },
  {
    name: "blockTimestampMs",
    type: "milliseconds",
    nullable: true,
    summary: "The same in milliseconds; absent if the node cannot prove it.",
  },
  { name: "transactionIndex", type: "index", nullable: true, summary: "Its place in the block." },
  { name: "v", type: "uint256", nullable: true, summary: "The signature's `v`." },
  { name: "r", type: "uint256", nullable: true, summary: "The signature's `r`." },
  { name: "s", type: "uint256", nullable: true, summary: "The signature's `s`." },
  { name: "yParity", type: "uint64", nullable: true, summary: "Parity of the signature's point." },
  { name: "sourceHash", type: "hash", nullable: true, summary: "Identifies a deposit by its origin on layer 1." },
  { name: "mint", type: "wei", nullable: true, summary: "Native currency that a deposit creates." },
  { name: "isSystemTx", type: "boolean", nullable: true, summary: "A deposit that uses none of the block's gas." },
  { name: "depositReceiptVersion", type: "uint64", nullable: true, summary: "The version of a deposit's receipt." },
] as const satisfies readonly FieldSpec[];

const calleeAdvised = "Some services require it; without it a node runs `data` as the code of a new contract.";

const callObject = {
  kind: "object",
  open: false,
  summary: "A call as a transaction would make it, without signature.",
  exclusive: [
    {
      fields: ["data", "input"],
      why: "They are two names of one thing: some nodes refuse both when they differ, others read `input` alone.",
    },
    { fields: ["gasPrice", "maxFeePerGas"], why: feesMixed },
    { fields: ["gasPrice", "maxPriorityFeePerGas"], why: feesMixed },
  ],
  mistaken: [
    { name: "gasLimit", field: "gas" },
    { name: "calldata", field: "data" },
  ],
} as const satisfies Omit<ObjectType, "fields">;

/**
 * Calls that are not transactions yet, and transactions as blocks hold them.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/transaction.yaml (GenericTransaction, TransactionInfo)
 * @see https://github.com/ethereum-optimism/specs/blob/main/specs/protocol/deposits.md (type 0x7e)
 */
export const callTypes = {
  call: {
    ...callObject,
    fields: callFields,
    oneOfRequired: [
      {
        fields: ["to", "data", "input"],
        why: "Without `to` it is a deployment, and without `data` there is nothing to deploy.",
        advice: true,
      },
    ],
  },
  messageCall: {
    ...callObject,
    summary: "A call of an account or contract, as a transaction would make it, without signature.",
    fields: callFields.map((field) => (field.name === "to" ? { ...field, advised: calleeAdvised } : field)),
  },
  accessListEntry: {
    kind: "object",
    open: false,
    summary: "An account and some of its slots that are warm from the start.",
    fields: [
      { name: "address", type: "address", required: true, summary: "The account." },
      { name: "storageKeys", type: "word[]", required: true, summary: "Its slots, 32 bytes each." },
    ],
  },
  authorization: {
    kind: "object",
    open: true,
    summary: "A signed permission of an account to run a contract's code as its own (EIP-7702).",
    fields: [
      {
        name: "chainId",
        type: "uint256",
        required: true,
        summary: "The chain that it holds on; `0x0` is all of them.",
      },
      { name: "address", type: "address", required: true, summary: "The contract whose code the account runs." },
      { name: "nonce", type: "count", required: true, summary: "The account's nonce at that moment." },
      { name: "yParity", type: "uint64", required: true, summary: "Parity of the signature's point: `0x0` or `0x1`." },
      { name: "r", type: "uint256", required: true, summary: "The signature's `r`." },
      { name: "s", type: "uint256", required: true, summary: "The signature's `s`." },
    ],
  },
  knownTransactionType: {
    kind: "oneOf",
    summary: "A kind of transaction that most chains know.",
    values: [
      { value: "0x0", summary: "Legacy: one `gasPrice`." },
      { value: "0x1", summary: "With an access list (EIP-2930)." },
      { value: "0x2", summary: "Fee market: `maxFeePerGas` and `maxPriorityFeePerGas` (EIP-1559)." },
      { value: "0x3", summary: "With blobs (EIP-4844)." },
      { value: "0x4", summary: "Sets the code of accounts (EIP-7702)." },
      { value: "0x7e", summary: "A deposit from layer 1, on OP Stack chains." },
    ],
  },
  transactionType: {
    kind: "union",
    of: ["knownTransactionType", "uint64"],
    summary: "The kind of a transaction (EIP-2718).",
  },
  transaction: {
    kind: "object",
    open: true,
    summary: "A transaction with its place in the chain.",
    fields: transactionFields,
  },
  unsentTransaction: {
    kind: "object",
    open: true,
    summary: "A transaction that is not in the chain: filled in, or signed.",
    fields: transactionFields
      .filter(({ name }) => !/^(block|transactionIndex|sourceHash|mint|isSystemTx|deposit)/.test(name))
      .map(({ name, type, summary }) => ({ name, type, nullable: true, summary })),
  },
  signedOrPrepared: {
    kind: "union",
    of: ["preparedTransaction", "bytes"],
    summary: "A signed transaction: its bytes and its fields, or its bytes alone.",
  },
  preparedTransaction: {
    kind: "object",
    open: true,
    summary: "A transaction and its bytes.",
    fields: [
      { name: "raw", type: "bytes", nullable: true, summary: "Its bytes, as `eth_sendRawTransaction` takes them." },
      { name: "tx", type: "unsentTransaction", required: true, summary: "Its fields." },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
