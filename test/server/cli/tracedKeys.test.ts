import assert from "node:assert/strict";
import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy, replacing, unserved } from "../../support/countingProxy.ts";
import { program, push, returning } from "../../support/evm.ts";
import { callable } from "../../support/randomCalls.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("what a traced call needed", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let anvil: Anvil;
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    const [to = ""] = callable;
    // the word of each slot names the next one
    await ask(anvil, "anvil_setCode", [to, program(returning(push(1), "54", "54", "54"))]);
    for (const slot of [1, 50, 60])
      await ask(anvil, "anvil_setStorageAt", [
        to,
        `0x${slot.toString(16)}`,
        `0x${(slot === 1 ? 50 : 60).toString(16).padStart(64, "0")}`,
      ]);
    writeFileSync(
      join(folder, "a.rpc.json"),
      JSON.stringify({ cells: [{ method: "eth_call", params: [{ to }, "latest"] }] }),
    );
  });
  after(() => anvil?.kill());

  it("is asked for at once by the next command, with the same result, unless a recording is made", async () => {
    const real = `http://${anvil.host}`;
    const server = await countingProxy(
      real,
      replacing(real, ({ method }) => (/^debug_|AccessList/.test(method) ? unserved(method) : undefined)),
    );
    const cache = temporaryFolder();
    async function traced(
      args: readonly string[],
      kept = cache,
    ): Promise<{ readonly rounds: number; readonly text: string }> {
      const variables = { XDG_CACHE_HOME: kept, VAULT: callable[0] };
      const { out } = await runCommand([...args, "-e", server.url], folder, { variables });
      assert.match(out, /Status, output, gas and logs equal/);
      return {
        rounds: Number(/in (\d+) rounds/.exec(out)?.[1]),
        text: /Calls\n[\s\S]*?(?=The calls were)/.exec(out)?.[0] ?? "",
      };
    }
    const first = await traced(["trace", "a.rpc.json"]);
    const second = await traced(["trace", "a.rpc.json"]);
    assert.equal(second.rounds, first.rounds - 3, "the second, third and fourth word");
    assert.equal(second.text, first.text);
    const recorded = await traced(["run", "a.rpc.json", "--trace", "--record", "a.rpc.recording.json"]);
    assert.equal(recorded.rounds, first.rounds);
    writeFileSync(
      join(folder, "secret.rpc.json"),
      JSON.stringify({ cells: [{ method: "eth_call", params: [{ to: "{{$env.VAULT}}" }, "latest"] }] }),
    );
    const empty = temporaryFolder();
    await traced(["trace", "secret.rpc.json", "--allow-host", new URL(server.url).host], empty);
    assert.deepEqual(readdirSync(empty), [], "a value of the environment is not written");
    const [file = ""] = readdirSync(join(cache, "rpc-notebook"));
    const nothing = ["no JSON", '[["x"],[1,2],["0x",{"accounts":["0x1"],"slots":[{}]}]]', "[]"];
    for (const text of [...nothing, "\ufeff[]", new Uint8Array([0xff, 0xfe, 0x00])]) {
      writeFileSync(join(cache, "rpc-notebook", file), text);
      assert.equal((await traced(["trace", "a.rpc.json"])).rounds, first.rounds, String(text).slice(0, 20));
      assert.equal((await traced(["trace", "a.rpc.json"])).rounds, second.rounds, "it was replaced");
    }
    const path = join(cache, "rpc-notebook", file);
    truncateSync(path, 300_000_000); // more than is read
    assert.equal((await traced(["trace", "a.rpc.json"])).rounds, first.rounds);
    assert.equal((await traced(["trace", "a.rpc.json"])).rounds, second.rounds);
    assert.ok(statSync(path).size < 1000);
  });
});
