import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { keccak256, toHex } from "viem";
import { runCommand } from "../../support/commandInProcess.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Creation code that logs the number 42 with this topic. */
const logging = `0x602a5f527f${keccak256(toHex("Fed(uint256)")).slice(2)}60205fa1`;

function fileWith(notebook: object, artifact?: object): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, ".git"));
  if (artifact) {
    mkdirSync(path.join(folder, "out"));
    writeFileSync(path.join(folder, "out/A.json"), JSON.stringify({ abi: [artifact] }));
  }
  writeFileSync(path.join(folder, "a.rpc.json"), JSON.stringify(notebook));
  return folder;
}

describe("the nearest declaration", () => {
  const chain = sharedChain();
  const get = (type: string) => ({
    type: "function",
    name: "get",
    inputs: [{ name: "x", type }],
    outputs: [],
    stateMutability: "view",
  });
  const calling = { method: "eth_call", params: [{ to: alice, data: { function: "get", args: [1] } }, "latest"] };
  for (const [where, notebook, isSent] of [
    ["of the header", { abi: get("uint160"), cells: [calling] }, true],
    ["of the cell", { abi: get("uint96"), cells: [{ ...calling, abi: get("uint160") }] }, true],
    ["of the workspace, if only that takes the arguments", { abi: get("address"), cells: [calling] }, true],
    ["is not one of two in the header", { abi: [get("uint160"), get("uint96")], cells: [calling] }, false],
  ] as const)
    it(`of a function is the one ${where}`, async () => {
      const { out } = await runCommand(["run", "a.rpc.json", "-e", chain.url], fileWith(notebook, get("uint256")));
      assert.equal(!out.includes("has several meanings"), isSent, out);
    });

  it("of an event is the one that a filter writes out, in results and in saved files", async () => {
    await chain.rpc("eth_sendTransaction", [{ from: alice, data: logging, gas: "0x30000" }]);
    await chain.rpc("anvil_mine", ["0x1"]);
    const filter = { fromBlock: "0x0", toBlock: "latest", event: "event Fed(uint256 amountFed)" };
    const logs = { method: "eth_getLogs", params: [filter] };
    const folder = fileWith({ cells: [logs, { ...logs, save: "fed.csv" }] });
    const { out } = await runCommand(["run", "a.rpc.json", "-e", chain.url], folder);
    assert.match(out, /amountFed[^\n]*\n[^\n]*\b42\b/);
    assert.match(readFileSync(path.join(folder, "fed.csv"), "utf8"), /amountFed/);
  });
});
