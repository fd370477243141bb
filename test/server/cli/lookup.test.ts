import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { encodeFunctionData } from "viem";
import { checksummed } from "../../../server/src/abi/address.ts";
import type { Clock } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { buildCommandLine, commandLine } from "../../support/commandLine.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Instead, lookupServer, type Verified } from "../../support/lookupServer.ts";
import { type CompiledSolidity, compileSolidity } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { create, createVault, vaultContracts } from "../../support/vault.ts";

const times = /[\d.]+ m?s\b/g;

describe("run --lookup", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault, forwarder } = vaultContracts();
  let folder: string;
  let places: { readonly vault: string; readonly forwarder: string };
  let verified: readonly Verified[];

  before(async () => {
    places = await createVault(counted.chain);
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
    verified = [
      { address: places.vault, name: "Vault", abi: vault.abi },
      { address: places.forwarder, name: "Forwarder", abi: forwarder.abi, implementations: [places.vault] },
    ];
  });

  const dataOf = (level: bigint) => encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [level] });
  const call = (to: string) => ({ method: "eth_call", params: [{ to, data: dataOf(0n) }, "latest"] });
  const write = (cells: readonly unknown[], header: object = {}): void =>
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ ...header, cells }));
  const run = (...args: readonly string[]) =>
    runCommand(["run", "a.rpc.json", "-e", counted.proxy.url, ...args], folder, {
      variables: { XDG_CACHE_HOME: join(folder, "cache") },
    });
  const sent = async (to: string, level: bigint): Promise<unknown> => {
    const { chain } = counted;
    const [from] = (await chain.rpc("eth_accounts")) as readonly string[];
    const hash = await chain.rpc("eth_sendTransaction", [{ from, to, data: dataOf(level), gas: "0x40000" }]);
    await chain.seal();
    return hash;
  };

  it("shows names, says where they come from, and asks nothing on the second run", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    const before = await run();
    assert.doesNotMatch(before.out, /TooLow/);
    const { out, err } = await run(`--lookup=${server.url}`);
    assert.match(out, /TooLow\(level: 0\)/);
    assert.ok(out.includes(`from ${server.host}, exact match`), out);
    assert.doesNotMatch(out, /guess/);
    assert.equal(err, before.err);
    assert.deepEqual(
      server.paths.map((path) => path.replace(/\?.*/, "")),
      [`/v2/contract/8453/${places.vault.toLowerCase()}`],
    );
    assert.equal((await run(`--lookup=${server.url}`)).out.replace(times, ""), out.replace(times, ""));
    assert.equal(server.paths.length, 1);
  });

  it("does so in the built command", async () => {
    buildCommandLine();
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    const args = [commandLine, "run", "a.rpc.json", "-e", counted.proxy.url, `--lookup=${server.url}`];
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
    const run = () => promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((failed) => failed);
    for (const _ of [1, 2]) assert.match((await run()).stdout, /TooLow\(level: 0\)/);
    assert.equal(server.paths.length, 1);
  });

  it("sends nothing to a lookup host, and reads none of its answers, without the option", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    await run("--lookup", server.url);
    const { out } = await run();
    assert.doesNotMatch(out, /TooLow/);
    assert.equal(server.paths.length, 1);
  });

  it("asks the host of the option; that of an endpoint's entry only if the option names it, which a note says", async () => {
    const [server, other] = [await lookupServer(verified), await lookupServer(verified)];
    const entry = { url: counted.proxy.url, contracts: other.url };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ base: entry }));
    write([call(places.vault)]);
    const { out, err } = await run("-e", "base", "--lookup");
    assert.doesNotMatch(out, /TooLow/);
    assert.ok(err.includes(other.host) && !err.includes(other.url), err); // what a repository says is not for a shell
    assert.deepEqual([server.paths, other.paths], [[], []]);
    assert.match((await run("-e", "base", `--lookup=${server.url}`)).out, /TooLow/);
    assert.deepEqual([server.paths.length, other.paths.length], [1, 0]);
  });

  it("names each host that was not asked in one note, which says only once what is missing", async () => {
    const hosts = ["127.0.0.1:9", "127.0.0.1:10"];
    const { url } = counted.proxy;
    const [one, two] = hosts.map((host) => ({ url, contracts: `http://${host}` }));
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ one, two }));
    write(["one", "two"].map((endpoint) => ({ ...call(places.vault), endpoint })));
    const { err } = await runCommand(["run", "a.rpc.json", "--lookup"], folder, {
      variables: { XDG_CACHE_HOME: join(folder, "cache") },
    });
    const [missing, ...others] = err.trim().split(". ");
    assert.equal(err.trim().split("\n").length, 1);
    for (const host of hosts) assert.ok(others.join().includes(host), err);
    assert.ok(missing !== undefined && !others.includes(missing), err);
  });

  it("names a proxy by its implementation, in transactions and receipts", async () => {
    const server = await lookupServer(verified);
    const hash = await sent(places.forwarder, 7n);
    write([
      { method: "eth_getTransactionByHash", params: [hash] },
      { method: "eth_getTransactionReceipt", params: [hash] },
    ]);
    const { out } = await run(`--lookup=${server.url}`);
    assert.match(out, /to Vault/);
    assert.match(out, /lift/);
    assert.match(out, /Floored/);
    assert.equal(server.paths.length, 2);
    await run(`--lookup=${server.url}`);
    assert.equal(server.paths.length, 2);
  });

  it("decodes in the JSON report", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    const decoded = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await run("--report", "json", ...args)).out)[0].cells[0].answers[0].error.decoded.reason;
    assert.equal(await decoded(), "unknown error 0x172b0984");
    assert.deepEqual(await decoded(`--lookup=${server.url}`), "TooLow(level: 0)");
  });

  it("names the storage that a call changes by the layout of a contract that was looked up", async () => {
    const { Meter = assert.fail() } = compileSolidity(
      "contract Meter { uint256 filler; mapping(address => uint64) readings; function read(address who) external { readings[who] += 7; } }",
    );
    const meter = await create(counted.chain, Meter);
    const { abi, storageLayout } = Meter;
    const server = await lookupServer([{ address: meter, name: "Meter", abi, storageLayout }]);
    const data = encodeFunctionData({ abi, functionName: "read", args: [places.vault] });
    write([{ method: "eth_call", params: [{ to: meter, data }, "latest"] }]);
    const chain = { url: counted.proxy.url, refuses: ["debug_traceCall"] };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ chain }));
    const traced = async (...args: readonly string[]) => (await run("--trace", "-e", "chain", ...args)).out;
    assert.doesNotMatch(await traced(), /readings/);
    for (const _ of [1, 2]) assert.match(await traced(`--lookup=${server.url}`), /readings\[0x\w+\] +0 +7\n/);
    assert.equal(server.paths.length, 1);
    const renamed = JSON.parse(JSON.stringify(storageLayout).replace('"readings"', '"own_readings"'));
    mkdirSync(join(folder, "out/Meter.sol"), { recursive: true });
    writeFileSync(join(folder, "out/Meter.sol/Meter.json"), JSON.stringify({ abi, storageLayout: renamed }));
    writeFileSync(join(folder, "foundry.toml"), "");
    write([{ method: "eth_call", params: [{ to: meter, data }, "latest"] }], { labels: { [meter]: "Meter" } });
    assert.match(
      await traced(`--lookup=${server.url}`),
      /own_readings/,
      "the layout of the project is used where it has one",
    );
  });

  it("leaves the project's own declarations first", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)], { abi: ["error TooLow(uint256 height)", "function lift(uint256 level)"] });
    assert.match((await run(`--lookup=${server.url}`)).out, /TooLow\(height: 0\)/);
    assert.deepEqual(server.paths, []);
  });

  it("uses an answer only for its chain and its address", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    await run(`--lookup=${server.url}`);
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0xa" } : undefined));
    assert.doesNotMatch((await run(`--lookup=${server.url}`)).out, /TooLow/);
    assert.match(server.paths.at(-1) ?? "", /^\/v2\/contract\/10\//);
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
    write([call(await create(counted.chain, vault))]);
    assert.doesNotMatch((await run(`--lookup=${server.url}`)).out, /TooLow/);
  });

  it("asks nothing about a contract that another project has looked up", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    const elsewhere = temporaryFolder();
    const options = { variables: { XDG_CACHE_HOME: join(folder, "cache") } };
    const args = ["contracts", "add", places.vault, "-e", counted.proxy.url, "--lookup", server.url];
    assert.equal((await runCommand(args, elsewhere, options)).code, 0);
    assert.match((await run(`--lookup=${server.url}`)).out, /TooLow/);
    assert.equal(server.paths.length, 1);
  });

  it("says in one line which contracts nobody verified, and remembers it for a day", async () => {
    const server = await lookupServer([]);
    const second = await create(counted.chain, vault);
    write([places.vault, second, places.vault].map(call));
    const notes = new Set<string>();
    for (const _ of [1, 2]) {
      const { err } = await run(`--lookup=${server.url}`);
      notes.add(err);
      assert.equal(err.trimEnd().split("\n").length, 1, err);
      assert.ok(
        [server.host, checksummed(places.vault), checksummed(second)].every((part) => err.includes(part)),
        err,
      );
    }
    assert.deepEqual([server.paths.length, notes.size], [2, 1]);
  });

  it("asks nothing about local chains and about addresses without code", async () => {
    const server = await lookupServer(verified);
    write([call(`0x${"ab".repeat(20)}`)]);
    await run(`--lookup=${server.url}`);
    await counted.replacing(() => undefined);
    write([call(places.vault)]);
    await run(`--lookup=${server.url}`);
    assert.deepEqual(server.paths, []);
  });

  it("does not use an ABI whose selectors are not in the code", async () => {
    const { Other = assert.fail() } = compileSolidity(
      "contract Other { error TooLow(uint256 lie); function swap(uint256 a) external { if (a == 0) revert TooLow(a); } }",
    );
    const server = await lookupServer([{ address: places.vault, name: "Other", abi: Other.abi }]);
    write([call(places.vault)]);
    const { out, err } = await run(`--lookup=${server.url}`);
    assert.doesNotMatch(out, /lie/);
    assert.match(err, /does not have the selectors of swap\(uint256\)/);
  });

  it("asks nothing about answers of a recording", async () => {
    const server = await lookupServer(verified);
    write([call(places.vault)]);
    await run("--record", "b.rpc.recording.json");
    const recorded = { replay: "b.rpc.recording.json", chainId: 8453 };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ recorded }));
    write([call(places.vault)], { endpoint: "recorded" });
    const { out, err } = await runCommand(["run", "a.rpc.json", `--lookup=${server.url}`], folder);
    assert.match(out, /unknown error/);
    assert.equal(err, "");
    assert.deepEqual(server.paths, []);
  });

  it("does not say an address that is a secret", async () => {
    const server = await lookupServer(verified);
    write([call("{{$secret.VAULT}}")]);
    const variables = { XDG_CACHE_HOME: join(folder, "cache"), RPC_NOTEBOOK_SECRET_VAULT: places.vault };
    const args = ["run", "a.rpc.json", "-e", counted.proxy.url, "--allow-host", new URL(counted.proxy.url).host];
    const { out } = await runCommand([...args, `--lookup=${server.url}`], folder, { variables });
    assert.match(out, /reverted/);
    assert.deepEqual(server.paths, []);
  });

  it("asks once about each of 40 contracts in 100 cells, and nothing on the second run", async () => {
    const contracts: string[] = [];
    for (let at = 0; at < 40; at++) contracts.push(await create(counted.chain, vault));
    const server = await lookupServer(contracts.map((address) => ({ address, name: "Vault", abi: vault.abi })));
    write(Array.from({ length: 100 }, (_, at) => call(contracts[at % 40] ?? "")));
    const unnamed = (await run()).out.match(/✗ .*unknown error/g)?.length;
    const asked = () =>
      counted.proxy
        .methods()
        .flat()
        .filter((method) => method === "eth_chainId").length;
    const asksAlone = asked();
    const { out, err } = await run(`--lookup=${server.url}`);
    assert.equal(
      asked() - 2 * asksAlone,
      40 + 1,
      "each contract is asked about with its chain, and the chain of all cells once",
    );
    assert.deepEqual([unnamed, out.match(/✗ .*TooLow/g)?.length, new Set(server.paths).size], [100, 100, 40]);
    assert.equal(server.paths.length, 40);
    assert.doesNotMatch(`${out}${err}`, /questions|unknown error/);
    await run(`--lookup=${server.url}`);
    assert.equal(server.paths.length, 40);
  });

  it("notes once that the host does not answer", async () => {
    const server = await lookupServer(verified, () => null);
    write([call(places.vault), call(places.forwarder)]);
    const sleep: Clock["sleep"] = (ms, signal, isLimit) =>
      isLimit === true && ms > 29_000 && ms <= 30_000 ? Promise.resolve() : clock.sleep(ms, signal, isLimit);
    const slow = { clock: { ...clock, sleep }, variables: { XDG_CACHE_HOME: join(folder, "cache") } };
    const args = ["run", "a.rpc.json", "-e", counted.proxy.url, `--lookup=${server.url}`];
    const { out, err } = await runCommand(args, folder, slow);
    assert.match(out, /unknown error/);
    assert.match(err, /did not answer in time/);
    assert.equal(err.trimEnd().split("\n").length, 1);
  });

  it("asks at most 40 questions", async () => {
    const { Many = assert.fail() } = compileSolidity(
      `contract Many { event Did(uint256 at); function go() external { emit Did(1); } constructor() {
        for (uint256 i = 0; i < 45; i++) new One(); } } contract One { event Made(uint256 at); constructor() { emit Made(1); } function made() external {} }`,
    );
    await create(counted.chain, Many as CompiledSolidity);
    const server = await lookupServer([]);
    write([{ method: "eth_getLogs", params: [{ fromBlock: "earliest", toBlock: "latest" }] }]);
    const { err } = await run(`--lookup=${server.url}`);
    assert.equal(server.paths.length, 40);
    assert.match(err, /40 questions/);
    await run(`--lookup=${server.url}`);
    assert.ok(server.paths.length > 40 && server.paths.length <= 80);
    const implementations = 1; // the implementation of a proxy is asked about for the proxy too
    assert.ok(server.paths.length - new Set(server.paths).size <= implementations);
  });

  const faults: readonly (readonly [what: string, instead: Instead, said: RegExp])[] = [
    ["limits requests", 429, /limits requests/],
    ["fails", 500, /HTTP 500/],
    ["redirects", 302, /HTTP 302/],
    ["sends HTML", "<html>", /not a JSON object/],
    ["does not have the path", { missing: "<html>404" }, /not a JSON object/],
    ["sends 50 MB", Buffer.alloc(50_000_000, 32), /10 MB/],
  ];
  for (const [what, instead, said] of faults)
    it(`notes once that the host ${what}, and shows the same results`, async () => {
      const server = await lookupServer(verified, () => instead);
      write([call(places.vault), call(places.forwarder)]);
      const before = await run();
      const { code, out, err } = await run(`--lookup=${server.url}`);
      assert.equal(code, before.code);
      assert.equal(out.replace(times, ""), before.out.replace(times, ""));
      assert.match(err, said);
      assert.equal(err.trimEnd().split("\n").length, 1);
      const cached = join(folder, "cache/rpc-notebook");
      mkdirSync(cached, { recursive: true });
      assert.deepEqual(readdirSync(cached), []);
    });

  for (const args of [["--lookup=http://example.org"], ["--lookup", "--replay", "a.rpc.recording.json"]])
    it(`refuses ${args.join(" ")}`, async () => {
      write([call(places.vault)]);
      assert.equal((await run(...args)).code, 2);
    });
});
