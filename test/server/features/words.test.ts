import assert from "node:assert/strict";
import { isCut } from "../../../server/src/features/completion.ts";
import { accepted, complete } from "../../support/complete.ts";

/** What a person types in an empty cell, and the methods and functions that the first suggestion writes. */
const words: Readonly<Record<string, string>> = {
  balance: "eth_getBalance",
  "account balance": "eth_getBalance",
  "get balance": "eth_getBalance",
  nonce: "eth_getTransactionCount",
  "transaction count": "eth_getTransactionCount",
  "gas price": "eth_gasPrice",
  gasprice: "eth_gasPrice",
  gas: "eth_estimateGas",
  estimate: "eth_estimateGas",
  "estimate gas": "eth_estimateGas",
  fee: "eth_gasPrice",
  fees: "eth_feeHistory",
  "fee history": "eth_feeHistory",
  history: "eth_feeHistory",
  "base fee": "eth_feeHistory",
  "priority fee": "eth_maxPriorityFeePerGas",
  tip: "eth_maxPriorityFeePerGas",
  "blob fee": "eth_blobBaseFee",
  block: "eth_getBlockByNumber",
  "latest block": "eth_getBlockByNumber",
  "get block": "eth_getBlockByNumber",
  time: "eth_getBlockByNumber",
  timestamp: "eth_getBlockByNumber",
  "block number": "eth_blockNumber",
  height: "eth_blockNumber",
  "block hash": "eth_getBlockByHash",
  "chain id": "eth_chainId",
  chain: "eth_chainId",
  network: "eth_chainId",
  send: "eth_sendRawTransaction",
  "send raw": "eth_sendRawTransaction",
  "send transaction": "eth_sendTransaction",
  receipt: "eth_getTransactionReceipt",
  "transaction receipt": "eth_getTransactionReceipt",
  receipts: "eth_getBlockReceipts",
  tx: "eth_getTransactionByHash",
  transaction: "eth_getTransactionByHash",
  logs: "eth_getLogs",
  events: "eth_getLogs",
  transfers: "eth_getLogs",
  "token transfers": "eth_getLogs",
  storage: "eth_getStorageAt",
  slot: "eth_getStorageAt",
  code: "eth_getCode",
  bytecode: "eth_getCode",
  call: "eth_call",
  "call contract": "eth_call",
  simulate: "eth_simulateV1",
  trace: "debug_traceTransaction",
  debug: "debug_traceTransaction",
  "trace call": "debug_traceCall",
  "access list": "eth_createAccessList",
  proof: "eth_getProof",
  subscribe: "eth_subscribe",
  "new heads": "eth_subscribe",
  pending: "eth_getBlockByNumber",
  "pending transactions": "txpool_content",
  mempool: "txpool_content",
  txpool: "txpool_status",
  syncing: "eth_syncing",
  peers: "net_peerCount",
  accounts: "eth_accounts",
  sign: "eth_sign",
  "sign typed data": "eth_signTypedData_v4",
  filter: "eth_newFilter",
  uncle: "eth_getUncleByBlockNumberAndIndex",
  version: "web3_clientVersion",
  client: "web3_clientVersion",
  net: "net_version",
  web3: "web3_clientVersion",
  keccak: "web3_sha3",
  mine: "anvil_mine",
  snapshot: "anvil_snapshot",
  impersonate: "anvil_impersonateAccount",
  "set balance": "anvil_setBalance",
  "balance of": "eth_call balanceOf",
  "balance of token": "eth_call balanceOf",
  "token balance": "eth_call balanceOf",
  allowance: "eth_call allowance",
  symbol: "eth_call symbol",
  decimals: "eth_call decimals",
  "total supply": "eth_call totalSupply",
  owner: "eth_call owner",
  transfer: "eth_call transfer",
  "transfer from": "eth_call transferFrom",
  "last 50": "eth_getLogs",
  "last 1000 blocks": "eth_getLogs",
};

/** The method of a request, and the function that it calls. */
function asked(text: string): string {
  const [, method] = /"method": "(\w+)"/.exec(text) ?? [];
  const [, called] = /"function": "(\w+)/.exec(text) ?? [];
  return method === "eth_call" && called !== undefined ? `${method} ${called}` : `${method}`;
}

/** Whether an editor shows an item for a text: each letter is there in its order. */
function passes(filterText: string | undefined, typed: string): boolean {
  let next = 0;
  for (const letter of filterText?.toLowerCase() ?? "") if (letter === typed[next]) next++;
  return next === typed.length;
}

describe("words in an empty cell", () => {
  for (const [typed, wanted] of Object.entries(words))
    it(`${typed}: ${wanted}`, () => {
      const list = complete(`${typed}|`);
      assert.ok(isCut(list), "an editor asks again for the next letter");
      assert.ok(
        list.every(({ filterText }) => filterText?.startsWith(typed)),
        "an editor keeps the order",
      );
      const label = list[0]?.label ?? "";
      assert.equal(asked(accepted(`${typed}|`, label)), wanted);
      // VS Code does not ask again for a space and the letter after it.
      for (const { index } of typed.matchAll(/ (?=[a-z])/g)) {
        const before = complete(`${typed.slice(0, index)}|`);
        assert.ok(
          before.some((one) => one.label === label && passes(one.filterText, typed.slice(0, index + 2))),
          label,
        );
        assert.ok(complete(`${typed.slice(0, index + 1)}|`).some((one) => one.label === label));
      }
    });
});
