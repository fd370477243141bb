import type { TypeSpec } from "./spec.ts";
import { tags } from "./tags.ts";

/**
 * Single values and what names a block.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/base-types.yaml
 * @see https://eips.ethereum.org/EIPS/eip-1898 (the object that names a block)
 */
export const valueTypes = {
  address: { kind: "bytes", length: 20, role: "address", summary: "An account: 20 bytes as `0x` and 40 hex digits." },
  hash: { kind: "bytes", length: 32, role: "hash", summary: "A hash: 32 bytes as `0x` and 64 hex digits." },
  topic: { kind: "bytes", length: 32, role: "topic", summary: "A topic: 32 bytes as `0x` and 64 hex digits." },
  word: {
    kind: "bytes",
    length: 32,
    role: "word",
    summary: "One word of storage: 32 bytes as `0x` and 64 hex digits.",
  },
  slot: {
    kind: "bytes",
    maxLength: 32,
    odd: true,
    role: "slot",
    readable: "storagePlace",
    summary: "A place in storage: up to 32 bytes as `0x` and hex digits, leading zeros or not.",
  },
  bytes: { kind: "bytes", summary: "Bytes as `0x` and an even number of hex digits." },
  calldata: {
    kind: "bytes",
    role: "calldata",
    readable: "functionCall",
    summary: "What a contract is called with: a 4-byte function selector and the encoded arguments.",
  },
  returndata: { kind: "bytes", role: "returndata", summary: "What a call returned, ABI-encoded." },
  code: { kind: "bytes", role: "code", summary: "Bytecode of the EVM; `0x` is none." },
  bloom: {
    kind: "bytes",
    length: 256,
    role: "bloom",
    summary: "The bloom filter over addresses and topics: 256 bytes.",
  },
  blockNonce: { kind: "bytes", length: 8, summary: "The proof-of-work nonce: 8 bytes, zeros since proof of stake." },
  blob: { kind: "bytes", length: 131_072, summary: "A blob of EIP-4844: 128 KiB." },
  kzg: { kind: "bytes", length: 48, summary: "A KZG commitment or proof: 48 bytes." },

  signature: { kind: "bytes", length: 65, summary: "A signature: 65 bytes, `r`, `s` and `v` in a row." },

  wei: { kind: "quantity", unit: "wei", bits: 256, summary: "An amount of the native currency in wei." },
  gas: { kind: "quantity", unit: "gas", bits: 64, summary: "An amount of gas." },
  blockNumber: { kind: "quantity", unit: "block", bits: 64, summary: "The number of a block." },
  seconds: { kind: "quantity", unit: "seconds", bits: 64, summary: "A time in seconds since 1970." },
  milliseconds: {
    kind: "quantity",
    unit: "milliseconds",
    bits: 64,
    summary: "A time in milliseconds since 1970.",
  },
  count: { kind: "quantity", unit: "count", bits: 64, summary: "A count." },
  index: { kind: "quantity", unit: "index", bits: 64, summary: "A place in a list, counted from zero." },
  uint64: { kind: "quantity", unit: "none", bits: 64, summary: "A whole number of up to 64 bits." },
  uint256: { kind: "quantity", unit: "none", bits: 256, summary: "A whole number of up to 256 bits." },

  nonceKeys: {
    kind: "union",
    of: ["uint256", "uint256[]"],
    summary: "The key of a nonce (EIP-8130), or a list of keys.",
  },

  boolean: { kind: "boolean", summary: "`true` or `false`." },
  integer: { kind: "integer", summary: "A JSON number without a fraction." },
  numberOrQuantity: { kind: "union", of: ["uint256", "integer"], summary: "A number, as a quantity or a JSON number." },
  ratio: { kind: "integer", fraction: true, summary: "A JSON number from 0 to 1." },
  percentile: { kind: "integer", fraction: true, summary: "A JSON number from 0 to 100." },
  text: { kind: "string", summary: "Any text." },
  digits: { kind: "string", pattern: "^[0-9]+$", form: "decimal digits", summary: "Decimal digits." },
  any: { kind: "any", summary: "Any JSON." },
  null: { kind: "null", summary: "`null`." },

  blockTag: {
    kind: "oneOf",
    values: tags.map(({ tag, summary }) => ({ value: tag, summary })),
    summary: "A name for a block that moves with the chain.",
  },
  blockNumberOrTag: {
    kind: "union",
    role: "block",
    of: ["blockTag", "blockNumber"],
    summary: "A block by tag or number.",
  },
  block: {
    kind: "union",
    role: "block",
    of: ["blockTag", "blockNumber", "hash", "blockId"],
    summary: "A block by tag, number or hash.",
  },
  blockId: {
    kind: "object",
    open: false,
    summary: "A block by number or hash, as an object (EIP-1898); most nodes take it, the specification leaves it out.",
    fields: [
      { name: "blockNumber", type: "blockNumberOrTag", summary: "The block's number." },
      { name: "blockHash", type: "hash", summary: "The block's hash." },
      {
        name: "requireCanonical",
        type: "boolean",
        default: "false",
        summary: "With `blockHash`: refuse a block that a reorganization has left behind.",
      },
    ],
    exclusive: [
      {
        fields: ["blockNumber", "blockHash"],
        why: "Nodes refuse both: a block has one of `blockHash` and `blockNumber`, choose one.",
      },
    ],
    oneOfRequired: [{ fields: ["blockNumber", "blockHash"], why: "Nodes refuse an object that names no block." }],
  },
  functionCall: {
    kind: "object",
    open: false,
    summary: "Call data written as a function and its arguments; it is encoded before it is sent.",
    fields: [
      {
        name: "function",
        type: "text",
        required: true,
        summary:
          "A signature such as `balanceOf(address) returns (uint256)`, or the name of a function of an ABI in scope.",
      },
      { name: "args", type: "callArgs", default: "[]", summary: "The arguments, in order or by name." },
    ],
  },
  callArgs: { kind: "union", of: ["any[]", "namedArgs"], summary: "Arguments, in order or by name." },
  namedArgs: { kind: "map", keys: "text", values: "any", summary: "Arguments by name." },
  storagePlace: {
    kind: "object",
    open: false,
    summary: "A place in storage as Solidity lays it out; its slot is worked out before it is sent.",
    fields: [
      {
        name: "slot",
        type: "any",
        summary:
          "The slot of the variable: a number, a `0x` string, a name such as `eip1967.proxy.implementation`, or another place.",
      },
      {
        name: "contract",
        type: "text",
        summary: "The contract whose compiler has written a storage layout: `Vault`, or `src/Vault.sol:Vault`.",
      },
      {
        name: "variable",
        type: "text",
        summary:
          "The path of a variable of that contract: `balances[alice].amount`, `orders[3].items[0]`, `names['x']`.",
      },
      {
        name: "type",
        type: "text",
        summary: "A struct of that contract, which begins at `slot`: the path begins in it. For namespaces.",
      },
      {
        name: "key",
        type: "any",
        summary: "The key in a mapping; a list for mappings in mappings, the outer one first.",
      },
      { name: "keyType", type: "any", summary: "The type of the key, if the key is not clear; a list for a list." },
      { name: "index", type: "any", summary: "The place in an array without a fixed length, from 0." },
      { name: "size", type: "any", default: "1", summary: "How many slots an item of that array takes." },
      { name: "offset", type: "any", summary: "Slots to add, as for a member of a struct." },
    ],
    exclusive: ["key", "keyType", "index", "size", "offset"].map((name) => ({
      fields: ["variable", name],
      why: "The path of a `variable` has its keys and indexes in it.",
    })),
    oneOfRequired: [
      {
        fields: ["slot", "variable"],
        why: "A place in storage is that of a slot, or of a variable.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
