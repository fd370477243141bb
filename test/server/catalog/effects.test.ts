import assert from "node:assert/strict";
import fc from "fast-check";
import { effectByName, isHarmless } from "../../../server/src/catalog/effects.ts";

describe("the effect of a method by its name", () => {
  for (const [effect, methods] of Object.entries({
    broadcasts: `eth_sendRawTransaction eth_sendTransaction eth_sendRawTransactionSync eth_sendUserOperation
      wallet_sendCalls eea_sendRawTransaction debug_batchSendRawTransaction priv_distributeRawTransaction
      ETH_SENDRAWTRANSACTION author_submitExtrinsic broadcast_tx_sync istanbul_propose raft_addPeer
      starknet_addInvokeTransaction`,
    signs: `eth_sign eth_signTypedData_v4 personal_sign eth_signers`,
    "changes-node": `personal_unlockAccount admin_addPeer anvil_setBalance evm_mine hardhat_impersonateAccount
      engine_newPayloadV4 debug_setHead miner_start perm_addAccountsToAllowlist ibft_proposeValidatorVote
      debug_clearTxpool Anvil_setBalance parity_setMinGasPrice signer_confirmRequest debug_resetHead
      debug_deleteState conductor_stop plugins_reloadPlugin`,
    unknown: `acme_sender zks_getBridgehubContract eth_getBalanc Eth_getBalance admin_nodeInfo trace_blok
      wallet_getCapabilities`,
  }))
    it(`is ${effect}`, () => {
      for (const method of methods.split(/\s+/)) assert.equal(effectByName(method), effect, method);
    });

  it("is the same with letters or spaces that only look different, and unknown of nothing", () => {
    assert.equal(effectByName(" eth_sendRawTransaction"), "broadcasts");
    assert.equal(effectByName("\uff45th_sendRawTransaction"), "broadcasts");
    assert.equal(effectByName(""), "unknown");
  });

  it("never says of a method outside of the catalogue that it only reads", () =>
    fc.assert(fc.property(fc.string(), (name) => !isHarmless(effectByName(name)))));

  it("lets nothing but reading and simulating be sent twice", () =>
    assert.deepEqual(
      (["reads", "simulates", "signs", "broadcasts", "changes-node", "unknown"] as const).map(isHarmless),
      [true, true, false, false, false, false],
    ));
});
