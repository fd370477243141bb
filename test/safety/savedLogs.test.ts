import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../support/commandInProcess.ts";
import { buildCommandLine, type Ended, startCommandLine } from "../support/commandLine.ts";
import { rounds, seed } from "../support/depth.ts";
import { killedAt } from "../support/killedAt.ts";
import { type LogServer, logServer } from "../support/logServer.ts";
import { parquetRows } from "../support/parquet.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const answers = 40;

describe("a file of logs whose writer", function () {
  this.timeout(300_000);
  let folder: string;
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const argsOf = (name: string) => ["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`];
  const save = (name: string, limit?: string) =>
    startCommandLine(argsOf(name), folder, {}, limit === undefined ? {} : { limit });
  before(buildCommandLine);
  beforeEach(async () => {
    server = await logServer({ maxBlocks: 1_000 / answers - 1 });
    folder = temporaryFolder();
    const params = [{ fromBlock: "0x1", toBlock: "latest" }];
    writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params }] }));
  });
  const finishes = async (name = "t.csv"): Promise<void> => {
    server.onLogs = () => {};
    for (const one of [name, "whole.csv"]) {
      const { code, err } = await runCommand(argsOf(one), folder);
      assert.equal(code, 0, err);
    }
    if (name === "t.csv") assert.equal(readFileSync(at(name), "utf8"), readFileSync(at("whole.csv"), "utf8"));
    else assert.deepEqual(await placesIn(name), wholePlaces());
  };
  const placesIn = async (name: string): Promise<readonly string[]> =>
    (await parquetRows(at(name))).map(({ block_number, log_index }) => `${block_number},${log_index}`);
  const wholePlaces = (): readonly string[] =>
    readFileSync(at("whole.csv"), "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/^(\d+),\d+,(\d+),.*/, "$1,$2"));

  /** The file gets what is whole a few times a second. */
  const untilSealed = () => sleep(15);

  it("is killed before or within several of its changes is the same in the end", async () => {
    for (const round of rounds(8, 1)) {
      const name = (round + seed) % 2 === 0 ? "t.csv" : "t.parquet";
      for (const old of [name, `${name}.manifest.json`]) rmSync(at(old), { force: true });
      server.onLogs = untilSealed;
      for (let kills = 0; kills < 2; kills++) await killedAt(1 + Math.floor(Math.random() * 140), argsOf(name), folder);
      await finishes(name);
    }
  });
  it("is ended by Ctrl-C keeps what is whole, and says so", async () => {
    const { child, ended } = save("t.csv");
    const manifest = at("t.csv.manifest.json");
    let isEnded = false; // a second signal would end it at once
    server.onLogs = async () => {
      await sleep(60);
      if (isEnded || !existsSync(manifest) || JSON.parse(readFileSync(manifest, "utf8")).pieces.length === 0) return;
      isEnded = true;
      child.kill("SIGINT");
    };
    const { code, err } = await ended;
    assert.equal(code, 1);
    assert.match(err, /t\.csv has [\d,]+ logs of blocks 1 to \d+ .*Run it again to go on from there\./);
    const numberIn = (pattern: RegExp): number => Number(pattern.exec(err)?.[1]?.replaceAll(",", "") ?? 0);
    const rows = readFileSync(at("t.csv"), "utf8").trimEnd().split("\n").length - 1;
    assert.equal(numberIn(/t\.csv has ([\d,]+) log/), rows);
    await finishes();
  });
  it("is ended by Ctrl-C before a piece was whole, says that what it showed is not there", async () => {
    const cell = { name: "logs", method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "latest" }] };
    for (const ownName of [undefined, "t.parquet"]) {
      writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ ...cell, save: ownName }] }));
      const begun = server.asked.length;
      const { child, ended } =
        ownName === undefined ? save("t.parquet") : startCommandLine(["run", "a.rpc.json", "-e", server.url], folder);
      server.onLogs = async (ordinal) => {
        if (ordinal - begun === 10) child.kill("SIGINT");
        if (ordinal - begun >= 10) await sleep(100);
      };
      const { code, out, err } = await ended;
      assert.equal(code, 1);
      assert.match(
        out + err,
        /[\d,]+ logs of a piece that was not whole are not in t\.parquet, and will be read again\./,
      );
    }
    await finishes("t.parquet");
  });
  it("has no more room says so, and goes on when there is", async () => {
    const { code, err } = await save("t.csv", "ulimit -f 100").ended;
    assert.equal(code, 1, err);
    assert.match(err, /stopped: it would be larger than this system allows/);
    await finishes();
  });
  it("loses the folder stops, and so does a second writer", async () => {
    mkdirSync(at("sub"));
    let second: Ended | undefined;
    server.onLogs = async (ordinal) => {
      if (ordinal !== answers / 2) return;
      second = await save("sub/t.csv").ended;
      renameSync(at("sub"), at("gone"));
    };
    const { code, err } = await save("sub/t.csv").ended;
    assert.equal(second?.code, 1);
    assert.match(second.err, /another process is writing it/);
    assert.equal(code, 1);
    assert.match(err, /stopped: /);
  });
});
