import { account, gethPages, other, pooledTransaction } from "./parts.ts";
import type { MethodSpec } from "./spec.ts";

/** The `net_` namespace. */
export const net = [
  {
    name: "net_version",
    summary: "Returns the id of the network in decimal digits, on most chains the same number as the chain's id.",
    params: [],
    result: "digits",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_version",
    example: { params: [], result: "8453" },
  },
  {
    name: "net_peerCount",
    summary: "Returns how many peers the node is connected with.",
    params: [],
    result: "count",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_peercount",
    example: { params: [], result: "0x19" },
  },
  {
    name: "net_listening",
    summary: "Tells whether the node takes connections of peers.",
    params: [],
    result: "boolean",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_listening",
    example: { params: [], result: true },
  },
] as const satisfies readonly MethodSpec[];

/** The `web3_` namespace. */
export const web3 = [
  {
    name: "web3_clientVersion",
    summary: "Returns the name and the version of the node's software.",
    params: [],
    result: "text",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#web3_clientversion",
    example: { params: [], result: "reth/v1.9.3/x86_64-unknown-linux-gnu" },
  },
  {
    name: "web3_sha3",
    summary: "Returns the Keccak-256 hash of bytes.",
    params: [{ name: "data", type: "bytes", required: true, summary: "The bytes to hash." }],
    result: "hash",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#web3_sha3",
    example: {
      params: ["0x68656c6c6f"],
      result: "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8",
    },
  },
] as const satisfies readonly MethodSpec[];

/** Methods about the methods that an endpoint supports. */
export const rpc = [
  {
    name: "rpc_modules",
    summary: "Lists the namespaces that the endpoint answers.",
    params: [],
    result: "modules",
    effect: "reads",
    limits: ["Not in the specification; geth, reth and Erigon have it, gateways rarely let it through."],
    source: "https://reth.rs/jsonrpc/rpc#rpc_modules",
    example: { params: [], result: { eth: "1.0", net: "1.0", web3: "1.0" } },
  },
  {
    name: "rpc.discover",
    summary: "Returns the OpenRPC document of the endpoint: its methods with their parameters and results.",
    params: [],
    result: "any",
    effect: "reads",
    limits: ["Few endpoints have it. Once it has run, the methods that it describes are known in this notebook."],
    source: "https://spec.open-rpc.org/#service-discovery-method",
    example: {
      params: [],
      result: {
        openrpc: "1.3.2",
        info: { title: "Example", version: "1.0.0" },
        methods: [{ name: "acme_height", params: [], result: { name: "height", schema: { type: "integer" } } }],
      },
    },
  },
] as const satisfies readonly MethodSpec[];

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
