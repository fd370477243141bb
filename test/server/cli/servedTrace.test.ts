import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the trace of a transaction that an endpoint serves", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let anvil: Anvil;
  let hash = "";
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    const [from, to] = await ask<readonly string[]>(anvil, "eth_accounts");
    hash = await ask<string>(anvil, "eth_sendTransaction", [{ from, to, value: "0x1" }]);
    await ask(anvil, "anvil_mine", ["0x1"]);
    const cells = ["eth_getTransactionReceipt", "eth_getTransactionByHash"].map((method) => ({
      method,
      params: [hash],
    }));
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ cells }));
  });
  after(() => anvil?.kill());

  for (const args of [["trace"], ["trace", "a.rpc.json", "1"], ["trace", "a.rpc.json", "2"]])
    it(`says that its receipt contradicts it: ${args.join(" ")}`, async () => {
      const receipt = await ask<JsonObject>(anvil, "eth_getTransactionReceipt", [hash]);
      const told = async (change: JsonObject) => {
        const real = `http://${anvil.host}`;
        const server = await countingProxy(
          real,
          replacing(real, ({ method }) =>
            method === "eth_getTransactionReceipt" ? { result: { ...receipt, ...change } } : undefined,
          ),
        );
        return runCommand([...args, ...(args.length === 1 ? [hash] : []), "-e", server.url], folder);
      };
      const right = await told({});
      assert.doesNotMatch(right.out, /contradicts itself/);
      assert.equal(right.code, 0, right.err);
      const { out, code } = await told({ gasUsed: "0x9999", cumulativeGasUsed: "0x9999" });
      assert.equal(code, 1);
      assert.match(out, /contradicts itself: the gas used is 21,000 .* 39,321/);
    });

  it("is replaced if it cannot be of a call, and says so", async () => {
    const real = `http://${anvil.host}`;
    const impossible = { type: "CALL", from: "0x", gas: "0x5208", gasUsed: "-0x5", calls: [null] };
    const server = await countingProxy(
      real,
      replacing(real, ({ method }) => (method === "debug_traceTransaction" ? { result: impossible } : undefined)),
    );
    for (const args of [
      ["trace", hash],
      ["trace", "a.rpc.json", "1"],
    ]) {
      const { out } = await runCommand([...args, "-e", server.url], folder);
      assert.match(out, /serves is not used: the first call has an impossible `gasUsed`\. All of block/);
    }
    const plain = await runCommand(["explain", hash, "-e", server.url], folder);
    assert.match(plain.out, /is not used: the first call has an impossible/);
    const json = JSON.parse((await runCommand(["trace", "a.rpc.json", "1", "--json", "-e", server.url], folder)).out);
    const { trace } = json[0].cells[0].answers[0];
    assert.deepEqual([trace.source, typeof trace.unusable], ["replayed", "string"]);
  });
});
