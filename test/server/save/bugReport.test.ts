import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { printRecording, readRecording } from "../../../server/src/recording/recording.ts";
import type { BugReport } from "../../../server/src/save/bugReport.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { countingProxy } from "../../support/countingProxy.ts";
import { person, type Run, runText, testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const key = "0x736b2d6c6976652d30313233343536373839";
const never = new AbortController().signal;

/** A notebook that needs its project: an ABI in a file, an endpoint by name, and a secret. */
const notebook = JSON.stringify({
  endpoint: "main",
  abi: ["./token.abi.json"],
  cells: [
    {
      name: "held",
      method: "eth_call",
      params: [{ to: token, data: `0x70a08231${"0".repeat(24)}70997970c51812dc3a010c7d01b50e0d17dc79c8` }, "latest"],
    },
    { name: "secret", method: "web3_sha3", params: ["{{$secret.KEY}}"] },
    { method: "eth_getBalance", params: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "pending"] },
    { method: "eth_getTransactionCount", params: ["{{row.account}}", "latest"], each: { row: "accounts.csv" } },
  ],
});
const abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "whose", type: "address" }],
    outputs: [{ name: "coins", type: "uint256" }],
  },
  { type: "function", name: "unused", stateMutability: "view", inputs: [], outputs: [] },
];

describe("a bug report", () => {
  const chain = sharedChain();
  const folder = temporaryFolder();
  let uri = "";
  let service: Service;
  let report: BugReport;

  before(async () => {
    uri = pathToFileURL(join(folder, "case.rpc.json")).href;
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ main: chain.url }));
    writeFileSync(join(folder, "token.abi.json"), JSON.stringify(abi));
    writeFileSync(join(folder, "accounts.csv"), `account\n${bob}\n${token}\n`);
    const consent = person({ allowHost: async () => true });
    service = createService(
      testHost({
        consent,
        roots: [pathToFileURL(folder).href],
        version: "1.2.3",
        secrets: { names: async () => ["KEY"], read: async () => new Map([["KEY", key]]) },
      }),
    );
    service.openText(uri, notebook);
    await service.settled(uri);
    await service.run({ uri, record: true }, { started() {}, finished() {} }, never);
    report = (await service.bugReport({ uri, text: notebook })) ?? assert.fail("there is no report");
  });

  /** Runs the report in an empty folder, without a network. */
  const elsewhere = (text: string): Promise<Run> =>
    runText(text, { host: { transport: { post: () => assert.fail("nothing is sent") }, sockets: undefined } });

  it("says what is inside before it is written", () => {
    assert.match(report.contents.join("\n"), /\d requests with answers/);
    assert.match(report.contents.join("\n"), /main \(http:\/\/127\.0\.0\.1:\d+\)/);
    assert.match(report.contents.join("\n"), /1 declaration from the ABIs/);
    assert.match(report.contents.join("\n"), /2 rows of accounts\.csv/);
  });

  it("runs where there is no project, endpoint or network", async () => {
    const { cells, result } = await elsewhere(report.text);
    assert.equal(result.failed, 0, cells.map(({ output }) => output.text).join("\n"));
    assert.match(cells[0]?.output.text ?? "", /1,025 DUSD/);
    assert.match(cells[3]?.output.text ?? "", /eth_getTransactionCount: 2 rows/);
    assert.match(report.text, /function balanceOf\(address whose\) returns \(uint256 coins\)/);
  });

  it("runs again after an edit that stays within what was recorded, and names what was not", async () => {
    const edited = report.text.replace('"pending"]', '"latest"]');
    assert.notEqual(edited, report.text);
    assert.equal((await elsewhere(edited)).result.failed, 0);
    const other = report.text.replaceAll("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", `0x${"1".repeat(40)}`);
    const { cells, result } = await elsewhere(other);
    assert.equal(result.failed, 1);
    assert.match(cells[2]?.output.text ?? "", /Not in the recording: the nearest recorded `eth_getBalance`/);
  });

  it("says who was asked, and contains no secret", () => {
    assert.match(report.text, /# Bug report/);
    assert.match(report.text, /Recorded by rpc-notebook 1\.2\.3 at \d{4}-/);
    assert.ok(!report.text.includes(key.slice(2)), "the secret is not in the notebook");
  });

  it("packs what was seen, and sends nothing", async () => {
    const counted = await countingProxy(chain.url);
    const other = pathToFileURL(join(folder, "other.rpc.json")).href;
    const text = JSON.stringify({
      endpoint: counted.url,
      chainId: 31337,
      cells: [
        { name: "a", method: "eth_getBalance", params: [alice, "latest"] },
        { name: "b", method: "eth_getBalance", params: [bob, "latest"] },
      ],
    });
    const seen = createService(testHost({ consent: person({ allowHost: async () => true }) }));
    const run = (of: string, ...indices: readonly number[]) =>
      seen.run(
        { uri: of, keep: true, cells: indices.map((index) => ({ index })) },
        { started() {}, finished() {} },
        never,
      );
    for (const one of [other, uri]) {
      seen.openText(one, text);
      await seen.settled(one);
    }
    const balances = (one: string) =>
      Promise.all([alice, bob].map((account) => chain.rpc("anvil_setBalance", [account, one])));
    await balances("0xde0b6b3a7640000");
    await run(other, 0, 1); // the chain of the endpoint is known from now on
    assert.equal(await seen.bugReport({ uri, text }), undefined);
    await run(uri, 0, 1);
    await balances("0x1bc16d674ec80000");
    await run(uri, 1);
    await balances("0x0");
    const { length } = counted.bodies;
    const made = (await seen.bugReport({ uri, text })) ?? assert.fail("there is no report");
    assert.equal(counted.bodies.length, length, "nothing is sent");
    await counted.close();
    const { cells } = await elsewhere(made.text);
    const summaries = cells.map(({ output }) => output.reports[0]?.summary);
    assert.deepEqual(summaries, ["1 ether", "2 ether"]);
  });

  it("is not made without a recorded run, or of something else", async () => {
    assert.equal(await createService(testHost()).bugReport({ uri, text: notebook }), undefined);
    assert.equal(await service.bugReport({ uri, text: "no notebook" }), undefined);
  });

  it("is written as a whole to the file that a person chose, and replaces an old one", async () => {
    const target = join(folder, "chosen#.rpc.json");
    writeFileSync(target, "old");
    const saved = await service.saveBugReport({ uri: pathToFileURL(target).href, text: report.text });
    assert.deepEqual(saved, { note: "Saved chosen#.rpc.json." });
    assert.equal(readFileSync(target, "utf8"), report.text);
    const nowhere = pathToFileURL(join(folder, "no", "x.rpc.json")).href;
    assert.ok("fault" in (await service.saveBugReport({ uri: nowhere, text: "" })), "there is no such folder");
  });

  it("shares its recording with the file that a recorded run writes", async () => {
    const saved = await service.saveRecording(uri);
    assert.ok("note" in saved, JSON.stringify(saved));
    assert.match(saved.note, /^Recorded \d+ exchanges in case\.rpc\.recording\.json\./);
    const text = readFileSync(join(folder, "case.rpc.recording.json"), "utf8");
    const recording = readRecording(text);
    assert.ok(!("fault" in recording), "it can be read");
    assert.equal(printRecording(recording), text);
    assert.ok(!text.includes(key.slice(2)), "no secret");
  });

  it("keeps a recording that a person has changed", async () => {
    const file = join(folder, "case.rpc.recording.json");
    const changed = readFileSync(file, "utf8").replace('"tool": "', '"tool": "my ');
    writeFileSync(file, changed);
    const refused = await service.saveRecording(uri);
    assert.equal(readFileSync(file, "utf8"), changed);
    assert.ok("fault" in refused);
    rmSync(file);
    for (const _ of [1, 2]) assert.ok("note" in (await service.saveRecording(uri)));
  });
});
