import type { Vscode } from "../host/window.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const call = { to: token, data: "0x70a0823100000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8" };

export const filesOfFirstSteps = {
  "first.rpc.json": { endpoint: "local", cells: [{ method: "eth_call", params: [call, "latest"] }, {}] },
  "Vault.sol": `contract Vault {\n    address constant TREASURY = ${alice};\n}\n`,
  "rpc-labels.json": { [alice]: "Treasury account" },
};

export function firstSteps(vscode: Vscode): void {
  it("explain a call in a hover", async () => {
    await vscode.open("first.rpc.json");
    await vscode.run("eth_call"); // before a run, nothing is asked for hovers
    await vscode
      .cell("eth_call")
      .locator(".execution-count-label", { hasText: /\[\d+\]/ })
      .first()
      .waitFor();
    await vscode.command("RPC Notebook: Open as JSON");
    await vscode.lens("Run").waitFor();
    await vscode.hover(vscode.word("0x70a08231", "0x70a08231"), "balanceOf");
    await vscode.screenshot("authoring-hover");
    await vscode.press("Escape");
  });

  it("write a whole request in an empty cell", async () => {
    const rows = ".suggest-widget.visible .monaco-list-row";
    await vscode.line("{}").click();
    await vscode.press("End", "ArrowLeft");
    await vscode.opens("Control+Space", vscode.page.locator(rows).first());
    await vscode.type("getBlockReceipts");
    await vscode.page.locator(`${rows}.focused`, { hasText: "eth_getBlockReceipts" }).waitFor();
    await vscode.screenshot("authoring-completion");
    await vscode.press("Enter");
    await vscode.line("eth_getBlockReceipts").waitFor();
    await vscode.press("Escape");
  });

  it("show the pending balance of an address in a Solidity file, and watch it with the kind of the chain", async () => {
    await vscode.open("Vault.sol");
    const hover = await vscode.hover(vscode.word("TREASURY", alice), "pending");
    await hover.getByText("Treasury account", { exact: true }).waitFor();
    await vscode.screenshot("live-hover-solidity");
    await hover.getByText("Watch").click();
    const view = vscode.page.locator(".pane", { hasText: "RPC Live" });
    await view.locator(".monaco-list-row", { hasText: "ether" }).first().waitFor();
    await view.getByText("Treasury account", { exact: true }).waitFor();
    await view.getByText("pre-confirmed, every 200 ms").waitFor();
    await vscode.screenshot("live-view");
  });
}
