import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { rounds } from "../support/depth.ts";
import { type LogServer, logServer } from "../support/logServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

describe("a file of logs whose writer", function () {
  this.timeout(300_000);
  let folder: string;
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const save = (name: string, limit?: string) =>
    startCommandLine(
      ["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`],
      folder,
      {},
      limit === undefined ? {} : { limit },
    );
  before(async () => {
    buildCommandLine();
    server = await logServer({ maxBlocks: 4 }); // 200 answers
  });
  after(() => server.close());
  beforeEach(async () => {
    folder = temporaryFolder();
    const params = [{ fromBlock: "0x1", toBlock: "latest" }];
    writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params }] }));
    server.onLogs = () => {};
    const { code, err } = await save("whole.csv").ended;
    assert.equal(code, 0, err);
    server.onLogs = () => sleep(10);
  });
  const finishes = async (): Promise<void> => {
    server.onLogs = () => {};
    const { code, err } = await save("t.csv").ended;
    assert.equal(code, 0, err);
    assert.equal(readFileSync(at("t.csv"), "utf8"), readFileSync(at("whole.csv"), "utf8"));
  };

  it("is killed at any moment is the same in the end", async () => {
    for (const _ of rounds(20, 3)) {
      rmSync(at("t.csv"), { force: true });
      rmSync(at("t.csv.manifest.json"), { force: true });
      server.onLogs = () => sleep(10);
      const kills = [1, 2].map(() => Math.floor(Math.random() * 180));
      for (const answers of kills) {
        const { child, ended } = save("t.csv");
        const until = server.asked.length + answers;
        while (server.asked.length < until && child.exitCode === null) await sleep(1);
        child.kill("SIGKILL");
        await ended;
      }
      await finishes();
    }
  });
  it("is ended by Ctrl-C keeps what is whole, and says so", async () => {
    const { child, ended } = save("t.csv");
    const until = server.asked.length + 100;
    while (server.asked.length < until) await sleep(1);
    child.kill("SIGINT");
    const { code, err } = await ended;
    assert.equal(code, 1);
    assert.match(err, /t\.csv has [\d,]+ logs of blocks 1 to \d+ .*Run the same command again to go on from there\./);
    await finishes();
  });
  it("has no more room says so, and goes on when there is", async () => {
    const { code, err } = await save("t.csv", "ulimit -f 100").ended;
    assert.equal(code, 1, err);
    assert.match(err, /stopped: it would be larger than this system allows/);
    await finishes();
  });
  it("loses the folder stops, and so does a second writer", async () => {
    mkdirSync(at("sub"));
    const { ended } = save("sub/t.csv");
    const until = server.asked.length + 30;
    while (server.asked.length < until) await sleep(1);
    const second = await save("sub/t.csv").ended;
    assert.equal(second.code, 1);
    assert.match(second.err, /another process is writing it/);
    renameSync(at("sub"), at("gone"));
    const { code, err } = await ended;
    assert.equal(code, 1);
    assert.match(err, /stopped: /);
  });
});
