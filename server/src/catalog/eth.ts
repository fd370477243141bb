import type { MethodErrorSpec, MethodSpec, ParamSpec } from "./spec.ts";

const spec = "https://github.com/ethereum/execution-apis/blob/main/src/eth";

const block = {
  name: "block",
  type: "block",
  required: false,
  default: '"latest"',
  advised: "Some services require the block, and written out it tells readers which state is meant.",
  summary: "The block whose state is read.",
} as const satisfies ParamSpec;

const stateOverrides = {
  name: "stateOverrides",
  type: "stateOverrides",
  required: false,
  summary: "What is different about accounts during the call. Not in the specification; geth, reth and Base take it.",
} as const satisfies ParamSpec;

const asLatest = "A node that holds no pending state answers as for `latest`.";
const perhapsLatest =
  "Some nodes answer as for `latest` here even where they hold pre-confirmed state for other methods, so measure it.";
const laggingContext =
  "The block number, time and base fee that the code sees may be those of a block several behind the tip.";

const unknownBlock = {
  code: -32000,
  message: "header not found",
  when: "The block does not exist, or this node has not seen it yet.",
} as const satisfies MethodErrorSpec;
const noState = {
  code: -32000,
  message: "missing trie node",
  when: "The node no longer has the state of a block that old.",
} as const satisfies MethodErrorSpec;
const prunedHistory = {
  code: 4444,
  message: "Pruned history unavailable",
  when: "The node no longer has blocks that old.",
} as const satisfies MethodErrorSpec;
/** The specification and most clients say 3, the documentation of Base and some gateways -32000. */
const reverted = [
  {
    code: 3,
    message: "execution reverted",
    when: "The contract refused the call; `data` holds the ABI-encoded reason where it gave one.",
  },
  {
    code: -32000,
    message: "execution reverted",
    when: "The same from services that use the general code; `data` may be missing.",
  },
] as const satisfies readonly MethodErrorSpec[];
const mixedFees = {
  code: -32602,
  message: "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified",
  when: "The call mixes legacy and fee-market fields.",
} as const satisfies MethodErrorSpec;

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const zeros = `0x${"0".repeat(64)}`;
const noBloom = `0x${"0".repeat(512)}`;
const blockHash = "0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e";
const transactionHash = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

const transferLog = {
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

const exampleBlock = {
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

/**
 * The `eth_` namespace.
 * @see https://github.com/ethereum/execution-apis/tree/main/src/eth
 * @see https://docs.base.org/base-chain/api-reference/rpc-overview (pre-confirmed state, limits, refusals)
 */
export const eth = [
  {
    name: "eth_getLogs",
    summary: "Finds the events that contracts emitted, by blocks, address and topics.",
    params: [{ name: "filter", type: "filter", required: true, summary: "Which logs to return." }],
    result: "log[]",
    effect: "reads",
    pending: `Pre-confirmed logs come along only where \`toBlock\` is \`pending\`; \`fromBlock\` may be older. Clients without pre-confirmations may refuse the tag. ${asLatest}`,
    errors: [
      {
        code: -32602,
        message: "invalid block range params",
        when: "`fromBlock` is above `toBlock`, or a block lies beyond the head.",
      },
      {
        code: -32602,
        message: "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other",
        when: "The filter has a range beside `blockHash`; some services ignore the range in place of refusing.",
      },
      {
        code: -32614,
        message: "eth_getLogs is limited to a 2,000 range",
        when: "The range is longer than the service allows; others say so with -32005, -32602, -32000 and in other words.",
      },
      prunedHistory,
    ],
    limits: [
      "Keep `toBlock` − `fromBlock` under 2,000: longer ranges and busy contracts time out or are refused.",
      "A filter takes at most 4 topics, and nodes bound the alternatives of one position (geth: 1,000).",
    ],
    source: `${spec}/filter.yaml`,
    example: {
      params: [
        {
          fromBlock: "0x1e8480",
          toBlock: "0x1e8481",
          address: token,
          topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", null, [transferLog.topics[2]]],
        },
      ],
      result: [transferLog],
    },
  },
  {
    name: "eth_call",
    summary: "Runs a call against the state of a block and returns what it returns, without sending a transaction.",
    params: [
      { name: "transaction", type: "call", required: true, summary: "The call to run." },
      block,
      stateOverrides,
      {
        name: "blockOverrides",
        type: "blockOverrides",
        required: false,
        summary:
          "What is different about the block during the call. Not in the specification; geth, reth and Base take it.",
      },
    ],
    result: "returndata",
    effect: "simulates",
    pending: `The call runs on the pre-confirmed state. ${laggingContext} ${asLatest}`,
    errors: [...reverted, mixedFees, unknownBlock, noState],
    limits: [
      "Nodes bound the gas and the time of a call; some charge its gas to the balance of `from` when a gas price is given.",
    ],
    source: `${spec}/execute.yaml`,
    example: {
      params: [
        { to: token, data: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266" },
        "pending",
      ],
      result: "0x00000000000000000000000000000000000000000000000000000000000f4240",
    },
  },
  {
    name: "eth_simulateV1",
    summary:
      "Simulates blocks of calls that build on each other, with changed accounts and block values, and returns their results and logs.",
    params: [
      { name: "simulationPayload", type: "simulation", required: true, summary: "The blocks to simulate." },
      { ...block, name: "blockParameter", summary: "The block to build on." },
    ],
    result: "simulatedBlock[]",
    effect: "simulates",
    pending: `The first simulated block builds on the pre-confirmed state. ${laggingContext} ${asLatest}`,
    errors: [
      { code: -38010, message: "nonce too low", when: "With `validation`: a call's nonce was already used." },
      {
        code: -38012,
        message: "max fee per gas less than block base fee",
        when: "With `validation`: a call offers less than the base fee.",
      },
      { code: -38013, message: "intrinsic gas too low", when: "A call's `gas` does not even pay for its start." },
      {
        code: -38014,
        message: "insufficient funds for gas * price + value",
        when: "A sender cannot pay; give it a `balance` in `stateOverrides`.",
      },
      { code: -38015, message: "block gas limit reached", when: "The calls of a block need more gas than it has." },
      {
        code: -38020,
        message: "block numbers must be in order",
        when: "A block's `number` is not above the one before.",
      },
      {
        code: -38021,
        message: "block timestamps must be in order",
        when: "A block's `time` is not above the one before.",
      },
      { code: -38026, message: "too many blocks", when: "The simulation goes over the client's limit." },
      unknownBlock,
    ],
    limits: [
      "At most 256 blocks in geth; 5,000 calls a block and 10,000 calls in all.",
      "Skipped block numbers give empty blocks in between, so results can be more than the entries.",
      "A call that fails does not fail the simulation: look at its `status`.",
      "Not every endpoint has it; the pre-confirmed endpoints of the main and the test network do.",
    ],
    source: `${spec}/execute.yaml`,
    example: {
      params: [
        {
          blockStateCalls: [
            {
              blockOverrides: { time: "0x66a0b6d0" },
              stateOverrides: { [account]: { balance: "0xde0b6b3a7640000" } },
              calls: [{ from: account, to: other, value: "0x3e8" }],
            },
          ],
          traceTransfers: true,
          validation: false,
        },
        "pending",
      ],
      result: [
        {
          ...exampleBlock,
          calls: [
            {
              status: "0x1",
              gasUsed: "0x5208",
              returnData: "0x",
              logs: [{ ...transferLog, address: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" }],
            },
          ],
        },
      ],
    },
  },
  {
    name: "eth_getBlockReceipts",
    summary: "Returns the receipts of all transactions of a block at once.",
    params: [{ name: "block", type: "block", required: true, summary: "The block whose receipts are wanted." }],
    result: "receipt[]",
    nullResult: "There is no such block. A block without transactions gives an empty list.",
    effect: "reads",
    pending: `The receipts of the transactions that are pre-confirmed so far. ${perhapsLatest}`,
    errors: [
      {
        code: 403,
        http: true,
        message: "rpc method is not whitelisted",
        when: "A public endpoint refuses this method; ask for the receipts one by one, or use an endpoint of a provider.",
      },
      prunedHistory,
    ],
    limits: ["The public endpoints refuse it with HTTP 403: it needs a dedicated or third-party provider."],
    source: `${spec}/block.yaml`,
    example: {
      params: ["0x1e8480"],
      result: [
        {
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
        },
      ],
    },
  },
  {
    name: "eth_estimateGas",
    summary: "Estimates the gas that a transaction needs to succeed; it may need less in the end.",
    params: [
      {
        name: "transaction",
        type: "call",
        required: true,
        summary: "The transaction to try; without `to` it deploys a contract.",
      },
      {
        name: "block",
        type: "blockNumberOrTag",
        required: false,
        default: '"latest"',
        summary: "The block on whose state it is tried. The specification takes no block hash here, some nodes do.",
      },
      stateOverrides,
    ],
    result: "gas",
    effect: "simulates",
    pending: `The estimate uses the pre-confirmed state, for transactions that need an earlier one. ${laggingContext} ${asLatest}`,
    errors: [
      ...reverted,
      mixedFees,
      {
        code: -32000,
        message: "gas required exceeds allowance",
        when: "It does not succeed with any gas that `from` can pay or the node allows.",
      },
      unknownBlock,
    ],
    source: `${spec}/execute.yaml`,
    example: { params: [{ from: account, to: other, value: "0x1" }, "pending"], result: "0x5208" },
  },
  {
    name: "eth_getStorageAt",
    summary: "Reads one slot of a contract's storage.",
    params: [
      { name: "address", type: "address", required: true, summary: "The contract." },
      { name: "position", type: "slot", required: true, summary: "The slot; for a mapping, the hash of key and slot." },
      block,
    ],
    result: "word",
    effect: "reads",
    pending: `The slot with the pre-confirmed changes. ${perhapsLatest}`,
    errors: [
      {
        code: -32602,
        message: "storage key too long (want at most 32 bytes)",
        when: "The position has more than 32 bytes.",
      },
      unknownBlock,
      noState,
    ],
    source: `${spec}/state.yaml`,
    example: {
      params: [token, "0x0", "pending"],
      result: "0x0000000000000000000000003abd6f64a422225e61e435bae41db12096106df7",
    },
  },
  {
    name: "eth_getTransactionCount",
    summary: "Returns how many transactions an account has sent, which is the nonce of its next one.",
    params: [{ name: "address", type: "address", required: true, summary: "The account." }, block],
    result: "count",
    effect: "reads",
    pending: `The count takes in pre-confirmed transactions, so that quick senders leave no gap in their nonces. ${asLatest}`,
    errors: [unknownBlock, noState],
    source: `${spec}/state.yaml`,
    example: { params: [account, "pending"], result: "0x2a" },
  },
  {
    name: "eth_getCode",
    summary: "Returns the bytecode of an account: `0x` where it has none, 23 bytes where it delegates to a contract.",
    params: [{ name: "address", type: "address", required: true, summary: "The account." }, block],
    result: "code",
    effect: "reads",
    pending: `Contracts that are deployed but not sealed yet already have their code. ${perhapsLatest}`,
    errors: [unknownBlock, noState],
    source: `${spec}/state.yaml`,
    example: { params: [other, "pending"], result: "0xef0100f39fd6e51aad88f6f4ce6ab8827279cfffb92266" },
  },
  {
    name: "eth_getBalance",
    summary: "Returns the balance of an account in the native currency.",
    params: [{ name: "address", type: "address", required: true, summary: "The account." }, block],
    result: "wei",
    effect: "reads",
    pending: `The balance with the pre-confirmed transactions. ${asLatest}`,
    errors: [unknownBlock, noState],
    source: `${spec}/state.yaml`,
    example: { params: [account, "pending"], result: "0x1cfe56f3795885980000" },
  },
  {
    name: "eth_getBlockByNumber",
    summary: "Returns a block by its number or tag.",
    params: [
      { name: "block", type: "blockNumberOrTag", required: true, summary: "The block." },
      {
        name: "hydrated",
        type: "boolean",
        required: true,
        summary: "Return transactions in full in place of their hashes.",
      },
    ],
    result: "blockInfo",
    nullResult: "There is no such block.",
    effect: "reads",
    pending: `The block that is being built, with the transactions that are pre-confirmed so far; its hash is not final. ${asLatest}`,
    errors: [prunedHistory],
    source: `${spec}/block.yaml`,
    example: { params: ["pending", false], result: exampleBlock },
  },
  {
    name: "eth_chainId",
    summary: "Returns the id of the chain, which signed transactions name.",
    params: [],
    result: "uint256",
    effect: "reads",
    source: `${spec}/client.yaml`,
    example: { params: [], result: "0x2105" },
  },
  {
    name: "eth_blockNumber",
    summary: "Returns the number of the newest sealed block.",
    params: [],
    result: "blockNumber",
    effect: "reads",
    source: `${spec}/client.yaml`,
    example: { params: [], result: "0x1e8480" },
  },
] as const satisfies readonly MethodSpec[];
