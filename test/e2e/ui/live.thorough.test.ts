import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

type Locator = ReturnType<Host["page"]["locator"]>;

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

const notebook = {
  endpoint: "local",
  labels: { [alice]: "alice", [bob]: "bob" },
  cells: [
    { method: "eth_subscribe", params: ["newHeads"] },
    { method: "eth_getBalance", params: [alice, "pending"] },
    {
      method: "eth_call",
      params: [
        {
          from: alice,
          to: token,
          data: { function: "transfer(address,uint256) returns (bool)", args: [bob, "5000000"] },
        },
        "pending",
      ],
    },
  ],
};

const contract = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

contract Vault {
    address constant TREASURY = ${alice};
    address constant TOKEN = ${token};
}
`;

/** Waits for hovers to fade in, and not for endless animations. */
function fadedIn(): Promise<unknown> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1);
  return Promise.allSettled(ending.map(({ finished }) => finished));
}

describe("the chain as it is now", function () {
  this.timeout(300_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    writeFileSync(join(installation.workspace, "live.rpc.json"), JSON.stringify(notebook, null, 2));
    writeFileSync(join(installation.workspace, "Vault.sol"), contract);
    writeFileSync(join(installation.workspace, "rpc-labels.json"), JSON.stringify({ [token]: "Treasury token" }));
    host = await openWorkbench(installation, {
      viewport: { width: 1400, height: 1000 },
      settings: {
        "rpcNotebook.liveHints": "on",
        ...(process.env.TEST_THEME && { "workbench.colorTheme": process.env.TEST_THEME }),
      },
    });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await host.screenshot(`live-failure-${this.currentTest.title.split(" ")[0]}`);
  });

  const open = (name: string): Promise<void> =>
    host.page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
  /** A hidden window does not draw. */
  async function drawn(what: Locator): Promise<void> {
    while (!(await what.isVisible())) await host.page.screenshot();
    await what.evaluate(fadedIn);
  }

  it("streams new blocks below a cell until it is stopped", async () => {
    const { page, screenshot } = host;
    await open("live.rpc.json");
    await page.locator(".notebook-toolbar-container").getByText("Run All").click();
    const output = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    await drawn(output.getByText(/^[2-9] \w+s\b/).first());
    await screenshot("live-stream");
    const waiting = page.locator(".codicon-notebook-state-pending");
    assert.equal(await waiting.count(), 0, "neither the header nor another cell waits for the stream");
    await page.keyboard.press("Escape");
    await page.locator(".notebook-toolbar-container").getByText("Stop Execution").click();
  });

  it("shows the name that rpc-labels.json gives to an address", async () => {
    const { page, screenshot } = host;
    await open("Vault.sol");
    const address = page
      .locator(".view-line", { hasText: "constant TOKEN" })
      .locator("span", { hasText: token })
      .last();
    const hover = page.locator(".monaco-hover", { hasText: "Treasury token" }).first();
    // An editor that is still being set up closes a hover.
    while (!(await hover.isVisible())) {
      await page.mouse.move(0, 0);
      await address.hover();
      await hover.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
    await drawn(hover);
    await screenshot("live-hover-label");
    await page.mouse.move(0, 0);
  });

  it("shows what a request would do", async () => {
    const { page, screenshot } = host;
    await open("live.rpc.json");
    await page.locator(".notebook-toolbar-container").getByText("Open as JSON").click();
    await page.locator(".view-line", { hasText: `"eth_call"` }).locator("span", { hasText: "eth_call" }).last().hover();
    await drawn(page.locator(".monaco-hover", { hasText: "Simulated" }).first());
    await screenshot("live-simulation");
    await page.keyboard.press("Escape");
    await page.mouse.move(0, 0);
    await drawn(page.locator(".view-line", { hasText: "simulated: true" }).first());
    await screenshot("live-hints");
  });
});
