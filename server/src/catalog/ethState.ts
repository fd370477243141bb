import {
  account,
  asLatest,
  block,
  blockOverrides,
  exampleBlock,
  exampleReceipt,
  laggingContext,
  mixedFees,
  noState,
  other,
  perhapsLatest,
  prunedHistory,
  reverted,
  spec,
  stateOverrides,
  token,
  transferLog,
  unknownBlock,
  zeros,
} from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

/**
 * Methods that read the state of accounts and simulate on it, those of the service first.
 * @see https://github.com/ethereum/execution-apis/tree/main/src/eth
 * @see https://docs.base.org/base-chain/api-reference/rpc-overview (pre-confirmed state, limits, refusals)
 */
export const ethState = [
  {
    name: "eth_getLogs",
    summary: "Finds the events that contracts emitted, by blocks, address and topics.",
    params: [{ name: "filter", type: "filter", required: true, summary: "Which logs to return." }],
    result: "log[]",
    effect: "reads",
    pending: `Pre-confirmed logs are included only if \`toBlock\` is \`pending\`; \`fromBlock\` may be older. Clients without pre-confirmations may refuse the tag. ${asLatest}`,
    errors: [
      {
        code: -32602,
        message: "invalid block range params",
        when: "`fromBlock` is above `toBlock`, or a block is after the newest one.",
      },
      {
        code: -32602,
        message: "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other",
        when: "The filter has a range beside `blockHash`; some services ignore the range instead of refusing it.",
      },
      {
        code: -32614,
        message: "eth_getLogs is limited to a 2,000 range",
        when: "The range is longer than the service allows; other services use -32005, -32602 or -32000 with other messages.",
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
    summary: "Runs a call against the state of a block and returns its result, without sending a transaction.",
    params: [
      { name: "transaction", type: "messageCall", required: true, summary: "The call to run." },
      block,
      stateOverrides,
      blockOverrides,
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
      {
        code: -38013,
        message: "intrinsic gas too low",
        when: "A call's `gas` is less than a transaction costs before its code runs.",
      },
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
      "At most 256 blocks in geth; 5,000 calls per block and 10,000 calls in all.",
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
    params: [{ name: "block", type: "block", required: true, summary: "The block to read." }],
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
      result: [exampleReceipt],
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
        summary: "The block whose state it runs on. The specification accepts no block hash here, but some nodes do.",
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
        when: "It fails even with the most gas that `from` can pay for or the node allows.",
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
    params: [
      { name: "address", type: "address", required: true, summary: "The account." },
      block,
      {
        name: "nonceKey",
        type: "nonceKeys",
        required: false,
        summary:
          "Whose nonce to return, of an account that counts several in parallel. A draft (EIP-8130) that few nodes take.",
      },
    ],
    result: "count",
    effect: "reads",
    pending: `The count includes pre-confirmed transactions, so that fast senders leave no gap in their nonces. ${asLatest}`,
    errors: [unknownBlock, noState],
    source: `${spec}/state.yaml`,
    example: { params: [account, "pending"], result: "0x2a" },
  },
  {
    name: "eth_getCode",
    summary: "Returns the bytecode of an account: `0x` if it has none, 23 bytes if it delegates to a contract.",
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
    name: "eth_getProof",
    summary: "Returns an account and some of its slots with the proofs that they are part of the state.",
    params: [
      { name: "address", type: "address", required: true, summary: "The account." },
      { name: "storageKeys", type: "slot[]", required: true, summary: "The slots to prove; the list can be empty." },
      block,
    ],
    result: "accountProof",
    effect: "reads",
    pending: "Most nodes have no proof of state that is not sealed: they refuse it or answer as for `latest`.",
    errors: [unknownBlock, noState],
    limits: ["Many endpoints keep proofs of the newest blocks only, or refuse the method."],
    source: `${spec}/state.yaml`,
    example: {
      params: [account, [], "latest"],
      result: {
        address: account,
        accountProof: ["0xf8518080"],
        balance: "0x1cfe56f3795885980000",
        codeHash: "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
        nonce: "0x2a",
        storageHash: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
        storageProof: [],
      },
    },
  },
  {
    name: "eth_createAccessList",
    summary: "Tries a call and lists the accounts and slots that it touches.",
    params: [{ name: "transaction", type: "call", required: true, summary: "The call to try." }, block, stateOverrides],
    result: "accessList",
    effect: "simulates",
    pending: `The call runs on the pre-confirmed state. ${perhapsLatest}`,
    errors: [mixedFees, unknownBlock, noState],
    limits: ["A call that reverts is not an error: its `error` is beside the list."],
    source: `${spec}/execute.yaml`,
    example: {
      params: [
        {
          from: account,
          to: token,
          data: "0x70a08231000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        },
        "pending",
      ],
      result: { accessList: [{ address: token, storageKeys: [zeros] }], gasUsed: "0x6b30" },
    },
  },
  {
    name: "eth_getStorageValues",
    summary: "Reads slots of several contracts at once.",
    params: [
      { name: "requests", type: "slotsByAddress", required: true, summary: "The slots to read, by contract." },
      block,
    ],
    result: "wordsByAddress",
    effect: "reads",
    pending: `The slots with the pre-confirmed changes. ${perhapsLatest}`,
    errors: [{ code: -32602, message: "empty request", when: "No contract is named." }, unknownBlock, noState],
    limits: ["A recent addition to the specification that few nodes have yet."],
    source: `${spec}/state.yaml`,
    example: {
      params: [{ [token]: [zeros] }, "pending"],
      result: { [token]: ["0x0000000000000000000000003abd6f64a422225e61e435bae41db12096106df7"] },
    },
  },
] as const satisfies readonly MethodSpec[];
