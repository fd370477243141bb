/** A difference between the catalogue and the document of the execution-apis. */
export interface Difference {
  /** Matches the lines that the comparison finds. */
  readonly at: RegExp;
  readonly why: string;
}

export const differences: readonly Difference[] = [
  {
    at: /^eth_(?:requestAccounts|decrypt|getEncryptionPublicKey): missing$/,
    why: "MetaMask adds it for wallets in a browser (EIP-1102, EIP-5630); nodes do not serve it.",
  },
  {
    at: /^eth_(?:call|estimateGas) stateOverrides: one more parameter$/,
    why: "Geth, reth and others take overrides of the state, and the services of preconfirmed state document them.",
  },
  {
    at: /^eth_call blockOverrides: one more parameter$/,
    why: "Geth and reth take overrides of the block as fourth parameter.",
  },
  {
    at: /^eth_getTransactionCount nonceKey: one more parameter$/,
    why: "EIP-8130 gives an account several nonces, each with a key of its own.",
  },
  {
    at: /^eth_newPendingTransactionFilter full: one more parameter$/,
    why: "Geth returns whole transactions when this parameter is `true`.",
  },
  {
    at: /^eth_get(?:Balance|Code|Proof|StorageAt|TransactionCount) block: optional$/,
    why: "Geth and others read `latest` when it is left out; a warning says that some services require it.",
  },
  {
    at: /^eth_get(?:BlockTransactionCountBy|UncleCountByBlock)(?:Hash|Number) block(?:Hash)?: required$/,
    why: "Without a block there is nothing to count, and nodes refuse the request; the document forgets `required`.",
  },
  {
    at: /^eth_(?:getLogs|newFilter) filter: required$/,
    why: "Nodes refuse the request without its filter; the document forgets `required`.",
  },
  {
    at: /^eth_(?:getFilterChanges|getFilterLogs|uninstallFilter) filterId: required$/,
    why: "Nodes refuse the request without the filter that it is about; the document forgets `required`.",
  },
  {
    at: /^eth_\w+ (?:block|index): "0x(?:(?:ab){20,32}|f{64})" is an error$/,
    why: "The document bounds no number; nodes hold those of blocks and transactions in 64 bits, and refuse longer ones.",
  },
  {
    at: /^eth_(?:call|estimateGas) transaction: .*"type":"0x3"/,
    why: "A blob has 131,072 bytes (EIP-4844); the document takes any bytes for one.",
  },
  {
    at: /^eth_sendRawTransaction rawTransaction: "0x[01]" is an error$/,
    why: "Bytes have two digits each; the pattern of the document takes half a byte too.",
  },
  {
    at: /^eth_signTypedData_v4 typedData.types: not described$/,
    why: "Its fields have the names that the person signing gives to types, besides `EIP712Domain`.",
  },
  {
    at: /^eth_(?:getFilterChanges|getFilterLogs|uninstallFilter|newFilter|newBlockFilter|newPendingTransactionFilter) example(?: result)?: /,
    why: "The example is a filter called `0x01`; the schema of the document itself takes no leading zero.",
  },
  {
    at: /^eth_feeHistory example result: \$\.oldestBlock: missing$/,
    why: "The example writes `oldestblock`, the schema of the document itself `oldestBlock`.",
  },
  {
    at: /^eth_getProof example: params\[1\]\[1\]: no bytes$/,
    why: "The second slot of the example has an `s` among its digits.",
  },
  {
    at: /^eth_getProof example result: \$\.address: missing$/,
    why: "The example lacks `address`, which the schema of the document itself requires.",
  },
  {
    at: /^eth_getTransactionBy\w+ example result: \$\.chainId: no quantity$/,
    why: "The example writes the chain as the number 2018, the schema of the document itself as a quantity.",
  },
  { at: /^eth_sendRawTransaction example result: \$: no bytes$/, why: "The hash of the example has 63 digits." },
];
