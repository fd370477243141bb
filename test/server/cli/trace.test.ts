import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Anvil, startAnvil } from "../../../devchain/anvil.ts";
import { call } from "../../../devchain/contracts.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { type NineMethods, nineMethods } from "../../support/nineMethods.ts";
import { payer } from "../../support/randomCalls.ts";
import { compileSolidity, deploy } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("rpc-notebook trace", function () {
  this.timeout(300_000);
  let service: NineMethods;
  const folder = temporaryFolder();
  const run = (...args: readonly string[]) => runCommand(args, folder);
  before(async () => {
    service = await nineMethods({ takesBatches: true });
    const moving = (amount: bigint) => call(service.alice as `0x${string}`, "token", "transfer", [service.bob, amount]); // it is an address
    const cells = [
      { name: "moves", method: "eth_call", params: [moving(5n), "latest"] },
      { name: "fails", method: "eth_estimateGas", params: [moving(10n ** 40n), "latest"] },
      {
        name: "both",
        method: "eth_simulateV1",
        params: [{ blockStateCalls: [{ calls: [moving(5n), moving(10n ** 40n)] }] }, "latest"],
      },
      { name: "ahead", method: "eth_call", params: [moving(5n), "pending"] },
      { name: "other", method: "eth_getBalance", params: [service.alice, "latest"] },
    ];
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ cells }));
  });
  after(() => service?.close());

  it("computes the calls at a service of nine methods, and says what is equal", async () => {
    const { out, code } = await run("trace", "a.rpc.json", "moves", "-e", service.url);
    assert.equal(code, 0);
    assert.match(
      out,
      /Calls\n.*\n *0 +transfer\(to: 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, value: 0\.000005 DUSD\)/,
    );
    assert.match(out, /Transfer/);
    assert.match(out, /Storage changes\n.*Contract +Stored in +Before +After\n(.*\n){2}/);
    assert.match(out, /were computed on this machine from state that 127.0.0.1:\d+ gave at block \d+/);
    assert.match(
      out,
      /Status, output, gas and logs equal what 127.0.0.1:\d+ reports\. A call without `gas` had 16,777,216\./,
    );
    assert.equal(new Set(service.asked).has("eth_getProof"), false);
  });

  it("gives them as JSON, also of a call that fails", async () => {
    const { out, code } = await run("trace", "a.rpc.json", "fails", "moves", "--json", "-e", service.url);
    assert.equal(code, 1);
    const cells = JSON.parse(out).files?.[0]?.cells ?? JSON.parse(out)[0]?.cells;
    const traces = cells.map(({ answers }: { answers: readonly { trace: unknown }[] }) => answers[0]?.trace);
    const [moves, fails] = traces;
    assert.deepEqual(
      [moves.source, moves.fork, moves.equal],
      ["computed", "osaka", ["status", "output", "gas", "logs"]],
    );
    assert.deepEqual(
      [moves.calls[0].type, moves.storage.length, fails.calls[0].error],
      ["CALL", 2, "execution reverted"],
    );
  });

  it("computes the calls of a simulation", async () => {
    const { out } = await run("trace", "a.rpc.json", "both", "-e", service.url);
    assert.match(out, /Calls\n[\s\S]*Storage changes\n[\s\S]*Status, output, gas and logs equal/);
    const titles = out.split("\n").filter((line) => /^ {2}(?:Calls|Logs)$/.test(line));
    assert.deepEqual(titles, ["  Logs", "  Calls"]);
  });

  it("shows what the call of a simulation read that failed, after others that did not", async () => {
    const { out } = await run("trace", "a.rpc.json", "both", "-e", service.url);
    assert.match(out, /reverted here[\s\S]*Storage read by the call that failed\n.*\n *0x\w+ +0x\w+/);
    const json = JSON.parse((await run("trace", "a.rpc.json", "both", "--json", "-e", service.url)).out);
    assert.ok(json[0].cells[0].answers[0].trace.read.length > 0);
  });

  it("computes a call on pre-confirmed state, which changes meanwhile", async () => {
    const { out } = await run("trace", "a.rpc.json", "ahead", "-e", service.url);
    assert.match(
      out,
      /gave at `pending`, which may have changed meanwhile, in block \d+ .* Status, output, gas and logs equal/,
    );
  });

  it("answers from a recording of a traced run, without a network", async () => {
    const recording = "a.rpc.recording.json";
    const first = await run("run", "a.rpc.json", "-c", "moves", "--trace", "--record", recording, "-e", service.url);
    const asked = service.asked.length;
    const again = await run("trace", "a.rpc.json", "moves", "--replay", recording);
    assert.equal(service.asked.length, asked);
    // what was asked again because the chain had moved on is in the recording once
    const calls = (text: string) =>
      /Calls\n[\s\S]*?reports\./.exec(text)?.[0].replace(/\d+ requests in \d+ rounds/, "");
    assert.ok(calls(first.out));
    assert.equal(calls(again.out), calls(first.out));
  });

  it("fails for a named cell without calls, and for a file without any; other cells need none", async () => {
    const named = await run("trace", "a.rpc.json", "other", "-e", service.url);
    assert.deepEqual([named.code, /^✗/m.test(named.out)], [1, true]);
    assert.match(named.err, /No calls were traced/);
    const both = await run("trace", "a.rpc.json", "moves", "other", "--json", "-e", service.url);
    assert.equal(both.code, 1);
    const [{ ok, cells }] = JSON.parse(both.out);
    assert.deepEqual([ok, ...cells.map((cell: { readonly ok: boolean }) => cell.ok)], [false, true, false]);
    const write = (...asked: readonly object[]) =>
      writeFileSync(join(folder, "b.rpc.json"), JSON.stringify({ cells: asked }));
    const balance = { method: "eth_getBalance", params: [service.alice, "latest"] };
    write({
      ...{ name: "many", each: { data: ["0x01", "0x02"] } },
      ...{ method: "eth_call", params: [{ to: service.bob, data: "{{data}}" }, "latest"] },
    });
    const many = await run("trace", "b.rpc.json", "many", "-e", service.url);
    assert.equal(many.code, 0, many.out + many.err);
    write(balance);
    assert.equal((await run("trace", "b.rpc.json", "-e", service.url)).code, 1);
    assert.equal((await run("run", "b.rpc.json", "--trace", "-e", service.url)).code, 0);
    write(balance, { method: "eth_call", params: [{ to: service.bob }, "latest"] });
    assert.equal((await run("trace", "b.rpc.json", "-e", service.url)).code, 0);
  });

  it("fails if the endpoint says something else of the call than was computed", async () => {
    const server = await countingProxy(
      service.url,
      replacing(service.url, ({ method, params }) =>
        method === "eth_call" && JSON.stringify(params).includes('"to"')
          ? { result: `0x${"7".repeat(64)}` }
          : undefined,
      ),
    );
    const { code, out, err } = await run("trace", "a.rpc.json", "moves", "-e", server.url);
    assert.equal(code, 1);
    assert.match(err, /No calls were traced. Another `\w+/);
    assert.match(out, /^✗[\s\S]*0 of 1 cell ok/);
    assert.equal((await run("run", "a.rpc.json", "-c", "moves", "--trace", "-e", server.url)).code, 0);
  });

  it("asks nothing more in a run that asks for no trace, or for cells without a call", async () => {
    const before = service.asked.length;
    await run("run", "a.rpc.json", "-e", service.url);
    const plain = service.asked.length - before;
    await run("trace", "a.rpc.json", "other", "-e", service.url);
    assert.ok(!service.asked.slice(before).includes("eth_getStorageAt"));
    assert.ok(plain < 12, String(plain));
  });
});

const ledger = `
contract Ledger {
  struct Account { uint128 amount; uint64 since; }
  mapping(address => Account) accounts;
  uint256 total;
  function pay(address who, uint128 amount) external {
    require(amount < 1000, "too much");
    accounts[who].amount += amount;
    total += amount;
  }
}`;

describe("storage that changes in a call", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  const folder = temporaryFolder();
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    const { Ledger = assert.fail() } = compileSolidity(ledger);
    const address = await deploy(anvil, Ledger);
    mkdirSync(join(folder, "out/Test.sol"), { recursive: true });
    const { abi, storageLayout, evm } = Ledger;
    writeFileSync(
      join(folder, "out/Test.sol/Ledger.json"),
      JSON.stringify({ abi, storageLayout, bytecode: evm.bytecode }),
    );
    writeFileSync(join(folder, "foundry.toml"), "");
    const pay = (amount: number) => ({
      method: "eth_call",
      params: [{ to: address, data: { function: "pay", args: [payer, amount] } }, "latest"],
    });
    writeFileSync(
      join(folder, "a.rpc.json"),
      JSON.stringify({ labels: { [address]: "ledger" }, cells: [pay(7), pay(5000)] }),
    );
    const chain = { url: `http://${anvil.host}`, refuses: ["debug_traceCall"] };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ chain }));
  });
  after(() => anvil?.kill());

  it("is named by the layout of the project, also in mappings whose keys only the call knows", async () => {
    const { out } = await runCommand(["trace", "a.rpc.json", "1", "-e", "chain"], folder);
    assert.match(out, /Storage changes\n.*Contract +Stored in +Before +After\n/);
    assert.match(out, /ledger.* accounts\[0x[aA][bB]\w+\]\.amount +0 +7\n/);
    assert.match(out, /ledger.* total +0 +7\n/);
  });

  it("is none if the call fails", async () => {
    const { out } = await runCommand(["trace", "a.rpc.json", "2", "-e", "chain"], folder);
    assert.match(out, /too much/);
    assert.doesNotMatch(out, /Storage changes/);
  });
});
