import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { contracts } from "../../../devchain/contracts.ts";
import { startDevchain } from "../../../devchain/devchain.ts";
import { sendTransaction } from "../../support/cases.ts";
import { chain, json, startPayments, transfer } from "../../support/paymentCalls.ts";
import { compileSolidity } from "../../support/solidity.ts";
import { inWindow, type Vscode } from "../host/window.ts";

const example = readFileSync(new URL("../../suites/storageExample.sol", import.meta.url), "utf8");
const tether = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

/** Creates the contract, and writes its artifact into the workspace. */
async function deployVault({ write, pathOf }: Vscode): Promise<string> {
  const { Vault = assert.fail() } = compileSolidity(example);
  const { abi, storageLayout, evm } = Vault;
  write("foundry.toml", "[profile.default]\n");
  mkdirSync(pathOf("out/Test.sol"), { recursive: true });
  write("out/Test.sol/Vault.json", { abi, storageLayout, bytecode: evm.bytecode });
  const data = `0x${evm.bytecode.object}` as Hex;
  const hash = await sendTransaction(chain, { from: accounts.alice.address, data });
  await chain.seal();
  return Object(await chain.rpc("eth_getTransactionReceipt", [hash])).contractAddress;
}

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1400, height: 2700 },
  settings: { "workbench.colorTheme": "Default Dark Modern" },
  async prepare(vscode) {
    await startPayments(await startDevchain({ sealEveryMs: 0, traffic: false }));
    vscode.write("rpc-endpoints.private.json", { local: chain.url });
    const vault = await deployVault(vscode);
    const { alice, bob, carol } = accounts;
    const labels = { [alice.address]: "alice", [bob.address]: "bob", [carol.address]: "carol", [vault]: "vault" };
    const spends = { function: "transfer(address,uint256) returns (bool)", args: ["{{bob}}", 500_000_000] };
    const call = { from: carol.address, to: "{{token}}", data: spends };
    const token = { token: { carol: "1000" } };
    const simulated = { blockStateCalls: [{ calls: [call] }], traceTransfers: true };
    const place = { contract: "Vault", variable: "balances[alice].since" };
    const notebook = {
      endpoint: "local",
      variables: { token: contracts.token.address, bob: bob.address },
      labels,
      cells: [
        { method: "eth_call", params: [call, "latest"], assume: { token, time: "+1 day" } },
        { method: "eth_simulateV1", params: [simulated, "latest"], assume: { token, balance: { carol: "10 ether" } } },
        { name: "pay", method: "eth_call", params: [await transfer({}, { over: { name: "USDC" } }), "latest"] },
        { method: "eth_getStorageAt", params: [vault, place, "latest"] },
      ],
    };
    vscode.write("what-if.rpc.json", json(notebook));
    const approve = { function: "approve(address,uint256) returns (bool)", args: [bob.address, 100_000_000] };
    vscode.write("words.rpc.json", {
      endpoint: "local",
      chainId: "0x1",
      labels: { [bob.address]: "Treasury" },
      tokens: { [tether]: { symbol: "USDT", decimals: 6 } },
      cells: [
        { method: "eth_call", params: [{ from: alice.address, to: tether, data: approve }, "latest"] },
        { method: "eth_estimateGas", params: [{ ...call, to: tether }, "latest"] },
      ],
    });
    return () => chain.stop();
  },
};

inWindow("what if, storage by name, and calls in words", options, (vscode) => {
  const word = (cell: string, word: string) => vscode.cell(cell).locator(".view-line span", { hasText: word }).last();
  const open = async (name: string): Promise<void> => {
    await vscode.open(name);
    await vscode.lens("Wire form").waitFor();
  };

  it("says a call in words", async () => {
    await open("words.rpc.json");
    await vscode.hover(word("approve", "eth_call"), "ERC-20, by RPC Notebook");
    await vscode.screenshot("words-hover");
  });

  it("writes what a call spends", async () => {
    await word("eth_estimateGas", "transfer").click();
    await vscode.press("Control+.");
    await vscode.page.locator(".action-widget", { hasText: "Assume the tokens that are spent" }).waitFor();
    await vscode.screenshot("what-if-action");
    await vscode.press("Enter");
    await vscode.cell("eth_estimateGas").locator(".view-line", { hasText: "assume" }).waitFor();
  });

  it("shows what was assumed, why a payment failed, and a variable", async () => {
    await open("what-if.rpc.json");
    await vscode.runAll();
    const output = vscode.output();
    for (const text of [/carol has 1,000 token/, /Signed for the domain name "USDC"/, /1,700,000,000/])
      await output.getByText(text).first().waitFor();
    await vscode.hover(word("eth_simulateV1", "assume"), "state and block overrides");
    await vscode.screenshot("what-if");
  });

  it("lists what a contract stores", async () => {
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
    await vscode.line("balances[alice].amount").waitFor();
    await vscode.screenshot("storage-listed");
  });
});
