import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { openTrap, type Trap } from "../../support/trap.ts";
import { hoversAnswered } from "../host/palette.ts";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Everything that a person does in the editor. Hovers reach an endpoint only after a run did. */
const steps = ["open", "edit", "complete", "paste", "import", "run", "test", "hover", "watch"] as const;
type Step = (typeof steps)[number];

describe("a trap for every byte", function () {
  this.timeout(120_000);
  let installation: Installation;
  let host: Host;
  let trap: Trap;
  let isTrusted = false;

  before(async () => {
    installation = await install();
    trap = await openTrap();
    const url = `http://${trap.host}`;
    const write = (name: string, content: unknown): void =>
      writeFileSync(path.join(installation.workspace, name), typeof content === "string" ? content : json(content));
    write("rpc-endpoints.private.json", { local: url });
    write("rpc-endpoints.json", { main: url });
    write("trap.rpc.json", {
      endpoint: "local",
      cells: [{ method: "eth_getBalance", params: [address, "latest"], expect: { result: "0x1" } }],
    });
    write("Trap.sol", `contract Trap { address a = ${address}; }\n`);
    host = await openWorkbench(installation, { workspaceTrust: true, settings: { "rpcNotebook.liveHints": "on" } });
  });
  after(async () => {
    await host?.close();
    await trap?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("trust-failure");
  });

  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const dialog = () => host.page.locator(".monaco-dialog-box");
  const cell = (text: string) => host.page.locator(".code-cell-row", { hasText: text }).first();
  const open = async (name: string): Promise<void> => {
    const files = host.page.locator(".explorer-folders-view");
    if (!(await files.isVisible())) await host.command("View: Show Explorer");
    await files.getByText(name, { exact: true }).dblclick();
  };
  /** Runs something until it sends; without trust, to the question or message that says why nothing is sent. */
  async function ran(begin: () => Promise<void>): Promise<void> {
    const before = trap.bytes;
    await begin();
    if (isTrusted) return until(async () => trap.bytes > before);
    const toast = host.page.locator(".notification-toast", { hasText: "not trusted" }).first();
    await dialog().or(toast).first().waitFor();
    if (await dialog().isVisible()) return dialog().getByText("Cancel", { exact: true }).click();
    await host.command("Notifications: Clear All Notifications");
    return toast.waitFor({ state: "hidden" });
  }
  /** Allows every site that is asked about meanwhile. */
  async function until(isDone: () => Promise<boolean>): Promise<void> {
    while (!(await isDone())) {
      const allow = dialog().getByText("Allow", { exact: true });
      if (await allow.isVisible()) await allow.click();
      await host.page.screenshot(); // a hidden window does not draw
    }
  }
  async function hoverOverAddress(): Promise<void> {
    await host.page.locator(".view-line", { hasText: "contract" }).locator("span", { hasText: address }).last().hover();
    if (isTrusted) return until(() => host.page.locator(".monaco-hover .hover-contents").first().isVisible());
    return hoversAnswered(host.page);
  }

  async function take(step: Step): Promise<void> {
    const { page } = host;
    const curl = `curl http://${trap.host} -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`;
    switch (step) {
      case "open":
        await open("trap.rpc.json");
        return cell("eth_getBalance").waitFor();
      case "edit":
        await cell("eth_getBalance").locator(".view-line").first().click();
        await page.keyboard.press("End");
        return page.keyboard.type(" ");
      case "complete":
        await page.keyboard.press("Control+Space");
        await page.locator(".suggest-widget.visible").first().waitFor();
        return page.keyboard.press("Escape");
      case "hover":
        await open("Trap.sol");
        return hoverOverAddress();
      case "paste":
        await open("trap.rpc.json");
        await page.evaluate((text) => navigator.clipboard.writeText(text), curl);
        await cell("eth_getBalance").locator(".view-line").first().click();
        return page.keyboard.press("Control+v");
      case "import":
        await page.keyboard.press("Control+z");
        await host.command("RPC Notebook: Paste as Request");
        return cell("eth_chainId").waitFor();
      case "watch":
        await open("Trap.sol");
        await page.locator(".view-line", { hasText: "contract" }).locator("span", { hasText: address }).last().click();
        return host.command("RPC Notebook: Watch Address");
      case "test":
        await host.command("Testing: Focus on Test Explorer View");
        // Files of a workspace without trust are not searched for tests.
        if (!isTrusted) return page.getByText("No tests have been found").first().waitFor();
        await page.locator(".test-explorer .monaco-list-row", { hasText: "trap.rpc.json" }).first().waitFor();
        return ran(() => host.command("Test: Run All Tests"));
      case "run":
        await open("trap.rpc.json");
        return ran(() => page.locator(".notebook-toolbar-container").getByText("Run All").click());
    }
  }

  it("catches nothing in a workspace that is not trusted, whatever the user does", async () => {
    await host.page.getByRole("button", { name: "No, I don't trust the authors" }).click();
    for (const step of steps) {
      await take(step);
      assert.equal(trap.bytes, 0, `${step}: ${trap.text}`);
    }
    await host.screenshot("untrusted");
  });

  it("catches the same steps when the workspace is trusted", async () => {
    await host.command("Workspaces: Manage Workspace Trust");
    await host.page.getByRole("button", { name: "Trust", exact: true }).click();
    isTrusted = true;
    const sent = new Set<Step>();
    for (const step of steps) {
      const before = trap.bytes;
      await take(step);
      if (trap.bytes > before) sent.add(step);
    }
    await host.screenshot("trusted");
    for (const step of ["hover", "test", "run"] as const) assert.ok(sent.has(step), `${step} sends nothing`);
  });
});
