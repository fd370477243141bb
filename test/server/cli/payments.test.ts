import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import { chain, json, startPayments, transfer } from "../../support/paymentCalls.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a payment by signature that failed, on the command line", function () {
  this.timeout(300_000);
  const shared = sharedChain();
  const folder = temporaryFolder();
  before(async () => {
    await startPayments(shared);
    const params = [await transfer({}, { over: { name: "USDC" } }), "latest"];
    const cell = { name: "pay", method: "eth_call", params };
    const expected = { ...cell, name: "expected", expect: { error: { reason: "revert" } } };
    writeFileSync(join(folder, "pay.rpc.json"), json({ cells: [cell, expected] }));
  });

  it("says why, with the field to change, also from a recording", async () => {
    const name = "pay.rpc.recording.json";
    const live = await runCommand(["run", "pay.rpc.json", "-e", chain.url, "--record", name], folder);
    const words = /invalid signature · Signed for the domain name "USDC"; the token's is "USD Coin"\.\n/;
    assert.match(live.out, words);
    assert.match(live.out, /→ Sign again with `domain\.name` "USD Coin"\./);
    assert.match(live.out, /field to change +domain\.name/);
    const again = await runCommand(["run", "pay.rpc.json", "--replay", name], folder);
    assert.match(again.out, words);
    const { out } = await runCommand(["run", "pay.rpc.json", "--replay", name, "--report", "json"], folder);
    const [first, second] = JSON.parse(out)[0].cells;
    const cause = {
      code: "domain.name",
      what: `Signed for the domain name "USDC"; the token's is "USD Coin".`,
      todo: 'Sign again with `domain.name` "USD Coin".',
      field: "domain.name",
    };
    assert.deepEqual(first.answers[0].payments[0].causes, [cause]);
    assert.equal(first.answers[0].payments[0].function, "transferWithAuthorization");
    assert.deepEqual(second.answers[0].payments[0].causes, [cause]);
  });
});
