import assert from "node:assert/strict";
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printManifest } from "../../../server/src/save/logManifest.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { some } from "../../support/depth.ts";
import { type LogServer, logServer, transferTopic } from "../../support/logServer.ts";
import { parquetFooter, parquetFooterBytes, parquetRows } from "../../support/parquet.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("logs of a range in a Parquet file", () => {
  let folder: string;
  let server: LogServer;
  const at = (name: string): string => join(folder, name);
  const notebook = (topics: readonly unknown[] = [transferTopic]): void => {
    const params = [{ fromBlock: "0x1", toBlock: "latest", topics }];
    writeFileSync(at("a.rpc.json"), JSON.stringify({ cells: [{ name: "logs", method: "eth_getLogs", params }] }));
  };
  const save = (name = "t.parquet", ...more: readonly string[]) =>
    runCommand(["run", "a.rpc.json", "-e", server.url, "--save", `logs=${name}`, ...more], folder);
  const verify = (...more: readonly string[]) => runCommand(["verify", "t.parquet", ...more], folder);
  const manifest = () =>
    JSON.parse(
      parquetFooter(at("t.parquet")).key_value_metadata?.find(({ key }) => key === "rpc_notebook_logs")?.value ?? "",
    );
  /** Saves in parts, each a piece or more: up to each of these heads. */
  const saveUpTo = async (...heads: readonly number[]): Promise<void> => {
    for (const head of heads) {
      server.head = head;
      const { code, err } = await save();
      assert.equal(code, 0, err);
    }
  };
  /** The rows are those of a file of lines that is written now. */
  const isWhole = async (): Promise<void> => {
    rmSync(at("whole.ndjson"), { force: true });
    rmSync(at("whole.ndjson.manifest.json"), { force: true });
    assert.equal((await save("whole.ndjson")).code, 0);
    const lines = readFileSync(at("whole.ndjson"), "utf8").trimEnd().split("\n");
    const rows = (await parquetRows(at("t.parquet"))).map(({ tokenId, tokenId_f64, value_f64, ...row }) => {
      assert.equal(tokenId ?? tokenId_f64 ?? null, null);
      assert.equal(value_f64, Number(row.value));
      return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? Number(value) : value));
    });
    assert.deepEqual(rows, lines);
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await logServer();
    notebook();
  });

  it("are the same as in one of lines, with typed columns and the range of the blocks of each piece", async () => {
    await saveUpTo(300, 1000);
    await isWhole();
    const { schema, row_groups, created_by } = parquetFooter(at("t.parquet"));
    assert.equal(created_by, "rpc-notebook");
    const types = Object.fromEntries(schema.map(({ name, type, converted_type }) => [name, converted_type ?? type]));
    assert.deepEqual(
      [types.block_number, types.chain_id, types.topic0, types.event, types.value, types.value_f64],
      ["INT64", "INT64", "UTF8", "UTF8", "UTF8", "DOUBLE"],
    );
    const ranges = row_groups.map(({ columns }) => columns[0]?.meta_data?.statistics);
    assert.ok(ranges.length >= 2);
    assert.equal(ranges[0]?.min_value, 1n);
    assert.equal(ranges.at(-1)?.max_value, 999n);
  });
  it("have the manifest in the file, and beside it only while it is not finished", async () => {
    await saveUpTo(1000);
    const { pieces, isOpen, host, chainId } = manifest();
    assert.deepEqual(
      [pieces[0].from, pieces.at(-1).to, isOpen, host, chainId],
      [1, 1000, false, new URL(server.url).host, 8453],
    );
    assert.deepEqual(readdirSync(folder).sort(), ["a.rpc.json", "t.parquet"]);
    assert.equal(readFileSync(at("t.parquet"), "latin1").includes("http:"), false);
  });
  it("go on where a failure ended them, and can be read before that", async () => {
    server.spoil = (logs) => (server.asked.length > 10 ? "nothing" : logs);
    assert.equal((await save()).code, 1);
    server.spoil = (logs) => logs;
    const kept = manifest().pieces.at(-1).to;
    assert.ok(kept >= 200 && kept < 300);
    const last = Number((await parquetRows(at("t.parquet"))).at(-1)?.block_number);
    assert.ok(last <= kept && last > kept - 4, `${last}`);
    const before = server.asked.length;
    await saveUpTo(1000);
    assert.equal(server.asked[before]?.[0], kept + 1);
    await isWhole();
  });
  it("lose what a killed process had not finished, and nothing else", async () => {
    await saveUpTo(300);
    const names = ["t.parquet", "t.parquet.manifest.json"];
    let answers = 0;
    server.onLogs = () => {
      if (++answers > 5) return;
      for (const name of names) cpSync(at(name), at(`killed.${name}`)); // a kill leaves what is on the disk
    };
    await saveUpTo(1000);
    server.onLogs = () => {};
    const { pieces } = JSON.parse(readFileSync(at("killed.t.parquet.manifest.json"), "utf8"));
    const next = pieces.at(-1).to + 1; // a slow machine has finished a piece more
    assert.ok(next > 300 && next < 1000);
    for (const torn of [0, 1, 5000]) {
      for (const name of names) cpSync(at(`killed.${name}`), at(name));
      appendFileSync(at("t.parquet"), Buffer.alloc(torn, "PAR1"));
      assert.match((await verify()).out, /^A process is writing the file/m);
      const before = server.asked.length;
      await saveUpTo(1000);
      assert.equal(server.asked[before]?.[0], next);
      await isWhole();
    }
  });
  it("are read again from the first block that changed", async () => {
    await saveUpTo(300, 500);
    server.reorganize(400);
    server.head = 600;
    const { code, err } = await save();
    assert.equal(code, 0, err);
    assert.match(err, /the logs of the blocks 301 to 500 were read again/);
    await isWhole();
  });
  it("never replace the file of another query, one that was changed, or one of another program", async () => {
    await saveUpTo(300, 1000);
    const whole = readFileSync(at("t.parquet"));
    const refused = async (why: RegExp): Promise<void> => {
      const before = readFileSync(at("t.parquet"));
      const { code, err } = await save();
      assert.equal(code, 1);
      assert.match(err, why);
      assert.deepEqual(readFileSync(at("t.parquet")), before);
    };
    notebook([]);
    await refused(/holds the logs of another request/);
    notebook();
    const changed = Buffer.from(whole);
    const { end } = manifest().pieces.at(-1);
    changed[end - 10] = (changed[end - 10] ?? 0) ^ 1;
    writeFileSync(at("t.parquet"), changed);
    await refused(/was changed by something else/);
    for (const other of [
      "mine",
      whole.subarray(0, whole.length - 1),
      whole.subarray(whole.length - 200),
      Buffer.alloc(300),
    ]) {
      writeFileSync(at("t.parquet"), other);
      await refused(/exists, and there is no manifest beside it/);
    }
    assert.equal((await save("t.parquet", "--force")).code, 0);
    await isWhole();
  });
  it("have a column with all arguments if the request allows any event", async () => {
    notebook([]);
    await saveUpTo(1000);
    const [row] = await parquetRows(at("t.parquet"));
    assert.equal(
      row?.arguments,
      JSON.stringify({
        from: `0x${"1".padStart(40, "0")}`,
        to: `0x${"1".padStart(40, "0")}`,
        value: (2n ** 200n + 10n).toString(),
      }),
    );
  });
  it("are none: the file has the columns and no rows", async () => {
    server.spoil = () => [];
    await saveUpTo(1000);
    assert.deepEqual(await parquetRows(at("t.parquet")), []);
    assert.match((await verify()).out, /is complete: 0 rows of blocks 1 to 1,000/);
  });
  it("hold no secret that the endpoint sends back", async () => {
    const secret = 's3cr3tKey9zQ4xT7"mB2wL6';
    const headers = { "x-key": "{{$secret.KEY}}" };
    writeFileSync(at("rpc-endpoints.json"), JSON.stringify({ main: { url: server.url, headers } }));
    server.spoil = (logs) => logs.map((log) => ({ ...log, transactionHash: secret }));
    const allowed = ["--allow-host", new URL(server.url).host];
    const args = ["run", "a.rpc.json", "-e", "main", "--save", "logs=t.parquet", ...allowed];
    const ended = await runCommand(args, folder, { variables: { RPC_NOTEBOOK_SECRET_KEY: secret } });
    assert.equal(ended.code, 0, ended.err);
    assert.doesNotMatch(readFileSync(at("t.parquet"), "latin1"), /s3cr3tKey9zQ4xT7/);
    assert.equal((await parquetRows(at("t.parquet"))).length, 1500);
  });
  it("are checked: nothing is found in a whole file, and every change of it is", async () => {
    await saveUpTo(300, 1000);
    const asked = await verify("--endpoint", server.url);
    assert.match(
      asked.out,
      /^t\.parquet is complete: 1,500 rows of blocks 1 to 1,000, \d+ block hashes, \d+ logs read again\.\n$/,
    );
    const whole = readFileSync(at("t.parquet"));
    const { pieces } = manifest();
    for (const [first, last] of [
      [4, pieces[0].end],
      [pieces[0].end, pieces.at(-1).end],
    ]) {
      const changed = Buffer.from(whole);
      const place = first + Math.floor(Math.random() * (last - first));
      changed[place] = (changed[place] ?? 0) ^ 0x10;
      writeFileSync(at("t.parquet"), changed);
      const { code, out } = await verify();
      assert.equal(code, 1);
      assert.match(
        out,
        /^blocks [\d,]+ to [\d,]+ \(t\.parquet, bytes [\d,]+ to [\d,]+\): rows were changed, or are missing\.\n$/,
      );
    }
    for (const length of [whole.length - 3, 0]) {
      writeFileSync(at("t.parquet"), whole.subarray(0, length));
      assert.match((await verify()).err, /has no manifest/);
    }
    assert.equal(existsSync(at("t.parquet.manifest.json")), false);
  });
  it("are checked with the footer and the first bytes: every changed byte is found", async () => {
    await saveUpTo(5, 20);
    const whole = readFileSync(at("t.parquet"));
    const start = manifest().pieces.at(-1).end;
    const footer = [...Array(whole.length - start).keys()].map((place) => start + place);
    for (const place of [0, ...some(footer, 24, 500)]) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ (1 << (place % 7));
      writeFileSync(at("t.parquet"), changed);
      assert.equal((await verify()).code, 1, `${place - start}`);
      assert.equal((await save()).code, 1, `${place - start}: not added to`);
    }
  });
  it("are checked as far as possible in a file of an earlier version, which has no hash of the footer", async () => {
    await saveUpTo(20);
    const { row_groups: groups, schema } = parquetFooter(at("t.parquet"));
    const value = printManifest(manifest());
    const pages = readFileSync(at("t.parquet")).subarray(0, manifest().pieces.at(-1).end);
    const earlier = parquetFooterBytes(schema, groups, [{ key: "rpc_notebook_logs", value }]);
    writeFileSync(at("t.parquet"), Buffer.concat([pages, earlier]));
    const { code, out, err } = await verify();
    assert.equal(code, 0, out);
    assert.match(err, /earlier version/);
    await saveUpTo(40);
    assert.doesNotMatch((await verify()).err, /earlier version/);
  });
});
