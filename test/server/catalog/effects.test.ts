import assert from "node:assert/strict";
import fc from "fast-check";
import { effectByName, isHarmless } from "../../../server/src/catalog/effects.ts";

describe("the effect of a method by its name", () => {
  for (const [method, effect] of [
    ["eth_sendRawTransaction", "broadcasts"],
    ["eth_sendTransaction", "broadcasts"],
    ["eth_sendRawTransactionSync", "broadcasts"],
    ["eth_sendUserOperation", "broadcasts"],
    ["wallet_sendCalls", "broadcasts"],
    ["eth_sign", "signs"],
    ["eth_signTypedData_v4", "signs"],
    ["personal_sign", "signs"],
    ["personal_unlockAccount", "changes-node"],
    ["admin_addPeer", "changes-node"],
    ["anvil_setBalance", "changes-node"],
    ["evm_mine", "changes-node"],
    ["hardhat_impersonateAccount", "changes-node"],
    ["engine_newPayloadV4", "changes-node"],
    ["debug_setHead", "changes-node"],
    ["miner_start", "changes-node"],
    ["eea_sendRawTransaction", "broadcasts"],
    ["debug_batchSendRawTransaction", "broadcasts"],
    ["priv_distributeRawTransaction", "broadcasts"],
    ["perm_addAccountsToAllowlist", "changes-node"],
    ["ibft_proposeValidatorVote", "changes-node"],
    ["debug_clearTxpool", "changes-node"],
    ["ETH_SENDRAWTRANSACTION", "broadcasts"],
    [" eth_sendRawTransaction", "broadcasts"],
    ["\uff45th_sendRawTransaction", "broadcasts"],
    ["Anvil_setBalance", "changes-node"],
    ["author_submitExtrinsic", "broadcasts"],
    ["broadcast_tx_sync", "broadcasts"],
    ["parity_setMinGasPrice", "changes-node"],
    ["signer_confirmRequest", "changes-node"],
    ["debug_resetHead", "changes-node"],
    ["debug_deleteState", "changes-node"],
    ["istanbul_propose", "broadcasts"],
    ["raft_addPeer", "broadcasts"],
    ["conductor_stop", "changes-node"],
    ["plugins_reloadPlugin", "changes-node"],
    ["starknet_addInvokeTransaction", "broadcasts"],
    ["acme_sender", "unknown"],
    ["zks_getBridgehubContract", "unknown"],
    ["eth_getBalanc", "unknown"],
    ["Eth_getBalance", "unknown"],
    ["eth_signers", "signs"],
    ["admin_nodeInfo", "unknown"],
    ["trace_blok", "unknown"],
    ["wallet_getCapabilities", "unknown"],
    ["", "unknown"],
  ] as const) {
    it(`${method} ${effect}`, () => assert.equal(effectByName(method), effect));
  }

  it("never says of a method outside of the catalogue that it only reads", () =>
    fc.assert(fc.property(fc.string(), (name) => !isHarmless(effectByName(name)))));

  it("lets nothing but reading and simulating be sent twice", () =>
    assert.deepEqual(
      (["reads", "simulates", "signs", "broadcasts", "changes-node", "unknown"] as const).map(isHarmless),
      [true, true, false, false, false, false],
    ));
});
