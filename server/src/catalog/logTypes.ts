import type { TypeSpec } from "./spec.ts";

const rangeWithHash =
  "Some services ignore the range beside a `blockHash`, most nodes refuse both: delete one of them.";

/**
 * Parameters and results of `eth_getLogs`.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/filter.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/schemas/receipt.yaml (Log)
 */
export const logTypes = {
  filter: {
    kind: "object",
    open: false,
    summary: "Which logs to return: from a range of blocks or from one block, by address and topics.",
    fields: [
      {
        name: "fromBlock",
        type: "blockNumberOrTag",
        default: '"latest"',
        nullable: true,
        summary:
          "The first block of the range. `pending` includes pre-confirmed logs only if `toBlock` is `pending` too.",
      },
      {
        name: "toBlock",
        type: "blockNumberOrTag",
        default: '"latest"',
        nullable: true,
        summary:
          "The last block of the range; `pending` adds the pre-confirmed logs. Keep it under 2,000 blocks from `fromBlock`.",
      },
      {
        name: "address",
        type: "filterAddress",
        nullable: true,
        summary: "The contract, or a list of contracts, whose logs are wanted.",
      },
      {
        name: "topics",
        type: "filterTopic[]",
        nullable: true,
        maxItems: 4,
        summary:
          "A condition for each topic in order; topic 0 is the hash of the event's signature. All have to hold, and logs may have more topics.",
      },
      {
        name: "blockHash",
        type: "hash",
        nullable: true,
        summary: "Logs of this one block, instead of a range; safe against reorganizations.",
      },
    ],
    readable: [
      {
        name: "event",
        type: "text",
        summary: "The event, by signature or by its name in an ABI in scope; it becomes topic 0.",
      },
      {
        name: "args",
        type: "any",
        summary: "Values of the event's indexed arguments, which become the other topics; a list means any of them.",
      },
    ],
    exclusive: [
      { fields: ["blockHash", "fromBlock"], why: rangeWithHash, advice: true },
      { fields: ["blockHash", "toBlock"], why: rangeWithHash, advice: true },
      { fields: ["event", "topics"], why: "`event` is turned into `topics`, so write only one of them." },
      { fields: ["args", "topics"], why: "`args` are turned into `topics`, so write only one of them." },
    ],
    oneOfRequired: [
      {
        fields: ["address", "topics", "event", "blockHash", "fromBlock", "toBlock"],
        why: "Without a criterion it asks for every log of the latest block.",
        advice: true,
      },
    ],
    mistaken: [
      { name: "blockhash", field: "blockHash" },
      { name: "addresses", field: "address" },
      { name: "topic", field: "topics" },
    ],
  },
  filterAddress: {
    kind: "union",
    of: ["address", "address[]"],
    summary: "A contract, or a list of contracts of which any may match.",
  },
  filterTopic: {
    kind: "union",
    of: ["topic", "topicAlternative[]", "null"],
    summary: "One topic, a list of topics of which any may match, or `null` for any topic.",
  },
  topicAlternative: { kind: "union", of: ["topic", "null"], summary: "A topic; `null` makes its list match anything." },
  log: {
    kind: "object",
    open: true,
    summary: "An event that a contract emitted.",
    fields: [
      { name: "address", type: "address", required: true, summary: "The contract that emitted it." },
      {
        name: "topics",
        type: "topic[]",
        required: true,
        maxItems: 4,
        summary: "The indexed arguments, after the hash of the event's signature in topic 0.",
      },
      { name: "data", type: "bytes", required: true, summary: "The other arguments, ABI-encoded." },
      { name: "blockNumber", type: "blockNumber", nullable: true, summary: "The number of its block." },
      { name: "blockHash", type: "hash", nullable: true, summary: "Its block; `null` or zeros until that is sealed." },
      { name: "blockTimestamp", type: "timestamp", nullable: true, summary: "When its block was made." },
      {
        name: "blockTimestampMs",
        type: "milliseconds",
        nullable: true,
        summary: "The same in milliseconds; absent if the node cannot prove it.",
      },
      { name: "transactionHash", type: "hash", nullable: true, summary: "The transaction that caused it." },
      { name: "transactionIndex", type: "index", nullable: true, summary: "That transaction's place in the block." },
      { name: "logIndex", type: "index", nullable: true, summary: "Its place among the logs of the block." },
      { name: "removed", type: "boolean", summary: "A reorganization took it back." },
    ],
  },
  timestamp: {
    kind: "union",
    of: ["seconds", "integer"],
    summary: "A time in seconds since 1970, as a quantity; some nodes write a JSON number.",
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;

/**
 * Subscriptions, on any node and on those with pre-confirmed state.
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub
 * @see https://docs.base.org/base-chain/api-reference/flashblocks-api/flashblocks-api-overview
 * @see https://github.com/base/base/blob/main/crates/execution/flashblocks/src/rpc/pubsub.rs
 */
export const subscriptionTypes = {
  subscription: {
    kind: "union",
    of: ["knownSubscription", "text"],
    summary: "The kind of events; nodes add kinds of their own.",
  },
  knownSubscription: {
    kind: "oneOf",
    summary: "The kind of events.",
    values: [
      {
        value: "newHeads",
        summary: "The header of each new block; about every 200 ms on endpoints with pre-confirmed state.",
      },
      { value: "logs", summary: "The logs of new blocks that match a filter; `removed` ones after a reorganization." },
      {
        value: "newPendingTransactions",
        summary: "The hash of each transaction that enters the node's pool, or all of it with `true`.",
      },
      { value: "syncing", summary: "Whether the node is in step with the chain, at each change." },
      {
        value: "pendingLogs",
        summary: "Pre-confirmed logs that match a filter, one a message, as soon as they are there.",
      },
      { value: "newFlashblocks", summary: "The block that is being built, at each pre-confirmation of a part of it." },
      {
        value: "newFlashblockTransactions",
        summary: "The hash of each pre-confirmed transaction, or with `true` all of it with its logs.",
      },
      { value: "transactionReceipts", summary: "The receipts of new blocks, of all transactions or of those listed." },
    ],
  },
  subscriptionOptions: {
    kind: "union",
    of: ["subscriptionFilter", "boolean"],
    summary: "A filter for `logs` and `pendingLogs`; `true` for whole transactions.",
  },
  subscriptionFilter: {
    kind: "object",
    open: true,
    summary: "The logs to send, by address and topics.",
    fields: [
      {
        name: "address",
        type: "filterAddress",
        nullable: true,
        summary: "The contract, or a list of contracts, whose logs are wanted.",
      },
      {
        name: "topics",
        type: "filterTopic[]",
        nullable: true,
        maxItems: 4,
        summary: "A condition for each topic in order; topic 0 is the hash of the event's signature.",
      },
      {
        name: "transactionHashes",
        type: "hash[]",
        nullable: true,
        summary: "`transactionReceipts`: the transactions that are waited for.",
      },
    ],
    readable: [
      {
        name: "event",
        type: "text",
        summary: "The event, by signature or by its name in an ABI in scope; it becomes topic 0.",
      },
      {
        name: "args",
        type: "any",
        summary: "Values of the event's indexed arguments, which become the other topics; a list means any of them.",
      },
    ],
    exclusive: [
      { fields: ["event", "topics"], why: "`event` is turned into `topics`, so write only one of them." },
      { fields: ["args", "topics"], why: "`args` are turned into `topics`, so write only one of them." },
    ],
    mistaken: [
      { name: "addresses", field: "address" },
      { name: "topic", field: "topics" },
    ],
  },
  subscriptionId: {
    kind: "union",
    of: ["text", "integer"],
    summary: "The id that the subscription was given, on the connection that it was made on.",
  },
  filterId: { kind: "quantity", unit: "none", bits: 256, summary: "The id that the filter was given." },
  filterChanges: {
    kind: "union",
    of: ["logList", "hashList"],
    summary: "Logs, or hashes of blocks or transactions, as the filter is.",
  },
  logList: { kind: "union", of: ["log[]"], summary: "Logs." },
  hashList: { kind: "union", of: ["hash[]"], summary: "Hashes." },
  typedData: {
    kind: "union",
    of: ["typedDataObject", "text"],
    summary: "Typed data of EIP-712, as an object or as its JSON in a string.",
  },
  typedDataObject: {
    kind: "object",
    open: true,
    summary: "Typed data of EIP-712.",
    fields: [
      { name: "domain", type: "any", required: true, summary: "What the signature holds for: name, chain, contract." },
      { name: "types", type: "any", required: true, summary: "The types, `EIP712Domain` among them, by name." },
      { name: "primaryType", type: "text", required: true, summary: "The type of the message." },
      { name: "message", type: "any", required: true, summary: "The message." },
    ],
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
