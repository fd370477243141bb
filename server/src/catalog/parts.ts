import type { MethodErrorSpec, ParamSpec } from "./spec.ts";

/**
 * Parts that several methods share: parameters, errors, notes, and the accounts, transactions and blocks of the
 * examples.
 */

/** Folders of the specification. */
export const spec = "https://github.com/ethereum/execution-apis/blob/main/src/eth";
export const debugSpec = "https://github.com/ethereum/execution-apis/blob/main/src/debug";
/** Pages of go-ethereum and of Ethereum's documentation, by anchor, and of reth, by namespace. */
export const gethPages = "https://geth.ethereum.org/docs/interacting-with-geth/rpc";
export const ethereumPage = "https://ethereum.org/en/developers/docs/apis/json-rpc/#";

export const block = {
  name: "block",
  type: "block",
  required: false,
  default: '"latest"',
  advised: "Some services require the block, and writing it shows readers which state is meant.",
  summary: "The block whose state is read.",
} as const satisfies ParamSpec;

export const stateOverrides = {
  name: "stateOverrides",
  type: "stateOverrides",
  required: false,
  summary: "What is different about accounts during the call. Not in the specification; geth, reth and Base take it.",
} as const satisfies ParamSpec;

export const asLatest = "A node that holds no pending state answers as for `latest`.";
export const perhapsLatest =
  "Some nodes answer as for `latest` here even if they serve pre-confirmed state for other methods, so measure it.";
export const laggingContext =
  "The block number, time and base fee that the code sees may be those of a block several behind the tip.";

export const unknownBlock = {
  code: -32000,
  message: "header not found",
  when: "The block does not exist, or this node has not seen it yet.",
} as const satisfies MethodErrorSpec;
export const noState = {
  code: -32000,
  message: "missing trie node",
  when: "The node no longer has the state of a block that old.",
} as const satisfies MethodErrorSpec;
export const prunedHistory = {
  code: 4444,
  message: "Pruned history unavailable",
  when: "The node no longer has blocks that old.",
} as const satisfies MethodErrorSpec;
/** The specification and most clients say 3, the documentation of Base and some gateways -32000. */
export const reverted = [
  {
    code: 3,
    message: "execution reverted",
    when: "The contract refused the call; `data` holds the ABI-encoded reason if it gave one.",
  },
  {
    code: -32000,
    message: "execution reverted",
    when: "The same from services that use the general code; `data` may be missing.",
  },
] as const satisfies readonly MethodErrorSpec[];
export const mixedFees = {
  code: -32602,
  message: "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified",
  when: "The call mixes legacy and fee-market fields.",
} as const satisfies MethodErrorSpec;

export const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const zeros = `0x${"0".repeat(64)}`;
const noBloom = `0x${"0".repeat(512)}`;
export const blockHash = "0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e";
export const transactionHash = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

export const transferLog = {
  address: token,
  topics: [
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    "0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8",
  ],
  data: "0x00000000000000000000000000000000000000000000000000000000000f4240",
  blockNumber: "0x1e8480",
  blockHash,
  blockTimestamp: "0x66a0b6c4",
  transactionHash,
  transactionIndex: "0x3",
  logIndex: "0x7",
  removed: false,
} as const;

export const exampleBlock = {
  number: "0x1e8480",
  hash: blockHash,
  parentHash: "0x7bcf37f0a8a9c8fbd2a9b3d29c2c1fcb53a8b9a6a1ed0ba1ff9a0d4a1b5ae65d",
  timestamp: "0x66a0b6c4",
  gasLimit: "0x3938700",
  gasUsed: "0xa410",
  baseFeePerGas: "0x4c4b40",
  miner: "0x4200000000000000000000000000000000000011",
  transactions: [transactionHash],
  stateRoot: zeros,
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  logsBloom: noBloom,
  extraData: "0x",
  mixHash: zeros,
  nonce: "0x0000000000000000",
  difficulty: "0x0",
  size: "0x2c5",
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  uncles: [],
  withdrawals: [],
} as const;

const { transactions: _transactions, uncles: _uncles, ...header } = exampleBlock;
export const exampleHeader = header;

/** Parameters that many methods share. */
export const anyBlock = {
  name: "block",
  type: "block",
  required: true,
  summary: "The block.",
} as const satisfies ParamSpec;
export const numberedBlock = {
  name: "block",
  type: "blockNumberOrTag",
  required: true,
  summary: "The block.",
} as const satisfies ParamSpec;
export const hashedBlock = {
  name: "blockHash",
  type: "hash",
  required: true,
  summary: "The block's hash.",
} as const satisfies ParamSpec;
export const hydrated = {
  name: "hydrated",
  type: "boolean",
  required: true,
  summary: "Return full transactions instead of their hashes.",
} as const satisfies ParamSpec;
export const byHash = {
  name: "transactionHash",
  type: "hash",
  required: true,
  summary: "The transaction's hash.",
} as const satisfies ParamSpec;
export const placeInBlock = {
  name: "index",
  type: "index",
  required: true,
  summary: "The place in the block, counted from zero.",
} as const satisfies ParamSpec;
export const blockOverrides = {
  name: "blockOverrides",
  type: "blockOverrides",
  required: false,
  summary: "What is different about the block during the call. Not in the specification; geth, reth and Base take it.",
} as const satisfies ParamSpec;

export const pendingBlock = `The block that is being built, with the transactions that are pre-confirmed so far; its hash is not final. ${asLatest}`;
export const noSuchBlock = "There is no such block.";
export const noSuchTransaction = "There is no such transaction, or the node has not seen it yet.";

/** One ether from {@link account} to {@link other}, signed with the first of the keys that development nodes publish. */
export const signedTransfer =
  "0x02f8728221052a830f4240839896808252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080c001a00e82e8ac1fde0ce85681dc5d883b2bdfdfbf5a9a839b016af9fea9ddf56d31b4a01281af8b5d439b199359f515377bbe34e1d3cf6dd0a330ffb94cbb11cb7a85fe";
export const transferHash = "0x683db933ce786af0fbdfdabd890922d4cf875e629b5dc8984ab7bb5f58d81545";
export const unsignedTransfer = {
  from: account,
  to: other,
  value: "0xde0b6b3a7640000",
} as const;
const signedFields = {
  type: "0x2",
  to: other,
  value: "0xde0b6b3a7640000",
  input: "0x",
  nonce: "0x2a",
  gas: "0x5208",
  maxFeePerGas: "0x989680",
  maxPriorityFeePerGas: "0xf4240",
  accessList: [],
  chainId: "0x2105",
  v: "0x1",
  r: "0xe82e8ac1fde0ce85681dc5d883b2bdfdfbf5a9a839b016af9fea9ddf56d31b4",
  s: "0x1281af8b5d439b199359f515377bbe34e1d3cf6dd0a330ffb94cbb11cb7a85fe",
  yParity: "0x1",
  hash: transferHash,
} as const;
const { v: _v, r: _r, s: _s, yParity: _yParity, hash: _hash, ...unsigned } = signedFields;
export const filledFields = unsigned;
export const signedTransaction = { raw: signedTransfer, tx: signedFields } as const;
export const pooledTransaction = {
  ...signedFields,
  from: account,
  gasPrice: "0x989680",
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
} as const;
export const minedTransaction = {
  ...pooledTransaction,
  gasPrice: "0x5b8d80",
  blockHash,
  blockNumber: "0x1e8480",
  transactionIndex: "0x3",
} as const;
export const exampleReceipt = {
  transactionHash,
  transactionIndex: "0x3",
  type: "0x2",
  status: "0x1",
  blockHash,
  blockNumber: "0x1e8480",
  from: account,
  to: token,
  contractAddress: null,
  gasUsed: "0xa410",
  cumulativeGasUsed: "0x2f1c0",
  effectiveGasPrice: "0x4c4b40",
  logs: [transferLog],
  logsBloom: noBloom,
  l1Fee: "0x1b48eb57e000",
} as const;
