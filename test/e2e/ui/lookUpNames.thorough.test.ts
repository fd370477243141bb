import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { lookupServer, type Verified } from "../../support/lookupServer.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { create, vaultContracts } from "../../support/vault.ts";
import { inWindow, type Vscode } from "../host/window.ts";

const settings: Record<string, unknown> = {};
const addresses: string[] = [];
/** Numbers of the contracts of one notebook. */
const numbers = Array.from({ length: 40 }, (_, at) => at + 1);
let lookup: Awaited<ReturnType<typeof lookupServer>> | undefined;

/** Five contracts of their own notebooks, of which the host does not know the last, and forty different ones of one notebook, that the project does not know, on a chain that is not a local one, and a host that knows them. */
async function prepare({ write, installation: { chain } }: Vscode) {
  const { vault } = vaultContracts();
  const answer = replacing(chain.url, ({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  const base = await countingProxy(chain.url, answer);
  write("rpc-endpoints.json", { base: { url: base.url, chainId: 8453 } });
  const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
  const verified: Verified[] = [];
  for (const at of [1, 2, 3, 4, 5]) {
    const to = await create(chain, vault);
    addresses.push(to);
    if (at !== 5) verified.push({ address: to, name: "Vault", abi: vault.abi });
    write(`v${at}.rpc.json`, { endpoint: "base", cells: [{ method: "eth_call", params: [{ to, data }, "latest"] }] });
  }
  const sourceOf = (at: number) =>
    `contract Vault${at} { error TooLow${at}(uint256 level); function lift${at}(uint256 level) external pure { if (level == 0) revert TooLow${at}(level); } }`;
  const contracts = compileSolidity(numbers.map(sourceOf).join("\n"));
  const cells: object[] = [];
  for (const at of numbers) {
    const name = `Vault${at}`;
    const contract = contracts[name] ?? assert.fail(name);
    const to = await create(chain, contract);
    addresses.push(to);
    verified.push({ address: to, name, abi: contract.abi, sources: { [`src/${name}.sol`]: sourceOf(at) } });
    const call = { to, data: encodeFunctionData({ abi: contract.abi, functionName: `lift${at}`, args: [0n] }) };
    cells.push({ name: `call${at}`, method: "eth_call", params: [call, "latest"] });
  }
  write("forty.rpc.json", { endpoint: "base", cells });
  const host = await lookupServer(verified);
  lookup = host;
  settings["rpcNotebook.lookupHost"] = lookup.url;
  return () => Promise.all([base.close(), host.close()]);
}

inWindow("results of contracts that the project does not know", { settings, prepare }, (vscode) => {
  const link = () => vscode.output().getByText("Look Up Names");
  const names = () => vscode.output().getByText("TooLow").first();
  const question = () => `Look up 1 contract at ${lookup?.url}?`;
  const run = async (at: number): Promise<void> => {
    await vscode.closeAll();
    await vscode.open(`v${at}.rpc.json`);
    await vscode.run("eth_call");
  };

  it("have a quiet link, and names after a question that names the host and what it learns", async () => {
    await run(1);
    await link().waitFor();
    await vscode.screenshot("names-before");
    await link().click();
    await vscode
      .question(question())
      .getByText(addresses[0]?.slice(2, 10) ?? "no address")
      .waitFor();
    await vscode.screenshot("names-question");
    assert.deepEqual(lookup?.paths, []);
    await vscode.decide(question(), "This Time");
    await names().waitFor();
    await link().waitFor({ state: "hidden" });
    await vscode.screenshot("names-after");
    assert.equal(lookup?.paths.length, 1);
    await vscode.output().getByText("Details").first().click();
    await vscode.output().getByText("exact match").first().waitFor();
    await vscode.screenshot("names-origin");
    await vscode.message("1 contract looked up").getByText("Save to Project").click();
    await vscode.shown("1 contract written");
    await vscode.screenshot("names-saved");
    assert.match(readFileSync(vscode.pathOf("contracts/Vault.json"), "utf8"), /exact match/);
    rmSync(vscode.pathOf("contracts/Vault.json")); // the next tests have no names
  });

  it("have names at once in the next run, without a question, and so has the cell", async () => {
    await vscode.run("eth_call");
    await names().waitFor();
    const [address = ""] = addresses;
    await vscode.hover(vscode.word(address, address), "exact match");
    await vscode.screenshot("names-hover");
    await vscode.line("lift").waitFor();
    assert.equal(lookup?.paths.length, 1);
  });

  it("are drawn again by themselves after always, until that is revoked", async () => {
    await run(2);
    await link().click();
    await vscode.decide(question(), "Always in This Workspace");
    await names().waitFor();
    await run(3);
    await names().waitFor();
    assert.equal(lookup?.paths.length, 3);
    await vscode.revoke("may be looked up");
  });

  it("have no link after never", async () => {
    await run(4);
    await link().click();
    await vscode.decide(question(), "Never");
    await link().waitFor({ state: "hidden" });
    await vscode.run("eth_call");
    await vscode.output().getByText("unknown error").first().waitFor();
    assert.equal(await link().count(), 0);
    assert.equal(lookup?.paths.length, 3);
    await vscode.revoke("are never looked up"); // windows share what holds in all workspaces
  });

  it("say that nobody verified a contract", async () => {
    await run(5);
    await link().click();
    await vscode.decide(question(), "This Time");
    await vscode.shown("no verified sources of 0x");
    await link().waitFor({ state: "hidden" });
    await vscode.screenshot("names-unverified");
  });

  it("of forty contracts have names after one question, which sources of them do not ask again", async () => {
    await vscode.closeAll();
    await vscode.open("forty.rpc.json");
    await vscode.runAll();
    await link().first().waitFor();
    await vscode.screenshot("forty-before");
    const before = lookup?.paths.length ?? 0;
    await link().first().dispatchEvent("click"); // the first one that was drawn need not be in view
    const asked = `Look up 40 contracts at ${lookup?.url}?`;
    await vscode.question(asked).waitFor();
    await vscode.screenshot("forty-question");
    assert.equal(lookup?.paths.length, before);
    await vscode.decide(asked, "This Time");
    await vscode.output().getByText("TooLow1").first().waitFor();
    await vscode.shown("40 contracts looked up");
    await vscode.screenshot("forty-after");
    assert.equal(lookup?.paths.length, before + 40);
    await vscode.press("Control+End");
    await vscode.output().getByText("TooLow40").first().waitFor();
    await vscode.screenshot("forty-last");
    await vscode.press("Control+Home");
    await vscode.act(
      vscode.word(addresses.at(-40) ?? "", addresses.at(-40) ?? ""),
      "Open Source of Contract…",
      "forty-action",
    );
    await vscode.line("error TooLow1").waitFor();
    await vscode.screenshot("forty-source");
    assert.equal(lookup?.paths.length, before + 41);
  });
});
