import type { Effect } from "./spec.ts";

/**
 * What methods outside the catalogue do, told by their names: a wallet's, a node operator's and a development chain's
 * methods must not pass for reads only because nobody has described them yet.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/submit.yaml
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc
 */
const byName: readonly (readonly [RegExp, Effect])[] = [
  [/^(eth_send(Raw)?Transaction(Sync|Conditional)?|eth_send(UserOperation|Bundle|PrivateTransaction))$/, "broadcasts"],
  [/^\w+_(batchS|s)end(?![a-z])/, "broadcasts"],
  [/^(priv|eea)_(distribute|create|delete)\w*$/, "broadcasts"],
  [/^(eth_cancel(Bundle|PrivateTransaction)|eth_resend|eth_submit\w+|wallet_send\w+|mev_send\w+)$/, "broadcasts"],
  [
    /^(eth_sign(Transaction|TypedData(_v\d+)?)?|eth_fillTransaction|personal_(sign|ecRecover|sendTransaction)\w*|account_sign\w*)$/,
    "signs",
  ],
  [/^(personal|admin|miner|clique|engine|les|wallet|parity_set|clef|account)_?\w*$/, "changes-node"],
  [/^(perm|ibft|qbft)_(add|remove|reload|propose|discard)\w*$/, "changes-node"],
  [/^(anvil|hardhat|ganache|evm|tenderly|dev)_\w+$/, "changes-node"],
  [
    /^debug_(set|start|stop|write|free|clear|chaindb|mutex|block|cpu|go|standardTrace|mem|verbosity|vmodule|backtrace|replayBad)\w*$/,
    "changes-node",
  ],
];

/** Names that look like the above and only read. */
const reads = /^(admin_(nodeInfo|peers|datadir)|anvil_(nodeInfo|metadata)|personal_ecRecover|wallet_get\w+)$/;

/** The effect of a method that the catalogue does not hold. */
export function effectByName(method: string): Effect {
  if (reads.test(method)) return "reads";
  return byName.find(([names]) => names.test(method))?.[1] ?? "reads";
}

/** Whether sending it twice is the same as sending it once, and sending it at all changes nothing. */
export function isHarmless(effect: Effect): boolean {
  return effect === "reads" || effect === "simulates";
}
