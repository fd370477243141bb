import { accounts } from "../../../devchain/accounts.ts";
import { inWindow } from "../host/window.ts";

const { alice } = accounts;
const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1280, height: 1000 },
  async prepare({ write, installation: { chain } }) {
    for (let block = 0; block < 1000; block++) {
      const wei = 10n ** 18n * BigInt(Math.round(1000 + 400 * Math.sin(block / 90) + block / 2));
      await chain.rpc("anvil_setBalance", [alice.address, `0x${wei.toString(16)}`]);
      await chain.rpc("evm_mine");
    }
    const request = { method: "eth_getBalance", params: ["{{alice}}", "{{block}}"] };
    const each = { block: ["latest - 999", "latest", "+1"] };
    write("each.rpc.json", {
      endpoint: "local",
      variables: { alice: alice.address },
      cells: [{ name: "balances", ...request, each }],
    });
    const expect = { result: { ">": "1600 ether" } };
    write("when.rpc.json", {
      endpoint: "local",
      cells: [{ method: "eth_getBalance", params: [alice.address, "latest"], expect }],
    });
  },
};

inWindow("a request for many values", options, (vscode) => {
  it("says how many requests it sends, waits for a person, and draws a thousand balances over blocks", async () => {
    await vscode.open("each.rpc.json");
    await vscode.runAll();
    await vscode.question("Send 1,000 requests to").waitFor();
    await vscode.screenshot("each-question");
    await vscode.decide("Send 1,000 requests to", "Send");
    const chart = vscode.output().getByRole("slider", { name: "result" });
    await chart.press("End");
    await vscode
      .output()
      .getByText(/^block [\d,]+: [\d,.]+ ether$/)
      .waitFor();
    await vscode.screenshot("each-chart");
  });

  it("finds the first block at which an expectation holds", async () => {
    const newest = Number(await vscode.installation.chain.rpc("eth_blockNumber"));
    await vscode.open("when.rpc.json");
    await vscode.cell("1600 ether").locator(".view-line").first().click();
    await vscode.command("RPC Notebook: Find When…");
    await vscode.answer("Find When: between which blocks?", `${newest - 999}..${newest - 250}`);
    await vscode.line("1,604 ether").waitFor();
    await vscode.screenshot("find-when");
  });
});
