import assert from "node:assert/strict";
import { inWindow } from "../host/window.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const to = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const data = { function: "transfer(address,uint256) returns (bool)", args: [bob, "5000000"] };
const cells = [
  { method: "eth_call", params: [{ from: alice, to, data }, "pending"] },
  { method: "eth_subscribe", params: ["newHeads"] },
];

const options: Parameters<typeof inWindow>[1] = {
  files: { "live.rpc.json": { endpoint: "local", labels: { [alice]: "alice", [bob]: "bob" }, cells } },
  viewport: { width: 1400, height: 1000 },
  settings: { "rpcNotebook.liveHints": "on" },
};

inWindow("the chain as it is now", options, (vscode) => {
  it("streams new blocks below a cell until it is stopped", async () => {
    await vscode.open("live.rpc.json");
    await vscode.runAll();
    const count = vscode.output().getByText(/^[2-9] \w+s\b/);
    await count.first().waitFor();
    await vscode.screenshot("live-stream");
    const waiting = vscode.page.locator(".codicon-notebook-state-pending");
    assert.equal(await waiting.count(), 0, "neither the header nor another cell waits for the stream");
    await vscode.press("Escape");
    await vscode.page.locator(".notebook-toolbar-container").getByText("Stop Execution").click();
  });

  it("shows what a request would do", async () => {
    await vscode.command("RPC Notebook: Open as JSON");
    await vscode.lens("Run").click();
    await vscode.hover(vscode.word(`"eth_call"`, "eth_call"), "Simulated");
    await vscode.screenshot("live-simulation");
    await vscode.press("Escape");
    await vscode.line("simulated: true").waitFor();
    await vscode.screenshot("live-hints");
  });
});
