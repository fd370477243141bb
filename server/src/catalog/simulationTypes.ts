import { blockFields } from "./blockTypes.ts";
import type { TypeSpec } from "./spec.ts";

/**
 * Parameters and results of `eth_simulateV1`, and the overrides that `eth_call` and `eth_estimateGas` share with it.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/execute.yaml
 * @see https://github.com/ethereum/go-ethereum/blob/master/internal/ethapi/override/override.go
 * @see https://github.com/alloy-rs/alloy/blob/main/crates/rpc-types-eth/src/block.rs (aliases of block overrides)
 */
export const simulationTypes = {
  simulation: {
    kind: "object",
    open: true,
    summary: "Blocks to simulate one after the other, each on the state that the one before it left.",
    fields: [
      {
        name: "blockStateCalls",
        type: "simulatedBlockCall[]",
        required: true,
        maxItems: 256,
        summary: "The blocks to simulate, at most 256.",
      },
      {
        name: "traceTransfers",
        type: "boolean",
        default: "false",
        summary: "Report movements of native currency as `Transfer` logs of the address `0xeeee…eeee`.",
      },
      {
        name: "validation",
        type: "boolean",
        default: "false",
        summary: "Check nonces, balances and fees as for real transactions; without it the base fee is zero.",
      },
      {
        name: "returnFullTransactions",
        type: "boolean",
        default: "false",
        summary: "Return full transactions instead of their hashes.",
      },
    ],
  },
  simulatedBlockCall: {
    kind: "object",
    open: true,
    summary: "One block to simulate: what is different in it, then its calls.",
    fields: [
      {
        name: "blockOverrides",
        type: "blockOverrides",
        nullable: true,
        summary: "What to change in the block's header.",
      },
      {
        name: "stateOverrides",
        type: "stateOverrides",
        nullable: true,
        summary: "What to change in accounts before the calls.",
      },
      {
        name: "calls",
        type: "call[]",
        nullable: true,
        maxItems: 5000,
        default: "[]",
        summary: "The calls to run, in order.",
      },
    ],
    mistaken: [
      { name: "stateOverride", field: "stateOverrides" },
      { name: "blockOverride", field: "blockOverrides" },
      { name: "transactions", field: "calls" },
    ],
  },
  blockOverrides: {
    kind: "object",
    open: true,
    summary: "Values of the block's header that the execution sees instead of the real ones.",
    fields: [
      {
        name: "number",
        type: "blockNumber",
        aliases: ["blockNumber"],
        summary: "The block's number; it must rise from block to block, and skipped numbers give empty blocks.",
      },
      {
        name: "time",
        type: "seconds",
        aliases: ["timestamp"],
        summary: "The block's time in seconds since 1970; it must rise from block to block.",
      },
      { name: "gasLimit", type: "gas", summary: "The block's gas limit." },
      { name: "feeRecipient", type: "address", aliases: ["coinbase"], summary: "Who gets the priority fees." },
      { name: "prevRandao", type: "prevRandao", aliases: ["random"], summary: "The randomness that contracts see." },
      { name: "baseFeePerGas", type: "wei", aliases: ["baseFee"], summary: "Wei per gas that are burned." },
      { name: "blobBaseFee", type: "wei", summary: "Wei per blob gas." },
      {
        name: "withdrawals",
        type: "withdrawal[]",
        maxItems: 16,
        summary: "Withdrawals from the beacon chain; geth refuses them in `eth_call`.",
      },
      { name: "difficulty", type: "uint256", summary: "The proof-of-work difficulty; not in the specification." },
      {
        name: "beaconRoot",
        type: "hash",
        aliases: ["parentBeaconBlockRoot"],
        summary: "Root of the beacon block before it; not in the specification, and geth refuses it in `eth_call`.",
      },
      {
        name: "blockHash",
        type: "blockHashes",
        summary: "What `BLOCKHASH` returns, by block number; not in the specification, but reth and Base accept it.",
      },
    ],
  },
  prevRandao: {
    kind: "union",
    of: ["hash", "uint256"],
    summary: "32 bytes of randomness; the specification writes a quantity, geth and reth read 32 bytes.",
  },
  blockHashes: { kind: "map", keys: "blockNumberKey", values: "hash", summary: "Block number → block hash." },
  blockNumberKey: { kind: "union", of: ["digits", "blockNumber"], summary: "A block number as a key, decimal or hex." },
  stateOverrides: {
    kind: "map",
    keys: "address",
    values: "accountOverride",
    summary: "Address → what is different about that account.",
  },
  accountOverride: {
    kind: "object",
    open: false,
    summary: "What is different about an account before the execution begins.",
    fields: [
      { name: "balance", type: "wei", summary: "Its balance in wei." },
      { name: "nonce", type: "count", summary: "Its nonce." },
      { name: "code", type: "code", summary: "Its bytecode." },
      { name: "stateDiff", type: "storage", summary: "Slots to change; all others keep their value." },
      { name: "state", type: "storage", summary: "All slots that it has; every other one becomes zero." },
      {
        name: "movePrecompileToAddress",
        type: "address",
        summary: "Move the precompile from here to this address, to put `code` in its place.",
      },
    ],
    exclusive: [
      {
        fields: ["state", "stateDiff"],
        why: "Nodes refuse an account with both: `state` replaces all of its storage, `stateDiff` changes some slots.",
      },
    ],
    mistaken: [
      { name: "storage", field: "stateDiff" },
      { name: "storageDiff", field: "stateDiff" },
      { name: "bytecode", field: "code" },
    ],
  },
  storage: { kind: "map", keys: "word", values: "word", summary: "Slot → value, 32 bytes each." },

  simulatedBlock: {
    kind: "object",
    open: true,
    summary: "A simulated block with what became of its calls.",
    fields: [
      { name: "calls", type: "callResult[]", required: true, summary: "The results of its calls, in order." },
      ...blockFields,
    ],
  },
  callResult: {
    kind: "object",
    open: true,
    summary: "The result of one simulated call.",
    fields: [
      { name: "status", type: "status", required: true, summary: "Whether it succeeded." },
      { name: "gasUsed", type: "gas", required: true, summary: "The gas that it used, refunds taken off." },
      {
        name: "maxUsedGas",
        type: "gas",
        nullable: true,
        summary: "The gas that it needed at its peak, before refunds.",
      },
      {
        name: "returnData",
        type: "returndata",
        required: true,
        summary: "What it returned, or the data of its revert.",
      },
      {
        name: "logs",
        type: "log[]",
        nullable: true,
        summary: "The events that it emitted, transfers of native currency among them.",
      },
      { name: "error", type: "callError", nullable: true, summary: "Why it failed." },
    ],
  },
  callError: {
    kind: "union",
    of: ["callErrorObject", "text"],
    summary: "Why a call failed: an object from nodes that follow the specification, a sentence from others.",
  },
  callErrorObject: {
    kind: "object",
    open: true,
    summary: "Why a call failed.",
    fields: [
      {
        name: "code",
        type: "integer",
        required: true,
        summary: "3 for a revert, -32015 for another fault of the execution.",
      },
      { name: "message", type: "text", required: true, summary: "The reason in words." },
      { name: "data", type: "returndata", nullable: true, summary: "The data of the revert." },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
