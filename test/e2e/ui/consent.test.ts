import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { openTrap, type Trap } from "../../support/trap.ts";
import { inWindow, until } from "../host/window.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const transfer = (value: string) => ({ method: "eth_sendTransaction", params: [{ from: address, to: bob, value }] });
const payments = {
  endpoint: "local",
  labels: { [address]: "alice", [bob]: "bob" },
  cells: [transfer("1 ether"), transfer("2 ether"), { method: "eth_chainId" }],
};
const notebook = { cells: [{ method: "eth_getBalance", params: [address, "latest"] }, { method: "acme_do" }] };
const files = {
  "A.sol": `contract A { address a = ${address}; }\n`,
  "consent.rpc.json": notebook,
  "payments.rpc.json": payments,
};
let trap: Trap;
const options: Parameters<typeof inWindow>[1] = {
  files,
  viewport: { width: 1280, height: 1600 }, // outputs below the fold are not drawn
  async prepare(vscode) {
    trap = await openTrap();
    const url = `http://${trap.host}`;
    mkdirSync(vscode.pathOf(".vscode"));
    vscode.write(".vscode/settings.json", {
      "rpcNotebook.endpoint": "main",
      "rpcNotebook.endpoints": { main: url },
      "rpcNotebook.readMethods": ["acme_*"],
      "rpcNotebook.liveHints": "always",
      "http.proxy": url,
    });
    return () => trap.close();
  },
};

inWindow("a workspace whose settings name an endpoint", options, (vscode) => {
  const asked = () => `Send requests to http://${trap.host}?`;

  it("sends nothing because an address is hovered or a notebook is open", async () => {
    await vscode.open("consent.rpc.json");
    await vscode.cell("eth_getBalance").waitFor();
    await vscode.open("A.sol");
    await vscode.word("contract", address).click();
    await vscode.press("Control+k", "Control+i");
    await vscode.hoversAnswered();
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("asks about the exact host, and sends nothing after a no", async () => {
    await vscode.open("consent.rpc.json");
    await vscode.run("eth_getBalance");
    await vscode
      .question(asked())
      .getByText(`The endpoint "main" is in the workspace's setting rpcNotebook.endpoints.`)
      .waitFor();
    await vscode.screenshot("consent-host");
    await vscode.decide(asked(), "Cancel");
    await vscode.output().getByText("are not allowed").first().waitFor();
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("sends after a yes, and asks about a method that it does not know", async () => {
    await vscode.run("eth_getBalance");
    await vscode.decide(asked(), "Allow");
    await vscode.output().getByText("1 wei").first().waitFor();
    assert.match(trap.text, /eth_getBalance/);
    await vscode.run("acme_do");
    await vscode.question(`Send to http://${trap.host}: acme_do?`).waitFor();
    await vscode.screenshot("consent-method");
    assert.doesNotMatch(trap.text, /acme_do/);
    await vscode.decide("acme_do", "Send");
    await until(() => /acme_do/.test(trap.text), "the method is sent");
  });

  it("lists what was approved, and asks again about what is revoked", async () => {
    await vscode.command("RPC Notebook: Manage Approved Hosts");
    await vscode.row(`http://${trap.host}`).waitFor();
    await vscode.screenshot("approved-hosts");
    await vscode.choose(`http://${trap.host}`);
    await vscode.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await vscode.run("eth_getBalance");
    await vscode.decide(asked(), "Cancel");
  });

  it("says in words what a transaction does, and lets cells run that only read", async () => {
    await vscode.command("View: Close All Editors"); // one notebook has one frame of outputs
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
});
