import {
  account,
  anyBlock,
  block,
  blockHash,
  blockOverrides,
  byHash,
  mixedFees,
  noState,
  noSuchBlock,
  noSuchTransaction,
  perhapsLatest,
  signedTransfer,
  stateOverrides,
  token,
  transactionHash,
  unknownBlock,
} from "./parts.ts";
import type { MethodSpec, ParamSpec } from "./spec.ts";

const page = "https://reth.rs/jsonrpc/trace#";
const ownNode =
  "Erigon, Nethermind, reth and Besu have it, anvil some of it, geth none; public endpoints rarely let it through.";
const what = {
  name: "traceTypes",
  type: "traceType[]",
  required: false,
  advised: "Most nodes refuse the request without them.",
  summary: "What to trace, one or more of them.",
} as const satisfies ParamSpec;

const action = {
  callType: "call",
  from: account,
  to: token,
  gas: "0xc350",
  input: "0x",
  value: "0x0",
} as const;
const outcome = { gasUsed: "0xa410", output: "0x" } as const;
const call = { type: "call", action, result: outcome, subtraces: 0, traceAddress: [] } as const;
const placedCall = {
  ...call,
  blockHash,
  blockNumber: 2000000,
  transactionHash,
  transactionPosition: 3,
} as const;
const traced = { output: "0x", trace: [call], stateDiff: null, vmTrace: null } as const;
const tried = { from: account, to: token, data: "0x18160ddd" } as const;

/**
 * The `trace_` namespace, first of OpenEthereum: calls of transactions in a flat list.
 * @see https://github.com/paradigmxyz/reth/blob/main/docs/vocs/docs/pages/jsonrpc/trace.mdx
 * @see https://openethereum.github.io/JSONRPC-trace-module
 */
export const trace = [
  {
    name: "trace_transaction",
    summary: "Returns all calls of a transaction.",
    params: [byHash],
    result: "callTrace[]",
    nullResult: noSuchTransaction,
    effect: "reads",
    limits: [ownNode],
    source: `${page}trace_transaction`,
    example: { params: [transactionHash], result: [placedCall] },
  },
  {
    name: "trace_block",
    summary: "Returns all calls of all transactions of a block.",
    params: [anyBlock],
    result: "callTrace[]",
    nullResult: noSuchBlock,
    effect: "reads",
    pending: "Nodes trace sealed blocks; some answer as for `latest`.",
    limits: [ownNode],
    source: `${page}trace_block`,
    example: { params: ["latest"], result: [placedCall] },
  },
  {
    name: "trace_filter",
    summary: "Finds calls by blocks, senders and receivers.",
    params: [{ name: "filter", type: "traceFilter", required: true, summary: "Which calls to return." }],
    result: "callTrace[]",
    effect: "reads",
    pending: "Nodes trace sealed blocks only.",
    limits: [ownNode, "Nodes bound the range of blocks; `after` and `count` page through what is found."],
    source: `${page}trace_filter`,
    example: {
      params: [{ fromBlock: "0x1e8480", toBlock: "0x1e8481", toAddress: [token], count: 100 }],
      result: [placedCall],
    },
  },
  {
    name: "trace_call",
    summary: "Runs a call against the state of a block, as `eth_call` does, and returns what it did.",
    params: [
      { name: "transaction", type: "call", required: true, summary: "The call to run." },
      what,
      block,
      stateOverrides,
      blockOverrides,
    ],
    result: "replayedTraces",
    effect: "simulates",
    pending: `The call runs on the pre-confirmed state. ${perhapsLatest}`,
    errors: [mixedFees, unknownBlock, noState],
    limits: [ownNode],
    source: `${page}trace_call`,
    example: { params: [tried, ["trace"], "latest"], result: traced },
  },
  {
    name: "trace_callMany",
    summary: "Runs calls one after the other, each on what the one before left, and returns what they did.",
    params: [
      {
        name: "calls",
        type: "tracedCall[]",
        required: true,
        summary: "The calls, each in a list with what to trace of it.",
      },
      block,
    ],
    result: "replayedTraces[]",
    effect: "simulates",
    pending: `The calls run on the pre-confirmed state. ${perhapsLatest}`,
    errors: [unknownBlock, noState],
    limits: [ownNode],
    source: `${page}trace_callmany`,
    example: { params: [[[tried, ["trace"]]], "latest"], result: [traced] },
  },
  {
    name: "trace_replayTransaction",
    summary: "Runs a transaction again and returns its calls, its changes or its steps.",
    params: [byHash, what],
    result: "replayedTraces",
    effect: "reads",
    errors: [noState],
    limits: [ownNode],
    source: `${page}trace_replaytransaction`,
    example: { params: [transactionHash, ["trace", "stateDiff"]], result: traced },
  },
  {
    name: "trace_replayBlockTransactions",
    summary: "Runs all transactions of a block again and returns their calls, changes or steps.",
    params: [anyBlock, what],
    result: "replayedTraces[]",
    nullResult: noSuchBlock,
    effect: "reads",
    pending: "Nodes trace sealed blocks only.",
    errors: [noState],
    limits: [ownNode],
    source: `${page}trace_replayblocktransactions`,
    example: { params: ["latest", ["trace"]], result: [{ ...traced, transactionHash }] },
  },
  {
    name: "trace_rawTransaction",
    summary: "Runs a signed transaction without sending it and returns what it did.",
    params: [
      { name: "rawTransaction", type: "bytes", required: true, summary: "The signed transaction." },
      what,
      {
        name: "block",
        type: "block",
        required: false,
        default: '"latest"',
        summary: "The block whose state it runs on. Not every node takes it.",
      },
    ],
    result: "replayedTraces",
    effect: "simulates",
    pending: `It runs on the pre-confirmed state. ${perhapsLatest}`,
    errors: [noState],
    limits: [ownNode],
    source: `${page}trace_rawtransaction`,
    example: { params: [signedTransfer, ["trace"]], result: traced },
  },
  {
    name: "trace_get",
    summary: "Returns one call of a transaction by its place.",
    params: [
      byHash,
      { name: "indices", type: "index[]", required: true, summary: "The call's place, level by level." },
    ],
    result: "callTrace",
    nullResult: "There is no such transaction or call.",
    effect: "reads",
    limits: [ownNode],
    source: `${page}trace_get`,
    example: { params: [transactionHash, ["0x0"]], result: { ...placedCall, traceAddress: [0] } },
  },
] as const satisfies readonly MethodSpec[];
