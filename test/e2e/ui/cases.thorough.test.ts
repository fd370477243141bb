import type { Hex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import { call } from "../../../devchain/contracts.ts";
import { caseNotebook, sendTransaction } from "../../support/cases.ts";
import { inWindow } from "../host/window.ts";

const { alice, bob, erin } = accounts;

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1400, height: 1400 },
  settings: { "workbench.colorTheme": "Default Dark Modern" },
  async prepare({ installation: { chain }, write }) {
    await chain.play({ sealEveryMs: 0 });
    const calls = [
      { target: alice.address, allowFailure: false, value: 10n ** 18n, callData: "0x" },
      { target: bob.address, allowFailure: false, value: 5n * 10n ** 17n, callData: "0x" },
    ];
    const young = {
      ...call(erin.address, "multicall", "aggregate3Value", [calls]),
      value: "0x14d1120d7b160000",
    } as const;
    write("young.rpc.json", notebook(await sendTransaction(chain, young)));
  },
};

inWindow("the case of a transaction", options, (vscode) => {
  const shows = (text: string | RegExp) => vscode.output().getByText(text).first().waitFor();

  it("goes on until it is final, with a button that stops it", async () => {
    await vscode.open("young.rpc.json");
    await vscode.run("eth_getTransactionByHash");
    const stop = vscode.output().getByRole("button", { name: "Stop" });
    await stop.waitFor();
    await shows("pre-confirmed");
    await vscode.screenshot("case-young");
    for (let blocks = 0; blocks < 4; blocks++) await vscode.installation.chain.seal();
    await shows(/multicall sent alice 1 ether/i);
    await stop.waitFor({ state: "detached" });
    await shows("finalized");
    await vscode.screenshot("case-final");
  });
});

/** The same with the endpoint of the workspace. */
function notebook(hash: Hex): string {
  return JSON.stringify({ endpoint: "local", ...JSON.parse(caseNotebook(hash)) }, null, 2);
}
