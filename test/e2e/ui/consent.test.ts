import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openTrap, type Trap } from "../../support/trap.ts";
import { hoversAnswered } from "../host/palette.ts";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const transfer = (value: string) => ({ method: "eth_sendTransaction", params: [{ from: address, to: bob, value }] });
const payments = {
  endpoint: "local",
  labels: { [address]: "alice", [bob]: "bob" },
  cells: [transfer("1 ether"), transfer("2 ether"), { method: "eth_chainId" }],
};
const notebook = { cells: [{ method: "eth_getBalance", params: [address, "latest"] }, { method: "acme_do" }] };

describe("a workspace whose settings name an endpoint", function () {
  this.timeout(90_000);
  let installation: Installation;
  let host: Host;
  let trap: Trap;

  before(async () => {
    installation = await install();
    trap = await openTrap();
    const url = `http://${trap.host}`;
    const settings = {
      "rpcNotebook.endpoint": "main",
      "rpcNotebook.endpoints": { main: url },
      "rpcNotebook.readMethods": ["acme_*"],
      "rpcNotebook.liveHints": "always",
      "http.proxy": url,
    };
    mkdirSync(path.join(installation.workspace, ".vscode"));
    writeFileSync(path.join(installation.workspace, ".vscode/settings.json"), JSON.stringify(settings));
    writeFileSync(path.join(installation.workspace, "A.sol"), `contract A { address a = ${address}; }\n`);
    writeFileSync(path.join(installation.workspace, "consent.rpc.json"), JSON.stringify(notebook));
    writeFileSync(path.join(installation.workspace, "payments.rpc.json"), JSON.stringify(payments));
    host = await openWorkbench(installation);
  });
  after(async () => {
    await host?.close();
    await trap?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("consent-failure");
  });

  const open = (name: string): Promise<void> =>
    host.page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
  const runCell = async (text: string): Promise<void> => {
    const cell = host.page.locator(".code-cell-row", { hasText: text }).first();
    await cell.locator(".view-line").first().click(); // a selected cell shows its button
    await cell.locator(".run-button-container .codicon-notebook-execute").click();
  };
  const dialog = () => host.page.locator(".monaco-dialog-box");
  const results = () => host.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");

  it("sends nothing because an address is hovered or a notebook is open", async () => {
    const { page } = host;
    await open("consent.rpc.json");
    await page.locator(".code-cell-row", { hasText: "eth_getBalance" }).first().waitFor();
    await open("A.sol");
    await page.locator(".view-line", { hasText: "contract" }).locator("span", { hasText: address }).last().hover();
    await hoversAnswered(page);
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("asks about the exact host, and sends nothing after a no", async () => {
    await open("consent.rpc.json");
    await runCell("eth_getBalance");
    await dialog().getByText(`Send requests to http://${trap.host}?`).waitFor();
    await dialog().getByText(`The endpoint "main" is in the workspace's setting rpcNotebook.endpoints.`).waitFor();
    await host.screenshot("consent-host");
    await dialog().getByText("Cancel", { exact: true }).click();
    await results().getByText("are not allowed").first().waitFor();
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("sends after a yes, and asks about a method that it does not know", async () => {
    await runCell("eth_getBalance");
    await dialog().getByText("Allow", { exact: true }).click();
    await results().getByText("1 wei").first().waitFor();
    assert.match(trap.text, /eth_getBalance/);
    await runCell("acme_do");
    await dialog().getByText(`Send to http://${trap.host}: acme_do?`).waitFor();
    await host.screenshot("consent-method");
    assert.doesNotMatch(trap.text, /acme_do/);
    await dialog().getByText("Send", { exact: true }).click();
    await results().getByText("0x1").first().waitFor();
    assert.match(trap.text, /acme_do/);
  });

  it("lists what was approved, and asks again about what is revoked", async () => {
    const { page } = host;
    await host.command("RPC Notebook: Manage Approved Hosts");
    const approved = page.locator(".quick-input-list .monaco-list-row", { hasText: `http://${trap.host}` });
    await approved.first().waitFor();
    await host.screenshot("approved-hosts");
    await approved.first().click();
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await runCell("eth_getBalance");
    await dialog().getByText(`Send requests to http://${trap.host}?`).waitFor();
    await dialog().getByText("Cancel", { exact: true }).click();
  });

  it("says in words what a transaction does, and lets cells run that only read", async () => {
    const { page } = host;
    await host.command("View: Close All Editors"); // one notebook has one frame of outputs
    await open("payments.rpc.json");
    await runCell("1 ether");
    await dialog().getByText("Send 1 ether from alice to bob on local (http://127.0.0.1:").waitFor();
    await dialog().getByText(`bob is ${bob}`).waitFor();
    await host.screenshot("consent-write");
    await dialog().getByText("Cancel", { exact: true }).click();
    await results().getByText("needs your confirmation").first().waitFor();
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    await dialog().getByText("Send these 2 requests?").waitFor();
    await results().getByText("31337").first().waitFor();
    await results().getByText("Waiting for you: approve 2 requests.").first().waitFor();
    await host.screenshot("consent-writes");
    await dialog().getByText("Send", { exact: true }).click();
    await results().getByText("Waiting for you").first().waitFor({ state: "detached" });
    await results().getByText("needs your confirmation").first().waitFor({ state: "detached" });
    await host.screenshot("consent-sent");
  });
});
