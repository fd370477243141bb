import { gethPages, spec, token, transferLog } from "./parts.ts";
import type { MethodErrorSpec, MethodSpec, ParamSpec } from "./spec.ts";

const filterId = {
  name: "filterId",
  type: "filterId",
  required: true,
  summary: "The id that the filter was given.",
} as const satisfies ParamSpec;
const filterLost = {
  code: -32000,
  message: "filter not found",
  when: "The node has dropped the filter: it was not polled for 5 minutes, or another node behind the endpoint has it.",
} as const satisfies MethodErrorSpec;
const polled =
  "Nodes drop a filter that is not polled, geth after 5 minutes. Behind a load balancer, filters may get lost.";
const socketOnly = {
  code: -32601,
  message: "notifications not supported",
  when: "The endpoint is reached by HTTP; subscriptions need a WebSocket.",
} as const satisfies MethodErrorSpec;

/**
 * Filters that are polled, and subscriptions.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/filter.yaml
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/pubsub
 */
export const ethFilters = [
  {
    name: "eth_subscribe",
    summary: "Subscribes to new blocks, logs, transactions or pre-confirmations. Returns the subscription's id.",
    params: [
      { name: "subscription", type: "subscription", required: true, summary: "The kind of events." },
      {
        name: "options",
        type: "subscriptionOptions",
        required: false,
        after: {
          position: 0,
          type: "knownSubscription",
          followed: {
            newHeads: [],
            syncing: [],
            newFlashblocks: [],
            logs: ["object"],
            pendingLogs: ["object"],
            newPendingTransactions: ["boolean"],
            newFlashblockTransactions: ["boolean"],
          },
        },
        summary:
          "A filter for `logs` and `pendingLogs`; `true` for whole transactions with the kinds about transactions.",
      },
    ],
    result: "subscriptionId",
    effect: "reads",
    errors: [
      socketOnly,
      {
        code: -32602,
        message: "unknown subscription",
        when: "The endpoint has no such kind; geth says so with -32601.",
      },
    ],
    limits: [
      "Only over a WebSocket: give the endpoint a `ws` address.",
      "`pendingLogs`, `newFlashblocks` and `newFlashblockTransactions` exist on endpoints with pre-confirmed state only.",
    ],
    source: `${gethPages}/pubsub`,
    example: {
      params: ["pendingLogs", { address: token, topics: [transferLog.topics[0]] }],
      result: "0x9cef478923ff08bf",
    },
  },
  {
    name: "eth_unsubscribe",
    summary: "Ends a subscription.",
    params: [{ name: "id", type: "subscriptionId", required: true, summary: "The subscription's id." }],
    result: "boolean",
    effect: "reads",
    errors: [socketOnly, { code: -32000, message: "subscription not found", when: "It has ended already." }],
    limits: ["Only on the connection that the subscription was made on."],
    source: `${gethPages}/pubsub`,
    example: { params: ["0x9cef478923ff08bf"], result: true },
  },
  {
    name: "eth_newFilter",
    summary: "Makes a filter for logs, to be asked for what is new, and returns its id.",
    params: [{ name: "filter", type: "filter", required: true, summary: "Which logs are wanted." }],
    result: "filterId",
    effect: "reads",
    errors: [{ code: -32602, message: "invalid block range params", when: "`fromBlock` is above `toBlock`." }],
    limits: [polled],
    source: `${spec}/filter.yaml`,
    example: { params: [{ address: token, topics: [transferLog.topics[0]] }], result: "0x5ace5de3985749b6" },
  },
  {
    name: "eth_newBlockFilter",
    summary: "Makes a filter for new blocks, to be asked for their hashes, and returns its id.",
    params: [],
    result: "filterId",
    effect: "reads",
    limits: [polled],
    source: `${spec}/filter.yaml`,
    example: { params: [], result: "0x5ace5de3985749b6" },
  },
  {
    name: "eth_newPendingTransactionFilter",
    summary: "Makes a filter for transactions that enter the node's pool, and returns its id.",
    params: [
      {
        name: "full",
        type: "boolean",
        required: false,
        default: "false",
        summary: "Return transactions in full. Not in the specification; geth and reth take it.",
      },
    ],
    result: "filterId",
    effect: "reads",
    limits: [polled, "Layer 2 nodes such as those of Base take it but stay silent: their pool is not public."],
    source: `${spec}/filter.yaml`,
    example: { params: [], result: "0x5ace5de3985749b6" },
  },
  {
    name: "eth_getFilterChanges",
    summary: "Returns what is new since a filter was asked last: logs, or hashes of blocks or transactions.",
    params: [filterId],
    result: "filterChanges",
    effect: "reads",
    errors: [filterLost],
    source: `${spec}/filter.yaml`,
    example: { params: ["0x5ace5de3985749b6"], result: [transferLog] },
  },
  {
    name: "eth_getFilterLogs",
    summary: "Returns all logs that match a filter for logs.",
    params: [filterId],
    result: "log[]",
    effect: "reads",
    errors: [filterLost],
    source: `${spec}/filter.yaml`,
    example: { params: ["0x5ace5de3985749b6"], result: [transferLog] },
  },
  {
    name: "eth_uninstallFilter",
    summary: "Drops a filter.",
    params: [filterId],
    result: "boolean",
    effect: "reads",
    source: `${spec}/filter.yaml`,
    example: { params: ["0x5ace5de3985749b6"], result: true },
  },
] as const satisfies readonly MethodSpec[];
