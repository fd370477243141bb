import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { lookupServer, type Verified } from "../../support/lookupServer.ts";
import { create, vaultContracts } from "../../support/vault.ts";
import { inWindow, type Vscode } from "../host/window.ts";

const settings: Record<string, unknown> = {};
const addresses: string[] = [];
let lookup: Awaited<ReturnType<typeof lookupServer>> | undefined;

/** Four contracts that the project does not know, on a chain that is not a local one, and a host that knows them. */
async function prepare({ write, installation: { chain } }: Vscode) {
  const { vault } = vaultContracts();
  const answer = replacing(chain.url, ({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  const base = await countingProxy(chain.url, answer);
  write("rpc-endpoints.json", { base: { url: base.url, chainId: 8453 } });
  const data = encodeFunctionData({ abi: vault.abi, functionName: "lift", args: [0n] });
  const verified: Verified[] = [];
  for (const at of [1, 2, 3, 4]) {
    const to = await create(chain, vault);
    addresses.push(to);
    verified.push({ address: to, name: "Vault", abi: vault.abi });
    write(`v${at}.rpc.json`, { endpoint: "base", cells: [{ method: "eth_call", params: [{ to, data }, "latest"] }] });
  }
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
    await vscode.message("1 contract looked up").getByText("Save to Project").click();
    await vscode.shown("1 contract written");
    await vscode.screenshot("names-saved");
    assert.match(readFileSync(vscode.pathOf("contracts/Vault.json"), "utf8"), /exact match/);
    rmSync(vscode.pathOf("contracts/Vault.json")); // the next tests have no names
  });

  it("have names at once in the next run, without a question", async () => {
    await vscode.run("eth_call");
    await names().waitFor();
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
});
