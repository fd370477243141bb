import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { encodeFunctionData } from "viem";
import { runCommand } from "../../support/commandInProcess.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { speedscopeFaults, speedscopeSchema } from "../../support/speedscopeSchema.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("traces for speedscope on the command line", function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const chain = sharedChain();
  const run = (file: string, cell: object) => {
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ cells: [cell] }));
    return runCommand(["run", "a.rpc.json", "-e", chain.url, "--speedscope", file], folder);
  };

  it("are written with a profile for each", async () => {
    const { payments, proxiedToken } = chain.contracts;
    const { alice, bob } = chain.accounts;
    const args = [proxiedToken.address, bob.address, 5n, `0x${"12".repeat(32)}`];
    const data = encodeFunctionData({ abi: payments.abi, functionName: "pay", args });
    const call = { from: alice.address, to: payments.address, data };
    const cell = { name: "pay", method: "debug_traceCall", params: [call, "latest", { tracer: "callTracer" }] };
    const { code, out, err } = await run("calls.json", cell);
    assert.equal(code, 0, out + err);
    assert.match(err, /Wrote 1 trace to calls\.json\. Open it at speedscope\.app\./);
    const file = JSON.parse(readFileSync(join(folder, "calls.json"), "utf8"));
    const validate = new Ajv().compile(speedscopeSchema);
    assert.equal(validate(file), true, JSON.stringify(validate.errors));
    assert.deepEqual(speedscopeFaults(file), []);
    assert.equal(file.profiles[0].events.length, 6);
    assert.match(out, /reverted in 0xDc64…F6C9\.transferFrom: ERC20InsufficientAllowance/);
  });
  it("are not written if there are none, and that fails", async () => {
    const { code, err } = await run("none.json", { method: "eth_chainId" });
    assert.equal(code, 1);
    assert.match(err, /No cell of this run has a trace with several calls, so none\.json was not written\./);
    assert.equal(existsSync(join(folder, "none.json")), false);
  });
  it("need a folder that exists, which is checked before the run", async () => {
    const { code, err, out } = await run("none/calls.json", { method: "eth_chainId" });
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /The folder of none\/calls\.json does not exist\./);
  });
  it("are not of a comparison", async () => {
    const { code, err } = await runCommand(
      ["run", "a.rpc.json", "--compare", "latest,safe", "--speedscope", "x.json"],
      folder,
    );
    assert.deepEqual([code, /--speedscope does not work with a comparison\./.test(err)], [2, true]);
  });
});
