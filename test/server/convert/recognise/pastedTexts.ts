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
import { pattern, rows } from "../../../support/rows.ts";

/** A pasted text, the name of its best reading, and what the first cell asks for. */
export interface PastedText {
  readonly what: string;
  readonly text: string;
  /** `undefined` for texts that get only a sentence. */
  readonly first: RegExp | undefined;
  /** The method of the first cell and a part of its text; for texts with only a sentence, a part of that. */
  readonly asks: readonly [method: string, part?: string | undefined];
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
const transactionJson = JSON.stringify({ data: transfer, from: alice, to: token });

/** The name of the best reading, and the method of its first cell and a part of the text of that; then what is read so. */
const texts = rows`
  Transaction hash → eth_getTransactionByHash → ${hash}
    a transaction hash: ${hash}
    a hash with quotes and a comma: \ "${hash}",\n
    a hash without 0x: ${hash.slice(2)}
    a hash in capitals: 0X${hash.slice(2).toUpperCase()}
    logs of one transaction: ${JSON.stringify([log, log])}
    an answer with a hash: ${rpc({ result: hash })}
    a page of Etherscan: https://etherscan.io/tx/${hash}#eventlog
    a page of Blockscout: https://optimism.blockscout.com/tx/${hash}?tab=logs
    a page of a debugger: https://dashboard.example.com/tx/mainnet/${hash}/gas-usage
    a page in a sentence: Hi, why did this fail? (https://etherscan.io/tx/${hash}). My wallet is ${bob}.
    a cast command that replays: cast run ${hash} --quick
    an error of ethers v6 that waits for a transaction: Error: transaction execution reverted (action="sendTransaction", data=null, reason=null, invocation=null, revert=null, transaction={ "data": "", "from": "${alice}", "to": "${token}" }, receipt={ "_type": "TransactionReceipt", "blockHash": "${blockHash}", "blockNumber": 16, "hash": "${hash}", "status": 0 }, code=CALL_EXCEPTION, version=6.13.4)
    an error of ethers v5 after a transaction failed: Error: transaction failed [ See: https://links.ethers.org/v5-errors-CALL_EXCEPTION ] (transactionHash="${hash}", transaction={"type":2,"chainId":1,"nonce":4,"hash":"${hash}"}, code=CALL_EXCEPTION, version=providers/5.7.2)
    a receipt that viem waited for: WaitForTransactionReceiptTimeoutError: Timed out while waiting for transaction with hash "${hash}" to be confirmed.\n\nVersion: viem@2.9.3
    a transaction that web3.py did not find: web3.exceptions.TransactionNotFound: Transaction with hash: '${hash}' not found.
    a transaction that web3.py waited for: web3.exceptions.TimeExhausted: Transaction HexBytes('${hash}') is not in the chain after 120 seconds
    a receipt that web3.js printed: Error: Transaction has been reverted by the EVM:\n${JSON.stringify(receipt, null, 2)}
    a receipt that cast printed: blockHash            ${blockHash}\nblockNumber          16\nfrom                 ${alice}\ngasUsed              21000\nlogs                 []\nstatus               0 (failed)\ntransactionHash      ${hash}\nto                   ${token}
    a transaction that cast printed: blockHash            ${blockHash}\nfrom                 ${alice}\nhash                 ${hash}\ninput                ${transfer}\nr                    ${keccak256("0x01")}\ns                    ${keccak256("0x02")}\nto                   ${token}
    a log that Node printed: {\n  address: '${token}',\n  topics: [\n    '${transferTopic}',\n    '${word(alice)}'\n  ],\n  data: '${keccak256("0x04")}',\n  blockNumber: 16n,\n  transactionHash: '${hash}'\n}
    a receipt that Python printed: AttributeDict({'blockHash': HexBytes('${blockHash}'), 'blockNumber': 16, 'from': '${alice}', 'transactionHash': HexBytes('${hash}'), 'status': 0})
    lines of anvil: eth_sendRawTransaction\n\n    Transaction: ${hash}\n    Gas used: 29097\n    Error: reverted with: custom error e450d38c\n\n    Block Number: 3\n    Block Hash: ${blockHash}
    a page that was copied as text: Transaction Hash:\n${hash}\nStatus:\nFail with error 'Pausable: paused'\nBlock:\n21000000\nFrom:\n${alice}\nTo:\n${token}
    a page without its scheme, with characters of no width: basescan.org/tx/${hash.slice(0, 20)}\u200b${hash.slice(20)}
    an address of an API with a key: https://api.explorer.example/api?module=proxy&txhash=${hash}&apikey=ABCDEFGHIJKLMNOP
  Event Transfer(… → eth_getLogs → ${transferTopic}
    a topic that is known: ${transferTopic}
  Address in a word → eth_getBalance
    an address filled up to a word: ${word(alice)}
  Word of 32 bytes → eth_call
    a small word: ${word("0x2a")}
  Slot eip1967… → eth_getStorageAt → 0x3608
    the slot of a proxy: 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc
  Block 21,000,000 → eth_getBlockByNumber → 0x1406f40
    a block number: 21000000
    a block number with commas: 21,000,000
    a block number with underscores: 21_000_000
    a block number with points: 21.000.000
    a block number in hex: 0x1406f40
    a block in words: block 21,000,000
    a block as a page titles it: Block #21000000
    a page of a block: https://arbiscan.io/block/21000000
    a block number that web3.py did not find: web3.exceptions.BlockNotFound: Block with id: '0x1406f40' not found.
    a block: ${JSON.stringify({ number: "0x1406f40", hash: blockHash, parentHash: hash, transactions: [hash] })}
  Block finalized → eth_getBlockByNumber → finalized
    a block tag: finalized
  Address of Alice → eth_getBalance → ${alice}
    an address: ${alice}
  Address → eth_getBalance → ${bob.toLowerCase()}
    an address without checksum: ${bob.toLowerCase()}
  Address → eth_getBalance → ${bob}
    an address with the prefix of a chain: eth:${bob}
    an account with CAIP-10: eip155:8453:${bob}
    an address in a sentence: Please send it to ${bob}, thanks!
    a page of Basescan: https://basescan.org/address/${bob}#code
    a line of a node's log: WARN [03-14|09:26:53.589] Served eth_sendRawTransaction reqid=7 duration=1.2ms err="insufficient funds for gas * price + value: address ${bob} have 0 want 21000000000000"
    a nonce that is too low: err: nonce too low: address ${bob}, tx: 5 state: 7 (supplied gas 90000)
  Address of Alice → eth_getBalance → ${alice.toLowerCase()}
    a name from the labels: alice
  Function transfer(address,uint256) → eth_call → transfer(address,uint256)
    a selector: 0xa9059cbb
  Error ERC20InsufficientBalance… → eth_call → e450d38c
    a selector of an error: ${poor.slice(0, 10)}
  Selector 0xfedcba98 → eth_call → 0xfedcba98
    an unknown selector: 0xfedcba98
  Call data: transfer(to: 0x3C44… → eth_call → ${transfer}
    call data: ${transfer}
  Call data: transfer(… → eth_call → ${transfer}
    call data over lines: ${transfer.replace(/(.{60})/g, "$1\n  ")}
  Revert data: …Pausable: paused… → eth_call → ${reason.slice(2)}
    a reason: ${reason}
    a reason of web3.py: web3.exceptions.ContractLogicError: ('execution reverted: Pausable: paused', '${reason}')
  Revert data: panic 0x11… → eth_call → ${panic.slice(2)}
    a panic: ${panic}
    an answer that Python printed: ValueError: {'code': 3, 'message': 'execution reverted', 'data': '${panic}'}
    an older error of Foundry: Error: \n(code: 3, message: execution reverted, data: Some(String("${panic}")))
  Revert data: ERC20InsufficientBalance(… → eth_call → ${poor.slice(2)}
    a custom error: ${poor}
    a custom error of web3.py: Traceback (most recent call last):\n  File "pay.py", line 12, in <module>\n    token.functions.transfer(bob, 250).call()\nweb3.exceptions.ContractCustomError: ('${poor}', '${poor}')
    an error of Foundry with data: Error: server returned an error response: error code 3: execution reverted: custom error 0xe450d38c: ${poor.slice(10)}, data: "${poor}": ERC20InsufficientBalance(${alice}, 7, 250)
    an error of Foundry with the selector and the data: server returned an error response: error code 3: execution reverted: custom error ${poor.slice(0, 10)}, data: "${poor}"
    a frame of a trace of cast: \    ├─ [2851] ${token}::transfer(${bob}, 250)\n    │   └─ ← [Revert] custom error 0xe450d38c: ${poor.slice(10)}
    an error of MetaMask: MetaMask - RPC Error: execution reverted: ERC20 {code: 3, message: 'execution reverted', data: '${poor}'}
  Signed transaction → eth_getTransactionByHash
    a legacy transaction: ${await signed({ ...common, type: "legacy", gasPrice: 9n })}
    a transaction of type 1: ${await signed({ ...common, type: "eip2930", gasPrice: 9n })}
    a transaction of type 2: ${await signed({ ...common, ...fees, type: "eip1559" })}
    a transaction of type 3: ${await signed({ ...common, ...fees, ...blob, type: "eip4844" })}
    a transaction of type 4: ${await signed({ ...common, ...fees, type: "eip7702", authorizationList: [delegation] })}
    a request that sends a raw transaction: ${rpc({ method: "eth_sendRawTransaction", params: [await signed({ ...common, ...fees, type: "eip1559" })] })}
    an error of ethers with the signed transaction: Error: insufficient funds for intrinsic transaction cost (transaction="${await signed({ ...common, ...fees, type: "eip1559" })}", info={ "error": { "code": -32003, "message": "Insufficient funds for gas * price + value" } }, code=INSUFFICIENT_FUNDS, version=6.13.4)
  Contract creation code → eth_call → 0x6080
    code that creates a contract: 0x608060405234801561001057600080fd5b50${"60".repeat(40)}
  Bytes → eth_call
    returned words: ${encodeAbiParameters(parseAbiParameters("uint256, address"), [5n, bob])}
  Log: Transfer(… → eth_getTransactionByHash → ${hash}
    a log: ${JSON.stringify(log, null, 2)}
  Log: Transfer(… → eth_getLogs → 0x10
    a log without its transaction: ${JSON.stringify(bareLog)}
  Receipt → eth_getTransactionByHash → ${hash}
    a receipt: ${JSON.stringify(receipt)}
    an answer with a receipt: ${rpc({ result: receipt })}
    a receipt behind a word: receipt: ${JSON.stringify(receipt)}
  Transaction → eth_getTransactionByHash → ${hash}
    a transaction: ${JSON.stringify(transaction)}
  Call: transfer(… → eth_call → ${transfer}
    a call object: ${JSON.stringify({ from: alice, to: token, data: transfer })}
  Request eth_getBalance → eth_getBalance → ${bob}
    a request: ${rpc({ method: "eth_getBalance", params: [bob, "latest"] })}
    a cast command: cast balance ${bob} --rpc-url http://127.0.0.1:8545
  Revert data: ERC20Ins… → eth_call → ${poor.slice(2)}
    an answer with an error: ${rpc({ error: { code: 3, message: "execution reverted", data: poor } })}
  Log: Transfer… → eth_getTransactionByHash → ${hash}
    a message of a subscription: ${rpc({ method: "eth_subscription", params: { subscription: "0x1", result: log } })}
  Address of Token → eth_getBalance → ${token}
    a page of a token: https://sepolia.etherscan.io/token/${token}?a=${bob}
  Request eth_chainId → eth_chainId
    a curl command: curl https://rpc.example.org -H 'content-type: application/json' -d '${rpc({ method: "eth_chainId", params: [] })}'
  Failed call: transfer(to: 0x3C44… → eth_call → ${token}
    an error of ethers v6 that estimates gas: Error: execution reverted (unknown custom error) (action="estimateGas", data="${unknownError}", reason=null, transaction={ "data": "${transfer}", "from": "${alice}", "to": "${token}" }, invocation=null, revert=null, code=CALL_EXCEPTION, version=6.13.4)\n    at makeError (/app/node_modules/ethers/lib.commonjs/utils/errors.js:129:21)
  Failed call: transfer(… → eth_call → ${token}
    an error of ethers v6 without data: Error: missing revert data (action="call", data=null, reason=null, transaction={ "data": "${transfer}", "to": "${token}" }, invocation=null, revert=null, code=CALL_EXCEPTION, version=6.8.1)
    a call inside of an error of MetaMask: Internal JSON-RPC error. { "code": -32603, "message": "Internal JSON-RPC error.", "data": { "code": 3, "message": "execution reverted", "data": "${reason}", "cause": null } } params: [${transactionJson}]
  Failed call: transfer(… → eth_call → 0x15f90
    an error of ethers v5: Error: cannot estimate gas; transaction may fail or may require manual gas limit [ See: https://links.ethers.org/v5-errors-UNPREDICTABLE_GAS_LIMIT ] (reason="execution reverted: Pausable: paused", method="estimateGas", transaction={"from":"${alice}","gasLimit":{"type":"BigNumber","hex":"0x015f90"},"to":"${token}","data":"${transfer}","accessList":null}, error={"reason":"processing response error","code":"SERVER_ERROR","body":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":52,\\"error\\":{\\"code\\":3,\\"message\\":\\"execution reverted: Pausable: paused\\",\\"data\\":\\"${reason}\\"}}"}, code=UNPREDICTABLE_GAS_LIMIT, version=providers/5.7.2)
  Failed call: transfer(… → eth_call → ${transfer}
    an error of viem with raw arguments: ContractFunctionExecutionError: The contract function "transfer" reverted.\n\nError: ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)\n                               (${alice}, 7, 250)\n\nRaw Call Arguments:\n  from:  ${alice}\n  to:    ${token}\n  data:  ${transfer}\n\nContract Call:\n  address:   ${token}\n  function:  transfer(address to, uint256 value)\n  args:              (${bob}, 250)\n  sender:    ${alice}\n\nDocs: https://viem.sh/docs/contract/simulateContract\nVersion: viem@2.21.0
  Failed call: transfer(0x…, 250) → eth_call → transfer(address,uint256)
    an error of viem with only the contract call: ContractFunctionExecutionError: The contract function "transfer" reverted with the following signature:\n${poor.slice(0, 10)}\n\nUnable to decode signature "${poor.slice(0, 10)}" as it was not found on the provided ABI.\n\nContract Call:\n  address:   ${token}\n  function:  transfer(address to, uint256 value)\n  args:              (${bob}, 250)\n  sender:    ${alice}\n\nDocs: https://viem.sh/docs/contract/decodeErrorResult\nVersion: viem@2.21.0
  Failed call: a plain transfer → eth_call → 0x14d1120d7b160000
    an error of viem that sends: TransactionExecutionError: The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account.\n\nRequest Arguments:\n  from:   ${alice}\n  to:     ${bob}\n  value:  1.5 ETH\n\nDetails: insufficient funds for gas * price + value: have 0 want 1500000000000000000\nVersion: viem@2.9.3
  Revert data of unknown error 0x7a0e1985 → eth_call → ${unknownError.slice(2)}
    an error of Hardhat: Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${unknownError})\n    at Token.transfer (contracts/Token.sol:31)
  Block hash → eth_getBlockByHash → ${blockHash}
    a JSON log line with a block hash in a string: ${JSON.stringify({ level: "info", msg: JSON.stringify({ blockHash }) })}
    a JSON log line with a block hash in a string of a string: ${JSON.stringify({ msg: JSON.stringify({ msg: JSON.stringify({ block_hash: blockHash }) }) })}
    a JSON log line with a failure and a block hash in a string: ${JSON.stringify({ level: "error", msg: JSON.stringify({ error: "failed", parentHash: blockHash }) })}
    a block that cast printed: gasLimit             30000000\nhash                 ${blockHash}\nnumber               16\nparentHash           ${hash}\nstateRoot            ${keccak256("0x03")}
    a block that viem did not find: BlockNotFoundError: Block at hash "${blockHash}" could not be found.\n\nVersion: viem@2.21.0
  Hex
    a hash that lost its end: ${hash.slice(0, -2)}
  Number 115,792…
    an amount: 115792089237316195423570985008687907853269984665640564039457584007913129639935
  Error message
    a refusal of geth: nonce too low: next nonce 33, tx nonce 30
    a refusal of a replacement: ProviderError: replacement transaction underpriced
    words of a refusal: nonce too low
  Page
    a page without a value: https://etherscan.io/gastracker
`;

/** A part of what is said if there is no reading, then what is read so. */
const sentences = rows`
  ENS name
    an ENS name: nobody-has-this.eth
  no hash
    a reason without data: execution reverted: ERC20: transfer amount exceeds balance
  private key
    a private key with its name: PRIVATE_KEY=${hash}
  Nothing was recognized
    an ordinary sentence: Why is my transaction not there yet?
  The text is empty.
    nothing: \  \n
  binary data
    binary data: ${String.fromCharCode(0, 1, 2, 255, 254, 0, 65, 0).repeat(30)}
  shortened
    a hash that is shortened: ${hash.slice(0, 8)}…${hash.slice(-6)}
`;

const cases = (
  table: typeof texts,
  made: (head: string) => Pick<PastedText, "first" | "asks">,
): readonly PastedText[] =>
  table.flatMap(([head = "", ...all]) =>
    all.map((one) => {
      const [, what = "", text = ""] = /^(.*?): (.*)$/s.exec(one) ?? [];
      return { what, text, ...made(head) };
    }),
  );

export const pastedTexts: readonly PastedText[] = [
  ...cases(texts, (head) => {
    const [name = "", method = "", part] = head.split(" → ");
    return { first: pattern(name), asks: [method, part] };
  }),
  ...cases(sentences, (note) => ({ first: undefined, asks: [note] })),
];
