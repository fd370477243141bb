import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { castBinary } from "../../support/cast.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy } from "../../support/countingProxy.ts";
import { some } from "../../support/depth.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** With a checksum that is wrong. */
const mistyped = alice.replace("C", "c");
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

interface Asked {
  readonly method: string;
  readonly params?: readonly unknown[] | null;
}
interface Case extends Asked {
  readonly name?: string;
  readonly assume?: object;
  /** The sentence of every exporter, or of those that have one. */
  readonly says?: string | Readonly<Record<string, string>>;
}

const list = "{{block.result.transactions}} is not text, so a shell cannot fill it in.";
const runOnly = "It is encoded with a value that only a run has.";

/** Every readable form, and where it can be. */
function cases(token: string): readonly Case[] {
  const call = (parts: object, ...more: readonly unknown[]): Case => ({
    method: "eth_call",
    params: [{ to: token, ...parts }, ...(more.length > 0 ? more : ["latest"])],
  });
  const balanceOf = (who: string): object => ({
    data: { function: "balanceOf(address) returns (uint256)", args: [who] },
  });
  const storage = (slot: unknown, block: unknown = "latest"): Case => ({
    method: "eth_getStorageAt",
    params: [token, slot, block],
  });
  const logs = (filter: object): Case => ({ method: "eth_getLogs", params: [{ address: token, ...filter }] });
  const simulate = (state: object, calls: readonly object[] = [{ from: alice, to: bob }]): Case => ({
    method: "eth_simulateV1",
    params: [{ blockStateCalls: [{ ...state, calls }] }, "latest"],
  });
  const estimate = (parts: object): Case => ({
    method: "eth_estimateGas",
    params: [{ from: alice, to: bob, ...parts }],
  });
  const transfer = {
    data: { function: "transfer(address,uint256)", args: ["{{bob}}", "{{units}}"] },
    from: "{{alice}}",
  };
  return [
    // earlier cells, which the others use
    { name: "head", method: "eth_blockNumber" },
    { name: "word", ...storage("0x0") },
    { name: "block", method: "eth_getBlockByNumber", params: ["0x1", false] },
    {
      name: "moved",
      ...logs({ fromBlock: "0x1", event: "event Transfer(address indexed from, address indexed to, uint256 value)" }),
    },
    // amounts and numbers
    estimate({ value: "1.5 ether" }),
    estimate({ value: "{{much}}" }),
    estimate({ value: 21000, gas: 100_000 }),
    estimate({ value: "{{units}}", gasPrice: "30 gwei" }),
    estimate({ from: "{{alice}}", to: "{{bob}}", value: "0x1" }),
    estimate({ data: "{{raw}}", gas: "{{units}}" }),
    { method: "eth_estimateGas", params: [{ from: alice, data: "0x00" }, "latest"] },
    // blocks
    { method: "eth_getCode", params: [token, { blockNumber: "0x1" }] },
    { method: "eth_getBlockByNumber", params: ["{{height}}", false] },
    { method: "eth_getBalance", params: ["{{block.result.miner}}", "0x1"] },
    { method: "eth_getBalance", params: ["{{alice}}", 1] },
    { method: "eth_getBalance", params: [alice, "{{height}}"] },
    { method: "eth_getBalance", params: [alice, "{{head.result}}"] },
    { method: "eth_getBalance", params: [alice, "{{block.result.number}}"] },
    { method: "eth_getBalance", params: [alice, "safe"] },
    { method: "eth_getBalance", params: [alice, "{{tag}}"] },
    {
      method: "eth_getBalance",
      params: [alice, "latest - 1"],
      says: "It counts from the block number of latest, which only a run asks for.",
    },
    { method: "eth_getBlockByNumber", params: ["1", true] },
    { method: "eth_feeHistory", params: [4, "latest", [25, 75]] },
    // what a tool would write otherwise, or refuse
    ...["0x01", "LATEST", " latest", "0x", "", `0x${"ab".repeat(32)}`].map((block) => ({
      method: "eth_getBalance",
      params: [alice, block],
    })),
    { method: "eth_getBalance", params: [mistyped, "latest", {}] },
    { method: "eth_getTransactionCount", params: [mistyped, "0x01"] },
    { method: "eth_getBlockReceipts", params: ["0x01"] },
    { method: "eth_chainId", params: [1] },
    ...["9", "0x09", "0x", `0x${"01".repeat(33)}`].map((slot) => storage(slot)),
    ...["0x123", "0x", "hello"].map((data) => call({ data })),
    call({ data: "0x18160ddd", from: "bob", value: "0x0", gas: "0x0ffff" }),
    call({ data: "0x18160ddd", to: mistyped, from: mistyped }),
    call({ ...balanceOf(alice), to: mistyped }, "0x01"),
    estimate({ from: mistyped, to: mistyped.toUpperCase().replace("X", "x"), value: "0x00" }),
    simulate({}, [{ from: mistyped, to: bob }]),
    logs({ address: mistyped, fromBlock: "0x01" }),
    { method: "x_any", params: ["{{$env.NUMBER}}", ["{{$env.NUMBER}}"], "a {{$env.NUMBER}}"] },
    // function calls
    call(balanceOf(alice)),
    call(balanceOf("{{alice}}"), "0x1"),
    call(balanceOf("{{alice}}"), "{{head.result}}"),
    call(balanceOf("{{alice}}"), "{{height}}"),
    { ...call(balanceOf("{{block.result.miner}}")), says: runOnly },
    call({ ...transfer, value: "0 ether" }),
    call({
      data: { function: "transfer(address to, uint256 value)", args: { value: "1.5 ether", to: "{{bob}}" } },
      from: alice,
    }),
    call({ data: "{{raw}}", gas: 100_000, gasPrice: 0 }),
    call({ ...balanceOf(alice), gas: "{{units}}", value: "0x0" }),
    call({ ...balanceOf(alice), value: "{{block.result.size}}" }),
    {
      ...call({ ...balanceOf(alice), value: "{{moved.decoded[0].args.value}}" }),
      says: runOnly,
    },
    { ...call({ ...balanceOf(alice), value: "{{$env.AMOUNT}}" }), says: runOnly },
    { method: "eth_getStorageAt", params: [token, "0x0", { blockHash: "{{block.result.hash}}" }] },
    {
      method: "eth_getTransactionByHash",
      params: ["{{block.result.transactions}}"],
      says: { curl: list, cast: list, viem: "" },
    },
    call({ input: { function: "totalSupply() returns (uint256)" } }),
    { ...call({}, "latest"), params: [{ to: "{{token}}", ...balanceOf("{{alice}}") }, "{{tag}}"] },
    // overrides
    call(balanceOf(alice), "latest", { "{{alice}}": { balance: "1.5 ether", nonce: 7 } }),
    call(balanceOf(alice), "latest", {
      [alice]: { balance: "{{much}}" },
      "{{token}}": { stateDiff: { [`0x${"9".padStart(64, "0")}`]: `0x${"1".padStart(64, "0")}` } },
    }),
    call({}, "latest", { [alice]: { code: "0x" } }, { number: 5, time: 1_900_000_000, baseFeePerGas: "2 gwei" }),
    simulate(
      {
        stateOverrides: { "{{alice}}": { balance: "{{much}}" } },
        blockOverrides: { time: 1_900_000_000, gasLimit: 30_000_000 },
      },
      [{ from: "{{alice}}", to: bob, value: "1 ether" }],
    ),
    simulate({}, [{ from: alice, to: bob, value: "{{units}}" }]),
    // slots
    storage(9),
    storage("{{units}}"),
    storage({ slot: 9, key: "{{alice}}" }),
    storage({ slot: "{{units}}", key: alice }, "{{head.result}}"),
    storage({ slot: { slot: 3, key: "{{alice}}" }, key: bob }),
    storage({ slot: 3, index: 2, size: 2, offset: 1 }),
    storage("erc7201:example.main"),
    storage("eip1967.proxy.implementation"),
    { ...storage({ slot: 9, key: "{{word.result}}" }), says: runOnly },
    storage("{{word.result}}"),
    // events and topics
    logs({
      fromBlock: 1,
      toBlock: "latest",
      event: "Transfer(address indexed from, address indexed to, uint256 value)",
    }),
    logs({
      fromBlock: "{{height}}",
      event: "event Transfer(address indexed from, address indexed to, uint256 value)",
      args: { from: "{{alice}}" },
    }),
    logs({ fromBlock: "0x0", toBlock: "{{head.result}}", event: "Transfer", args: { to: ["{{alice}}", bob] } }),
    logs({ topics: [null, "{{alice}}", [bob]] }),
    { ...logs({ topics: [null, "{{block.result.miner}}"] }), says: runOnly },
    { ...logs({ topics: [null, "{{$env.WHO}}"] }), says: runOnly },
    logs({ fromBlock: "0x1", topics: ["{{moved.result[0].topics[0]}}", []] }),
    { ...logs({ event: "Transfer", args: { from: "{{block.result.miner}}" } }), says: runOnly },
    // assumptions
    { ...call(transfer), assume: { balance: { alice: "2 ether" } } },
    { ...simulate({}), assume: { balance: { "{{alice}}": "{{much}}" }, time: "2040-01-01" } },
    { ...estimate({ value: "1 ether" }), assume: { code: { bob: "0x00" } } },
    { ...call(balanceOf(alice)), assume: { storage: { [token]: { "0x9": 5 } } } },
    {
      ...call(balanceOf(alice)),
      assume: { token: { [token]: { alice: "5" } } },
      says: "It assumes something for which a run asks the chain.",
    },
  ];
}

function saying(says: Case["says"], to: string): string {
  return typeof says === "object" ? (says[to] ?? "") : (says ?? "");
}

/** Requests that tools send beside those of a notebook. */
const own = /^(?:eth_chainId|anvil_nodeInfo|eth_getTransactionCount|eth_getCode)$/;

/** The name and the decimals of a token, which a run asks for beside a call. */
const metadata = /"0x(?:95d89b41|313ce567|06fdde03)"/;

/** Writes what a request asks in one way: tools leave out the latest block and zeros of slots, and add empty fields. */
function normal({ method, params }: Asked): string {
  const plain = (value: unknown): unknown => {
    if (typeof value === "string") return value.toLowerCase();
    if (Array.isArray(value)) return value.map((one) => plain(one));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, one]) => {
      const field = name === "input" ? "data" : name.toLowerCase();
      return [field, plain(one)] as const;
    });
    const said = members.filter(
      ([name, one]) =>
        !(name === "from" && /^0x0*$/.test(String(one))) &&
        name !== "chainid" &&
        !(name === "topics" && `${one}` === ""),
    );
    return Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const list = (params ?? []).map((one) => plain(one));
  if (list.at(-1) === "latest") list.pop();
  if (method === "eth_getStorageAt")
    list[1] = String(list[1]).replace(/^0x[\da-f]{64}$/, (word) => `0x${BigInt(word).toString(16)}`);
  return `${method} ${JSON.stringify(list)}`;
}

describe("an export of every readable form", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  const folder = join(root, ".tsbuild/exportedForms");
  before(() => mkdirSync(folder, { recursive: true }));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("sends what a run sends, or says what it cannot", async () => {
    const token = chain.contracts.token.address;
    const [named, others] = [true, false].map((has) => cases(token).filter(({ name }) => (name !== undefined) === has));
    const all = [...(named ?? []), ...some(others ?? [], 12)];
    const proxy = await countingProxy(chain.url);
    let seen = 0;
    const allowed = ["--allow-host", proxy.url, "--allow-method", "x_any"];
    const NUMBER = "5";
    const sent = (): readonly string[] => {
      const requests = proxy.bodies.slice(seen).flatMap((body) => [JSON.parse(body)].flat() as readonly Asked[]);
      seen = proxy.bodies.length;
      return requests.map(normal);
    };
    const variables = { alice, bob, token, much: "1.5 ether", units: 7, height: 1, tag: "safe", raw: "0x18160ddd" };
    const cells = all.map(({ says: _, ...cell }) => cell);
    const notebook = { endpoint: proxy.url, variables, labels: { [alice]: "alice", [bob]: "bob" }, cells };
    const at = temporaryFolder();
    const write = (): void => writeFileSync(join(at, "a.rpc.json"), JSON.stringify(notebook));
    write();

    const unsent: string[] = [];
    const wanted: (readonly string[])[] = [];
    for (const [index, { says }] of all.entries()) {
      sent();
      const { err, out } = await runCommand(["run", "a.rpc.json", "-c", String(index + 1), ...allowed], at, {
        variables: { NUMBER },
      });
      const requests = sent().filter((one) => one.startsWith(`${all[index]?.method} `) && !metadata.test(one));
      if (requests.length === 0 && says === undefined)
        unsent.push(`${index} ${JSON.stringify(all[index])} ${err}${out}`);
      wanted.push(requests.slice(-1));
    }
    assert.deepEqual(unsent, []);
    const first = (await chain.rpc("eth_getBlockByNumber", ["0x1", false])) as Readonly<Record<string, string>>;
    const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    const results = {
      head_result: String(await chain.rpc("eth_blockNumber")),
      word_result: String(await chain.rpc("eth_getStorageAt", [token, "0x0", "latest"])),
      block_result_number: "0x1",
      block_result_miner: first.miner,
      block_result_size: first.size,
      block_result_hash: first.hash,
      moved_result_0_topics_0: topic,
    };
    const env = { ...process.env, ...results, NUMBER, PATH: `${dirname(castBinary())}:${process.env.PATH}` };
    for (const to of ["curl", "cast", "viem"] as const) {
      const { out, err } = await runCommand(["export", "a.rpc.json", "--to", to], at);
      const notes = [...err.matchAll(/cell (\d+): (.*)$/gm)].map(([, cell, what = ""]) => [Number(cell) - 1, what]);
      const said = all.flatMap(({ says }, index) => (saying(says, to) === "" ? [] : [[index, saying(says, to)]]));
      assert.deepEqual(
        notes.filter(([, what]) => !/^Set \w+ to/.test(String(what))).sort(([a], [b]) => Number(a) - Number(b)),
        said,
        to,
      );
      sent();
      if (to === "viem") {
        writeFileSync(
          join(folder, "forms.ts"),
          out.replace(/await (client\.[^\n]*);$/gm, "await ($1).catch(() => ({}));"),
        );
        Object.assign(process.env, { NUMBER });
        await import(pathToFileURL(join(folder, "forms.ts")).href);
        delete process.env.NUMBER;
      } else await promisify(execFile)("sh", ["-uc", out], { env });
      const missing = wanted.filter((_, index) => saying(all[index]?.says, to) === "").flat();
      const extra = sent().filter((one) => {
        const place = missing.indexOf(one);
        if (place >= 0) missing.splice(place, 1);
        return place < 0 && !own.test(one.split(" ")[0] ?? "");
      });
      assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, to);
    }
  });
});
