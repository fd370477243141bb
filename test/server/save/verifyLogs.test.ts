import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../support/commandInProcess.ts";
import { some } from "../../support/depth.ts";
import { type LogServer, logServer } from "../../support/logServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a check of a file of logs", () => {
  const folder = temporaryFolder();
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const text = (name: string): string => readFileSync(at(name), "utf8");
  const save = (name: string) => runCommand(["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`], folder);
  const verify = (name: string, ...more: readonly string[]) => runCommand(["verify", name, ...more], folder);
  before(async () => {
    server = await logServer();
    const params = [{ fromBlock: "0x1", toBlock: "latest" }];
    writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params }] }));
    for (const name of ["t.ndjson", "t.csv"]) {
      for (const head of [300, 301, 700, 1000]) {
        server.head = head;
        assert.equal((await save(name)).code, 0);
      }
      const { pieces } = JSON.parse(text(`${name}.manifest.json`));
      assert.ok(pieces.length >= 4);
    }
  });

  it("finds nothing in one that is whole", async () => {
    for (const name of ["t.ndjson", "t.csv"]) {
      const { code, out } = await verify(name);
      assert.equal(code, 0, out);
      assert.equal(out, `${name} is complete: 1,500 rows of blocks 1 to 1,000.\n`);
      const asked = await verify(name, "--endpoint", server.url);
      assert.match(asked.out, /is complete: .*, \d+ block hashes, \d+ logs read again\.\n$/);
      assert.equal(asked.code, 0, asked.out);
    }
  });

  /** What a person does to the lines of a file, and what is found. */
  const changes: Readonly<Record<string, readonly [change: (lines: string[], line: number) => void, found: RegExp]>> = {
    "removed a row": [
      (lines, line) => lines.splice(line, 1),
      /^blocks? [\d, to]+ \(.*\): [\d,]+ rows?, [\d,]+ were written\.$/,
    ],
    "changed a row": [
      (lines, line) => {
        lines[line] = (lines[line] ?? "").replace(/0x12/, "0x13");
      },
      /: rows were changed\.$/,
    ],
    "added a row twice": [
      (lines, line) => lines.splice(line, 0, lines[line] ?? ""),
      /^t\.\w+:\d+: the row appears twice\.$/m,
    ],
    "moved a row": [
      (lines, line) => {
        const [first = "", second = ""] = lines.slice(line, line + 2);
        lines.splice(line, 2, second, first);
      },
      /^t\.\w+:\d+: not in the order of the chain\.$/m,
    ],
    "added text": [(lines, line) => lines.splice(line, 0, "mine"), /^t\.\w+:\d+: not a row\.$/m],
    "cut the end": [(lines, line) => lines.splice(line), /: [\d,]+ rows?, [\d,]+ were written\.$/m],
  };
  const places = [1, 2, 400, 449, 450, 451, 452, 453, 700, 1049, 1050, 1051, 1300, 1495];
  for (const [name, [change, found]] of Object.entries(changes))
    it(`finds where somebody has ${name}`, async () => {
      for (const file of ["t.ndjson", "t.csv"])
        for (const line of some(places, 4)) {
          const whole = text(file);
          const lines = whole.split("\n");
          change(lines, line);
          writeFileSync(at(file), lines.join("\n"));
          try {
            const { code, out } = await verify(file);
            assert.equal(code, 1, `${file} ${line}`);
            assert.match(out.trimEnd(), found, `${file} ${line}`);
            if (name !== "cut the end") assert.ok(out.trimEnd().split("\n").length <= 4, out);
          } finally {
            writeFileSync(at(file), whole);
          }
        }
    });
  it("finds blocks that are missing, other columns and a manifest that is not one", async () => {
    const [rows, manifest] = [text("t.csv"), text("t.csv.manifest.json")];
    const check = async (found: RegExp): Promise<void> => {
      const { code, out, err } = await verify("t.csv");
      assert.equal(code, 1);
      assert.match(out + err, found);
      writeFileSync(at("t.csv"), rows);
      writeFileSync(at("t.csv.manifest.json"), manifest);
    };
    writeFileSync(at("t.csv.manifest.json"), manifest.replace('"to": 1000', '"to": 1200'));
    await check(/^blocks 1,001 to 1,200: missing/m);
    writeFileSync(at("t.csv.manifest.json"), manifest.replace('"isOpen": false', '"isOpen": true'));
    await check(/^A process is writing the file/m);
    writeFileSync(at("t.csv"), rows.replace("log_index", "log"));
    await check(/^t\.csv:1: other columns\.$/m);
    writeFileSync(at("t.csv"), `${rows}1001,0,0,more\n`);
    await check(/^t\.csv:1502: block 1,001 is after the last piece\.$/m);
    for (const broken of [
      "{}",
      "",
      manifest.replace('"from":302', '"from":303'),
      manifest.replace(/"sha256":"\w+"/, '"sha256":1'),
    ]) {
      writeFileSync(at("t.csv.manifest.json"), broken);
      await check(/manifest\.json is not a manifest/);
    }
  });
  it("says which file is missing, and takes several files", async () => {
    await save("several.parquet");
    mkdirSync(at("lone"));
    for (const name of ["t.csv", "t.ndjson.manifest.json"]) writeFileSync(at(`lone/${name}`), text(name));
    writeFileSync(at("lone/t.parquet"), "");
    for (const [name, why] of [
      ["lone/none.csv", /none\.csv: file not found/],
      ["lone/t.ndjson", /t\.ndjson: file not found/],
      ["lone/none*", /No file matches/],
      ["lone/", /lone\/ is a folder/],
    ] as const) {
      const { code, err } = await verify(name);
      assert.deepEqual([code, why.test(err)], [2, true], err);
    }
    for (const [name, why] of [
      ["lone/t.csv", /no lone\/t\.csv\.manifest\.json/],
      ["lone/t.parquet", /lone\/t\.parquet has no manifest/],
      ["t.csv.manifest.json", /belongs to: t\.csv\./],
      ["a.rpc.json", /not a file of logs/],
    ] as const) {
      const { code, err } = await verify(name);
      assert.deepEqual([code, why.test(err)], [1, true], err);
    }
    const all = await verify("t.*", "several.*", "--json");
    assert.deepEqual([all.code, JSON.parse(all.out).length], [0, 3], "manifests are not files of logs");
    const both = await verify("*.ndjson", "several.parquet");
    assert.deepEqual([both.code, both.out.match(/is complete/g)?.length], [0, 2], both.err);
    assert.deepEqual(
      JSON.parse((await verify("t.ndjson", "lone/t.csv", "--json")).out).map(({ ok }: { ok: boolean }) => ok),
      [true, false],
    );
  });
  it("finds nothing in what an endpoint sends that is strange", async () => {
    const strange = [
      "=1+1",
      "'=1",
      "''-x",
      "\t a",
      "b ",
      "\u0001\u0000",
      'a"b,c',
      "a\nb\r",
      "\ud800",
      "{}",
      "'",
      { a: 1 },
      null,
    ];
    server.spoil = (logs) => logs.map((log, index) => ({ ...log, data: strange[index % strange.length] ?? null }));
    try {
      for (const name of ["odd.csv", "odd.ndjson", "odd.parquet"]) {
        assert.equal((await save(name)).code, 0);
        for (const more of [[], ["--endpoint", server.url]]) {
          const { code, out, err } = await verify(name, ...more);
          assert.equal(code, 0, `${name} ${out}${err}`);
        }
      }
    } finally {
      server.spoil = (logs) => logs;
    }
  });
  it("names the row that somebody has changed, with an endpoint", async () => {
    for (const name of ["t.ndjson", "t.csv"])
      for (const line of some(places, 4)) {
        const whole = text(name);
        const lines = whole.split("\n");
        lines[line] = (lines[line] ?? "").replace(/0x12/, "0x13");
        writeFileSync(at(name), lines.join("\n"));
        const { out } = await verify(name, "--endpoint", server.url);
        writeFileSync(at(name), whole);
        assert.ok(out.includes(`\n${name}:${line + 1}: block`), out);
      }
  });
  it("reads some of the logs again, and finds what the endpoint sends otherwise now", async () => {
    for (const name of ["t.ndjson", "t.csv", "t.parquet"]) {
      if (name === "t.parquet") assert.equal((await save(name)).code, 0);
      const found = async (): Promise<readonly string[]> => {
        const { out } = await verify(name, "--endpoint", server.url, "--json");
        const { ok, compared, findings } = JSON.parse(out);
        assert.ok(compared.logs > 10, out);
        assert.equal(ok, findings.length === 0);
        return findings;
      };
      assert.deepEqual(await found(), []);
      server.spoil = (logs) => logs.slice(1);
      assert.match(
        (await found())[0] ?? "",
        /^(?:t\.\w+:\d+: )?blocks 1 to \d+: the endpoint sends \d+ logs now, \d+ were written\.$/,
      );
      server.spoil = (logs) => logs.map((log, at) => (at === 5 ? { ...log, data: "0x" } : log));
      assert.match(
        (await found())[0] ?? "",
        /^(?:t\.\w+:\d+: )?blocks 1 to \d+: the endpoint sends other logs now, first in block \d\.$/,
      );
      server.spoil = (logs) => logs;
    }
  });
  it("finds block hashes that changed, and asks no other chain", async () => {
    server.chainId = 1;
    const { code, err } = await verify("t.csv", "--endpoint", server.url);
    assert.equal(code, 1);
    assert.match(err, /holds logs of chain 8453, and the endpoint is of chain 1/);
    server.chainId = 8453;
    server.reorganize(600);
    const { out } = await verify("t.csv", "--endpoint", server.url);
    const changed = [...out.matchAll(/^block ([\d,]+): its hash is 0x\w+ now, and was 0x\w+\.$/gm)];
    assert.ok(changed.length >= 3 && changed.every(([, block]) => Number(block?.replace(",", "")) >= 600), out);
    for (const block of ["700", "701", "1,000"])
      assert.ok(
        changed.some(([, one]) => one === block),
        block,
      );
  });
});
