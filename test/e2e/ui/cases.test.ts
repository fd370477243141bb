import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { call, contracts } from "../../../devchain/contracts.ts";
import { caseNotebook, encoded, sendTransaction } from "../../support/cases.ts";
import type { Host } from "../host/workbench.ts";
import { type Installation, install, openWorkbench } from "../installed.ts";

const { alice, bob, erin } = accounts;

describe("the case of a transaction", function () {
  this.timeout(180_000);
  let installation: Installation;
  let host: Host;

  before(async () => {
    installation = await install();
    const { chain, workspace } = installation;
    await chain.play({ sealEveryMs: 0 });
    const failed = await sendTransaction(
      chain,
      call(erin.address, "relay", "forward", [
        2n,
        contracts.reverter.address,
        encoded("reverter", "tooSmall", [5n, 10n]),
      ]),
    );
    for (let blocks = 0; blocks < 4; blocks++) await chain.seal();
    writeFileSync(join(workspace, "failed.rpc.json"), notebook(failed));
    const young = await sendTransaction(chain, {
      ...call(erin.address, "multicall", "aggregate3Value", [
        [
          { target: alice.address, allowFailure: false, value: 10n ** 18n, callData: "0x" },
          { target: bob.address, allowFailure: false, value: 5n * 10n ** 17n, callData: "0x" },
        ],
      ]),
      value: "0x14d1120d7b160000",
    });
    writeFileSync(join(workspace, "young.rpc.json"), notebook(young));
    host = await openWorkbench(installation, {
      viewport: { width: 1400, height: 1400 },
      settings: { "workbench.colorTheme": "Default Dark Modern" },
    });
  });
  after(async () => {
    await host?.close();
    await installation?.remove();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await host.screenshot("case-failure");
  });

  const run = async (name: string) => {
    const { page } = host;
    await host.command("View: Close All Editors");
    await page.locator(".explorer-folders-view").getByText(name, { exact: true }).dblclick();
    const cell = page.locator(".code-cell-row", { hasText: "eth_getTransactionByHash" }).first();
    await cell.locator(".view-line").first().click(); // a selected cell shows its button
    await cell.locator(".run-button-container .codicon-notebook-execute").click();
    return page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  };

  it("says why it failed, and where", async () => {
    const output = await run("failed.rpc.json");
    await output
      .getByText(/Reverted: TooSmall\(given: 5, least: 10\)/)
      .first()
      .waitFor();
    await output.getByText("Life", { exact: true }).first().waitFor();
    await host.screenshot("case-failed");
  });

  it("goes on until it is final, with a button that stops it", async () => {
    const output = await run("young.rpc.json");
    await output.getByRole("button", { name: "Stop" }).waitFor();
    await output.getByText("pre-confirmed").first().waitFor();
    await host.screenshot("case-young");
    const { chain } = installation;
    for (let blocks = 0; blocks < 4; blocks++) await chain.seal();
    await output
      .getByText(/multicall sent alice 1 ether/i)
      .first()
      .waitFor();
    await output.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await output.getByText("finalized").first().waitFor();
    await host.screenshot("case-final");
  });
});

/** The same with the endpoint of the workspace. */
function notebook(hash: Hex): string {
  return JSON.stringify({ endpoint: "local", ...JSON.parse(caseNotebook(hash)) }, null, 2);
}
