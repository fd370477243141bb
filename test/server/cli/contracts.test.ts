import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData } from "viem";
import { runCommand } from "../../support/commandInProcess.ts";
import { countedChain } from "../../support/countedChain.ts";
import { type Instead, lookupServer, type Verified } from "../../support/lookupServer.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { createVault, vaultContracts } from "../../support/vault.ts";

describe("contracts add", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { vault, forwarder } = vaultContracts();
  const lift = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
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
      { address: places.vault, name: "Vault", abi: vault.abi, storageLayout: vault.storageLayout },
      {
        ...{ address: places.forwarder, name: "Forwarder", abi: forwarder.abi },
        ...{ match: "match", implementations: [`0x${"ee".repeat(20)}`] },
      },
    ];
  });

  const add = (lookup: string, ...args: readonly string[]) =>
    runCommand(["contracts", "add", ...args, "--lookup", lookup, "--endpoint", counted.proxy.url], folder);
  const revert = async (): Promise<string> => {
    const call = { method: "eth_call", params: [{ to: places.forwarder, data: lift }, "latest"] };
    writeFileSync(join(folder, "call.rpc.json"), JSON.stringify({ cells: [call] }));
    return (await runCommand(["run", "call.rpc.json", "--endpoint", counted.proxy.url], folder)).out;
  };

  it("gives all notebooks of the project the names of a proxy's implementation, without asking again", async () => {
    const server = await lookupServer(verified);
    assert.doesNotMatch(await revert(), /TooLow/);
    const { code, out, err } = await add(server.url, places.forwarder);
    assert.equal(code, 0, err);
    assert.match(
      out,
      /^contracts[/\\]Forwarder\.json: Forwarder at 0x.* on chain 8453, partial match at 127\.0\.0\.1:\d+/,
    );
    assert.match(out, /which calls Vault at 0x\w{40} \(exact match\): 3 functions, 1 event and 1 error\./);
    assert.deepEqual(
      server.paths.map((path) => path.replace(/\?.*/, "")),
      [places.forwarder, places.vault].map((address) => `/v2/contract/8453/${address.toLowerCase()}`),
    );
    assert.match(await revert(), /TooLow\(level: 0\)/);
    assert.match(await revert(), /contracts\/Forwarder\.json \(127\.0\.0\.1:\d+, partial match\)/);
    assert.equal(server.paths.length, 2);
  });

  it("names the contract in results, a proxy by its implementation", async () => {
    const { chain } = counted;
    const [from] = (await chain.rpc("eth_accounts")) as readonly string[];
    const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [7n] });
    const hash = await chain.rpc("eth_sendTransaction", [{ from, to: places.forwarder, data, gas: "0x40000" }]);
    await chain.seal();
    const cell = { method: "eth_getTransactionByHash", params: [hash] };
    writeFileSync(join(folder, "sent.rpc.json"), JSON.stringify({ cells: [cell] }));
    const sent = async () => (await runCommand(["run", "sent.rpc.json", "-e", counted.proxy.url], folder)).out;
    assert.doesNotMatch(await sent(), /Vault/);
    await add((await lookupServer(verified)).url, places.forwarder);
    assert.match(await sent(), /to Vault/);
    writeFileSync(join(folder, "rpc-labels.json"), JSON.stringify({ [places.forwarder]: "treasury" }));
    assert.match(await sent(), /to treasury/);
  });

  it("reads storage by the names of a layout that it found", async () => {
    const server = await lookupServer(verified);
    await add(server.url, places.vault);
    const { code, out } = await runCommand(["storage", "Vault", places.vault, "--endpoint", counted.proxy.url], folder);
    assert.equal(code, 0, out);
    assert.match(out, /floor/);
  });

  it("keeps every digit of a chain id", async () => {
    const chainId = 2n ** 60n + 1n;
    await counted.replacing(({ method }) =>
      method === "eth_chainId" ? { result: `0x${chainId.toString(16)}` } : undefined,
    );
    const server = await lookupServer(verified.map((one) => ({ ...one, chainId: String(chainId) })));
    for (const _ of [1, 2]) assert.equal((await add(server.url, places.vault)).code, 0);
    assert.match(readFileSync(join(folder, "contracts/Vault.json"), "utf8"), /"chainId": 1152921504606846977,/);
  });

  it("asks only the lookup host if there is a chain", async () => {
    const server = await lookupServer(verified);
    const args = ["contracts", "add", places.vault, "--chain", "8453", "--lookup", server.url];
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 0, err);
    assert.match(err, /not compared with the code/);
    assert.deepEqual(counted.proxy.bodies, []);
  });

  it("says that an ABI is not that of the code, and does not call it a match", async () => {
    const other = compileSolidity("contract Other { function swap(uint256 a) external {} }").Other ?? assert.fail();
    const server = await lookupServer([{ address: places.vault, name: "Vault", abi: other.abi }]);
    const { code, out, err } = await add(server.url, places.vault);
    assert.equal(code, 1);
    assert.match(err, /does not have the selectors of swap\(uint256\)/);
    assert.match(out, /code does not fit the ABI from 127/);
    assert.doesNotMatch(readFileSync(join(folder, "contracts/Vault.json"), "utf8"), /exact/);
  });

  it("says that the code of an implementation could not be compared", async () => {
    await counted.replacing(({ method, params: [at] }) => {
      if (method === "eth_chainId") return { result: "0x2105" };
      const isImplementation = String(at).toLowerCase() === places.vault.toLowerCase();
      return method === "eth_getCode" && isImplementation ? { error: { code: -32000, message: "no" } } : undefined;
    });
    const { code, out, err } = await add((await lookupServer(verified)).url, places.forwarder);
    assert.equal(code, 0, err);
    assert.match(err, /could not be read, so the ABI of Vault was not compared/);
    assert.match(out, /partial match/);
  });

  it("keeps what something else has written", async () => {
    const server = await lookupServer(verified);
    mkdirSync(join(folder, "contracts"));
    writeFileSync(join(folder, "contracts/Vault.json"), "[]");
    const { out } = await add(server.url, places.vault);
    const name = `Vault.${places.vault.slice(2, 10).toLowerCase()}.json`;
    assert.ok(out.includes(name), out);
    assert.equal(readFileSync(join(folder, "contracts/Vault.json"), "utf8"), "[]");
    writeFileSync(join(folder, "contracts", name), "{}");
    const { code, err } = await add(server.url, places.vault);
    assert.equal(code, 1);
    assert.match(err, /was not written by a lookup/);
    assert.equal(readFileSync(join(folder, "contracts", name), "utf8"), "{}");
  });

  it("replaces what it wrote about the same contract", async () => {
    const first = await lookupServer(verified.map((one) => ({ ...one, match: "match" as const })));
    await add(first.url, places.vault);
    const second = await lookupServer(verified);
    const { code } = await add(second.url, places.vault);
    assert.equal(code, 0);
    assert.match(readFileSync(join(folder, "contracts/Vault.json"), "utf8"), /exact match/);
    assert.ok(!existsSync(join(folder, `contracts/Vault.${places.vault.slice(2, 10).toLowerCase()}.json`)));
  });

  it("leaves out entries with names that are not identifiers", async () => {
    const hostile = ["__proto__ x", "a\u001b[31m", "[link](command:x)", "b‮c"].map((name) => ({
      type: "function",
      name,
      inputs: [],
      outputs: [],
    }));
    const server = await lookupServer([{ address: places.vault, name: "../../evil", abi: [...vault.abi, ...hostile] }]);
    const { code, out, err } = await add(server.url, places.vault);
    assert.equal(code, 0, err);
    assert.match(out, /^contracts[/\\]Contract\.json/);
    assert.match(err, /4 entries of the ABI cannot be read/);
    const written = JSON.parse(readFileSync(join(folder, "contracts/Contract.json"), "utf8"));
    assert.deepEqual(written.abi, vault.abi);
  });

  const faults: readonly (readonly [what: string, instead: Instead, said: RegExp])[] = [
    ["does not know the contract", 404, /no verified sources/],
    ["limits requests", 429, /limits requests/],
    ["fails", 500, /HTTP 500.*later/s],
    ["is overloaded", 503, /HTTP 503.*later/s],
    ["refuses", 403, /HTTP 403.*another lookup host/s],
    ["does not know the chain", 400, /HTTP 400.*chain id/s],
    ["answers with another status", 418, /HTTP 418.*address of the lookup host/s],
    ["redirects", 302, /HTTP 302.*address that it points to/s],
    ["sends HTML", "<html>", /not a JSON object.*address of the lookup host/s],
    ["does not have the path", { missing: "<html>404" }, /not a JSON object.*address of the lookup host/s],
    ["does not have the path, in JSON", { missing: '{"error":"Not found"}' }, /not about a contract/],
    ["sends too much", Buffer.alloc(11_000_000, 32), /10 MB.*name the ABI/s],
    ["speaks of another chain", JSON.stringify({ match: "match", chainId: "1" }), /another chain/],
    [
      "speaks of another address",
      JSON.stringify({ match: null, chainId: "8453", address: `0x${"11".repeat(20)}` }),
      /another address/,
    ],
  ];
  for (const [what, instead, said] of faults)
    it(`writes nothing if the host ${what}`, async () => {
      const server = await lookupServer(verified, () => instead);
      const { code, err } = await add(server.url, places.vault);
      assert.equal(code, 1);
      assert.match(err, said);
      assert.ok(!existsSync(join(folder, "contracts")));
    });

  it("asks no host without --lookup if the entry of the endpoint names another one, and says which", async () => {
    const server = await lookupServer(verified);
    const entry = { url: counted.proxy.url, contracts: server.url };
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ base: entry }));
    const args = ["contracts", "add", places.vault, "--endpoint", "base"];
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 1);
    assert.ok(err.includes(`names the lookup host ${new URL(server.url).host}.`), err);
    assert.deepEqual(server.paths, []);
    assert.equal((await runCommand([...args, "--lookup", server.url], folder)).code, 0);
    assert.equal(server.paths.length, 1);
  });

  it("asks nothing about a local chain", async () => {
    const server = await lookupServer(verified);
    const args = ["contracts", "add", places.vault, "--lookup", server.url, "--endpoint", counted.chain.url];
    const { code, err } = await runCommand(args, folder);
    assert.equal(code, 1);
    assert.match(err, /local chain/);
    assert.deepEqual(server.paths, []);
  });

  it("asks nothing about an address without code", async () => {
    const server = await lookupServer(verified);
    const { code, err } = await add(server.url, `0x${"ab".repeat(20)}`);
    assert.equal(code, 1);
    assert.match(err, /is not a contract on chain 8453/);
    assert.deepEqual(server.paths, []);
  });

  describe("contracts source", () => {
    const hostile = [
      ...["src/Vault.sol", "../../../etc/passwd", ".git/config", "a\\b\u001b[31m.sol", "/", "con", "-rf"],
      ...["src/合約.sol", "src/代币.sol", "src/vault.SOL", "src", "src/Vault.sol/in", `aaaaa.${"b".repeat(75)}.sol`],
    ];
    const sources = Object.fromEntries(hostile.map((name) => [name, `// text of ${JSON.stringify(name)}\n`]));
    const source = (lookup: string, ...args: readonly string[]) =>
      runCommand(["contracts", "source", ...args, "--lookup", lookup], folder, {
        variables: { XDG_CACHE_HOME: join(folder, "cache") },
      });
    const withSources = () => verified.map((one) => ({ ...one, sources }));

    it("prints the sources of an implementation first, and asks nothing again", async () => {
      const server = await lookupServer(withSources());
      for (const _ of [1, 2]) {
        const { code, out, err } = await source(server.url, places.forwarder, "--endpoint", counted.proxy.url);
        assert.equal(code, 0, err);
        const heads = out.match(/^\/\/ .* of 0x\w{40}$/gm) ?? [];
        assert.equal(heads.length, 2 * hostile.length);
        assert.ok(heads[0]?.toLowerCase().endsWith(places.vault), heads[0]);
        assert.match(out, /text of "src\/Vault\.sol"/);
        assert.doesNotMatch(out, /\u001b/);
      }
      assert.equal(server.paths.length, 2);
    });

    it("writes them below a folder, whatever a stranger called them, and replaces no other text", async () => {
      const server = await lookupServer(withSources());
      const write = () => source(server.url, places.vault, "--chain", "8453", "--out", "sources");
      const { code, out, err } = await write();
      assert.equal(code, 0, err);
      const files = readdirSync(join(folder, "sources"), { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      );
      assert.equal(files.length, hostile.length);
      assert.ok(files.every(({ name, parentPath }) => !/^[.-]/.test(name) && !/[\\/][.-][^\\/]*$/.test(parentPath)));
      const texts = files.map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"));
      assert.deepEqual(new Set(texts), new Set(Object.values(sources)), "each text is in a file");
      const folded = files.map(({ name, parentPath }) => join(parentPath, name).toLowerCase());
      assert.equal(new Set(folded).size, files.length, "also where capitals do not count");
      assert.deepEqual(
        readdirSync(folder).filter((name) => name !== "cache"),
        ["sources"],
      );
      const [first = assert.fail()] = out.split("\n");
      assert.equal(readFileSync(join(folder, first), "utf8"), sources["src/Vault.sol"]);
      assert.equal((await write()).code, 0);
      writeFileSync(join(folder, first), "my notes");
      assert.equal((await write()).code, 1);
      assert.equal(readFileSync(join(folder, first), "utf8"), "my notes");
    });

    it("says which path is another one than the name, such as one of more than ten parts", async () => {
      const deep = `${"f/".repeat(11)}Deep.sol`;
      for (const [name, said] of [
        [deep, `${deep} is written as ${deep.slice(4)}`],
        ["@scope/src/Vault.sol", ""],
      ] as const) {
        const server = await lookupServer(verified.map((one) => ({ ...one, sources: { [name]: "" } })));
        const { code, err } = await source(server.url, places.vault, "--chain", "8453", "--out", "sources");
        assert.equal(code, 0, err);
        assert.ok(said === "" ? err === "" : err.includes(said), err);
      }
    });

    it("writes nothing through a link that leads out of the project, and nothing into .git", async () => {
      const [server, outside] = [await lookupServer(withSources()), temporaryFolder()];
      for (const name of [".git", ".git/hooks"]) mkdirSync(join(folder, name));
      symlinkSync(outside, join(folder, "dirl"));
      for (const [out, why] of [
        ["dirl", /a link leads out of the project/],
        [".git/hooks", /git/],
      ] as const) {
        const { code, err } = await source(server.url, places.vault, "--chain", "8453", "--out", out);
        assert.equal(code, 1, out);
        assert.match(err, why);
      }
      assert.deepEqual([...readdirSync(outside), ...readdirSync(join(folder, ".git/hooks"))], []);
    });

    it("asks nobody if the endpoint serves another chain than the one that is named", async () => {
      const server = await lookupServer(withSources());
      const { code, err } = await source(server.url, places.vault, "--chain", "1", "--endpoint", counted.proxy.url);
      assert.equal(code, 1);
      assert.match(err, /serves chain 8453, not 1/);
      assert.deepEqual(server.paths, []);
    });

    it("says that there are none", async () => {
      const server = await lookupServer([]);
      const { code, err } = await source(server.url, places.vault, "--chain", "8453");
      assert.equal(code, 1);
      assert.match(err, /no verified sources/);
    });
  });

  const wrong: readonly (readonly string[])[] = [
    ["contracts"],
    ["contracts", "source"],
    ["contracts", "source", `0x${"ab".repeat(20)}`, "--guess"],
    ["contracts", "add", `0x${"ab".repeat(20)}`, "--out", "x"],
    ["contracts", "add"],
    ["contracts", "remove", `0x${"ab".repeat(20)}`],
    ["contracts", "add", "vitalik"],
    ["contracts", "add", `0x${"ab".repeat(20)}`, "--chain", "0x1"],
    ["contracts", "add", `0x${"ab".repeat(20)}`, "--lookup", "http://example.org"],
    ["contracts", "add", `0x${"ab".repeat(20)}`, "--lookup", "https://user:word@example.org"],
  ];
  for (const args of wrong)
    it(`refuses ${args.join(" ")}`, async () => {
      assert.equal((await runCommand(args, folder)).code, 2);
    });
});
