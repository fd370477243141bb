import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { logServer, transferTopic } from "../../support/logServer.ts";
import { inWindow, until } from "../host/window.ts";

const blocks = 100_000;
const options: Parameters<typeof inWindow>[1] = {
  viewport: { width: 1280, height: 1000 },
  async prepare({ write }) {
    const server = await logServer({ head: blocks, maxBlocks: 4_000 });
    const params = [{ fromBlock: "0x1", toBlock: "latest", topics: [transferTopic] }];
    write("rpc-endpoints.json", { far: server.url });
    write("logs.rpc.json", { endpoint: "far", cells: [{ name: "transfers", method: "eth_getLogs", params }] });
    return () => server.close();
  },
  settings: { "rpcNotebook.maxResponseSize": 20 },
};

inWindow("logs that are too many to keep", options, (vscode) => {
  it("are shown as far as they go, and all of them go into a file", async () => {
    await vscode.open("logs.rpc.json");
    await vscode.runAll();
    const all = vscode.output().getByRole("button", { name: "Save All…" });
    await all.waitFor();
    await vscode.screenshot("logs-partial");
    await vscode.output().getByPlaceholder("Filter").fill("0x0000000000000000000000000000000000000003");
    await vscode
      .output()
      .getByText(/^[\d,]+ of [\d,]+ rows$/)
      .waitFor();
    await vscode.screenshot("logs-filtered");
    await vscode.output().getByPlaceholder("Filter").fill("");
    await vscode
      .output()
      .getByText(/^[\d,]+ rows$/)
      .waitFor();
    await all.click();
    const target = join(vscode.installation.workspace, "transfers.csv");
    await vscode.fileName(target);
    await vscode.message("Saving rows").waitFor();
    await vscode.screenshot("logs-saving");
    await vscode.message("Saved 150,000 logs of blocks 1 to 100,000").waitFor();
    await vscode.screenshot("logs-saved");
    await until(() => readFileSync(target, "utf8").trimEnd().split("\n").length === 150_001, "all logs in the file");
    assert.ok(readFileSync(`${target}.manifest.json`, "utf8").includes('"isOpen": false'));
  });
});
