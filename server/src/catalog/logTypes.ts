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
