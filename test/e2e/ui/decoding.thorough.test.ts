import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import type { Devchain } from "../../../devchain/devchain.ts";
import { inWindow } from "../host/window.ts";
import { frameOfOutputs, violations } from "../results/violations.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

/** Transfers in one block, more than a table shows at once. */
const transfers = 230;

function notebook({ contracts }: Devchain): object {
  const filter = { address: contracts.token.address, event: "Transfer", args: [alice, bob], fromBlock: "earliest" };
  return {
    endpoint: "local",
    labels: { [alice]: "alice", [bob]: "bob" },
    cells: [{ method: "eth_getLogs", params: [filter] }],
  };
}

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1400, height: 1000 },
  settings: { "workbench.colorTheme": "Default Dark Modern" },
  async prepare({ installation: { chain }, write }) {
    const to = chain.contracts.token.address;
    for (let at = 0; at < transfers; at++) {
      const data = encodeFunctionData({ abi, functionName: "transfer", args: [bob, BigInt(1_000_000 + at)] });
      await chain.rpc("eth_sendTransaction", [{ from: alice, to, data, gas: "0x186a0" }]);
    }
    await chain.seal();
    write("decoded.rpc.json", notebook(chain));
  },
};

inWindow("a long table in the notebook", options, (vscode) => {
  const logs = () => vscode.output().getByRole("article", { name: `${transfers} Transfer logs` });

  it("breaks no rule of WCAG in a dark and a light theme of VS Code", async () => {
    await vscode.open("decoded.rpc.json");
    await vscode.runAll();
    await logs().waitFor();
    await vscode.screenshot("decoded-logs-dark");
    assert.deepEqual(await violations(await frameOfOutputs(vscode)), []);
    await vscode.command("Preferences: Toggle between Light/Dark Themes");
    await vscode.page.locator(".monaco-workbench.vs").waitFor();
    await vscode.screenshot("decoded-logs-light");
    assert.deepEqual(await violations(await frameOfOutputs(vscode)), []);
  });

  it("shows more rows, and those that contain a text", async () => {
    await logs()
      .locator(".scroll")
      .evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
    await logs()
      .locator(`tr[aria-rowindex="${transfers + 1}"] td[title]`)
      .first()
      .waitFor();
    await logs().locator("input.filter").fill("1.000229");
    await logs().getByText(`1 of ${transfers} rows`).waitFor();
    await vscode.screenshot("decoded-logs-filtered");
  });
});
