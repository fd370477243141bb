import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openTrap, type Trap } from "../../support/trap.ts";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
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
    await cell.hover();
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
    // the command answers when the hovers of all extensions have answered
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input").first().fill(">Show or Focus Hover");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Hover" }).first().waitFor();
    await page.keyboard.press("Escape");
    assert.equal(trap.bytes, 0, trap.text);
  });

  it("asks about the exact host, and sends nothing after a no", async () => {
    await open("consent.rpc.json");
    await runCell("eth_getBalance");
    await dialog().getByText(`Send requests to http://${trap.host}?`).waitFor();
    await dialog().getByText("the workspace's setting rpcNotebook.endpoints").waitFor();
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
});
