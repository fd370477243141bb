import type { FieldSpec, TypeSpec } from "./spec.ts";

const configFields = [
  {
    name: "tracer",
    type: "tracer",
    summary: "What the trace is made with; without it every step of the EVM is listed.",
  },
  { name: "tracerConfig", type: "tracerConfig", summary: "Settings of that tracer." },
  { name: "timeout", type: "text", summary: "How long it may take: `5s`, `300ms`; not every node heeds it." },
  { name: "enableMemory", type: "boolean", default: "false", summary: "List the memory of each step." },
  { name: "disableStack", type: "boolean", default: "false", summary: "Leave the stack of each step out." },
  { name: "disableStorage", type: "boolean", default: "false", summary: "Leave the storage of each step out." },
  { name: "enableReturnData", type: "boolean", default: "false", summary: "List what calls returned at each step." },
  { name: "limit", type: "integer", default: "0", summary: "List this many steps at most; 0 is all of them." },
] as const satisfies readonly FieldSpec[];

/**
 * Parameters and results of `debug_` and `trace_`. A node writes the gas of opcodes as JSON numbers and that of calls
 * as quantities.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/opcode-tracer.yaml
 * @see https://github.com/ethereum/go-ethereum/blob/master/eth/tracers/api.go
 * @see https://github.com/ethereum/go-ethereum/blob/master/eth/tracers/native/call.go
 * @see https://github.com/paradigmxyz/reth/blob/main/docs/vocs/docs/pages/jsonrpc/trace.mdx
 */
export const traceTypes = {
  traceConfig: { kind: "object", open: true, summary: "How to trace.", fields: configFields },
  callTraceConfig: {
    kind: "object",
    open: true,
    summary: "How to trace, and what is different during the call.",
    fields: [
      ...configFields,
      { name: "stateOverrides", type: "stateOverrides", summary: "What is different about accounts during the call." },
      { name: "blockOverrides", type: "blockOverrides", summary: "What is different about the block during the call." },
      {
        name: "txIndex",
        type: "index",
        summary: "Run the call before the transaction at this place of the block, instead of after the last one.",
      },
    ],
  },
  tracer: { kind: "union", of: ["knownTracer", "text"], summary: "A tracer by name, or one written in JavaScript." },
  knownTracer: {
    kind: "oneOf",
    summary: "A tracer that most nodes have.",
    values: [
      { value: "callTracer", summary: "Every call with what it passed, returned and used." },
      { value: "prestateTracer", summary: "The accounts and slots that it touched, as they were before." },
      { value: "flatCallTracer", summary: "Every call in a flat list, as `trace_transaction` has them." },
      { value: "4byteTracer", summary: "How often each function selector was called." },
      { value: "muxTracer", summary: "Several tracers at once; `tracerConfig` names them." },
      { value: "noopTracer", summary: "Nothing, to measure the tracing itself." },
    ],
  },
  tracerConfig: {
    kind: "object",
    open: true,
    summary: "Settings of a tracer.",
    fields: [
      { name: "onlyTopCall", type: "boolean", default: "false", summary: "`callTracer`: leave inner calls out." },
      { name: "withLog", type: "boolean", default: "false", summary: "`callTracer`: list the logs of each call." },
      {
        name: "diffMode",
        type: "boolean",
        default: "false",
        summary: "`prestateTracer`: show what changed, before and after.",
      },
      { name: "disableCode", type: "boolean", default: "false", summary: "`prestateTracer`: leave code out." },
      { name: "disableStorage", type: "boolean", default: "false", summary: "`prestateTracer`: leave storage out." },
    ],
  },
  trace: {
    kind: "union",
    of: ["callFrame", "any"],
    summary: "What the tracer says: a tree of calls, the steps of the EVM, or what is special to the tracer.",
  },
  callFrame: {
    kind: "object",
    open: true,
    summary: "A call with the calls inside it, or the steps of a transaction.",
    fields: [
      { name: "type", type: "text", summary: "How it was called: `CALL`, `DELEGATECALL`, `CREATE2`." },
      { name: "from", type: "address", summary: "Who called." },
      { name: "to", type: "address", nullable: true, summary: "What was called, or the contract that was created." },
      { name: "value", type: "wei", nullable: true, summary: "Native currency that is sent, in wei." },
      { name: "gas", type: "tracedGas", summary: "The gas that it was given; in a list of steps, the gas used." },
      { name: "gasUsed", type: "tracedGas", summary: "The gas that it used." },
      { name: "input", type: "calldata", summary: "The call data." },
      { name: "output", type: "returndata", nullable: true, summary: "What it returned, or the data of its revert." },
      { name: "error", type: "text", nullable: true, summary: "Why it failed." },
      { name: "revertReason", type: "text", nullable: true, summary: "The text of its revert." },
      { name: "calls", type: "callFrame[]", nullable: true, summary: "The calls inside it, in order." },
      { name: "logs", type: "callLog[]", nullable: true, summary: "Its events, with `withLog`." },
      { name: "failed", type: "boolean", summary: "Steps: whether it failed." },
      { name: "returnValue", type: "returndata", summary: "Steps: what it returned." },
      { name: "structLogs", type: "step[]", summary: "Steps: the opcodes, in order." },
    ],
  },
  tracedGas: { kind: "union", of: ["gas", "integer"], summary: "An amount of gas, as a quantity or a JSON number." },
  callLog: {
    kind: "object",
    open: true,
    summary: "An event of a call.",
    fields: [
      { name: "address", type: "address", required: true, summary: "The contract that emitted it." },
      { name: "topics", type: "topic[]", required: true, summary: "Its topics." },
      { name: "data", type: "bytes", required: true, summary: "Its other arguments, ABI-encoded." },
      { name: "index", type: "index", summary: "Its place among the transaction's logs." },
      { name: "position", type: "index", summary: "How many inner calls came before it." },
    ],
  },
  step: {
    kind: "object",
    open: true,
    summary: "One step of the EVM.",
    fields: [
      { name: "pc", type: "integer", required: true, summary: "The place in the code." },
      { name: "op", type: "text", required: true, summary: "The opcode." },
      { name: "gas", type: "integer", required: true, summary: "The gas that is left before it." },
      { name: "gasCost", type: "integer", required: true, summary: "The gas that it costs." },
      { name: "depth", type: "integer", required: true, summary: "How deep in calls, from 1." },
      { name: "error", type: "text", nullable: true, summary: "Why it failed." },
      { name: "refund", type: "integer", nullable: true, summary: "Gas to be given back so far." },
      { name: "stack", type: "uint256[]", nullable: true, summary: "The stack, its top last." },
      { name: "memory", type: "any[]", nullable: true, summary: "The memory in words." },
      { name: "returnData", type: "bytes", nullable: true, summary: "What the last call returned." },
      { name: "storage", type: "any", nullable: true, summary: "The slots that it used so far, with their values." },
    ],
  },
  transactionTrace: {
    kind: "object",
    open: true,
    summary: "The trace of one transaction of a block.",
    fields: [
      { name: "txHash", type: "hash", summary: "The transaction." },
      { name: "result", type: "trace", nullable: true, summary: "Its trace." },
      { name: "error", type: "text", nullable: true, summary: "Why there is none." },
    ],
  },
  storageRange: {
    kind: "object",
    open: true,
    summary: "A page of a contract's storage.",
    fields: [
      { name: "storage", type: "storageEntries", required: true, summary: "Its slots." },
      {
        name: "nextKey",
        type: "hash",
        required: true,
        nullable: true,
        summary: "Where the next page begins; `null` behind the last.",
      },
    ],
  },
  storageEntries: { kind: "map", keys: "hash", values: "storageEntry", summary: "Hash of the slot → slot and value." },
  storageEntry: {
    kind: "object",
    open: true,
    summary: "A slot and its value.",
    fields: [
      { name: "key", type: "word", required: true, nullable: true, summary: "The slot, if the node knows it." },
      { name: "value", type: "word", required: true, summary: "Its value." },
    ],
  },
  badBlock: {
    kind: "object",
    open: true,
    summary: "A block that the node refused.",
    fields: [
      { name: "hash", type: "hash", required: true, summary: "The block's hash." },
      { name: "block", type: "blockInfo", required: true, summary: "The block." },
      { name: "rlp", type: "text", required: true, summary: "Its bytes, RLP-encoded." },
    ],
  },

  traceType: {
    kind: "oneOf",
    summary: "What to trace.",
    values: [
      { value: "trace", summary: "Every call, in a flat list." },
      { value: "stateDiff", summary: "What changed in accounts and storage." },
      { value: "vmTrace", summary: "Every step of the EVM." },
    ],
  },
  tracedCall: {
    kind: "union",
    of: ["any[]"],
    summary: "A list of two: the call, and the list of what to trace of it.",
  },
  traceFilter: {
    kind: "object",
    open: true,
    summary: "Which calls to return: by blocks, senders and receivers.",
    fields: [
      { name: "fromBlock", type: "blockNumberOrTag", nullable: true, summary: "The first block of the range." },
      { name: "toBlock", type: "blockNumberOrTag", nullable: true, summary: "The last block of the range." },
      { name: "fromAddress", type: "address[]", nullable: true, summary: "Calls by any of these." },
      { name: "toAddress", type: "address[]", nullable: true, summary: "Calls of any of these." },
      { name: "after", type: "numberOrQuantity", nullable: true, summary: "Leave this many out at the beginning." },
      { name: "count", type: "numberOrQuantity", nullable: true, summary: "Return this many at most." },
    ],
  },
  callTrace: {
    kind: "object",
    open: true,
    summary: "A call, creation, destruction or reward, with its place in the transaction.",
    fields: [
      { name: "type", type: "text", required: true, summary: "`call`, `create`, `suicide` or `reward`." },
      { name: "action", type: "traceAction", required: true, summary: "What was done." },
      { name: "result", type: "traceOutcome", nullable: true, summary: "What came of it." },
      { name: "error", type: "text", nullable: true, summary: "Why it failed." },
      { name: "subtraces", type: "integer", required: true, summary: "How many calls are inside it." },
      {
        name: "traceAddress",
        type: "integer[]",
        required: true,
        summary: "Its place among the calls, level by level.",
      },
      { name: "blockHash", type: "hash", nullable: true, summary: "Its block." },
      { name: "blockNumber", type: "integer", nullable: true, summary: "The number of its block." },
      { name: "transactionHash", type: "hash", nullable: true, summary: "Its transaction." },
      { name: "transactionPosition", type: "integer", nullable: true, summary: "That one's place in the block." },
    ],
  },
  traceAction: {
    kind: "object",
    open: true,
    summary: "What was done; which members there are goes by the `type` beside it.",
    fields: [
      { name: "callType", type: "text", summary: "`call`, `delegatecall`, `staticcall` or `callcode`." },
      { name: "from", type: "address", summary: "Who did it." },
      { name: "to", type: "address", summary: "What was called." },
      { name: "value", type: "wei", summary: "Native currency sent along or given, in wei." },
      { name: "gas", type: "gas", summary: "The gas that it was given." },
      { name: "input", type: "calldata", summary: "The call data." },
      { name: "init", type: "code", summary: "`create`: the code that creates the contract." },
      { name: "address", type: "address", summary: "`suicide`: the contract." },
      { name: "refundAddress", type: "address", summary: "`suicide`: who gets its balance." },
      { name: "balance", type: "wei", summary: "`suicide`: that balance, in wei." },
      { name: "author", type: "address", summary: "`reward`: who gets it." },
      { name: "rewardType", type: "text", summary: "`reward`: `block` or `uncle`." },
    ],
  },
  traceOutcome: {
    kind: "object",
    open: true,
    summary: "What came of a call or a creation.",
    fields: [
      { name: "gasUsed", type: "gas", summary: "The gas that it used." },
      { name: "output", type: "returndata", summary: "What it returned." },
      { name: "address", type: "address", summary: "`create`: the contract." },
      { name: "code", type: "code", summary: "`create`: its code." },
    ],
  },
  replayedTraces: {
    kind: "object",
    open: true,
    summary: "The traces that were asked for.",
    fields: [
      { name: "output", type: "returndata", required: true, summary: "What the call returned." },
      { name: "trace", type: "callTrace[]", nullable: true, summary: "Its calls." },
      { name: "stateDiff", type: "stateDiff", nullable: true, summary: "What changed." },
      { name: "vmTrace", type: "any", nullable: true, summary: "Every step of the EVM." },
      { name: "transactionHash", type: "hash", nullable: true, summary: "The transaction." },
    ],
  },
  stateDiff: { kind: "map", keys: "address", values: "accountDiff", summary: "Address → what changed about it." },
  accountDiff: {
    kind: "object",
    open: true,
    summary: 'What changed about an account: `"="` for nothing, `{ "*": { "from", "to" } }` for another value.',
    fields: [
      { name: "balance", type: "any", summary: "Its balance in wei." },
      { name: "nonce", type: "any", summary: "Its nonce." },
      { name: "code", type: "any", summary: "Its code." },
      { name: "storage", type: "any", summary: "Its slots." },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
