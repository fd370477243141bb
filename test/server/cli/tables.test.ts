import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import { cellText } from "../../../server/src/cli/results.ts";
import { terminal } from "../../../server/src/cli/terminal.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { runText } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";
import { alice, answered, bob, topic, transferTopic } from "../report/outcomes.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const hash = topic("0x9");
const log = {
  address: token,
  topics: [transferTopic, topic(alice), topic(bob)],
  data: topic("0xf4240"),
  blockNumber: "0x64",
  blockHash: hash,
  blockTimestamp: "0x66a0b6c4",
  transactionHash: hash,
  logIndex: "0x3",
};
const cell = `{ "method": "eth_getLogs", "params": [{ "address": "${token}" }] }`;

describe("a long table of the command line", function () {
  this.timeout(300_000);
  let server: HostileServer;
  const folder = temporaryFolder();
  before(async () => {
    writeFileSync(join(folder, "a.rpc.json"), `[${cell}]`);
    server = await hostileServer(
      answering((method) => (method === "eth_getLogs" ? Array.from({ length: 300 }, () => log) : undefined)),
    );
  });
  const rowsIn = (text: string): readonly string[] =>
    text.split("\n").filter((line) => /^ +100 +3 +Transfer/.test(line));

  /** Returns the output of a cell on a terminal with this number of columns, or in a pipe. */
  const printed = async (columns: number | undefined, rows?: number): Promise<string> => {
    const settings = { rpcNotebook: { tokenLookup: false } };
    const { cells } = await runText(`[${cell}]`, { endpoint: server.url, host: { settings } });
    const out = { isTTY: columns !== undefined, ...(columns !== undefined && { columns }), write: () => true };
    const [finished] = cells;
    assert.ok(finished);
    const file = { name: "a.rpc.json", uri: "file:///a.rpc.json", text: "" };
    return cellText(finished, file, terminal(out, out, { NO_COLOR: "1", TERM: "dumb" }), { rows });
  };

  it("has 20 rows on a terminal, says the total, and fits", async () => {
    for (const columns of [80, 120, 300]) {
      const text = await printed(columns);
      assert.equal(rowsIn(text).length, 20);
      assert.match(text, /… the first 20 of 300; --rows 100 prints more, --report json has all/);
      for (const row of rowsIn(text)) {
        assert.ok(row.length <= columns, row);
        assert.match(row, /0x7099…79C8/);
        assert.doesNotMatch(row, /0x\w{40}/);
      }
    }
  });
  it("has as many rows as --rows says", async () => {
    assert.equal(rowsIn(await printed(120, 50)).length, 50);
    assert.equal(rowsIn(await printed(120, 7)).length, 7);
    assert.match(await printed(120, 7), /… the first 7 of 300; --report json has all/);
  });
  it("names options that the command has", async () => {
    const lines = async (...words: readonly string[]): Promise<string | undefined> =>
      (await runCommand([...words, "-e", server.url], folder)).out.split("\n").find((line) => /… the first/.test(line));
    assert.match((await lines("run", "a.rpc.json")) ?? "", /--report json has all$/);
    assert.match((await lines("trace", "a.rpc.json")) ?? "", /; --json has all$/);
  });
  it("has whole addresses in a pipe, and a column for each argument", async () => {
    const { code, out, err } = await runCommand(["run", "a.rpc.json", "-e", server.url], folder);
    assert.equal(code, 0, err + out);
    assert.equal(rowsIn(out).length, 200);
    assert.ok(rowsIn(out).every((row) => row.includes(alice) && row.includes(token) && row.includes(hash)));
    assert.match(out, /Event +from +to +value +Contract +Time +Transaction/);
    const few = await runCommand(["run", "a.rpc.json", "-e", server.url, "--rows", "7"], folder);
    assert.equal(rowsIn(few.out).length, 7);
  });
  it("has a column for each argument of one event, even if it has several readings", () => {
    const ways = ["event E(address indexed a, address b)", "event E(address x, address indexed y)"];
    const items = ways.flatMap((text) => parseItem(text, "Test.json") ?? []);
    const logs = [{ address: token, topics: [items[0]?.hash ?? "", topic(alice)], data: topic(bob) }];
    const outcome = answered(logs);
    const report = reportOf({ title: "t", method: "eth_getLogs", params: [{}], outcome, scope: scopeOf(items) });
    assert.match(reportText(report), /Event +a +b +Contract\n +E +0x7099\w+ +0x3C44/);
  });
});
