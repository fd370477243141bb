import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import { type LogServer, logServer, transferTopic } from "../../support/logServer.ts";
import { parquetRows } from "../../support/parquet.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("logs of a range that the command line chooses", () => {
  let folder: string;
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const save = (name: string, ...more: readonly string[]) =>
    runCommand(["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`, ...more], folder);
  const open = async (options?: Parameters<typeof logServer>[0]): Promise<void> => {
    folder = temporaryFolder();
    mkdirSync(at("t"));
    server = await logServer(options);
    const params = [{ fromBlock: "0x1", toBlock: "latest", topics: [transferTopic] }];
    writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params }] }));
  };

  it("are in files of their own, which processes write at once, and together are all logs", async () => {
    await open();
    const ranges = [0, 250, 500, 750].map((from) => `${from}..${from + 249}`);
    const done = await Promise.all(
      [...ranges, "1000..latest"].map((range) =>
        range.endsWith("latest")
          ? save("t/rest.parquet", "--range", range)
          : save("t/{from}-{to}.parquet", "--range", range),
      ),
    );
    for (const { code, err } of done) assert.equal(code, 0, err);
    assert.deepEqual(
      readdirSync(at("t")).sort(),
      ["0-249", "250-499", "500-749", "750-999", "rest"].map((name) => `${name}.parquet`),
    );
    assert.equal((await save("whole.parquet")).code, 0);
    const parts = await Promise.all(readdirSync(at("t")).map((name) => parquetRows(at(`t/${name}`))));
    assert.equal(
      parts.flat().filter((row) => Number(row.block_number) > 0).length,
      (await parquetRows(at("whole.parquet"))).length,
    );
  });
  it("need numbers for the name, and a file", async () => {
    await open();
    const refused = async (why: RegExp, ...args: readonly string[]): Promise<void> => {
      const { code, err } = await runCommand(["run", "a.rpc.json", "-e", server.url, ...args], folder);
      assert.equal(code, 2);
      assert.match(err, why);
    };
    await refused(/needs a range of numbers/, "--save", "logs=t/{from}.csv");
    await refused(/needs a range of numbers/, "--save", "logs=t/{to}.csv", "--range", "1..latest");
    await refused(/\{foo\}[\s\S]*\{from\} and \{to\}/, "--save", "logs=t/{foo}.csv");
    await refused(/\{day\}[\s\S]*\{from\} and \{to\}/, "--save", "logs=t/{{day}}-{from}.csv", "--range", "1..2");
    const said = new Set<string>();
    for (const range of [
      "5",
      "1..2..3",
      "..5",
      "5..",
      "-1..5",
      "1e3..5",
      "a..5",
      "9999999999999999999..latest",
      "5..3",
    ]) {
      const { code, err } = await save("t.csv", "--range", range);
      assert.equal(code, 2, range);
      said.add(err.replaceAll(range, ""));
    }
    for (const range of ["latest..earliest - 1", "latest - 5..latest - 10", "pending-3..latest"])
      assert.equal((await save("t.csv", "--range", range)).code, 2, range);
    assert.equal(said.size, 9, "each mistake has its own words");
    await refused(/--range needs --save/, "--range", "1..5");
  });
  it("may be counted back from the newest block", async () => {
    await open();
    for (const range of ["latest - 100..latest", "latest-100..1000", "900..latest"]) {
      const { code, out, err } = await save("back.csv", "--range", range, "--force");
      assert.equal(code, 0, err);
      assert.match(out, /of blocks 900 to 1,000/);
    }
  });
  it("are read only after a yes if there are many, with the cost by a sample", async () => {
    await open({ head: 3_000, maxBlocks: 3 });
    const { code, err } = await save("t.csv");
    assert.equal(code, 1);
    assert.match(err, /takes about 1,000 requests, [\d.]+ MB and .*, by a sample, and was not allowed\.\n.*Add --yes/);
    assert.equal(server.asked.length, 3);
    const allowed = await save("t.csv", "--yes");
    assert.equal(allowed.code, 0, allowed.err);
    assert.match(allowed.out, /Saved 4,500 logs of blocks 1 to 3,000/);
    assert.equal((await save("u.csv", "--range", "1..1200")).code, 0);
  });
});
