import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../../../devchain/contracts.ts";
import { sendTransaction } from "../../support/cases.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("two recordings, before and after a transaction", function () {
  this.timeout(300_000);
  const chain = sharedChain();
  const folder = temporaryFolder();
  const [first, second, idle] = ["a.rpc.recording.json", "b.rpc.recording.json", "c.rpc.recording.json"] as const;
  const compare = (a: string, b: string) => runCommand(["run", "--replay", a, "--compare", b], folder);

  before(async () => {
    const { accounts, contracts, url } = chain;
    const { erin, bob, dave } = accounts;
    const to = contracts.token.address;
    const balanceOf = (holder: string) => ({ to, data: `0x70a08231${holder.slice(2).padStart(64, "0")}` });
    const cells = [
      { method: "eth_getBalance", params: [dave.address, "latest"] },
      { method: "eth_getTransactionCount", params: [erin.address, "latest"] },
      { method: "eth_call", params: [balanceOf(bob.address), "latest"] },
      { method: "eth_call", params: [balanceOf(dave.address), "latest"] },
      { method: "eth_blockNumber" },
      { method: "eth_getBlockByNumber", params: ["0xa", true] },
      { method: "eth_getLogs", params: [{ address: to, fromBlock: "0x20" }] },
      { method: "eth_syncing" },
    ];
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ local: url }));
    writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ chainId: 31_337, cells }));
    const record = (name: string) =>
      runCommand(`run a.rpc.json -e local --allow-host ${new URL(url).host} --record ${name}`.split(" "), folder);
    await record(first);
    await sendTransaction(chain, call(erin.address, "token", "transfer", [bob.address, 1n]));
    await chain.seal();
    await record(second);
    await record(idle);
  });

  it("differ in what the transaction changed, and in nothing else", async () => {
    const { code, out } = await compare(first, second);
    const found = out.split("\n").map((line) => line.replace(/(?<=^\w+) .*|: .*|(?<=\[)\d+(?=\])/g, ""));
    assert.equal(code, 1);
    assert.deepEqual(found.filter((line) => /^\w/.test(line)).sort(), [
      "eth_blockNumber",
      "eth_call",
      "eth_getLogs",
      "eth_getTransactionCount",
    ]);
    assert.equal(found.filter((line) => line.startsWith("  result")).length, 4, out);
  });

  it("are the same when nothing happened in between", async () => {
    assert.deepEqual((await compare(second, idle)).out, "The recordings have the same answers.\n");
  });

  it("have the head that each run saw", () => {
    const head = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")).endpoints.local.head;
    assert.equal(Number(head(second)) - Number(head(first)), 1);
  });
});
