import assert from "node:assert/strict";
import type { Trap } from "../../support/trap.ts";
import { until, type Vscode } from "../host/window.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Everything that a person does in the editor. Hovers reach an endpoint only after a run did. */
const steps = ["open", "edit", "complete", "paste", "import", "run", "test", "hover", "watch"] as const;
type Step = (typeof steps)[number];

/** What sends in a workspace that is trusted. */
const sending = ["run", "test", "hover"] as const;

/** What the workspace of a stranger contains: notebooks, and everything that names an endpoint. */
export function filesOfStranger({ host }: Trap): Readonly<Record<string, unknown>> {
  const url = `http://${host}`;
  return {
    "rpc-endpoints.private.json": { local: url },
    "rpc-endpoints.json": { other: url },
    ".vscode/settings.json": {
      "rpcNotebook.endpoint": "main",
      "rpcNotebook.endpoints": { main: url },
      "rpcNotebook.readMethods": ["acme_*"],
      "rpcNotebook.liveHints": "always",
      "http.proxy": url,
    },
    "trap.rpc.json": {
      endpoint: "local",
      cells: [{ method: "eth_getBalance", params: [address, "latest"], expect: { result: "0x1" } }],
    },
    "Trap.sol": `contract Trap { address a = ${address}; }\n`,
  };
}

/** The window opens with the files of a stranger, which are not trusted. */
export function trust(vscode: Vscode, opened: () => Trap): void {
  let isTrusted = false;

  /** Runs something until it sends; without trust, to the question or message that says why nothing is sent. */
  async function ran(begin: () => Promise<unknown>): Promise<void> {
    const before = opened().bytes;
    await begin();
    if (isTrusted) return allowed(async () => opened().bytes > before);
    const [question, message] = [vscode.question(""), vscode.message("not trusted")];
    await question.or(message).first().waitFor();
    if (await question.isVisible()) return vscode.decide("", "Cancel");
    await vscode.command("Notifications: Clear All Notifications");
    return message.waitFor({ state: "hidden" });
  }
  /** Allows every site that is asked about meanwhile. */
  function allowed(isDone: () => Promise<boolean>): Promise<void> {
    return until(async () => {
      const allow = vscode.question("").getByText("Allow", { exact: true });
      if (await allow.isVisible()) await allow.click();
      return isDone();
    }, "it is done");
  }
  async function hoverOverAddress(): Promise<void> {
    await vscode.word("contract", address).click();
    await vscode.press("Control+k", "Control+i");
    if (isTrusted) return allowed(() => vscode.page.locator(".monaco-hover .hover-contents").first().isVisible());
    return vscode.hoversAnswered();
  }

  async function take(step: Step): Promise<unknown> {
    const { page } = vscode;
    const cell = () => vscode.cell("eth_getBalance").locator(".view-line").first();
    const curl = `curl http://${opened().host} -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`;
    switch (step) {
      case "open":
        await vscode.open("trap.rpc.json");
        return cell().waitFor();
      case "edit":
        await cell().click();
        await vscode.press("End");
        return vscode.type(" ");
      case "complete":
        await vscode.opens("Control+Space", page.locator(".suggest-widget.visible").first());
        return vscode.press("Escape");
      case "hover":
        await vscode.open("Trap.sol");
        return hoverOverAddress();
      case "paste":
        await vscode.open("trap.rpc.json");
        await page.evaluate((text) => navigator.clipboard.writeText(text), curl);
        await cell().click();
        return vscode.press("Control+v");
      case "import":
        await vscode.press("Control+z");
        await vscode.command("RPC Notebook: Paste as Request");
        return vscode.cell("eth_chainId").waitFor();
      case "watch":
        await vscode.open("Trap.sol");
        await vscode.word("contract", address).click();
        return vscode.command("RPC Notebook: Watch Address");
      case "test":
        await vscode.command("Testing: Focus on Test Explorer View");
        // Files of a workspace without trust are not searched for tests.
        if (!isTrusted) return page.getByText("No tests have been found").first().waitFor();
        await page.locator(".test-explorer .monaco-list-row", { hasText: "trap.rpc.json" }).first().waitFor();
        return ran(() => vscode.command("Test: Run All Tests"));
      case "run":
        await vscode.open("trap.rpc.json");
        return ran(() => vscode.runAll());
    }
  }

  it("catches nothing in a workspace that is not trusted, whatever the user does", async () => {
    await vscode.page.getByRole("button", { name: "No, I don't trust the authors" }).click();
    for (const step of steps) {
      await take(step);
      assert.equal(opened().bytes, 0, `${step}: ${opened().text}`);
    }
    await vscode.screenshot("untrusted");
  });

  it("catches what sends when the workspace is trusted", async () => {
    await vscode.command("Workspaces: Manage Workspace Trust");
    await vscode.page.getByRole("button", { name: "Trust", exact: true }).click();
    isTrusted = true;
    for (const step of sending) {
      const before = opened().bytes;
      await take(step);
      assert.ok(opened().bytes > before, `${step} sends nothing`);
    }
  });

  after(() => vscode.revoke(`http://${opened().host}`));
}
