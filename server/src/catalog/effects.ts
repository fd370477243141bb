import type { Effect } from "./spec.ts";

/**
 * Methods outside the catalogue whose names say that they write: those of wallets, node operators, development chains
 * and other families of chains. Spelled in any case, since some servers do not tell them apart.
 * @see https://github.com/ethereum/execution-apis/blob/main/src/eth/submit.yaml
 * @see https://geth.ethereum.org/docs/interacting-with-geth/rpc
 */
const byName: readonly (readonly [RegExp, Effect])[] = [
  [/^eth_(?:send|resend|submit|cancel)|^wallet_(?:send|invoke)/, "broadcasts"],
  [/^(?:priv|eea)_(?:distribute|create|delete|send)/, "broadcasts"],
  [/_(?:batch)?(?:send|submit|broadcast|publish|inject)(?!er)/, "broadcasts"],
  [/^broadcast_|_add_?(?:invoke|declare|deploy)|^raft_|^istanbul_(?:propose|discard)/, "broadcasts"],
  [/^eth_sign|^(?:personal|account|signer|clef)_\w*sign|^personal_(?:sign|send)/, "signs"],
  [
    /^(?:personal_(?!ecrecover$)|admin_(?!nodeinfo$|peers$|datadir$)|miner_|clique_|engine_|les_|clef_|signer_|conductor_|plugins_|parity_set|wallet_(?:add|switch|watch|request|revoke))/,
    "changes-node",
  ],
  [/^(?:perm|ibft|qbft|istanbul)_(?:add|remove|reload|propose|discard)/, "changes-node"],
  [/^(?:anvil|hardhat|ganache|evm|tenderly|dev)_(?!nodeinfo$|metadata$)/, "changes-node"],
  [
    /^debug_(?:set|start|stop|write|free|clear|reset|delete|chaindb|mutex|block|cpu|go|standardtrace|mem|verbosity|vmodule|backtrace|replaybad)/,
    "changes-node",
  ],
];

/** The effect of a method that the catalogue does not hold: one that writes by its name, else unknown. Never a read. */
export function effectByName(method: string): Effect {
  const name = method.normalize("NFKC").trim().toLowerCase();
  return byName.find(([names]) => names.test(name))?.[1] ?? "unknown";
}

/** Whether sending it twice is the same as sending it once, and sending it at all changes nothing. */
export function isHarmless(effect: Effect): boolean {
  return effect === "reads" || effect === "simulates";
}
