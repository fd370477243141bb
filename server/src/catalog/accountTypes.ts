import type { TypeSpec } from "./spec.ts";

/**
 * Accounts with their proofs, and what transactions touch.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/state.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/block-access-list.yaml
 */
export const accountTypes = {
  accountProof: {
    kind: "object",
    open: true,
    summary: "An account and the proof that it is part of the state of a block (EIP-1186).",
    fields: [
      { name: "address", type: "address", required: true, summary: "The account." },
      { name: "balance", type: "wei", required: true, summary: "Its balance in wei." },
      { name: "nonce", type: "count", required: true, summary: "Its nonce." },
      { name: "codeHash", type: "hash", required: true, summary: "Hash of its code." },
      { name: "storageHash", type: "hash", required: true, summary: "Root of its storage." },
      {
        name: "accountProof",
        type: "bytes[]",
        required: true,
        summary: "Nodes of the state's tree, from the root of the state to the account.",
      },
      { name: "storageProof", type: "storageProof[]", required: true, summary: "A proof for each slot asked for." },
    ],
  },
  storageProof: {
    kind: "object",
    open: true,
    summary: "The value of a slot and its proof.",
    fields: [
      { name: "key", type: "slot", required: true, summary: "The slot." },
      { name: "value", type: "uint256", required: true, summary: "Its value." },
      {
        name: "proof",
        type: "bytes[]",
        required: true,
        summary: "Nodes of the storage's tree, from its root to the slot.",
      },
    ],
  },
  slotsByAddress: { kind: "map", keys: "address", values: "slot[]", summary: "Contract → the slots to read." },
  wordsByAddress: { kind: "map", keys: "address", values: "word[]", summary: "Contract → the values of its slots." },
  accessList: {
    kind: "object",
    open: true,
    summary: "What a call touches, and the gas that it needs when all that is warm from the start.",
    fields: [
      { name: "accessList", type: "accessListEntry[]", required: true, summary: "Accounts and slots, by account." },
      { name: "gasUsed", type: "gas", required: true, summary: "The gas of the call with this list." },
      { name: "error", type: "text", nullable: true, summary: "Why the call failed; the list holds what it touched." },
    ],
  },
  accountAccess: {
    kind: "object",
    open: true,
    summary: "What the transactions of a block read and wrote of an account (EIP-7928).",
    fields: [
      { name: "address", type: "address", required: true, summary: "The account." },
      { name: "storageReads", type: "word[]", summary: "Slots that were only read." },
      { name: "storageChanges", type: "slotChanges[]", summary: "Slots that were written, with their values." },
      { name: "balanceChanges", type: "accountChange[]", summary: "Its balance after each change, in wei." },
      { name: "nonceChanges", type: "accountChange[]", summary: "Its nonce after each change." },
      { name: "codeChanges", type: "codeChange[]", summary: "Its code after each change." },
    ],
  },
  slotChanges: {
    kind: "object",
    open: true,
    summary: "A slot and the values that were written to it.",
    fields: [
      { name: "key", type: "word", required: true, summary: "The slot." },
      { name: "changes", type: "slotChange[]", required: true, summary: "Its values, in order." },
    ],
  },
  slotChange: {
    kind: "object",
    open: true,
    summary: "A value of a slot and the transaction that wrote it.",
    fields: [
      { name: "index", type: "index", required: true, summary: "The transaction, counted from 1; 0 is before them." },
      { name: "value", type: "word", required: true, summary: "The value afterwards." },
    ],
  },
  accountChange: {
    kind: "object",
    open: true,
    summary: "A balance or nonce and the transaction that set it.",
    fields: [
      { name: "index", type: "index", required: true, summary: "The transaction, counted from 1; 0 is before them." },
      { name: "value", type: "uint256", required: true, summary: "The value afterwards." },
    ],
  },
  codeChange: {
    kind: "object",
    open: true,
    summary: "The code of an account and the transaction that set it.",
    fields: [
      { name: "index", type: "index", required: true, summary: "The transaction, counted from 1; 0 is before them." },
      { name: "code", type: "code", required: true, summary: "The code afterwards." },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
