import {
  account,
  exampleReceipt,
  filledFields,
  mixedFees,
  other,
  reverted,
  signedTransaction,
  signedTransfer,
  spec,
  transferHash,
  unsignedTransfer,
} from "./parts.ts";
import type { MethodErrorSpec, MethodSpec, ParamSpec } from "./spec.ts";

const keysNeeded = "Only nodes that hold the account's key can do it: public endpoints cannot.";
const noKey = {
  code: -32000,
  message: "unknown account",
  when: "The node does not hold the key of `from`.",
} as const satisfies MethodErrorSpec;
const submitErrors = [
  { code: -32000, message: "nonce too low", when: "A transaction with this nonce is in the chain already." },
  { code: -32000, message: "already known", when: "The node has this very transaction already." },
  {
    code: -32000,
    message: "replacement transaction underpriced",
    when: "Another transaction with this nonce waits, and this one does not pay enough more.",
  },
  {
    code: -32000,
    message: "insufficient funds for gas * price + value",
    when: "The sender cannot pay what it sends and the maximum that its gas may cost.",
  },
  { code: -32003, message: "transaction rejected", when: "Some nodes refuse transactions with this code." },
] as const satisfies readonly MethodErrorSpec[];

const transaction = {
  name: "transaction",
  type: "call",
  required: true,
  summary: "The transaction; the node fills in what it lacks.",
} as const satisfies ParamSpec;
const rawTransaction = {
  name: "rawTransaction",
  type: "bytes",
  required: true,
  summary: "The signed transaction in its own encoding; with blobs, in the form that peers exchange.",
} as const satisfies ParamSpec;
const signer = {
  name: "address",
  type: "address",
  required: true,
  summary: "The account that signs.",
} as const satisfies ParamSpec;

/**
 * Sending and signing. A run asks before it does any of them.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/submit.yaml
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/sign.yaml
 * @see https://eips.ethereum.org/EIPS/eip-7966 (the synchronous form)
 */
export const ethSubmit = [
  {
    name: "eth_sendRawTransaction",
    summary: "Sends a signed transaction to the chain and returns its hash without waiting for a block.",
    params: [rawTransaction],
    result: "hash",
    effect: "broadcasts",
    errors: submitErrors,
    source: `${spec}/submit.yaml`,
    example: { params: [signedTransfer], result: transferHash },
  },
  {
    name: "eth_sendRawTransactionSync",
    summary: "Sends a signed transaction to the chain and waits for its receipt.",
    params: [
      rawTransaction,
      {
        name: "timeout",
        type: "numberOrQuantity",
        required: false,
        summary: "How long to wait, in milliseconds; nodes bound it. reth and Base take a number, geth a quantity.",
      },
    ],
    result: "receipt",
    effect: "broadcasts",
    errors: [
      ...submitErrors,
      {
        code: 4,
        message: "The transaction was added to the mempool but wasn't processed",
        when: "The time is over; the transaction is sent all the same and may still go in. `data` is its hash.",
      },
      {
        code: 6,
        message: "The transaction was rejected due to a nonce gap",
        when: "Transactions with lower nonces are missing; `data` is the nonce to use.",
      },
    ],
    limits: [
      "Endpoints with pre-confirmed state answer with the pre-confirmed receipt; those of Base wait for 6 s at most.",
      "An EIP that not every node has.",
    ],
    source: "https://eips.ethereum.org/EIPS/eip-7966",
    example: {
      params: [signedTransfer],
      result: { ...exampleReceipt, transactionHash: transferHash, to: other, logs: [] },
    },
  },
  {
    name: "eth_sendTransaction",
    summary: "Signs a transaction with a key of the node, sends it to the chain and returns its hash.",
    params: [transaction],
    result: "hash",
    effect: "broadcasts",
    errors: [noKey, ...submitErrors, ...reverted, mixedFees],
    limits: [`${keysNeeded} Development nodes do it for their accounts and for impersonated ones.`],
    source: `${spec}/submit.yaml`,
    example: { params: [unsignedTransfer], result: transferHash },
  },
  {
    name: "eth_signTransaction",
    summary: "Signs a transaction with a key of the node without sending it.",
    params: [transaction],
    result: "signedOrPrepared",
    effect: "signs",
    errors: [noKey, mixedFees],
    limits: [
      keysNeeded,
      "The specification and geth answer with the bytes and the fields, others with the bytes alone.",
    ],
    source: `${spec}/sign.yaml`,
    example: { params: [unsignedTransfer], result: signedTransaction },
  },
  {
    name: "eth_sign",
    summary: "Signs a message with a key of the node, in the form of EIP-191.",
    params: [signer, { name: "message", type: "bytes", required: true, summary: "The message." }],
    result: "signature",
    effect: "signs",
    errors: [noKey],
    limits: [keysNeeded],
    source: `${spec}/sign.yaml`,
    example: {
      params: [account, "0x68656c6c6f"],
      result:
        "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c",
    },
  },
  {
    name: "eth_signTypedData_v4",
    summary: "Signs typed data with a key of the node or wallet, in the form of EIP-712.",
    params: [signer, { name: "typedData", type: "typedData", required: true, summary: "The data to sign." }],
    result: "signature",
    effect: "signs",
    errors: [noKey],
    limits: [keysNeeded, "A method of wallets; development nodes have it too."],
    source: "https://eips.ethereum.org/EIPS/eip-712",
    example: {
      params: [
        account,
        {
          domain: { name: "Example", chainId: 8453 },
          types: {
            EIP712Domain: [
              { name: "name", type: "string" },
              { name: "chainId", type: "uint256" },
            ],
            Note: [{ name: "text", type: "string" }],
          },
          primaryType: "Note",
          message: { text: "hello" },
        },
      ],
      result:
        "0xd866a79b75bfe46207d74d033c4d11a6daa9b39d4706d97655d5a76210107ed67b530c58e3ff6f64c74b695e9bb6a66fc0b7e92f5d225e959dde7a9c9638f1ed1b",
    },
  },
  {
    name: "eth_fillTransaction",
    summary: "Fills in nonce, gas and fees of a transaction without signing it.",
    params: [transaction],
    result: "preparedTransaction",
    effect: "simulates",
    errors: [...reverted, mixedFees],
    source: `${spec}/fill.yaml`,
    example: { params: [unsignedTransfer], result: { tx: filledFields } },
  },
  {
    name: "eth_resend",
    summary: "Sends a waiting transaction of the node's own again, with another gas price or limit.",
    params: [
      { ...transaction, summary: "The waiting transaction, with its nonce." },
      { name: "gasPrice", type: "wei", required: false, nullable: true, summary: "The new price per gas." },
      { name: "gasLimit", type: "gas", required: false, nullable: true, summary: "The new gas limit." },
    ],
    result: "hash",
    effect: "broadcasts",
    errors: [noKey, ...submitErrors],
    limits: [keysNeeded, "Not in the specification; geth has it."],
    source: "https://github.com/ethereum/go-ethereum/blob/master/internal/ethapi/api.go",
    example: { params: [{ ...unsignedTransfer, nonce: "0x2a" }, "0x989680"], result: transferHash },
  },
] as const satisfies readonly MethodSpec[];
