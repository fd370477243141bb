import { ask, startAnvil } from "../../../devchain/anvil.ts";
import { calling, program, push, reverting } from "../../support/evm.ts";
import { nineMethods } from "../../support/nineMethods.ts";
import { inWindow } from "../host/window.ts";

const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1280, height: 1500 },
  async prepare({ write }) {
    const node = await nineMethods();
    const { alice, bob, token } = node;
    const call = (value: string): object => ({
      ...{ from: "{{alice}}", to: token },
      data: { function: "transfer(address to, uint256 value)", args: ["{{bob}}", value] },
    });
    for (const [file, method, params] of [
      ["fails", "eth_call", [call("5000000000000"), "latest"]],
      ["pays", "eth_simulateV1", [{ blockStateCalls: [{ calls: [call("5")] }] }, "latest"]],
    ] as const)
      write(`${file}.rpc.json`, {
        ...{ endpoint: "nine", variables: { alice, bob }, labels: { [alice]: "alice", [bob]: "bob" } },
        cells: [{ method, params }],
      });
    const mined = await failedTransaction();
    write("rpc-endpoints.json", { nine: node.url, mined: { url: mined.url, refuses: ["debug_traceTransaction"] } });
    write("explained.rpc.json", {
      endpoint: "mined",
      cells: [{ method: "eth_getTransactionByHash", params: [mined.hash], explain: true }],
    });
    return async () => {
      await node.close();
      await mined.close();
    };
  },
};

/** A transaction that reverts in a call inside, because of what it reads. */
async function failedTransaction() {
  const anvil = await startAnvil({ genesisTime: 1_750_000_000 });
  const [outer = "", inner = ""] = ["a1", "b2"].map((byte) => `0x${byte.repeat(20)}`);
  await ask(anvil, "anvil_setCode", [
    outer,
    program(calling({ to: inner }), ["3d", "5f", "5f", "3e", "3d", "5f", "fd"]),
  ]); // passes the revert on
  await ask(anvil, "anvil_setCode", [inner, program([push(5), "54", "50"], reverting(7))]);
  await ask(anvil, "anvil_mine", ["0x1"]);
  const [from] = await ask<readonly string[]>(anvil, "eth_accounts");
  const hash = await ask<string>(anvil, "eth_sendTransaction", [{ from, to: outer, gas: "0x186a0" }]);
  await ask(anvil, "anvil_mine", ["0x1"]);
  return { url: `http://${anvil.host}`, hash, close: () => anvil.kill() };
}

for (const web of [false, true])
  inWindow(
    `calls inside a call at an endpoint without traces${web ? ", in the web" : ""}`,
    { ...options, web },
    (vscode) => {
      for (const [file, method, says] of [
        ["fails", "eth_call", /The calls were computed on this machine from state that/],
        ["pays", "eth_simulateV1", /Storage changes/],
      ] as const)
        it(`are shown for a call that ${file}, in a light and a dark theme`, async () => {
          await vscode.open(`${file}.rpc.json`);
          await vscode.enter(vscode.cell(method));
          await vscode.command("RPC Notebook: Run with Calls Inside");
          await vscode.output().getByText(says).first().waitFor();
          await vscode.screenshot(`traces-${file}${web ? "-web" : ""}-light`);
          await vscode.hover(vscode.word(`"${method}"`, method), "Last result");
          await vscode.screenshot(`traces-${file}${web ? "-web" : ""}-hover`);
          await vscode.press("Escape");
          await vscode.command("Preferences: Toggle between Light/Dark Themes");
          await vscode.page.locator(".monaco-workbench.vs-dark").waitFor();
          await vscode.screenshot(`traces-${file}${web ? "-web" : ""}-dark`);
          await vscode.command("Preferences: Toggle between Light/Dark Themes");
        });

      if (!web)
        it("are computed for a failed transaction only by a button", async () => {
          await vscode.open("explained.rpc.json");
          await vscode.enter(vscode.cell("eth_getTransactionByHash"));
          await vscode.command("Notebook: Execute Cell");
          const button = vscode.output().getByRole("button", { name: "Run with Calls Inside" });
          await button.first().click();
          await vscode
            .output()
            .getByText(/All of block \d+ was replayed on this machine/)
            .first()
            .waitFor();
          await vscode.output().getByText("Storage read by the call that failed").first().waitFor();
          await vscode.screenshot("traces-explained");
        });
    },
  );
