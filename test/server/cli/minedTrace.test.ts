import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, encodeFunctionData } from "viem";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import type { JsonObject } from "../../../server/src/base/json.ts";
import type { Clock } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { type CommandOptions, runCommand } from "../../support/commandInProcess.ts";
import { countingProxy, replacing, unserved } from "../../support/countingProxy.ts";
import { payer } from "../../support/randomCalls.ts";
import { type CompiledSolidity, compileSolidity, deploy } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const bank = `
interface Hook { function before(address who, uint128 amount) external; }
contract Limits is Hook {
  mapping(address => uint128) limits;
  error OverLimit(uint128 amount, uint128 limit);
  function set(address who, uint128 limit) external { limits[who] = limit; }
  function before(address who, uint128 amount) external view {
    if (amount > limits[who]) revert OverLimit(amount, limits[who]);
  }
}
contract Bank {
  mapping(address => uint128) balances;
  Hook hook;
  mapping(bytes32 => uint256) notes;
  event Noted(bytes32 word);
  constructor(Hook own) { hook = own; }
  function note(bytes32 word) external {
    emit Noted(word);
    require(notes[word] == 1, "unknown");
  }
  function pay(address who, uint128 amount) external {
    balances[who] += amount;
    hook.before(who, amount);
  }
}`;

describe("the calls inside a transaction of a block", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  let paid = "";
  let refused = "";
  let noted = "";
  const word = `0x${"5ec2e700d1ce".repeat(6).slice(0, 64)}`;
  const folder = temporaryFolder();
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    const { Limits = assert.fail(), Bank = assert.fail() } = compileSolidity(bank);
    const limits = await deploy(anvil, Limits);
    const code = `${Bank.evm.bytecode.object}${limits.slice(2).padStart(64, "0")}`;
    const address = await deploy(anvil, { ...Bank, evm: { bytecode: { object: code } } });
    mkdirSync(join(folder, "out/Test.sol"), { recursive: true });
    for (const [name, { abi, storageLayout, evm }] of Object.entries({ Limits, Bank }))
      writeFileSync(
        join(folder, `out/Test.sol/${name}.json`),
        JSON.stringify({ abi, storageLayout, bytecode: evm.bytecode }),
      );
    writeFileSync(join(folder, "foundry.toml"), "");
    const [from = ""] = await ask<readonly string[]>(anvil, "eth_accounts");
    const send = (to: string, abi: CompiledSolidity["abi"], functionName: string, args: readonly unknown[]) =>
      ask<string>(anvil, "eth_sendTransaction", [
        { from, to, gas: "0x30d40", data: encodeFunctionData({ abi: abi as unknown as Abi, functionName, args }) }, // the compiler writes it
      ]);
    await send(limits, Limits.abi, "set", [payer, 10n]);
    paid = await send(address, Bank.abi, "pay", [payer, 7n]);
    refused = await send(address, Bank.abi, "pay", [payer, 5000n]);
    noted = await send(address, Bank.abi, "note", [word]);
    await ask(anvil, "evm_mine");
    const cells = [
      { name: "paid", method: "eth_getTransactionReceipt", params: [paid] },
      { name: "refused", method: "eth_getTransactionByHash", params: [refused] },
      { name: "unserved", method: "debug_traceTransaction", params: [refused, { tracer: "callTracer" }] },
      { name: "explained", explain: true, method: "eth_getTransactionByHash", params: [refused] },
      { name: "nowhere", method: "eth_getTransactionReceipt", params: [`0x${"ab".repeat(32)}`] },
    ];
    const labels = { [address]: "bank", [limits]: "limits" };
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ labels, cells }));
    const chain = { url: `http://${anvil.host}`, refuses: ["debug_traceCall", "debug_traceTransaction"] };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ chain }));
  });
  after(() => anvil?.kill());
  const trace = (...args: readonly string[]) => runCommand(["trace", "a.rpc.json", ...args, "-e", "chain"], folder);

  it("are those of a replay of its block, with the storage that it changes", async () => {
    const { out } = await trace("paid");
    assert.match(out, /pay\(who: 0x\w+, amount: 7\)/);
    assert.match(out, /bank.* balances\[0x[aA][bB]\w+\] +0 +7\n/);
    assert.match(out, /All 4 receipts and the \d+ values that it read or wrote equal what 127.0.0.1:\d+ reports\./);
  });
  for (const cell of ["refused", "unserved"])
    it(`lead to the call in which it reverted, in the cell ${cell}`, async () => {
      const { out } = await trace(cell);
      assert.match(out, /before\(0x.*, 5,?000\) reverted here.*\n.*OverLimit\(amount: 5000, limit: 10\)/);
    });
  it("are in the case of a transaction that is explained, if they are asked for", async () => {
    const { out } = await trace("explained");
    assert.match(out, /OverLimit\(amount: 5000, limit: 10\), in .*before/);
    assert.match(out, /All 4 receipts/);
    const plain = await runCommand(["explain", refused, "-e", "chain"], folder);
    assert.match(plain.out, /Run with Calls Inside \(--trace\)/);
    assert.doesNotMatch(plain.out, /replayed/);
    assert.ok(plain.out.indexOf("(--trace)") < plain.out.indexOf("Gas\n"), "below the reason");
    const asked = await runCommand(["explain", refused, "--trace", "-e", "chain"], folder);
    assert.match(asked.out, /All 4 receipts/);
  });
  it("show the storage that the call read which reverted, also without a label of its contract", async () => {
    const { out, err } = await runCommand(["trace", refused, "-e", "chain"], folder);
    assert.equal(err, "", "a hash is not ambiguous here");
    assert.match(out, /Storage read by the call that failed\n.*\n *0x\w+ +Limits\.limits\[0x[aA][bB]\w+\] +10\n/);
    assert.doesNotMatch(out, /balances\[/);
    const { out: json } = await runCommand(["explain", refused, "--trace", "--json", "-e", "chain"], folder);
    const [{ run }] = JSON.parse(json);
    const { trace } = run.cells[0].answers[0];
    assert.deepEqual(
      trace.read.map(({ value }: { readonly value: string }) => BigInt(value)),
      [10n],
    );
  });
  it("hide a secret in the data of a transaction, also as a key of a mapping", async () => {
    const keyed = {
      url: `http://${anvil.host}`,
      headers: { "x-key": "{{$secret.WORD}}" },
      refuses: ["debug_traceTransaction"],
    };
    writeFileSync(join(folder, "rpc-endpoints.private.json"), JSON.stringify({ keyed }));
    const shown = (variables: Readonly<Record<string, string>>, ...more: readonly string[]) =>
      runCommand(["trace", noted, "-e", "keyed", "--allow-host", anvil.host, ...more], folder, { variables });
    for (const more of [[], ["--json"]]) {
      const { out } = await shown({ RPC_NOTEBOOK_SECRET_WORD: word }, ...more);
      assert.match(out, /Storage read|"read"/);
      assert.equal(out.toLowerCase().includes(word.slice(2, 30)), false, out);
    }
    const { out } = await shown({ RPC_NOTEBOOK_SECRET_WORD: "another value" });
    assert.ok(out.includes(word.slice(2, 30)), "without the mask it is shown");
  });
  it("are the same from a recording, without a network", async () => {
    for (const cell of ["paid", "explained"]) {
      const recording = `${cell}.rpc.recording.json`;
      const first = await runCommand(
        ["run", "a.rpc.json", "-c", cell, "--trace", "--record", recording, "-e", "chain"],
        folder,
      );
      const again = await runCommand(["trace", "a.rpc.json", cell, "--replay", recording], folder);
      const replayed = (text: string) => /Calls\n[\s\S]*?reports\./.exec(text)?.[0];
      assert.ok(replayed(first.out));
      assert.equal(replayed(again.out), replayed(first.out));
    }
  });
  /** Runs a command with an endpoint that passes requests on, and answers some otherwise. */
  async function changed(
    change: (method: string) => object | undefined,
    args: readonly string[],
    options: CommandOptions = {},
  ) {
    const real = `http://${anvil.host}`;
    const server = await countingProxy(
      real,
      replacing(real, ({ method }) => change(method)),
    );
    const endpoint = { url: server.url, refuses: ["debug_traceTransaction", "eth_simulateV1"] };
    writeFileSync(join(folder, "rpc-endpoints.private.json"), JSON.stringify({ changed: endpoint }));
    return runCommand([...args, "-e", "changed", "--allow-host", new URL(server.url).host], folder, options);
  }
  for (const [method, member, value] of [
    ["eth_getTransactionReceipt", "status", "0x1"],
    ["eth_getTransactionByHash", "input", "0x1234"],
    ["eth_getTransactionByHash", "from", `0x${"00".repeat(18)}dead`],
  ] as const)
    it(`are not shown beside another \`${member}\` in ${method}`, async () => {
      const answer = await ask<JsonObject>(anvil, method, [refused]);
      const lie = (asked: string) => (asked === method ? { result: { ...answer, [member]: value } } : undefined);
      for (const args of [
        ["explain", refused, "--trace"],
        ["trace", refused],
      ]) {
        const { out } = await changed(lie, args);
        assert.match(out, new RegExp(`contradicts itself: \`${member}\` is`));
        assert.doesNotMatch(out, /All 4 receipts/);
      }
    });
  it("are shown if some nodes behind the endpoint do not have the block yet", async () => {
    let count = 0;
    const { out } = await changed(
      (method) => {
        if (!/getBalance|getCode|getStorage|getBlockReceipts|getTransactionCount/.test(method) || count++ % 5)
          return undefined;
        return method === "eth_getBlockReceipts"
          ? { result: null }
          : { error: { code: -32000, message: "header not found" } };
      },
      ["trace", refused],
    );
    assert.match(out, /All 4 receipts/);
  });
  it("fail the command if there are none, and say why", async () => {
    const pending: JsonObject = await ask<JsonObject>(anvil, "eth_getTransactionByHash", [refused]);
    const others: Readonly<Record<string, object>> = {
      eth_getTransactionReceipt: { result: null },
      eth_getTransactionByHash: { result: { ...pending, blockNumber: null, blockHash: null } },
    };
    const { out, err, code } = await changed((method) => others[method], ["trace", refused, "--json"]);
    assert.equal(code, 1);
    assert.match(err, /It is in no block/);
    assert.equal(JSON.parse(out)[0].run.cells[0].answers[0].trace.why, "It is in no block.");
    const lacking = (method: string) => (method === "eth_getStorageAt" ? unserved(method) : undefined);
    const old = await changed(lacking, ["trace", refused]);
    assert.equal(old.code, 1);
    assert.match(old.err, /does not serve eth_getStorageAt/);
  });
  it("are not looked for if it is no hash", async () => {
    for (const word of [refused.slice(0, -1), refused.slice(2), `${refused.slice(0, 20)} ${refused.slice(20)}`]) {
      const { err } = await changed(() => undefined, ["trace", word]);
      assert.match(err, /not the hash of a transaction/);
    }
    assert.match((await changed(() => undefined, ["trace", ` ${refused} `])).out, /All 4 receipts/);
  });
  it("are waited for as long as --timeout says", async () => {
    // what usually limits the reads beside a request is over at once
    const hurried: Clock = {
      ...clock,
      sleep: (ms, signal, isLimit) => (isLimit && ms <= 10_000 ? Promise.resolve() : clock.sleep(ms, signal, isLimit)),
    };
    const short = await changed(() => undefined, ["trace", refused], { clock: hurried });
    assert.match(short.out, /No answer within 5 s/);
    assert.doesNotMatch(short.out, /All 4|does not show|eth_getTransactionReceipt\n/);
    const long = await changed(() => undefined, ["trace", refused, "--timeout", "60"], { clock: hurried });
    assert.match(long.out, /All 4 receipts/);
  });
  it("say that they were cancelled if they were", async () => {
    const controller = new AbortController();
    const change = (method: string) => {
      if (method === "eth_call") controller.abort();
      return undefined;
    };
    const { out } = await changed(change, ["explain", refused], { signal: controller.signal });
    assert.doesNotMatch(out, /No answer within/);
  });
  it("are not looked for if it is in no block", async () => {
    const { out } = await trace("nowhere");
    assert.doesNotMatch(out, /calls inside/i);
  });
});
