import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import { type LogServer, logServer, transferTopic } from "../../support/logServer.ts";
import { parquetRows } from "../../support/parquet.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a cell with `save`", () => {
  let folder: string;
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const notebook = (save: unknown, more: object = {}, cells: readonly object[] = []): void => {
    const params = [{ fromBlock: "0x1", toBlock: "latest", topics: [transferTopic] }];
    const variables = { day: "monday", up: "../up" };
    const cell = { method: "eth_getLogs", params, save, ...more };
    writeFileSync(at("p/a.rpc.json"), JSON.stringify({ variables, cells: [cell, ...cells] }));
  };
  const run = (...more: readonly string[]) => runCommand(["run", "a.rpc.json", "-e", server.url, ...more], at("p"));
  beforeEach(async () => {
    folder = temporaryFolder();
    mkdirSync(at("p/.git"), { recursive: true });
    server = await logServer();
  });

  it("writes its logs to the file beside the notebook, and says so in place of them", async () => {
    notebook("t.parquet");
    const { code, out, err } = await run();
    assert.equal(code, 0, err + out);
    assert.match(out, /Saved 1,500 logs of blocks 1 to 1,000 \(\d+ kB\) in t\.parquet\./);
    assert.doesNotMatch(out, /No logs/);
    assert.equal((await parquetRows(at("p/t.parquet"))).length, 1500);
    const asked = server.asked.length;
    assert.equal((await run()).code, 0);
    assert.equal(server.asked.length, asked);
  });
  it("says in the JSON report what the file has", async () => {
    notebook("{{day}}.csv");
    const saved = async () => JSON.parse((await run("--report", "json")).out)[0].cells[0].answers[0].saved;
    server.spoil = (logs) => (server.asked.length > 10 ? "nothing" : logs);
    const { rows, toBlock, ...rest } = await saved();
    assert.deepEqual(rest, { path: "monday.csv", fromBlock: "0x1" });
    assert.ok(rows > 0 && rows < 1500 && Number(toBlock) < 1000);
    server.spoil = (logs) => logs;
    assert.deepEqual(await saved(), { path: "monday.csv", rows: 1500, fromBlock: "0x1", toBlock: "0x3e8" });
    assert.deepEqual(await saved(), { path: "monday.csv", rows: 1500, fromBlock: "0x1", toBlock: "0x3e8" });
  });
  it("has variables in the name, and reports what is not there yet", async () => {
    notebook("{{day}}.csv");
    server.spoil = (logs) => (server.asked.length > 10 ? "nothing" : logs);
    const { code, out } = await run();
    assert.equal(code, 1);
    assert.match(out, /something other than a list of logs/);
    assert.match(out, /monday\.csv has \d+ logs of blocks 1 to \d+ .* Run it again to go on from there\./);
    server.spoil = (logs) => logs;
    assert.match((await run()).out, /Saved 1,500 logs of blocks 1 to 1,000 .* in monday\.csv\./);
  });
  it("is not sent if the file would be outside the project, of another form, or another query's", async () => {
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("p/link"));
    writeFileSync(at("p/mine.csv"), "mine");
    for (const [name, why] of [
      ["../up.csv", /outside the project/],
      ["{{up}}.csv", /outside the project/],
      [at("p/absolute.csv"), /expected a relative path/],
      ["link/t.csv", /a link leads out of the project/],
      [".git/t.csv", /among the files of git/],
      ["mine.csv", /exists, and there is no manifest beside it[\s\S]*or delete the old one/],
      ["t.xlsx", /ends in `\.parquet`, `\.csv` or `\.ndjson`/],
      ["{{day}}", /ends in `\.parquet`, `\.csv` or `\.ndjson`/],
      ["{{night}}.csv", /night/],
      ["{from}.csv", /`\{from\}` means nothing/],
      [1, /path of a file/],
    ] as const) {
      notebook(name);
      const { code, out, err } = await run();
      assert.equal(code, 1, `${name}`);
      assert.match(out + err, why);
    }
    assert.deepEqual(server.asked, []);
    assert.equal(readFileSync(at("p/mine.csv"), "utf8"), "mine");
    assert.deepEqual(readdirSync(at("elsewhere")), []);
    assert.equal(existsSync(at("up.csv")), false);
  });
  it("has nothing that is about the answer", async () => {
    for (const [more, why] of [
      [{ expect: { length: 1 } }, /cannot have `expect`/],
      [{ each: { a: ["1"] } }, /cannot have `each`/],
      [{ method: "eth_chainId", params: [] }, /only for `eth_getLogs`/],
    ] as const) {
      notebook("t.csv", more);
      const { code, out, err } = await run();
      assert.equal(code, 1);
      assert.match(out + err, why);
    }
    assert.equal(existsSync(at("p/t.csv")), false);
  });
  it("is not run together with one that takes the rows of its file, which is sent afterwards", async () => {
    const each = { row: "./t.csv" };
    const block = { name: "rows", method: "eth_getBlockByNumber", params: ["{{row.topic2}}", false], each };
    for (const isEarlier of [false, true]) {
      notebook("t.csv", { name: "logs" }, [block]);
      const { code, out } = await run();
      assert.equal(code, 1);
      assert.match(out, /cell `logs` writes it in this run/, `${isEarlier}`);
      assert.equal(existsSync(at("p/t.csv")), true);
    }
    const { code, out, err } = await run("--cell", "rows");
    assert.equal(code, 0, out + err);
    const checked = await runCommand(["check", "a.rpc.json"], at("p"));
    assert.match(checked.out, /is written by cell `logs`/);
    assert.equal(checked.code, 0);
  });
  it("writes one of two cells that name the same file", async () => {
    notebook("t.csv", {}, [{ method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x9" }], save: "t.csv" }]);
    const { code, out } = await run();
    assert.equal(code, 1);
    assert.match(out, /another process is writing it|holds the logs of another request/);
  });
});
