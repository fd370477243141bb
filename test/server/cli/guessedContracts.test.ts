import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFunctionData, type Hex } from "viem";
import { runCommand } from "../../support/commandInProcess.ts";
import { countedChain } from "../../support/countedChain.ts";
import { lookupServer, type Verified } from "../../support/lookupServer.ts";
import { createPassing, type PassingContracts, passingContracts } from "../../support/passingContracts.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("contracts add, for a contract that nobody has verified", function () {
  this.timeout(300_000);
  const counted = countedChain();
  const { Vault: vault = assert.fail() } = passingContracts();
  let at: PassingContracts;
  let folder: string;

  before(async () => {
    at = await createPassing(counted.chain);
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  });

  const add = async (address: string, verified: readonly Verified[], ...args: readonly string[]) => {
    const server = await lookupServer(verified);
    const command = ["contracts", "add", address, "--lookup", server.url, "--endpoint", counted.proxy.url, ...args];
    const ended = await runCommand(command, folder);
    return { ...ended, asked: server.paths.map((path) => /0x\w{40}/.exec(path)?.[0]) };
  };
  const files = () => (existsSync(join(folder, "contracts")) ? readdirSync(join(folder, "contracts")) : []);
  const written = () => readFileSync(join(folder, "contracts", files()[0] ?? assert.fail("no file")), "utf8");

  it("names the option that guesses, and guesses only with it", async () => {
    const { code, err } = await add(at.vault, []);
    assert.equal(code, 1);
    assert.match(err, /--guess/);
    assert.deepEqual(files(), []);
  });

  it("writes what it found, and calls nothing of it exact", async () => {
    const { code, out, err } = await add(at.vault, [], "--guess");
    assert.equal(code, 0, err);
    assert.match(out, /Guessed_\w{8}.* guessed from its code.*: 3 functions \(2 with a known name\) and \d events?\./);
    assert.doesNotMatch(written() + out, /exact|match/);
    const abi = JSON.parse(written()).abi as readonly { readonly name: string }[];
    assert.deepEqual(
      new Set(abi.map(({ name }) => name.replace(/^unknown_.*/, "unknown"))),
      new Set(["unknown", "balanceOf", "transfer", "Transfer"]),
    );
  });

  it("decodes with it, and says that this is a guess", async () => {
    await add(at.vault, [], "--guess");
    const data = encodeFunctionData({ abi: vault.abi, functionName: "liftOff", args: [7n, at.vault as Hex] });
    const { chain } = counted;
    const [from] = (await chain.rpc("eth_accounts")) as readonly string[];
    const hash = await chain.rpc("eth_sendTransaction", [{ from, to: at.vault, data, gas: "0x40000" }]);
    await chain.seal();
    const cell = { method: "eth_getTransactionByHash", params: [hash] };
    writeFileSync(join(folder, "sent.rpc.json"), JSON.stringify({ cells: [cell] }));
    const { out } = await runCommand(["run", "sent.rpc.json", "-e", counted.proxy.url], folder);
    assert.match(out, /unknown_[0-9a-f]{8}/);
    assert.match(out, /guess/);
    assert.doesNotMatch(out, /to Guessed_/);
  });

  it("takes the verified ABI if there is one", async () => {
    const { code, out } = await add(at.vault, [{ address: at.vault, name: "Vault", abi: vault.abi }], "--guess");
    assert.equal(code, 0);
    assert.match(out, /exact match/);
    assert.deepEqual(files(), ["Vault.json"]);
  });

  it("looks up the target of a minimal proxy, and nothing else", async () => {
    const { code, out, err, asked } = await add(at.minimal, [{ address: at.vault, name: "Vault", abi: vault.abi }]);
    assert.equal(code, 0, err);
    assert.match(err, /is a minimal proxy \(EIP-1167\)/);
    assert.match(out, /which calls Vault at/);
    assert.deepEqual(asked, [at.vault]);
  });

  it("guesses the target of a minimal proxy", async () => {
    const { out, err } = await add(at.minimal, [], "--guess");
    assert.match(err, /is a minimal proxy \(EIP-1167\)/);
    assert.match(out, /3 functions/);
    assert.deepEqual(
      JSON.parse(written()).guessed.from.map((one: string) => one.toLowerCase()),
      [at.vault],
    );
  });

  it("says that a contract is a diamond, with the facets that are verified", async () => {
    const { code, out, err } = await add(at.diamond, [{ address: at.vault, name: "Vault", abi: vault.abi }]);
    assert.equal(code, 0, err);
    assert.match(err, /is a diamond with 2 facets \(EIP-2535\)/);
    assert.match(err, new RegExp(`no verified sources of ${at.second}`));
    assert.match(out, /Diamond at .* which calls Vault at/);
  });

  it("guesses all facets of a diamond", async () => {
    assert.match((await add(at.diamond, [], "--guess")).out, /4 functions/);
  });

  it("says that a contract is the proxy of a Safe", async () => {
    const { code, out, err } = await add(at.safe, [
      { address: at.singleton, name: "SafeL2", abi: passingContracts().SafeCode?.abi ?? [] },
    ]);
    assert.equal(code, 0, err);
    assert.match(err, /is the proxy of a Safe/);
    assert.match(out, /which calls SafeL2 at/);
  });

  it("believes no list of facets that is not exactly one", async () => {
    const word = (value: string) => value.padStart(64, "0");
    for (const result of ["0x", `0x${word("20")}${word("0")}`, `0x${word("20")}${word("ffffff")}`, `0x${word("1")}`]) {
      await counted.replacing(({ method }) =>
        method === "eth_chainId" ? { result: "0x2105" } : method === "eth_call" ? { result } : undefined,
      );
      assert.doesNotMatch((await add(at.diamond, [])).err, /diamond/);
    }
  });

  it("guesses on a local chain, without asking a host", async () => {
    await counted.replacing(() => undefined);
    const { code, asked } = await add(at.vault, [], "--guess");
    assert.equal(code, 0);
    assert.deepEqual(asked, []);
  });

  it("writes nothing for code without functions", async () => {
    const { code, err } = await add(at.odd, [], "--guess");
    assert.equal(code, 1);
    assert.match(err, /No functions were found/);
    assert.deepEqual(files(), []);
  });

  it("does not guess if the lookup host fails", async () => {
    const server = await lookupServer([], () => 500);
    const command = ["contracts", "add", at.vault, "--lookup", server.url, "-e", counted.proxy.url, "--guess"];
    assert.equal((await runCommand(command, folder)).code, 1);
    assert.deepEqual(files(), []);
  });

  it("replaces what it guessed before", async () => {
    for (const _ of [1, 2]) assert.equal((await add(at.vault, [], "--guess")).code, 0);
    assert.equal(files().length, 1);
  });
});
