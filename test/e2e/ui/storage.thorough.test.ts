import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { contracts } from "../../../devchain/contracts.ts";
import { sendTransaction } from "../../support/cases.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { inWindow, type Vscode } from "../host/window.ts";

const example = readFileSync(new URL("../../suites/storageExample.sol", import.meta.url), "utf8");
const { alice, bob, carol } = accounts;

/** Creates the contract, and writes its artifact into the workspace. */
async function deployVault({ write, installation: { chain } }: Vscode): Promise<string> {
  const { Vault = assert.fail() } = compileSolidity(example);
  const { abi, storageLayout, evm } = Vault;
  write("foundry.toml", "[profile.default]\n");
  write("out/Test.sol/Vault.json", { abi, storageLayout, bytecode: evm.bytecode });
  const hash = await sendTransaction(chain, { from: alice.address, data: `0x${evm.bytecode.object}` as Hex }); // it is hex
  await chain.seal();
  return Object(await chain.rpc("eth_getTransactionReceipt", [hash])).contractAddress;
}

const options: Parameters<typeof inWindow>[1] = {
  async prepare(vscode) {
    const vault = await deployVault(vscode);
    const data = { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 500_000_000] };
    vscode.write("storage.rpc.json", {
      endpoint: "local",
      variables: { bob: bob.address },
      labels: { [alice.address]: "alice", [bob.address]: "bob", [vault]: "vault" },
      cells: [{ method: "eth_estimateGas", params: [{ from: carol.address, to: contracts.token.address, data }] }],
    });
  },
};

inWindow("what contracts store", options, (vscode) => {
  it("is assumed for what a call spends", async () => {
    await vscode.open("storage.rpc.json");
    await vscode.lens("Wire form").waitFor();
    const call = vscode.cell("eth_estimateGas");
    const word = call.locator(".view-line span", { hasText: "transfer" }).last();
    await vscode.act(word, "Assume the tokens", "what-if-action");
    await call.locator(".view-line", { hasText: "assume" }).waitFor();
  });

  it("is listed by name", async () => {
    await vscode.command("RPC Notebook: Show Storage of a Contract");
    const rows = vscode.page.locator(".quick-input-widget:visible .monaco-list-row");
    const choose = async (text: string) => {
      await rows.filter({ hasText: text }).first().waitFor();
      await vscode.screenshot(`storage-${text}`);
      await vscode.type(text);
      await vscode.press("Enter");
    };
    await choose("Vault");
    await rows.filter({ hasText: "alice" }).first().waitFor();
    assert.equal(await rows.filter({ hasText: "bob" }).count(), 1, "a label and a variable of the same account");
    await choose("vault");
    await vscode.page.locator(".quick-input-widget:visible", { hasText: "at which block" }).first().waitFor();
    await vscode.press("Enter");
    await vscode.line("storage of Vault: 63 values").waitFor();
    await vscode.screenshot("storage-listed");
  });
});
