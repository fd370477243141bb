import type { ErrorSpec } from "./spec.ts";

const apis = "https://github.com/ethereum/execution-apis/blob/main/src";
const groups = `${apis}/error-groups`;
const simulate = `${apis}/eth/execute.yaml`;
const proxyd = "https://github.com/ethereum-optimism/infra/blob/main/proxyd/rpc.go";
const jsonRpc = "https://www.jsonrpc.org/specification#error_object";

/**
 * The meanings of JSON-RPC error codes. Services reuse codes freely, so judge by a code last, after
 * message, data and HTTP status; if a code has competing uses, its meaning names them.
 */
export const errors = [
  { code: -32700, name: "parse error", meaning: "The endpoint could not read the request as JSON.", source: jsonRpc },
  {
    code: -32600,
    name: "invalid request",
    meaning:
      "The JSON is not a JSON-RPC 2.0 request, or the service refuses it as a whole; some say so of ranges and batches that are too large.",
    source: jsonRpc,
  },
  {
    code: -32601,
    name: "method not found",
    meaning: "The endpoint does not have this method, or does not offer it to you.",
    source: jsonRpc,
  },
  {
    code: -32602,
    name: "invalid params",
    meaning:
      "A parameter is missing or wrong; some services also say so of block ranges that are too long and of plans that do not allow the request.",
    source: jsonRpc,
  },
  {
    code: -32603,
    name: "internal error",
    meaning: "The endpoint failed on its side; wallets also wrap reverts in it.",
    source: jsonRpc,
  },
  {
    code: -32604,
    name: "method not enabled",
    meaning: "The node has the method, but its operator switched it off.",
    source:
      "https://github.com/hyperledger/besu/blob/main/ethereum/api/src/main/java/org/hyperledger/besu/ethereum/api/jsonrpc/internal/response/RpcErrorType.java",
  },
  {
    code: -32614,
    name: "block range too long",
    meaning: "`eth_getLogs` was asked for more blocks than the service allows.",
    source: "https://docs.base.org/base-chain/api-reference/ethereum-json-rpc-api/eth_getLogs",
  },

  {
    code: -32000,
    name: "server error",
    meaning:
      "The general code: a revert, an unknown block, state that the node no longer has, and much else; see the message.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32001,
    name: "not found",
    meaning: "What was asked for does not exist; some gateways say so of methods that they do not let through.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32002,
    name: "unavailable",
    meaning: "What was asked for is not available now: it timed out, or the plan does not include it.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32003,
    name: "transaction rejected",
    meaning: "The node refused the transaction, or its execution halted; geth also means an answer that is too large.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32004,
    name: "method not supported",
    meaning: "The endpoint does not support this method.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32005,
    name: "limit exceeded",
    meaning:
      "A limit was hit: the rate of requests, the number of results, the range of blocks, or a batch; in a simulation the fee cap was too low.",
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32006,
    name: "version not supported",
    meaning: 'The endpoint does not support this version of JSON-RPC; write `"2.0"`.',
    source: `${groups}/rpc-non-standard-errors.yaml`,
  },
  {
    code: -32012,
    name: "over capacity",
    meaning: "The service has too much to do now; other services say so of credits that are used up.",
    source: proxyd,
  },
  {
    code: -32014,
    name: "too many requests in a batch",
    meaning: "The batch has more requests than the service allows.",
    source: proxyd,
  },
  {
    code: -32015,
    name: "execution error",
    meaning: "The execution stopped with a fault that is not a revert, or a gateway's node did not answer in time.",
    source: simulate,
  },
  {
    code: -32016,
    name: "over a limit",
    meaning: "The rate of requests or the time of a simulation is over its limit; old clients say so of reverts.",
    source: proxyd,
  },
  {
    code: -32017,
    name: "sender over rate limit",
    meaning: "This sender has sent too many transactions in a short time.",
    source: proxyd,
  },
  {
    code: -32019,
    name: "block out of range",
    meaning: "The block is newer than what the service's nodes agree on.",
    source: proxyd,
  },
  {
    code: -32020,
    name: "answer too large",
    meaning: "The answer is larger than the gateway passes on; ask for less.",
    source: proxyd,
  },
  {
    code: -32021,
    name: "request too large",
    meaning: "The request is larger than the gateway takes; send less at once.",
    source: proxyd,
  },

  {
    code: 1,
    name: "nonce too low",
    meaning: "The nonce was already used by a transaction of this account.",
    source: `${groups}/execution-errors.yaml`,
  },
  {
    code: 2,
    name: "nonce too high",
    meaning: "Transactions with lower nonces are missing.",
    source: `${groups}/execution-errors.yaml`,
  },
  {
    code: 3,
    name: "execution reverted",
    meaning: "The contract refused the call; `data` holds the ABI-encoded reason where it gave one.",
    source: `${groups}/execution-errors.yaml`,
  },
  {
    code: 4,
    name: "invalid opcode",
    meaning:
      "The execution met a byte that is not an instruction; of `eth_sendRawTransactionSync`, the wait for the receipt is over.",
    source: `${groups}/execution-errors.yaml`,
  },
  {
    code: 6,
    name: "nonce gap",
    meaning: "`eth_sendRawTransactionSync`: transactions with lower nonces are missing; `data` is the nonce to use.",
    source: "https://eips.ethereum.org/EIPS/eip-7966",
  },
  {
    code: 800,
    name: "intrinsic gas too low",
    meaning: "The gas is less than a transaction costs before its code runs.",
    source: `${groups}/gas-errors.yaml`,
  },
  { code: 801, name: "out of gas", meaning: "The execution used up its gas.", source: `${groups}/gas-errors.yaml` },
  {
    code: 802,
    name: "gas price too low",
    meaning: "The gas price is below what the node asks for.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 803,
    name: "gas over the block's limit",
    meaning: "The transaction asks for more gas than a block has.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 804,
    name: "priority fee above fee cap",
    meaning: "`maxPriorityFeePerGas` is higher than `maxFeePerGas`.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 805,
    name: "gas overflow",
    meaning: "The gas does not fit into 64 bits.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 806,
    name: "fee cap below base fee",
    meaning: "`maxFeePerGas` is lower than the block's base fee.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 807,
    name: "priority fee overflow",
    meaning: "`maxPriorityFeePerGas` does not fit into 256 bits.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 808,
    name: "fee cap overflow",
    meaning: "`maxFeePerGas` does not fit into 256 bits.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 809,
    name: "insufficient funds",
    meaning: "The sender cannot pay gas and value.",
    source: `${groups}/gas-errors.yaml`,
  },
  {
    code: 1000,
    name: "already known",
    meaning: "The node already has this transaction.",
    source: `${groups}/txpool-errors.yaml`,
  },
  {
    code: 1001,
    name: "invalid sender",
    meaning: "The signature does not give a valid sender.",
    source: `${groups}/txpool-errors.yaml`,
  },
  {
    code: 2000,
    name: "out of counters",
    meaning: "The transaction is too much to prove for this zero-knowledge chain.",
    source: `${groups}/zk-execution-errors.yaml`,
  },
  {
    code: 4444,
    name: "pruned history",
    meaning: "The node no longer has blocks that old; ask one that keeps them.",
    source: `${apis}/eth/filter.yaml`,
  },

  { code: -38010, name: "nonce too low", meaning: "A simulated call's nonce was already used.", source: simulate },
  { code: -38011, name: "nonce too high", meaning: "A simulated call's nonce leaves a gap.", source: simulate },
  {
    code: -38012,
    name: "fee cap below base fee",
    meaning:
      "A simulated call offers less than the block's base fee; set `baseFeePerGas` in `blockOverrides`, or offer more.",
    source: simulate,
  },
  {
    code: -38013,
    name: "intrinsic gas too low",
    meaning: "A simulated call's `gas` is less than a transaction costs before its code runs.",
    source: simulate,
  },
  {
    code: -38014,
    name: "insufficient funds",
    meaning: "A sender of the simulation cannot pay gas and value; give it a `balance` in `stateOverrides`.",
    source: simulate,
  },
  {
    code: -38015,
    name: "block gas limit reached",
    meaning:
      "The calls of a simulated block need more gas than the block has; raise `gasLimit` in `blockOverrides`, or use more blocks.",
    source: simulate,
  },
  {
    code: -38020,
    name: "block numbers not rising",
    meaning: "A simulated block's `number` is not above that of the block before.",
    source: simulate,
  },
  {
    code: -38021,
    name: "block times not rising",
    meaning: "A simulated block's `time` is not above that of the block before.",
    source: simulate,
  },
  {
    code: -38022,
    name: "precompile moved onto itself",
    meaning: "`movePrecompileToAddress` names the account that it is at.",
    source: simulate,
  },
  {
    code: -38023,
    name: "two precompiles moved to one address",
    meaning: "Two `movePrecompileToAddress` name the same address.",
    source: simulate,
  },
  {
    code: -38024,
    name: "sender has code",
    meaning: "The sender of a simulated call is a contract, which `validation` does not allow.",
    source: simulate,
  },
  {
    code: -38025,
    name: "init code too large",
    meaning: "The code that deploys a contract is larger than the protocol allows.",
    source: simulate,
  },
  {
    code: -38026,
    name: "client limit",
    meaning: "The simulation has more blocks or calls than the client allows.",
    source: simulate,
  },
  {
    code: -39001,
    name: "unknown block",
    meaning: "The node does not know this block, or `safe` and `finalized` do not exist yet.",
    source: `${apis}/schemas/block.yaml`,
  },
] as const satisfies readonly ErrorSpec[];
