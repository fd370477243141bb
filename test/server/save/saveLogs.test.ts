import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clock as realClock } from "../../../server/src/node/environment.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { type LogServer, logServer, transferTopic } from "../../support/logServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const range = { fromBlock: "0x1", toBlock: "latest", topics: [transferTopic] };

describe("logs of a range in a file", () => {
  let folder: string;
  let server: LogServer;
  let clock = realClock;
  const at = (name: string): string => join(folder, name);
  const text = (name = "t.ndjson"): string => readFileSync(at(name), "utf8");
  const manifest = (name = "t.ndjson") => JSON.parse(text(`${name}.manifest.json`));
  const notebook = (filter: object = range, more: object = {}): void =>
    writeFileSync(
      at("a.rpc.json"),
      JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params: [filter], ...more }] }),
    );
  const save = (name = "t.ndjson", ...more: readonly string[]) =>
    runCommand(["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`, ...more], folder, {
      version: "1.2.3",
      clock,
    });
  /** Saves a part of the range: the endpoint fails after so many answers. */
  const savePart = async (answers: number): Promise<void> => {
    const begun = server.asked.length;
    server.spoil = (logs) => (server.asked.length - begun > answers ? "nothing" : logs);
    assert.equal((await save()).code, 1);
    server.spoil = (logs) => logs;
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await logServer({ head: 200, maxBlocks: 4 });
    notebook();
    clock = realClock;
  });

  it("come in answers of at most 32 MB, but for a block that is larger by itself", async () => {
    server.maxBlocks = 1000;
    notebook({ ...range, fromBlock: "0x65", toBlock: "0x66" });
    const huge = `0x${"00".repeat(16_500_000)}`;
    server.spoil = (logs) =>
      logs.map((log) => (log.blockNumber === "0x65" && log.logIndex === "0x0" ? { ...log, data: huge } : log));
    const { code, err } = await save("t.csv");
    assert.equal(code, 0, err);
    assert.equal(text("t.csv").split("\n").length, 7);
    assert.ok(server.asked.some(([from, to]) => from === 101 && to === 101));
  });

  it("are all there, in order, with the columns of other tools and decoded values", async () => {
    const { code, out, err } = await save();
    assert.equal(code, 0, err);
    assert.match(out, /^Saved 300 logs of blocks 1 to 200 \([\d.]+ kB\) in t\.ndjson\.\n$/);
    const rows = text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(rows.length, 300);
    assert.deepEqual(rows[0], {
      block_number: 1,
      transaction_index: 0,
      log_index: 0,
      transaction_hash: `0x${"64".padStart(64, "0")}`,
      address: `0x${"12".repeat(20)}`,
      topic0: transferTopic,
      topic1: `0x${"1".padStart(64, "0")}`,
      topic2: `0x${"1".padStart(64, "0")}`,
      topic3: null,
      data: `0x${(2n ** 200n + 10n).toString(16).padStart(64, "0")}`,
      chain_id: 8453,
      event: "Transfer",
      from: `0x${"1".padStart(40, "0")}`,
      to: `0x${"1".padStart(40, "0")}`,
      value: (2n ** 200n + 10n).toString(),
    });
    const places = rows.map((row) => row.block_number * 100 + row.log_index);
    assert.deepEqual(
      places,
      [...new Set(places)].sort((a, b) => a - b),
    );
  });
  it("are not called whole while blocks of the range do not exist yet, and go on when they do", async () => {
    const range = (blocks: string) => save("t.ndjson", "--range", blocks);
    const beyond = await range("300..310");
    assert.equal(beyond.code, 1);
    assert.match(beyond.err + beyond.out, /Block 310 does not exist yet: the newest block is 200\./);
    assert.equal(existsSync(at("t.ndjson")), false);
    const early = await range("190..210");
    assert.equal(early.code, 1);
    assert.match(early.err + early.out, /Block 210 does not exist yet/);
    assert.match(early.err + early.out, /of blocks 190 to 200/);
    server.head = 210;
    const later = await range("190..210");
    assert.equal(later.code, 0, later.err);
    assert.equal(manifest().to, 210);
  });
  it("are the same as CSV, with a column for each argument that the event may have", async () => {
    assert.equal((await save()).code, 0);
    assert.equal((await save("t.csv")).code, 0);
    const [head = "", ...lines] = text("t.csv").trimEnd().split("\n");
    const names = head.split(",");
    assert.deepEqual(names.slice(11), ["event", "from", "to", "value", "tokenId"]);
    const rows = lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], value])));
    const same = text()
      .trimEnd()
      .split("\n")
      .map((line) => Object.fromEntries(names.map((name) => [name, String(JSON.parse(line)[name] ?? "")])));
    assert.deepEqual(rows, same);
  });
  it("have a manifest that says what is whole, and names no address of the endpoint", async () => {
    await save();
    const { pieces, ...rest } = manifest();
    const { host } = new URL(server.url);
    assert.deepEqual(
      { ...rest, columns: rest.columns.length },
      {
        ...{ rpcNotebookLogs: 1, programs: ["rpc-notebook 1.2.3"], host, chainId: 8453, columns: 12 },
        ...{ from: 1, to: 200, isOpen: false, head: 0 },
        request: { method: "eth_getLogs", params: [{ topics: [transferTopic] }] },
      },
    );
    assert.equal(pieces[0].from, 1);
    assert.equal(pieces.at(-1).to, 200);
    assert.equal(pieces.at(-1).end, text().length);
    assert.equal(pieces.at(-1).last, `0x${(200_000).toString(16).padStart(64, "0")}`);
    assert.ok(!text("t.ndjson.manifest.json").includes("http"));
    assert.deepEqual(readdirSync(folder).sort(), ["a.rpc.json", "t.ndjson", "t.ndjson.manifest.json"]);
  });
  it("go on where a failure ended them, and are the same as without one", async () => {
    await save("whole.ndjson");
    await savePart(10);
    const before = server.asked.length;
    const kept = manifest().pieces.at(-1).to;
    assert.ok(kept >= 40 && kept < 60, `${kept}`);
    const { code, err } = await save();
    assert.equal(code, 0, err);
    assert.equal(server.asked[before]?.[0], kept + 1);
    assert.equal(text(), text("whole.ndjson"));
  });
  it("go on to a new head, and say so if there is none", async () => {
    server.head = 100;
    await save();
    server.head = 200;
    const before = server.asked.length;
    assert.match((await save()).out, /blocks 1 to 200/);
    assert.equal(server.asked[before]?.[0], 101);
    const done = server.asked.length;
    assert.match((await save()).out, /blocks 1 to 200/);
    assert.equal(server.asked.length, done);
    await save("whole.ndjson");
    assert.equal(text(), text("whole.ndjson"));
  });
  it("lose what a killed process had not finished: half a row, a whole one, and a file without a manifest entry", async () => {
    await save("whole.ndjson");
    await savePart(10);
    const part = text();
    const open = text("t.ndjson.manifest.json").replace('"isOpen": false', '"isOpen": true');
    const rest = text("whole.ndjson").slice(part.length);
    for (const torn of [1, 100, 4000]) {
      writeFileSync(at("t.ndjson"), part + rest.slice(0, torn));
      writeFileSync(at("t.ndjson.manifest.json"), open);
      assert.equal((await save()).code, 0);
      assert.equal(text(), text("whole.ndjson"));
    }
  });
  it("are read again from the first block that changed", async () => {
    server.maxBlocks = 9;
    let passed = 0;
    clock = { ...realClock, now: () => (passed += 1000) }; // each answer is a piece of its own
    for (const [first, from] of [
      [100, 60],
      [100, 100],
      [100, 1],
    ] as const) {
      rmSync(at("t.ndjson"), { force: true });
      rmSync(at("t.ndjson.manifest.json"), { force: true });
      server.head = first;
      await save();
      server.reorganize(from);
      server.head = 120;
      const { code, err } = await save();
      assert.equal(code, 0, err);
      assert.match(
        err,
        /The chain has changed \(a reorganization\), so the logs of the blocks [\d,]+ to 100 were read again/,
      );
      await save("whole.ndjson", "--force");
      assert.equal(text(), text("whole.ndjson"));
      rmSync(at("whole.ndjson"));
      rmSync(at("whole.ndjson.manifest.json"));
    }
  });
  it("are read again if the chain changes while they are read", async () => {
    server.maxBlocks = 9;
    for (const [ordinal, from] of [
      [3, 180],
      [10, 1],
      [10, 96],
      [18, 198],
    ] as const) {
      const begun = server.asked.length;
      server.onLogs = (now) => {
        if (now - begun === ordinal) server.reorganize(from);
      };
      const { code, err } = await save(`t${ordinal}-${from}.ndjson`);
      assert.equal(code, 0, err);
      server.onLogs = () => {};
      await save(`w${ordinal}-${from}.ndjson`);
      assert.equal(text(`t${ordinal}-${from}.ndjson`), text(`w${ordinal}-${from}.ndjson`));
    }
  });
  it("are asked for several pieces at once, and are the same in whatever order these are answered", async () => {
    await save("whole.ndjson");
    const waiting: (() => void)[] = [];
    let most = 0;
    server.onLogs = () =>
      new Promise((answer) => {
        waiting.push(answer);
        most = Math.max(most, waiting.length);
        setTimeout(() => waiting.pop()?.(), 2);
      });
    const { code, err } = await save();
    assert.equal(code, 0, err);
    assert.equal(text(), text("whole.ndjson"));
    assert.equal(most, 4);
  });
  it("are all there if the endpoint accepts fewer blocks from some request on", async () => {
    await save("whole.ndjson");
    const begun = server.asked.length;
    server.onLogs = (now) => {
      if (now === begun + 20) server.maxBlocks = 1;
    };
    const { code, err } = await save();
    assert.equal(code, 0, err);
    assert.equal(text(), text("whole.ndjson"));
  });
  it("are all there if answers are cut off now and then", async () => {
    await save("whole.ndjson");
    const begun = server.asked.length;
    server.cutOff = (now) => (now - begun) % 5 === 0;
    const { code, err } = await save();
    assert.equal(code, 0, err);
    assert.equal(text(), text("whole.ndjson"));
  });
  it("of an endpoint where nothing answers are not called those of a chain without a number", async () => {
    await server.close();
    for (const filter of [range, { ...range, toBlock: "0xc8" }]) {
      notebook(filter);
      const { code, err } = await save();
      assert.equal(code, 1);
      assert.match(err, /^✗ Nothing answers at /);
      assert.deepEqual(readdirSync(folder), ["a.rpc.json"]);
    }
  });
  it("of an endpoint that sends them twice and in another order are written once, in order", async () => {
    await save("whole.ndjson");
    server.spoil = (logs) => [...logs, ...logs].reverse();
    const { err } = await save();
    assert.match(err, /sent 300 logs twice; each was written once/);
    assert.equal(text(), text("whole.ndjson"));
  });
  it("are not written if the endpoint sends something else", async () => {
    for (const spoiled of [[{}], [null], ["x"], [{ blockNumber: "0x1", logIndex: "0x0" }]]) {
      server.spoil = () => spoiled;
      const { code, err } = await save();
      assert.equal(code, 1);
      assert.match(err, /sent something other than logs/);
      assert.equal(text(), "");
    }
  });
  it("are not written if the endpoint sends others than those asked for, whose place is named", async () => {
    const address = `0x${"12".repeat(20)}`;
    notebook({ ...range, address: [address.toUpperCase().replace("X", "x"), `0x${"13".repeat(20)}`] });
    const other = `0x${"ab".repeat(32)}`;
    for (const [wrong, why] of [
      [{ address: `0x${"14".repeat(20)}` }, /a log of another contract than was asked for: block 101, log 1\./],
      [{ topics: [other] }, /a log with another topic 0 than was asked for: block 101, log 1\./],
      [{ topics: [] }, /another topic 0/],
      [{ removed: true }, /a log that is marked as removed: block 101, log 1\./],
      [{ blockHash: other }, /logs of one block with two hashes: block 101, log 1\./],
    ] as const) {
      for (const order of ["asSent", "reversed"]) {
        server.spoil = (logs) => {
          const spoiled = logs.map((log) =>
            log.blockNumber === "0x65" && log.logIndex === "0x1" ? { ...log, ...wrong } : log,
          );
          return order === "asSent" ? spoiled : spoiled.reverse();
        };
        const { code, err } = await save("wrong.ndjson", "--force");
        assert.equal(code, 1);
        if (order === "asSent") assert.match(err, why);
        assert.doesNotMatch(text("wrong.ndjson"), /"block_number":101,/);
        assert.match(text("wrong.ndjson"), /"block_number":95,/, "what came before is kept");
      }
    }
    server.spoil = (logs) => logs;
    assert.equal((await save("wrong.ndjson")).code, 0);
  });
  it("never replace the file of another query, or one without a manifest", async () => {
    await save();
    const before = text();
    const refused = async (why: RegExp, name = "t.ndjson"): Promise<void> => {
      const { code, err } = await save(name);
      assert.equal(code, 1);
      assert.match(err, why);
      assert.match(err, /--force/);
      assert.equal(text(), before);
    };
    notebook({ ...range, address: `0x${"12".repeat(20)}` });
    await refused(/holds the logs of another request/);
    notebook({ ...range, fromBlock: "0x2" });
    await refused(/begins with block 1, not 2/);
    notebook({ ...range, toBlock: "0x50" });
    await refused(/holds blocks up to 200, and 80 is the last/);
    notebook();
    server.chainId = 1;
    await refused(/holds logs of chain 8453, not 1/);
    server.chainId = 8453;
    writeFileSync(at("t.ndjson"), `${before}{"mine":1}\n`);
    assert.match((await save()).err, /was changed by something else/);
    writeFileSync(at("t.ndjson"), before.replace("8453", "8454"));
    writeFileSync(at("notes.csv"), "mine");
    assert.match((await save("notes.csv")).err, /there is no manifest beside it/);
    writeFileSync(at("b.csv.manifest.json"), "{}");
    assert.match((await save("b.csv")).err, /is not a manifest of logs/);
    assert.equal(text("notes.csv") + text("b.csv.manifest.json"), "mine{}");
    assert.equal(existsSync(at("b.csv")), false);
    assert.equal((await save("notes.csv", "--force")).code, 0);
    assert.equal(text("notes.csv").split("\n").length, 302);
  });
  it("are not added to rows that other declarations of events decoded", async () => {
    for (const name of ["t.ndjson", "t.csv"]) {
      notebook({ fromBlock: "0x1", toBlock: "latest" });
      server.head = 150;
      assert.equal((await save(name)).code, 0);
      server.head = 200;
      notebook(
        { fromBlock: "0x1", toBlock: "latest" },
        { abi: ["event Transfer(address indexed sender, address indexed b, uint256 c)"] },
      );
      const before = text(name);
      const other = await save(name);
      assert.deepEqual([other.code, text(name)], [1, before]);
      assert.match(other.err, /decoded by other declarations/);
      assert.equal((await save(name, "--force")).code, 0);
      assert.doesNotMatch(text(name), /"to"/);
      server.head = 250;
      assert.equal((await save(name)).code, 0, "and by the same ones they are");
    }
  });
  it("are not written outside of the project, over what the command reads, or beside a missing folder", async () => {
    mkdirSync(at("p/.git"), { recursive: true });
    writeFileSync(at("p/a.rpc.json"), text("a.rpc.json"));
    writeFileSync(at("secret.ndjson"), "");
    symlinkSync(at("secret.ndjson"), at("p/link.ndjson"));
    const here = (name: string) =>
      runCommand(["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`], join(folder, "p"));
    const asked = server.asked.length;
    assert.match((await here("link.ndjson")).err, /a link leads out of the project/);
    assert.match((await here("none/t.ndjson")).err, /The folder of none\/t\.ndjson does not exist/);
    assert.match((await here(".git/t.ndjson")).err, /among the files of git/);
    symlinkSync(at("p/a.rpc.json"), at("p/self.csv"));
    assert.match((await here("self.csv")).err, /this command reads that file/);
    assert.equal(server.asked.length, asked);
    assert.equal(text("secret.ndjson"), "");
  });
  it("need a range, a request for logs and a name that says the format", async () => {
    const failed = async (what: RegExp, ...args: readonly string[]) => {
      const { code, err } = await runCommand(["run", "a.rpc.json", "-e", server.url, ...args], folder);
      assert.match(err, what);
      assert.ok(code === 1 || code === 2);
    };
    await failed(/--save writes no file such as t\.xlsx/, "--save", "logs=t.xlsx");
    await failed(/--save t\.csv has no file/, "--save", "t.csv");
    await failed(/has no cell `other`/, "--save", "other=t.csv");
    await failed(/--save does not work with --watch/, "--save", "logs=t.csv", "--watch");
    notebook({ ...range, toBlock: "pending" });
    await failed(/not about a range of blocks/, "--save", "logs=t.csv");
    notebook({ ...range, fromBlock: "latest" });
    await failed(/not about a range of blocks/, "--save", "logs=t.csv");
    writeFileSync(at("a.rpc.json"), `{ "cells": [{ "name": "logs", "method": "eth_chainId" }] }`);
    await failed(/Only the logs of a single `eth_getLogs` request/, "--save", "logs=t.csv");
  });
  it("hold no secret that the endpoint sends back, and stay rows", async () => {
    const secret = 's3cr3tKey9zQ4xT7"mB2wL6';
    const hex = `0x${Buffer.from(secret).toString("hex")}`;
    writeFileSync(
      at("rpc-endpoints.json"),
      JSON.stringify({ main: { url: server.url, headers: { "x-key": "{{$secret.KEY}}" } } }),
    );
    server.spoil = (logs) => logs.map((log) => ({ ...log, data: hex, transactionHash: secret }));
    for (const name of ["t.ndjson", "t.csv"]) {
      const allowed = ["--allow-host", new URL(server.url).host];
      const args = ["run", "a.rpc.json", "-e", "main", "--save", `logs=${name}`, ...allowed];
      const ended = await runCommand(args, folder, { variables: { RPC_NOTEBOOK_SECRET_KEY: secret } });
      assert.equal(ended.code, 0, ended.err + ended.out);
      assert.doesNotMatch(text(name), /s3cr3tKey9zQ4xT7/);
      assert.equal(text(name).includes(hex.slice(2)), false);
      assert.equal(text(name).trimEnd().split("\n").length, name === "t.csv" ? 301 : 300);
    }
    for (const line of text().trimEnd().split("\n")) JSON.parse(line);
  });
  it("do not depend on what the cell expects, and are sent only where a run would send them", async () => {
    notebook(range, { expect: "length > 5000", within: "10s" });
    assert.equal((await save()).code, 0);
    writeFileSync(
      at("a.rpc.json"),
      JSON.stringify({
        endpoint: "http://rpc.example",
        cells: [{ name: "logs", method: "eth_getLogs", params: [range] }],
      }),
    );
    const { code, err } = await runCommand(["run", "a.rpc.json", "--save", "logs=b.csv"], folder);
    assert.equal(code, 1);
    assert.match(err, /may not go to|rpc\.example.*\n.*--allow-host/);
    assert.equal(existsSync(at("b.csv")), false);
  });
});
