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
    write("rpc-endpoints.json", { nine: node.url });
    for (const [file, method, params] of [
      ["fails", "eth_call", [call("5000000000000"), "latest"]],
      ["pays", "eth_simulateV1", [{ blockStateCalls: [{ calls: [call("5")] }] }, "latest"]],
    ] as const)
      write(`${file}.rpc.json`, {
        ...{ endpoint: "nine", variables: { alice, bob }, labels: { [alice]: "alice", [bob]: "bob" } },
        cells: [{ method, params }],
      });
    return () => node.close();
  },
};

inWindow("calls inside a call at an endpoint without traces", options, (vscode) => {
  for (const [file, method, says] of [
    ["fails", "eth_call", /The calls were computed on this machine from state that/],
    ["pays", "eth_simulateV1", /Storage changes/],
  ] as const)
    it(`are shown for a call that ${file}, in a light and a dark theme`, async () => {
      await vscode.open(`${file}.rpc.json`);
      await vscode.enter(vscode.cell(method));
      await vscode.command("RPC Notebook: Run with Calls Inside");
      await vscode.output().getByText(says).first().waitFor();
      await vscode.screenshot(`traces-${file}-light`);
      await vscode.command("Preferences: Toggle between Light/Dark Themes");
      await vscode.page.locator(".monaco-workbench.vs-dark").waitFor();
      await vscode.screenshot(`traces-${file}-dark`);
      await vscode.command("Preferences: Toggle between Light/Dark Themes");
    });
});
