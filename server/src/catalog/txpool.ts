import { account, gethPages, other, pooledTransaction } from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

const pool = "https://github.com/ethereum/execution-apis/blob/main/src/txpool/pool.yaml";
const ownNode = "Public endpoints rarely have it, and the pool of a layer 2 is not public.";

/**
 * The `txpool_` namespace: transactions that wait.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/txpool/pool.yaml
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc/ns-txpool
 */
export const txpool = [
  {
    name: "txpool_status",
    summary: "Returns how many transactions wait: for a block, and for an earlier nonce.",
    params: [],
    result: "poolStatus",
    effect: "reads",
    limits: [ownNode],
    source: pool,
    example: { params: [], result: { pending: "0xa", queued: "0x7" } },
  },
  {
    name: "txpool_contentFrom",
    summary: "Returns the transactions of one sender that wait, by nonce.",
    params: [{ name: "address", type: "address", required: true, summary: "The sender." }],
    result: "poolOfSender",
    effect: "reads",
    limits: [ownNode],
    source: pool,
    example: { params: [account], result: { pending: { "42": pooledTransaction }, queued: {} } },
  },
  {
    name: "txpool_content",
    summary: "Returns all transactions that wait, by sender and nonce.",
    params: [],
    result: "poolContent",
    effect: "reads",
    limits: [ownNode, "The answer can have many megabytes."],
    source: pool,
    example: { params: [], result: { pending: { [account]: { "42": pooledTransaction } }, queued: {} } },
  },
  {
    name: "txpool_inspect",
    summary: "Returns all transactions that wait as a line each, by sender and nonce.",
    params: [],
    result: "poolSummaries",
    effect: "reads",
    limits: [ownNode, "Not in the specification; geth and reth have it."],
    source: `${gethPages}/ns-txpool`,
    example: {
      params: [],
      result: {
        pending: { [account]: { "42": `${other}: 1000000000000000000 wei + 21000 gas × 10000000 wei` } },
        queued: {},
      },
    },
  },
] as const satisfies readonly MethodSpec[];
