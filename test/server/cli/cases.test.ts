import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accounts } from "../../../devchain/accounts.ts";
import { call } from "../../../devchain/contracts.ts";
import { caseNotebook, sendTransaction } from "../../support/cases.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import type { Ended } from "../../support/commandLine.ts";
import { fastClock } from "../../support/fastClock.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const { alice, bob, grace } = accounts;

describe("the case of a transaction on the command line", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const chain = sharedChain({ sealEveryMs: 150 });
  const type = (...args: readonly string[]): Promise<Ended> => runCommand(args, folder, { clock: fastClock(4) });
  const write = (hash: string): void => writeFileSync(join(folder, "case.rpc.json"), caseNotebook(hash));

  it("gives the same report from a recording", async () => {
    const hash = await sendTransaction(chain, call(grace.address, "token", "transfer", [bob.address, 10n ** 18n]));
    for (let blocks = 0; blocks < 3; blocks++) await chain.seal();
    write(hash);
    const name = "case.rpc.recording.json";
    const live = await type("run", "case.rpc.json", "-e", chain.url, "--record", name);
    assert.match(live.out, /reverted: ERC20InsufficientBalance/);
    const again = await type("run", "case.rpc.json", "--replay", name);
    const timeless = (text: string): string => text.replace(/[\d.]+ m?s\n/g, "… ms\n");
    assert.equal(timeless(again.out), timeless(live.out));
    const json = JSON.parse((await type("run", "case.rpc.json", "--replay", name, "--report", "json")).out);
    assert.equal(json[0].cells[0].answers[0].case.status, "reverted");
  });
  it("goes on with --follow until it is final, in a run and in explain", async () => {
    await chain.play({ sealEveryMs: 0 });
    const hash = await sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1" });
    write(hash);
    const commands = ["run case.rpc.json --follow", `explain ${hash} --follow --for 60s`];
    const begun = new Set<string>();
    const ended = await Promise.all(
      commands.map((line) => {
        const heard = (): void => {
          if (begun.size < 2 && begun.add(line).size === 2) void chain.play({ sealEveryMs: 150 }); // both saw it before
        };
        return runCommand([...line.split(" "), "-e", chain.url], folder, { clock: fastClock(4), heard });
      }),
    );
    for (const { out, code } of ended) {
      assert.equal(code, 0, out);
      assert.match(out, /succeeded: .*: In block \d+.*: Safe\n.*: Finalized\n/s);
    }
    assert.match(ended[0]?.out ?? "", /: Finalized\n✓ case/);
  });
  it("ends with --for", async () => {
    await chain.play({ sealEveryMs: 0 });
    write(await sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1" }));
    const { out, code } = await type("run", "case.rpc.json", "-e", chain.url, "--follow", "--for", "2s");
    assert.equal(code, 0, out);
    assert.match(out, /pre-confirmed/i);
  });
});
