import assert from "node:assert/strict";
import { encodeFunctionData, encodeFunctionResult, parseAbi } from "viem";
import type { Devchain } from "../../../devchain/devchain.ts";
import { inWindow } from "../host/window.ts";
import { frameOfOutputs, violations } from "../results/violations.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const multicall = "0xcA11bde05977b3631167028862bE2a173976CA11";
const abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
  "function balanceOf(address owner) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
]);

/** Transfers in one block, more than a table shows at once. */
const transfers = 230;

function notebook({ contracts }: Devchain): object {
  const token = contracts.token.address;
  const call = { from: alice, to: token };
  const { data, code } = aggregated(token);
  return {
    endpoint: "local",
    labels: { [alice]: "alice", [bob]: "bob" },
    cells: [
      {
        method: "eth_getLogs",
        params: [{ address: token, event: "Transfer", args: [alice, bob], fromBlock: "earliest" }],
      },
      {
        method: "eth_simulateV1",
        params: [
          {
            blockStateCalls: [
              {
                calls: [
                  { from: alice, to: bob, value: "0.5 ether" },
                  { ...call, data: { function: "transfer", args: [bob, "2500000"] } },
                  { ...call, data: { function: "transfer", args: [bob, "9000000000000000000"] } },
                ],
              },
            ],
            traceTransfers: true,
          },
          "pending",
        ],
      },
      { method: "eth_call", params: [{ to: multicall, data }, "latest", { [multicall]: { code } }] },
      {
        method: "eth_call",
        params: [{ ...call, data: { function: "transfer", args: [bob, "9000000000000000000"] } }, "latest"],
      },
    ],
  };
}

/** A multicall, and code that answers it: code that returns the constant after it. */
function aggregated(token: string): { readonly data: string; readonly code: string } {
  const target = token as `0x${string}`; // it is an address
  const args = { target, allowFailure: true } as const;
  const calls = [
    { ...args, callData: encodeFunctionData({ abi, functionName: "balanceOf", args: [alice] }) },
    { ...args, callData: encodeFunctionData({ abi, functionName: "transfer", args: [bob, 10n ** 18n] }) },
  ];
  const balance = encodeFunctionResult({ abi, functionName: "balanceOf", result: 12_500_000n });
  const refusal = `0xe450d38c${[BigInt(alice), 12_500_000n, 10n ** 18n].map((one) => one.toString(16).padStart(64, "0")).join("")}`;
  const results = encodeFunctionResult({
    abi,
    functionName: "aggregate3",
    result: [
      { success: true, returnData: balance },
      { success: false, returnData: refusal as `0x${string}` }, // it is hex
    ],
  }).slice(2);
  const length = (results.length / 2).toString(16).padStart(4, "0");
  return {
    data: encodeFunctionData({ abi, functionName: "aggregate3", args: [calls] }),
    code: `0x61${length}80600a5f395ff3${results}`,
  };
}

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1400, height: 2600 },
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

inWindow("decoded results in the notebook", options, (vscode) => {
  const logs = () => vscode.output().getByRole("article", { name: `${transfers} Transfer logs` });

  it("break no rule of WCAG in a dark and a light theme of VS Code", async () => {
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

  it("show more rows, and those that contain a text", async () => {
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

  it("show simulated blocks, calls in calls, and why a call failed", async () => {
    const output = vscode.output();
    // Outputs out of sight are not drawn.
    await vscode.cell("eth_simulateV1").locator(".view-line").first().click();
    await vscode.press("Escape", "ArrowDown", "ArrowDown");
    await output.getByRole("article", { name: /1 simulated block, 3 calls/ }).waitFor();
    await output
      .getByText(/^2 calls inside, 1 failed/)
      .first()
      .waitFor();
    await output.getByRole("article", { name: /eth_call: reverted: ERC20InsufficientBalance/ }).waitFor();
    await vscode.screenshot("decoded-calls");
  });
});
