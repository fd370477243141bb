import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseAbiParameters,
  parseGwei,
  stringToHex,
  type TransactionSerializable,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A pasted text, the name of its best reading, and what the first cell asks for. */
export interface PastedText {
  readonly what: string;
  readonly text: string;
  /** `undefined` for texts that get only a sentence. */
  readonly first: RegExp | undefined;
  /** The method of the first cell and a part of its text; for texts with only a sentence, a part of that. */
  readonly asks: readonly [method: string, part?: string];
}

export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
export const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const hash = keccak256(stringToHex("a transaction of our own"));
const blockHash = keccak256(stringToHex("a block of our own"));
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (value: string): string => `0x${value.replace(/^0x/, "").toLowerCase().padStart(64, "0")}`;
const abi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error Error(string)",
  "error Panic(uint256)",
]);
const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [bob, 250n] });
const poor = encodeErrorResult({ abi, errorName: "ERC20InsufficientBalance", args: [alice, 7n, 250n] });
const reason = encodeErrorResult({ abi, errorName: "Error", args: ["Pausable: paused"] });
const panic = encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
const unknownError = `0x7a0e1985${"0".repeat(62)}65${"0".repeat(62)}64`;

const account = privateKeyToAccount(keccak256(stringToHex("an account that holds nothing")));
const common = { to: token, data: transfer, nonce: 4, gas: 90_000n, value: 0n, chainId: 1 } as const;
const fees = { maxFeePerGas: parseGwei("20"), maxPriorityFeePerGas: parseGwei("1") };
const signed = async (transaction: TransactionSerializable): Promise<string> => account.signTransaction(transaction);
const blob = { maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${hash.slice(4)}` as const] };
const delegation = await account.signAuthorization({ address: token, chainId: 1, nonce: 5 });

const log = {
  address: token,
  topics: [transferTopic, word(alice), word(bob)],
  data: word("0xfa"),
  blockNumber: "0x10",
  blockHash,
  transactionHash: hash,
  logIndex: "0x0",
};
const { transactionHash: _hash, blockHash: _block, ...bareLog } = log;
const receipt = {
  transactionHash: hash,
  blockHash,
  blockNumber: "0x10",
  status: "0x0",
  gasUsed: "0x5208",
  logs: [],
  to: token,
  from: alice,
};
const transaction = {
  hash,
  blockHash,
  blockNumber: "0x10",
  from: alice,
  to: token,
  input: transfer,
  nonce: "0x4",
  value: "0x0",
  gas: "0x15f90",
};
const rpc = (rest: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, ...rest });

const values: readonly PastedText[] = [
  { what: "a transaction hash", text: hash, first: /^Transaction hash$/, asks: ["eth_getTransactionByHash", hash] },
  {
    what: "a hash with quotes and a comma",
    text: ` "${hash}",\n`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a hash without 0x",
    text: hash.slice(2),
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a hash in capitals",
    text: `0X${hash.slice(2).toUpperCase()}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a topic that is known",
    text: transferTopic,
    first: /^Event Transfer\(/,
    asks: ["eth_getLogs", transferTopic],
  },
  { what: "an address filled up to a word", text: word(alice), first: /^Address in a word$/, asks: ["eth_getBalance"] },
  { what: "a small word", text: word("0x2a"), first: /^Word of 32 bytes$/, asks: ["eth_call"] },
  {
    what: "the slot of a proxy",
    text: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
    first: /^Slot eip1967/,
    asks: ["eth_getStorageAt", "0x3608"],
  },
  ...[
    ["a block number", "21000000"],
    ["a block number with commas", "21,000,000"],
    ["a block number with underscores", "21_000_000"],
    ["a block number with points", "21.000.000"],
    ["a block number in hex", "0x1406f40"],
    ["a block in words", "block 21,000,000"],
    ["a block as a page titles it", "Block #21000000"],
    ["a page of a block", "https://arbiscan.io/block/21000000"],
    [
      "a block number that web3.py did not find",
      "web3.exceptions.BlockNotFound: Block with id: '0x1406f40' not found.",
    ],
  ].map(
    ([what = "", text = ""]): PastedText => ({
      what,
      text,
      first: /^Block 21,000,000$/,
      asks: ["eth_getBlockByNumber", "0x1406f40"],
    }),
  ),
  { what: "a block tag", text: "finalized", first: /^Block finalized$/, asks: ["eth_getBlockByNumber", "finalized"] },
  { what: "an address", text: alice, first: /^Address of Alice$/, asks: ["eth_getBalance", alice] },
  {
    what: "an address without checksum",
    text: bob.toLowerCase(),
    first: /^Address$/,
    asks: ["eth_getBalance", bob.toLowerCase()],
  },
  {
    what: "an address with the prefix of a chain",
    text: `eth:${bob}`,
    first: /^Address$/,
    asks: ["eth_getBalance", bob],
  },
  { what: "an account with CAIP-10", text: `eip155:8453:${bob}`, first: /^Address$/, asks: ["eth_getBalance", bob] },
  {
    what: "an address in a sentence",
    text: `Please send it to ${bob}, thanks!`,
    first: /^Address$/,
    asks: ["eth_getBalance", bob],
  },
  {
    what: "a name from the labels",
    text: "alice",
    first: /^Address of Alice$/,
    asks: ["eth_getBalance", alice.toLowerCase()],
  },
  {
    what: "a selector",
    text: "0xa9059cbb",
    first: /^Function transfer\(address,uint256\)$/,
    asks: ["eth_call", "transfer(address,uint256)"],
  },
  {
    what: "a selector of an error",
    text: poor.slice(0, 10),
    first: /^Error ERC20InsufficientBalance/,
    asks: ["eth_call", "e450d38c"],
  },
  { what: "an unknown selector", text: "0xfedcba98", first: /^Selector 0xfedcba98$/, asks: ["eth_call", "0xfedcba98"] },
  { what: "call data", text: transfer, first: /^Call data: transfer\(to: 0x3C44/, asks: ["eth_call", transfer] },
  {
    what: "call data over lines",
    text: transfer.replace(/(.{60})/g, "$1\n  "),
    first: /^Call data: transfer\(/,
    asks: ["eth_call", transfer],
  },
  { what: "a reason", text: reason, first: /^Revert data: .*Pausable: paused/, asks: ["eth_call", reason.slice(2)] },
  { what: "a panic", text: panic, first: /^Revert data: panic 0x11/, asks: ["eth_call", panic.slice(2)] },
  {
    what: "a custom error",
    text: poor,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "a legacy transaction",
    text: await signed({ ...common, type: "legacy", gasPrice: 9n }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "a transaction of type 1",
    text: await signed({ ...common, type: "eip2930", gasPrice: 9n }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "a transaction of type 2",
    text: await signed({ ...common, ...fees, type: "eip1559" }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "a transaction of type 3",
    text: await signed({ ...common, ...fees, ...blob, type: "eip4844" }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "a transaction of type 4",
    text: await signed({ ...common, ...fees, type: "eip7702", authorizationList: [delegation] }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "code that creates a contract",
    text: `0x608060405234801561001057600080fd5b50${"60".repeat(40)}`,
    first: /^Contract creation code$/,
    asks: ["eth_call", "0x6080"],
  },
  {
    what: "returned words",
    text: encodeAbiParameters(parseAbiParameters("uint256, address"), [5n, bob]),
    first: /^Bytes$/,
    asks: ["eth_call"],
  },
];

const json: readonly PastedText[] = [
  {
    what: "a log",
    text: JSON.stringify(log, null, 2),
    first: /^Log: Transfer\(/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a log without its transaction",
    text: JSON.stringify(bareLog),
    first: /^Log: Transfer\(/,
    asks: ["eth_getLogs", "0x10"],
  },
  {
    what: "logs of one transaction",
    text: JSON.stringify([log, log]),
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  { what: "a receipt", text: JSON.stringify(receipt), first: /^Receipt$/, asks: ["eth_getTransactionByHash", hash] },
  {
    what: "a transaction",
    text: JSON.stringify(transaction),
    first: /^Transaction$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a block",
    text: JSON.stringify({ number: "0x1406f40", hash: blockHash, parentHash: hash, transactions: [hash] }),
    first: /^Block 21,000,000$/,
    asks: ["eth_getBlockByNumber", "0x1406f40"],
  },
  {
    what: "a call object",
    text: JSON.stringify({ from: alice, to: token, data: transfer }),
    first: /^Call: transfer\(/,
    asks: ["eth_call", transfer],
  },
  {
    what: "a request",
    text: rpc({ method: "eth_getBalance", params: [bob, "latest"] }),
    first: /^Request eth_getBalance$/,
    asks: ["eth_getBalance", bob],
  },
  {
    what: "a request that sends a raw transaction",
    text: rpc({ method: "eth_sendRawTransaction", params: [await signed({ ...common, ...fees, type: "eip1559" })] }),
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "an answer with a receipt",
    text: rpc({ result: receipt }),
    first: /^Receipt$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an answer with a hash",
    text: rpc({ result: hash }),
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an answer with an error",
    text: rpc({ error: { code: 3, message: "execution reverted", data: poor } }),
    first: /^Revert data: ERC20Ins/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "a message of a subscription",
    text: rpc({ method: "eth_subscription", params: { subscription: "0x1", result: log } }),
    first: /^Log: Transfer/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a receipt behind a word",
    text: `receipt: ${JSON.stringify(receipt)}`,
    first: /^(?:Receipt|Transaction hash)$/,
    asks: ["eth_getTransactionByHash", hash],
  },
];

const pages: readonly PastedText[] = [
  {
    what: "a page of Etherscan",
    text: `https://etherscan.io/tx/${hash}#eventlog`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a page of Basescan",
    text: `https://basescan.org/address/${bob}#code`,
    first: /^Address$/,
    asks: ["eth_getBalance", bob],
  },
  {
    what: "a page of Blockscout",
    text: `https://optimism.blockscout.com/tx/${hash}?tab=logs`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a page of a token",
    text: `https://sepolia.etherscan.io/token/${token}?a=${bob}`,
    first: /^Address of Token$/,
    asks: ["eth_getBalance", token],
  },
  {
    what: "a page of a debugger",
    text: `https://dashboard.example.com/tx/mainnet/${hash}/gas-usage`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a page in a sentence",
    text: `Hi, why did this fail? (https://etherscan.io/tx/${hash}). My wallet is ${bob}.`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
];

const commands: readonly PastedText[] = [
  {
    what: "a curl command",
    text: `curl https://rpc.example.org -H 'content-type: application/json' -d '${rpc({ method: "eth_chainId", params: [] })}'`,
    first: /^Request eth_chainId$/,
    asks: ["eth_chainId"],
  },
  {
    what: "a cast command",
    text: `cast balance ${bob} --rpc-url http://127.0.0.1:8545`,
    first: /^Request eth_getBalance$/,
    asks: ["eth_getBalance", bob],
  },
  {
    what: "a cast command that replays",
    text: `cast run ${hash} --quick`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
];

const transactionJson = JSON.stringify({ data: transfer, from: alice, to: token });

const errors: readonly PastedText[] = [
  {
    what: "an error of ethers v6 that estimates gas",
    text: `Error: execution reverted (unknown custom error) (action="estimateGas", data="${unknownError}", reason=null, transaction={ "data": "${transfer}", "from": "${alice}", "to": "${token}" }, invocation=null, revert=null, code=CALL_EXCEPTION, version=6.13.4)\n    at makeError (/app/node_modules/ethers/lib.commonjs/utils/errors.js:129:21)`,
    first: /^Failed call: transfer\(to: 0x3C44/,
    asks: ["eth_call", token],
  },
  {
    what: "an error of ethers v6 without data",
    text: `Error: missing revert data (action="call", data=null, reason=null, transaction={ "data": "${transfer}", "to": "${token}" }, invocation=null, revert=null, code=CALL_EXCEPTION, version=6.8.1)`,
    first: /^Failed call: transfer\(/,
    asks: ["eth_call", token],
  },
  {
    what: "an error of ethers v6 that waits for a transaction",
    text: `Error: transaction execution reverted (action="sendTransaction", data=null, reason=null, invocation=null, revert=null, transaction={ "data": "", "from": "${alice}", "to": "${token}" }, receipt={ "_type": "TransactionReceipt", "blockHash": "${blockHash}", "blockNumber": 16, "hash": "${hash}", "status": 0 }, code=CALL_EXCEPTION, version=6.13.4)`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an error of ethers v5",
    text: `Error: cannot estimate gas; transaction may fail or may require manual gas limit [ See: https://links.ethers.org/v5-errors-UNPREDICTABLE_GAS_LIMIT ] (reason="execution reverted: Pausable: paused", method="estimateGas", transaction={"from":"${alice}","gasLimit":{"type":"BigNumber","hex":"0x015f90"},"to":"${token}","data":"${transfer}","accessList":null}, error={"reason":"processing response error","code":"SERVER_ERROR","body":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":52,\\"error\\":{\\"code\\":3,\\"message\\":\\"execution reverted: Pausable: paused\\",\\"data\\":\\"${reason}\\"}}"}, code=UNPREDICTABLE_GAS_LIMIT, version=providers/5.7.2)`,
    first: /^Failed call: transfer\(/,
    asks: ["eth_call", "0x15f90"],
  },
  {
    what: "an error of ethers v5 after a transaction failed",
    text: `Error: transaction failed [ See: https://links.ethers.org/v5-errors-CALL_EXCEPTION ] (transactionHash="${hash}", transaction={"type":2,"chainId":1,"nonce":4,"hash":"${hash}"}, code=CALL_EXCEPTION, version=providers/5.7.2)`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an error of viem with raw arguments",
    text: `ContractFunctionExecutionError: The contract function "transfer" reverted.\n\nError: ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)\n                               (${alice}, 7, 250)\n\nRaw Call Arguments:\n  from:  ${alice}\n  to:    ${token}\n  data:  ${transfer}\n\nContract Call:\n  address:   ${token}\n  function:  transfer(address to, uint256 value)\n  args:              (${bob}, 250)\n  sender:    ${alice}\n\nDocs: https://viem.sh/docs/contract/simulateContract\nVersion: viem@2.21.0`,
    first: /^Failed call: transfer\(/,
    asks: ["eth_call", transfer],
  },
  {
    what: "an error of viem with only the contract call",
    text: `ContractFunctionExecutionError: The contract function "transfer" reverted with the following signature:\n${poor.slice(0, 10)}\n\nUnable to decode signature "${poor.slice(0, 10)}" as it was not found on the provided ABI.\n\nContract Call:\n  address:   ${token}\n  function:  transfer(address to, uint256 value)\n  args:              (${bob}, 250)\n  sender:    ${alice}\n\nDocs: https://viem.sh/docs/contract/decodeErrorResult\nVersion: viem@2.21.0`,
    first: /^Failed call: transfer\(0x\w+, 250\)$/,
    asks: ["eth_call", "transfer(address,uint256)"],
  },
  {
    what: "an error of viem that sends",
    text: `TransactionExecutionError: The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account.\n\nRequest Arguments:\n  from:   ${alice}\n  to:     ${bob}\n  value:  1.5 ETH\n\nDetails: insufficient funds for gas * price + value: have 0 want 1500000000000000000\nVersion: viem@2.9.3`,
    first: /^Failed call: a plain transfer$/,
    asks: ["eth_call", "0x14d1120d7b160000"],
  },
  {
    what: "a receipt that viem waited for",
    text: `WaitForTransactionReceiptTimeoutError: Timed out while waiting for transaction with hash "${hash}" to be confirmed.\n\nVersion: viem@2.9.3`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a custom error of web3.py",
    text: `Traceback (most recent call last):\n  File "pay.py", line 12, in <module>\n    token.functions.transfer(bob, 250).call()\nweb3.exceptions.ContractCustomError: ('${poor}', '${poor}')`,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "a reason of web3.py",
    text: `web3.exceptions.ContractLogicError: ('execution reverted: Pausable: paused', '${reason}')`,
    first: /^Revert data: .*Pausable: paused/,
    asks: ["eth_call", reason.slice(2)],
  },
  {
    what: "a transaction that web3.py did not find",
    text: `web3.exceptions.TransactionNotFound: Transaction with hash: '${hash}' not found.`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a transaction that web3.py waited for",
    text: `web3.exceptions.TimeExhausted: Transaction HexBytes('${hash}') is not in the chain after 120 seconds`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an answer that Python printed",
    text: `ValueError: {'code': 3, 'message': 'execution reverted', 'data': '${panic}'}`,
    first: /^Revert data: panic 0x11/,
    asks: ["eth_call", panic.slice(2)],
  },
  {
    what: "a receipt that web3.js printed",
    text: `Error: Transaction has been reverted by the EVM:\n${JSON.stringify(receipt, null, 2)}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an error of Foundry with data",
    text: `Error: server returned an error response: error code 3: execution reverted: custom error 0xe450d38c: ${poor.slice(10)}, data: "${poor}": ERC20InsufficientBalance(${alice}, 7, 250)`,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "an error of Foundry with the selector and the data",
    text: `server returned an error response: error code 3: execution reverted: custom error ${poor.slice(0, 10)}, data: "${poor}"`,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "an older error of Foundry",
    text: `Error: \n(code: 3, message: execution reverted, data: Some(String("${panic}")))`,
    first: /^Revert data: panic 0x11/,
    asks: ["eth_call", panic.slice(2)],
  },
  {
    what: "a frame of a trace of cast",
    text: `    ├─ [2851] ${token}::transfer(${bob}, 250)\n    │   └─ ← [Revert] custom error 0xe450d38c: ${poor.slice(10)}`,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "an error of Hardhat",
    text: `Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${unknownError})\n    at Token.transfer (contracts/Token.sol:31)`,
    first: /^Revert data of unknown error 0x7a0e1985$/,
    asks: ["eth_call", unknownError.slice(2)],
  },
  {
    what: "an error of MetaMask",
    text: `MetaMask - RPC Error: execution reverted: ERC20 {code: 3, message: 'execution reverted', data: '${poor}'}`,
    first: /^Revert data: ERC20InsufficientBalance\(/,
    asks: ["eth_call", poor.slice(2)],
  },
  {
    what: "a call inside of an error of MetaMask",
    text: `Internal JSON-RPC error. { "code": -32603, "message": "Internal JSON-RPC error.", "data": { "code": 3, "message": "execution reverted", "data": "${reason}", "cause": null } } params: [${transactionJson}]`,
    first: /^Failed call: transfer\(/,
    asks: ["eth_call", token],
  },
  {
    what: "a line of a node's log",
    text: `WARN [03-14|09:26:53.589] Served eth_sendRawTransaction reqid=7 duration=1.2ms err="insufficient funds for gas * price + value: address ${bob} have 0 want 21000000000000"`,
    first: /^Address$/,
    asks: ["eth_getBalance", bob],
  },
  {
    what: "a nonce that is too low",
    text: `err: nonce too low: address ${bob}, tx: 5 state: 7 (supplied gas 90000)`,
    first: /^Address$/,
    asks: ["eth_getBalance", bob],
  },
];

const prints: readonly PastedText[] = [
  {
    what: "a receipt that cast printed",
    text: `blockHash            ${blockHash}\nblockNumber          16\nfrom                 ${alice}\ngasUsed              21000\nlogs                 []\nstatus               0 (failed)\ntransactionHash      ${hash}\nto                   ${token}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a transaction that cast printed",
    text: `blockHash            ${blockHash}\nfrom                 ${alice}\nhash                 ${hash}\ninput                ${transfer}\nr                    ${keccak256("0x01")}\ns                    ${keccak256("0x02")}\nto                   ${token}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a block that cast printed",
    text: `gasLimit             30000000\nhash                 ${blockHash}\nnumber               16\nparentHash           ${hash}\nstateRoot            ${keccak256("0x03")}`,
    first: /^Block hash$/,
    asks: ["eth_getBlockByHash", blockHash],
  },
  {
    what: "a log that Node printed",
    text: `{\n  address: '${token}',\n  topics: [\n    '${transferTopic}',\n    '${word(alice)}'\n  ],\n  data: '${keccak256("0x04")}',\n  blockNumber: 16n,\n  transactionHash: '${hash}'\n}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a receipt that Python printed",
    text: `AttributeDict({'blockHash': HexBytes('${blockHash}'), 'blockNumber': 16, 'from': '${alice}', 'transactionHash': HexBytes('${hash}'), 'status': 0})`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "lines of anvil",
    text: `eth_sendRawTransaction\n\n    Transaction: ${hash}\n    Gas used: 29097\n    Error: reverted with: custom error e450d38c\n\n    Block Number: 3\n    Block Hash: ${blockHash}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "a page that was copied as text",
    text: `Transaction Hash:\n${hash}\nStatus:\nFail with error 'Pausable: paused'\nBlock:\n21000000\nFrom:\n${alice}\nTo:\n${token}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an error of ethers with the signed transaction",
    text: `Error: insufficient funds for intrinsic transaction cost (transaction="${await signed({ ...common, ...fees, type: "eip1559" })}", info={ "error": { "code": -32003, "message": "Insufficient funds for gas * price + value" } }, code=INSUFFICIENT_FUNDS, version=6.13.4)`,
    first: /^Signed transaction$/,
    asks: ["eth_getTransactionByHash"],
  },
  {
    what: "a block that viem did not find",
    text: `BlockNotFoundError: Block at hash "${blockHash}" could not be found.\n\nVersion: viem@2.21.0`,
    first: /^Block hash$/,
    asks: ["eth_getBlockByHash", blockHash],
  },
  {
    what: "a page without its scheme, with characters of no width",
    text: `basescan.org/tx/${hash.slice(0, 20)}\u200b${hash.slice(20)}`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
  {
    what: "an address of an API with a key",
    text: `https://api.explorer.example/api?module=proxy&txhash=${hash}&apikey=ABCDEFGHIJKLMNOP`,
    first: /^Transaction hash$/,
    asks: ["eth_getTransactionByHash", hash],
  },
];

const sentences: readonly PastedText[] = [
  { what: "an ENS name", text: "nobody-has-this.eth", first: undefined, asks: ["ENS name"] },
  {
    what: "a reason without data",
    text: "execution reverted: ERC20: transfer amount exceeds balance",
    first: undefined,
    asks: ["no hash"],
  },
  {
    what: "a refusal of geth",
    text: "nonce too low: next nonce 33, tx nonce 30",
    first: undefined,
    asks: ["Nonce too low: A transaction with this nonce is in the chain already. This message has no hash"],
  },
  {
    what: "a refusal of a replacement",
    text: "ProviderError: replacement transaction underpriced",
    first: undefined,
    asks: ["this one does not pay enough more."],
  },
  { what: "a private key with its name", text: `PRIVATE_KEY=${hash}`, first: undefined, asks: ["private key"] },
  {
    what: "an ordinary sentence",
    text: "Why is my transaction not there yet?",
    first: undefined,
    asks: ["Nothing was recognised"],
  },
  { what: "nothing", text: "  \n", first: undefined, asks: ["The text is empty."] },
  {
    what: "binary data",
    text: String.fromCharCode(0, 1, 2, 255, 254, 0, 65, 0).repeat(30),
    first: undefined,
    asks: ["binary data"],
  },
  {
    what: "a hash that is shortened",
    text: `${hash.slice(0, 8)}…${hash.slice(-6)}`,
    first: undefined,
    asks: ["shortened"],
  },
  { what: "a hash that lost its end", text: hash.slice(0, -2), first: /^Hex$/, asks: [""] },
  {
    what: "an amount",
    text: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    first: /^Number 115,792/,
    asks: [""],
  },
  { what: "a page without a value", text: "https://etherscan.io/gastracker", first: /^Page$/, asks: [""] },
];

export const pastedTexts: readonly PastedText[] = [
  ...values,
  ...json,
  ...pages,
  ...commands,
  ...errors,
  ...prints,
  ...sentences,
];
