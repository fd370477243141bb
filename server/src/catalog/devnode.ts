import { account, other, token, zeros } from "./parts.ts";
import type { MethodSpec, ParamSpec } from "./spec.ts";

const anvilSource = "https://github.com/foundry-rs/foundry/blob/master/crates/anvil/core/src/eth/mod.rs";
const hardhatSource = "https://hardhat.org/hardhat-network/docs/reference";

const address = { name: "address", type: "address", required: true, summary: "The account." } as const;
const seconds = { name: "seconds", type: "numberOrQuantity", required: true, summary: "How many seconds." } as const;
const moment = {
  name: "timestamp",
  type: "numberOrQuantity",
  required: true,
  summary: "The time in seconds since 1970; it must be after the newest block's.",
} as const;
const enabled = { name: "enabled", type: "boolean", required: true, summary: "Whether it is on." } as const;
const done = { result: "done", nullResult: "It is done.", effect: "changes-node" } as const;

/** The names of a method on development nodes. */
interface DevNames {
  readonly anvil?: string;
  readonly hardhat?: string;
  readonly evm?: string;
}

/** A method of a development node; the same under other names. */
type DevMethod = Omit<MethodSpec, "name" | "source"> & DevNames;

const method = (
  summary: string,
  params: readonly ParamSpec[],
  example: readonly unknown[],
  names: DevNames,
): DevMethod => ({ ...names, ...done, summary, params, example: { params: example, result: null } });

/**
 * Methods that development nodes add to the chain's own, the most used first.
 * @see https://github.com/foundry-rs/foundry/blob/master/crates/anvil/core/src/eth/mod.rs (names and parameters)
 * @see https://hardhat.org/hardhat-network/docs/reference
 */
const methods: readonly DevMethod[] = [
  method(
    "Mines blocks, one where nothing is said.",
    [
      { name: "blocks", type: "numberOrQuantity", required: false, default: '"0x1"', summary: "How many blocks." },
      {
        name: "interval",
        type: "numberOrQuantity",
        required: false,
        default: '"0x1"',
        summary: "Seconds between their times.",
      },
    ],
    ["0xa"],
    { anvil: "anvil_mine", hardhat: "hardhat_mine" },
  ),
  {
    evm: "evm_mine",
    summary: "Mines one block, at a given time if wanted.",
    params: [{ ...moment, required: false }],
    result: "text",
    effect: "changes-node",
    example: { params: [], result: "0x0" },
  },
  method(
    "Sets the balance of an account.",
    [address, { name: "balance", type: "wei", required: true, summary: "The new balance in wei." }],
    [account, "0xde0b6b3a7640000"],
    { anvil: "anvil_setBalance", hardhat: "hardhat_setBalance" },
  ),
  method("Lets transactions be sent from an account or contract without its key.", [address], [account], {
    anvil: "anvil_impersonateAccount",
    hardhat: "hardhat_impersonateAccount",
  }),
  method("Takes an impersonation back.", [address], [account], {
    anvil: "anvil_stopImpersonatingAccount",
    hardhat: "hardhat_stopImpersonatingAccount",
  }),
  {
    anvil: "anvil_getIntervalMining",
    summary: "Tells how many seconds are between two blocks that are mined by the clock.",
    params: [],
    result: "integer",
    nullResult: "Blocks are not mined by the clock.",
    effect: "reads",
    example: { params: [], result: 2 },
  },
  method("Lets transactions be sent from any account without its key.", [enabled], [true], {
    anvil: "anvil_autoImpersonateAccount",
  }),
  {
    anvil: "anvil_snapshot",
    evm: "evm_snapshot",
    summary: "Remembers the state of the chain and returns an id to come back to it.",
    params: [],
    result: "uint256",
    effect: "changes-node",
    example: { params: [], result: "0x1" },
  },
  {
    anvil: "anvil_revert",
    evm: "evm_revert",
    summary: "Goes back to a state that was remembered, and forgets it and all later ones.",
    params: [{ name: "id", type: "numberOrQuantity", required: true, summary: "The id of the snapshot." }],
    result: "boolean",
    effect: "changes-node",
    limits: ["Transactions that wait are lost."],
    example: { params: ["0x1"], result: true },
  },
  {
    anvil: "anvil_increaseTime",
    evm: "evm_increaseTime",
    summary: "Moves the time of the next blocks forward.",
    params: [seconds],
    result: "timeMoved",
    effect: "changes-node",
    example: { params: [3600], result: 3600 },
  },
  method("Sets the time of the next block.", [moment], [1900000000], {
    anvil: "anvil_setNextBlockTimestamp",
    evm: "evm_setNextBlockTimestamp",
  }),
  method(
    "Sets the code of an account.",
    [address, { name: "code", type: "code", required: true, summary: "The code that it runs from now on." }],
    [token, "0x60006000fd"],
    { anvil: "anvil_setCode", hardhat: "hardhat_setCode" },
  ),
  method(
    "Writes one slot of a contract's storage.",
    [
      { ...address, summary: "The contract." },
      { name: "slot", type: "slot", required: true, summary: "The slot; Hardhat wants it without leading zeros." },
      { name: "value", type: "word", required: true, summary: "The new value, 32 bytes." },
    ],
    [token, "0x0", zeros],
    { anvil: "anvil_setStorageAt", hardhat: "hardhat_setStorageAt" },
  ),
  method(
    "Sets the nonce of an account.",
    [
      address,
      { name: "nonce", type: "count", required: true, summary: "The new nonce; Hardhat takes only a higher one." },
    ],
    [account, "0x2a"],
    { anvil: "anvil_setNonce", hardhat: "hardhat_setNonce" },
  ),
  method(
    "Starts anew, as a fork of a chain or without one.",
    [
      {
        name: "options",
        type: "resetOptions",
        required: false,
        summary: "The chain to fork; without it the node starts empty.",
      },
    ],
    [],
    { anvil: "anvil_reset", hardhat: "hardhat_reset" },
  ),
  method("Mines each transaction at once, or waits.", [enabled], [false], {
    anvil: "anvil_setAutomine",
    evm: "evm_setAutomine",
  }),
  method(
    "Mines at a fixed interval.",
    [
      {
        name: "interval",
        type: "numberOrQuantity",
        required: true,
        summary: "The interval, 0 for none: seconds for anvil, milliseconds for Hardhat.",
      },
    ],
    [2],
    { anvil: "anvil_setIntervalMining", evm: "evm_setIntervalMining" },
  ),
  {
    anvil: "anvil_getAutomine",
    hardhat: "hardhat_getAutomine",
    summary: "Tells whether each transaction is mined at once.",
    params: [],
    result: "boolean",
    effect: "reads",
    example: { params: [], result: true },
  },
  method(
    "Adds to the balance of an account.",
    [address, { name: "amount", type: "wei", required: true, summary: "How much more, in wei." }],
    [account, "0xde0b6b3a7640000"],
    { anvil: "anvil_addBalance" },
  ),
  method(
    "Sets the balance of an account in a token.",
    [
      address,
      { name: "token", type: "address", required: true, summary: "The token." },
      { name: "balance", type: "uint256", required: true, summary: "The new balance, in the token's smallest unit." },
    ],
    [account, token, "0xf4240"],
    { anvil: "anvil_dealERC20" },
  ),
  method(
    "Lets an account spend another one's tokens.",
    [
      { ...address, name: "owner", summary: "Whose tokens they are." },
      { ...address, name: "spender", summary: "Who may spend them." },
      { ...address, name: "token", summary: "The token." },
      { name: "amount", type: "uint256", required: true, summary: "How much, in the token's smallest unit." },
    ],
    [account, other, token, "0xf4240"],
    { anvil: "anvil_setERC20Allowance" },
  ),
  method(
    "Sets the base fee of the next block.",
    [{ name: "baseFee", type: "wei", required: true, summary: "Wei per gas." }],
    ["0x3b9aca00"],
    { anvil: "anvil_setNextBlockBaseFeePerGas", hardhat: "hardhat_setNextBlockBaseFeePerGas" },
  ),
  method(
    "Sets the least price of gas that transactions must offer.",
    [{ name: "gasPrice", type: "wei", required: true, summary: "Wei per gas." }],
    ["0x3b9aca00"],
    { anvil: "anvil_setMinGasPrice", hardhat: "hardhat_setMinGasPrice" },
  ),
  method("Sets who gets the fees of the next blocks.", [address], [other], {
    anvil: "anvil_setCoinbase",
    hardhat: "hardhat_setCoinbase",
  }),
  method(
    "Sets the randomness that contracts see in the next block.",
    [{ name: "prevRandao", type: "hash", required: true, summary: "The 32 bytes." }],
    [zeros],
    { anvil: "anvil_setNextBlockPrevRandao", hardhat: "hardhat_setPrevRandao" },
  ),
  {
    anvil: "anvil_setBlockGasLimit",
    evm: "evm_setBlockGasLimit",
    summary: "Sets the gas limit of the next blocks.",
    params: [{ name: "gasLimit", type: "numberOrQuantity", required: true, summary: "The gas limit." }],
    result: "boolean",
    effect: "changes-node",
    example: { params: ["0x1c9c380"], result: true },
  },
  method("Sets how far apart the times of blocks are.", [{ ...seconds, type: "integer" }], [12], {
    anvil: "anvil_setBlockTimestampInterval",
  }),
  {
    anvil: "anvil_removeBlockTimestampInterval",
    summary: "Lets the times of blocks follow the clock again.",
    params: [],
    result: "boolean",
    effect: "changes-node",
    example: { params: [], result: true },
  },
  {
    anvil: "anvil_dropTransaction",
    hardhat: "hardhat_dropTransaction",
    summary: "Takes a waiting transaction out of the pool.",
    params: [{ name: "transactionHash", type: "hash", required: true, summary: "The transaction." }],
    result: "dropped",
    nullResult: "There was no such transaction.",
    effect: "changes-node",
    example: { params: [zeros], result: zeros },
  },
  method("Takes all waiting transactions out of the pool.", [], [], { anvil: "anvil_dropAllTransactions" }),
  method("Takes all waiting transactions of a sender out of the pool.", [address], [account], {
    anvil: "anvil_removePoolTransactions",
  }),
  method(
    "Replaces the newest blocks by others.",
    [
      {
        name: "depth",
        type: "integer",
        required: true,
        summary: "How many blocks.",
      },
      {
        name: "transactions",
        type: "reorgTransaction[]",
        required: true,
        summary: "What to put into the new blocks: lists of a transaction and a block, counted from zero.",
      },
    ],
    [3, []],
    { anvil: "anvil_reorg" },
  ),
  method(
    "Takes the newest blocks away.",
    [{ name: "depth", type: "integer", required: false, default: "1", summary: "How many blocks." }],
    [3],
    { anvil: "anvil_rollback" },
  ),
  method(
    "Sets the chain's id.",
    [{ name: "chainId", type: "integer", required: true, summary: "The new id, as a JSON number." }],
    [31337],
    { anvil: "anvil_setChainId" },
  ),
  method("Turns the node's own log on or off.", [enabled], [false], {
    anvil: "anvil_setLoggingEnabled",
    hardhat: "hardhat_setLoggingEnabled",
  }),
  method(
    "Sets where a fork reads from.",
    [{ name: "url", type: "text", required: true, summary: "The address of the endpoint." }],
    ["http://127.0.0.1:8546"],
    { anvil: "anvil_setRpcUrl" },
  ),
  {
    anvil: "anvil_dumpState",
    summary: "Returns the whole state, to be loaded again with `anvil_loadState`.",
    params: [{ name: "history", type: "boolean", required: false, default: "false", summary: "Old states as well." }],
    result: "bytes",
    effect: "reads",
    example: { params: [], result: "0x1f8b08" },
  },
  {
    anvil: "anvil_loadState",
    summary: "Adds a state that `anvil_dumpState` returned to the chain.",
    params: [{ name: "state", type: "bytes", required: true, summary: "The state." }],
    result: "boolean",
    effect: "changes-node",
    example: { params: ["0x1f8b08"], result: true },
  },
  {
    anvil: "anvil_nodeInfo",
    summary: "Returns what the node runs with: head, fork, fees.",
    params: [],
    result: "any",
    effect: "reads",
    example: { params: [], result: { currentBlockNumber: "0x0", hardFork: "prague" } },
  },
  {
    anvil: "anvil_metadata",
    hardhat: "hardhat_metadata",
    summary: "Returns the node's version, its chain and what it is forked from.",
    params: [],
    result: "any",
    effect: "reads",
    example: { params: [], result: { clientVersion: "anvil/v1.7.1", chainId: 31337 } },
  },
];

const named = (namespace: "anvil" | "hardhat" | "evm", source: string): readonly MethodSpec[] =>
  methods.flatMap(({ anvil, hardhat, evm, ...spec }) => {
    const name = { anvil, hardhat, evm }[namespace];
    return name === undefined ? [] : [{ ...spec, name, source }];
  });

/** The `anvil_`, `hardhat_` and `evm_` namespaces of development nodes. */
export const anvil = named("anvil", anvilSource);
export const hardhat = named("hardhat", hardhatSource);
export const evm = named("evm", hardhatSource);
