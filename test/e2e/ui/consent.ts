import assert from "node:assert/strict";
import type { Trap } from "../../support/trap.ts";
import { until, type Vscode } from "../host/window.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const transfer = (value: string) => ({ method: "eth_sendTransaction", params: [{ from: address, to: bob, value }] });
const payments = {
  endpoint: "local",
  labels: { [address]: "alice", [bob]: "bob" },
  cells: [transfer("1 ether"), transfer("2 ether"), { method: "eth_chainId" }],
};
export const filesOfConsent = {
  "consent.rpc.json": { cells: [{ method: "eth_getBalance", params: [address, "latest"] }, { method: "acme_do" }] },
  "payments.rpc.json": payments,
};

/** Needs a window that is trusted, and the files of the stranger. */
export function consent(vscode: Vscode, opened: () => Trap): void {
  const asked = () => `Send requests to http://${opened().host}?`;

  it("sends nothing because an address is hovered or a notebook is open", async () => {
    const before = opened().bytes;
    await vscode.open("consent.rpc.json");
    await vscode.status("main").waitFor();
    await vscode.open("Trap.sol");
    await vscode.word("contract", address).click();
    await vscode.press("Control+k", "Control+i");
    await vscode.hoversAnswered();
    assert.equal(opened().bytes, before, opened().text);
  });

  it("asks about the exact host, and sends nothing after a no", async () => {
    const before = opened().bytes;
    await vscode.open("consent.rpc.json");
    await vscode.run("eth_getBalance");
    await vscode
      .question(asked())
      .getByText(`The endpoint "main" is in the workspace's setting rpcNotebook.endpoints.`)
      .waitFor();
    await vscode.screenshot("consent-host");
    await vscode.decide(asked(), "Cancel");
    await vscode.output().getByText("are not allowed").first().waitFor();
    assert.equal(opened().bytes, before, opened().text);
  });

  it("sends after a yes, and asks about a method that it does not know", async () => {
    await vscode.run("eth_getBalance");
    await vscode.decide(asked(), "Allow");
    await vscode.output().getByText("1 wei").first().waitFor();
    await vscode.run("acme_do");
    await vscode.question(`Send to http://${opened().host}: acme_do?`).waitFor();
    await vscode.screenshot("consent-method");
    assert.doesNotMatch(opened().text, /acme_do/);
    await vscode.decide("acme_do", "Send");
    await until(() => /acme_do/.test(opened().text), "the method is sent");
  });

  it("says in words what a transaction does, and lets cells run that only read", async () => {
    await vscode.closeAll(); // one notebook has one frame of outputs
    await vscode.open("payments.rpc.json");
    await vscode.run("1 ether");
    await vscode.question("Send 1 ether from alice to bob on http://127.0.0.1:").waitFor();
    await vscode.question(`bob is ${bob}`).waitFor();
    await vscode.screenshot("consent-write");
    await vscode.decide("Send 1 ether", "Cancel");
    await vscode.output().getByText("needs your confirmation").first().waitFor();
    await vscode.runAll();
    await vscode.question("Send these 2 requests?").waitFor();
    await vscode.output().getByText("31337").first().waitFor();
    const waiting = vscode.output().getByText("Waiting for you").first();
    await waiting.waitFor();
    await vscode.screenshot("consent-writes");
    await vscode.decide("Send these 2 requests?", "Send");
    await waiting.waitFor({ state: "detached" });
    await vscode.output().getByText("needs your confirmation").first().waitFor({ state: "detached" });
  });

  it("lists what was approved, to revoke it: the next request asks again", async () => {
    await vscode.revoke(`http://${opened().host}`);
    await vscode.open("consent.rpc.json");
    await vscode.run("eth_getBalance");
    await vscode.decide(asked(), "Cancel");
  });
}
