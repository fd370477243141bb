import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../server/src/base/json.ts";
import { runCommand } from "../support/commandInProcess.ts";
import { thorough } from "../support/depth.ts";
import { type LogServer, logServer, transferTopic } from "../support/logServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { query } from "./duckdb/duckdb.ts";

/** More than a number of 64 bits holds. */
const amountOf = (log: JsonObject): bigint => 2n ** 90n + BigInt(`${log.logIndex}`) * 3n;
const addressOf = (log: JsonObject): string =>
  `0x${Number(log.blockNumber) % 2 === 0 ? "ab".repeat(20) : "12".repeat(20)}`;

if (thorough)
  describe("saved Parquet files in DuckDB", () => {
    const folder = temporaryFolder();
    let server: LogServer;
    const logs = new Map<string, JsonObject>();
    const sum = (all: Iterable<JsonObject>): bigint => [...all].reduce((total, log) => total + amountOf(log), 0n);
    const files = (name: string): string => `'${join(folder, name).replaceAll("\\", "/")}'`;
    const one = async (sql: string): Promise<Record<string, unknown>> => (await query(sql))[0] ?? {};
    before(async () => {
      mkdirSync(join(folder, "transfers"));
      server = await logServer();
      server.spoil = (all) =>
        all.map((log) => {
          const changed = {
            ...log,
            address: addressOf(log),
            data: `0x${amountOf(log).toString(16).padStart(64, "0")}`,
          };
          logs.set(`${log.transactionHash}`, changed);
          return changed;
        });
      const params = [{ fromBlock: "{{first}}", toBlock: "{{last}}", topics: [transferTopic] }];
      const variables = { first: "0x1", last: "latest" };
      const cells = [{ name: "transfers", method: "eth_getLogs", params }];
      writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ variables, cells }));
      const save = async (name: string, ...more: readonly string[]): Promise<void> => {
        const args = ["run", "a.rpc.json", "-e", server.url, "--save", `transfers=${name}`, ...more];
        const { code, err } = await runCommand(args, folder);
        assert.equal(code, 0, err);
      };
      await save("transfers.parquet");
      for (let from = 1; from < 1000; from += 50)
        await save(
          `transfers/${from}.parquet`,
          "--var",
          `first=0x${from.toString(16)}`,
          "--var",
          `last=0x${(from + 49).toString(16)}`,
        );
    });

    it("have all rows, and an exact sum of amounts beyond 64 bits", async () => {
      const { count, total, blocks } = await one(
        `SELECT count(*) AS count, sum(value::HUGEINT) AS total, max(block_number) AS blocks FROM ${files("transfers.parquet")}`,
      );
      assert.equal(count, BigInt(logs.size));
      assert.equal(total, sum(logs.values()));
      assert.equal(blocks, 999n);
    });
    it("can be filtered by address", async () => {
      const { count, total } = await one(
        `SELECT count(*) AS count, sum(value::HUGEINT) AS total FROM ${files("transfers.parquet")} WHERE address = '0x${"ab".repeat(20)}'`,
      );
      const chosen = [...logs.values()].filter((log) => addressOf(log).startsWith("0xab"));
      assert.equal(count, BigInt(chosen.length));
      assert.equal(total, sum(chosen));
    });
    it("can be joined, and twenty files are one table", async () => {
      const { count, same, tables } = await one(
        `SELECT count(*) AS count, count(*) FILTER (a.value = b.value) AS same, count(DISTINCT b.filename) AS tables
         FROM ${files("transfers.parquet")} a
         JOIN read_parquet(${files("transfers/*.parquet")}, filename = true) b USING (block_number, log_index)`,
      );
      assert.deepEqual([count, same, tables], [BigInt(logs.size), BigInt(logs.size), 20n]);
    });
    it("answer the query of the documentation", async () => {
      const [, sql = ""] = /```sql\n(.*?)```/s.exec(readFileSync("docs/data.md", "utf8")) ?? [];
      const rows = await query(sql.replace("'transfers/*.parquet'", files("transfers/*.parquet")));
      assert.ok(rows.length > 0);
      assert.equal(rows.reduce((total, { amount }) => total + BigInt(`${amount}`), 0n) > 2n ** 90n, true);
    });
  });
