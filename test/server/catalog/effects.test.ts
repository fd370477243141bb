import assert from "node:assert/strict";
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
    ["acme_sender", "reads"],
    ["eth_getBalance", "reads"],
    ["eth_signers", "reads"],
    ["admin_nodeInfo", "reads"],
    ["anvil_nodeInfo", "reads"],
    ["debug_traceTransaction", "reads"],
    ["debug_traceBlockByNumber", "reads"],
    ["trace_block", "reads"],
    ["txpool_content", "reads"],
    ["wallet_getCapabilities", "reads"],
  ] as const) {
    it(`${method} ${effect}`, () => assert.equal(effectByName(method), effect));
  }

  it("lets nothing but reading and simulating be sent twice", () =>
    assert.deepEqual((["reads", "simulates", "signs", "broadcasts", "changes-node"] as const).map(isHarmless), [
      true,
      true,
      false,
      false,
      false,
    ]));
});
