import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CostQuestion } from "../../../server/src/base/ports.ts";
import type { Section } from "../../../server/src/report/report.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy } from "../../support/countingProxy.ts";
import { person, type Run, runText } from "../../support/host.ts";
import { filesOf } from "../../support/memoryFiles.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const [alice, bob] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
] as const;
const poor = `0x${"ab".repeat(20)}`;
const header = `"variables": { "alice": "${alice}", "bob": "${bob}" }`;

describe("a request with each", () => {
  const chain = sharedChain();

  async function run(...cells: readonly string[]): Promise<Run> {
    return runText(`{ ${header}, "cells": [${cells.join(",")}] }`, { endpoint: chain.url });
  }

  it("is sent for all combinations, in one message, and shown as one table", async () => {
    const proxy = await countingProxy(chain.url);
    const text = `{ ${header}, "cells": [
      { "method": "eth_getBalance", "params": ["{{holder}}", "{{block}}"],
        "each": { "holder": ["alice", "bob"], "block": [0, "earliest", "+1"] } }] }`;
    const { cells, result } = await runText(text, { endpoint: proxy.url });
    assert.deepEqual(result, { ok: 1, failed: 0, cancelled: false });
    assert.deepEqual(tableOf(cells[0]?.output.reports[0]?.sections), [
      "holder | block | result",
      "alice | 0 | 10,000 ether",
      "bob | 0 | 10,000 ether",
    ]);
    assert.deepEqual(
      proxy.methods().filter((some) => some.includes("eth_getBalance")),
      [["eth_getBalance", "eth_getBalance"]],
    );
    await proxy.close();
  });

  it("counts blocks from a tag, and draws what changes over them", async () => {
    for (let sealed = 0; sealed < 3; sealed++) {
      await chain.rpc("anvil_setBalance", [poor, `0x${(sealed + 2).toString(16)}`]);
      await chain.seal();
    }
    const { cells } = await run(
      `{ "method": "eth_getBalance", "params": ["${poor}", "{{block}}"], "each": { "block": ["latest - 3", "latest - 1", "+1"] } }`,
    );
    const sections = cells[0]?.output.reports[0]?.sections ?? [];
    assert.deepEqual(
      tableOf(sections).map((row) => row.replace(/^\d+/, "n")),
      ["block | result", "n | 2 wei", "n | 3 wei", "n | 4 wei"],
    );
    const [series] = sections.flatMap((one) => (one.kind === "series" ? one : []));
    assert.deepEqual(
      series?.points.map(({ value }) => value),
      [2, 3, 4],
    );
  });

  it("takes values of an earlier cell, each once, and paths into them", async () => {
    const { cells } = await run(
      `{ "name": "blocks", "method": "eth_getBlockByNumber", "params": ["{{n}}", false], "each": { "n": ["0x0", "0x1", "0x0"] } }`,
      `{ "name": "same", "method": "eth_getBlockByNumber", "params": ["{{block.number}}", false], "each": { "block": "{{blocks.result}}" } }`,
    );
    const rows = tableOf(cells[1]?.output.reports[0]?.sections);
    assert.match(rows[0] ?? "", /^block\.number \| number \| hash/);
    assert.deepEqual(
      rows.slice(1).map((row) => row.split(" | ").slice(0, 2)),
      [
        ["0x0", "0"],
        ["0x1", "1"],
      ],
    );
  });

  it("has a column for each value that a call returns", async () => {
    const token = chain.contracts.token.address;
    const { cells } = await run(
      `{ "method": "eth_call", "params": [{ "to": "${token}", "data": { "function": "balanceOf(address) returns (uint256 held)", "args": ["{{holder}}"] } }, "latest"], "each": { "holder": ["alice", "bob"] } }`,
    );
    assert.match(
      tableOf(cells[0]?.output.reports[0]?.sections).join("\n"),
      /^holder \| held\nalice \| [\d,.]+ DUSD\nbob \|/,
    );
  });

  it("keeps the rows around one that fails, checks each with expect, and says which failed", async () => {
    const { cells, result } = await run(
      `{ "method": "eth_getBalance", "params": ["{{alice}}", "{{block}}"], "each": { "block": ["0x0", "0xffffff"] }, "expect": { "result": { ">": "9000 ether" } } }`,
    );
    assert.equal(result.failed, 1);
    const [report] = cells[0]?.output.reports ?? [];
    assert.equal(report?.summary, "2 rows, 1 failed");
    assert.match(tableOf(report?.sections)[2] ?? "", /^0xffffff \| {2}\| refused: /);
    assert.match(cells[0]?.output.text ?? "", /block 0xffffff: expected result to be greater than "9000 ether"/);
    assert.equal(cells[0]?.failures.length, 1);
  });

  it("has a list of results for other cells, and its values in the JSON report", async () => {
    const { cells } = await run(
      `{ "name": "nonces", "method": "eth_getTransactionCount", "params": ["{{holder}}", "0x0"], "each": { "holder": ["alice", "bob"] } }`,
      `{ "method": "eth_getBalance", "params": ["${alice}", "{{nonces.result[1]}}"] }`,
    );
    assert.deepEqual(
      cells[0]?.answers().map((answer) => pick(answer, "each", "result")),
      [
        { each: { holder: alice }, result: "0x0" },
        { each: { holder: bob }, result: "0x0" },
      ],
    );
    assert.equal(cells[1]?.ok, true);
  });

  it("takes the rows of a file", async () => {
    const files = filesOf({
      "holders.csv": `name,address\r\n"A, the first",${alice}\r\n\r\nB,${bob}\r\n`,
      "rows.ndjson": `{"to":"${bob}"}\n{"to":"${alice}"}\n{"to":"${bob}"}\n`,
    });
    const text = `[
      { "method": "eth_getTransactionCount", "params": ["{{file.address}}", "0x0"], "each": { "file": "holders.csv" } },
      { "method": "eth_getTransactionCount", "params": ["{{log.to}}", "0x0"], "each": { "log": "./rows.ndjson" } },
      { "method": "eth_getTransactionCount", "params": ["{{x.to}}", "0x0"], "each": { "x": "../x.csv" } }]`;
    const { cells } = await runText(text, { endpoint: chain.url, host: { files, roots: ["file:///nowhere"] } });
    const tables = cells.map(({ output }) => tableOf(output.reports[0]?.sections));
    assert.deepEqual(tables.slice(0, 2), [
      ["file.address | result", `${alice} | 0`, `${bob} | 0`],
      ["log.to | result", `${bob} | 0`, `${alice} | 0`],
    ]);
    assert.match(cells[2]?.output.text ?? "", /\.\.\/x\.csv cannot be used: it is outside the project/);
  });

  it("takes no rows of a file to which a link leads out of the project", async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(path.join(folder, ".git"));
    writeFileSync(path.join(elsewhere, "keys.csv"), `address\n${alice}\n`);
    writeFileSync(path.join(folder, "own.csv"), `address\n${alice}\n`);
    symlinkSync(path.join(elsewhere, "keys.csv"), path.join(folder, "linked.csv"));
    symlinkSync(elsewhere, path.join(folder, "folder"));
    symlinkSync("own.csv", path.join(folder, "inside.csv"));
    const proxy = await countingProxy(chain.url);
    for (const file of ["linked.csv", "folder/keys.csv", "inside.csv"]) {
      const cell = `{ "method": "eth_getBalance", "params": ["{{row.address}}", "latest"], "each": { "row": "${file}" } }`;
      writeFileSync(path.join(folder, "a.rpc.json"), cell);
      const { code, out } = await runCommand(["run", "a.rpc.json", "-e", proxy.url], folder);
      assert.equal(code, file === "inside.csv" ? 0 : 1, out);
      if (file !== "inside.csv") assert.match(out, /a link leads out of the project/);
      assert.equal(
        proxy.bodies.some((body) => body.includes(alice)),
        file === "inside.csv",
      );
    }
    await proxy.close();
  });

  for (const [file, why] of [
    [`${alice}\n${bob}`, /its first line does not name the columns/],
    [`a,b\n1`, /row 1 has 1 values, and the first line 2/],
    [`a\n"1`, /a quote in it is not closed/],
    [undefined, /there is no such file/],
  ] as const)
    it(`says what is wrong with a file: ${why.source}`, async () => {
      const files = filesOf(file === undefined ? {} : { "a.csv": file });
      const text = `[{ "method": "eth_getTransactionCount", "params": ["{{x.a}}", "0x0"], "each": { "x": "a.csv" } }]`;
      const { cells } = await runText(text, { endpoint: chain.url, host: { files, roots: ["file:///nowhere"] } });
      assert.match(cells[0]?.output.text ?? "", why);
    });

  it("asks a person before more than 500 requests, and says how long they take at the rate", async () => {
    const asked: CostQuestion[] = [];
    const allowCost = async (question: CostQuestion): Promise<boolean> => asked.push(question) > 1;
    const settings = { rpcNotebook: { endpoints: { x: { url: chain.url, rate: 5000 } }, endpoint: "x" } };
    const text = (last: number): string =>
      `[{ "method": "eth_getBlockByNumber", "params": ["{{n}}", false], "each": { "n": [0, ${last}, "+1"] } }]`;
    const host = { settings, consent: person({ allowCost }) };
    assert.equal((await runText(text(499), { host })).result.ok, 1);
    assert.equal(asked.length, 0);
    const refused = await runText(text(500), { host });
    assert.match(refused.cells[0]?.output.text ?? "", /would send 501 requests, which were not confirmed/);
    assert.deepEqual(refused.cells[0]?.endpoints, []);
    const [question] = asked;
    assert.ok(question);
    const { words, ...facts } = question;
    assert.deepEqual(facts, { site: chain.url, endpoint: "x", requests: 501, seconds: 0.1002 });
    assert.match(
      [words.question, ...words.detail].join(" "),
      /^Send 501 requests to http.*about 100 ms at 5000 per second/,
    );
    assert.equal((await runText(text(500), { host })).result.ok, 1);
  });

  for (const [cell, why] of [
    [`"params": ["{{holder}}", "latest"], "each": { "holder": [] }`, /There is no value for `holder`/],
    [`"params": ["{{n}}", "latest"], "each": { "n": [0, 100000, "+1"] }`, /100,001 requests/],
    [`"params": ["{{n}}", "latest"], "each": { "n": "{{alice}}" }`, /not a list/],
    [`"params": ["{{n}}", "latest"], "each": { "n": ["alice", null] }`, /[Ii]tem 2 of the list is null/],
    [`"params": ["{{n}}", "latest"], "each": { "n": ["bob", "nosuchname"] }`, /Item 2 of `n`/],
    [`"params": ["{{n.to}}", "latest"], "each": { "n": "../../etc/passwd" }`, /outside/],
    [`"params": ["{{alice}}", "{{n}}"], "each": { "n": ["latest", 5, "newest"] }`, /Item 3 of `n`/],
    [`"params": ["{{n.to}}", "latest"], "each": { "n": "t.parquet" }`, /Parquet/],
  ] as const)
    it(`is not sent with ${cell.slice(-24)}`, async () => {
      const { cells } = await run(`{ "method": "eth_getBalance", ${cell} }`);
      assert.match(cells[0]?.output.text ?? "", why);
      assert.deepEqual(cells[0]?.endpoints, []);
    });

  it("is not sent with a value that a type does not hold, and says in which row", async () => {
    const data = `{ "function": "f(uint8 n)", "args": ["{{n}}"] }`;
    const { cells } = await run(
      `{ "method": "eth_call", "params": [{ "to": "{{alice}}", "data": ${data} }, "latest"], "each": { "n": [1, "{{alice}}", 3] } }`,
    );
    assert.match(cells[0]?.output.text ?? "", /Row 2 of `each`: `args\[0\]`/);
    assert.deepEqual(cells[0]?.endpoints, []);
  });

  it("does not blame a row for what is wrong with the cell", async () => {
    const { cells } = await run(
      `{ "method": "eth_getBalance", "params": ["{{holder}}", "latest"], "each": { "holder": ["alice"] }, "save": "t.csv" }`,
    );
    assert.match(cells[0]?.output.text ?? "", /save/);
    assert.doesNotMatch(cells[0]?.output.text ?? "", /Row 1/);
  });

  it("assumes the values of each row", async () => {
    const { cells } = await run(
      `{ "method": "eth_call", "params": [{ "from": "{{alice}}", "to": "{{bob}}", "value": "90000 ether" }, "latest"],
         "assume": { "balance": { "{{alice}}": "{{have}}" } }, "each": { "have": ["1 ether", "100000 ether"] } }`,
    );
    const rows = tableOf(cells[0]?.output.reports[0]?.sections);
    assert.match(
      rows.join("\n"),
      /^have \| result \| error\n1 ether \| {2}\| .*funds.*\n100000 ether \| no data \| $/i,
    );
  });

  it("is compared with its snapshot and replayed, row by row", async () => {
    const folder = temporaryFolder();
    const cell = `{ "name": "n", "method": "eth_getBlockByNumber", "params": ["{{n}}", false], "each": { "n": [0, 1, "+1"] }, "snapshot": true }`;
    writeFileSync(path.join(folder, "a.rpc.json"), `[${cell}]`);
    const go = (...args: readonly string[]) => runCommand(["run", "a.rpc.json", ...args], folder);
    await go("-e", chain.url, "--snapshot", "update", "--record", "a.rpc.recording.json");
    const file = path.join(folder, "a.rpc.snapshot.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"0x1"', '"0x9"'));
    const { code, out } = await go("--replay", "a.rpc.recording.json", "--snapshot", "check");
    assert.deepEqual([code, /answers\[1\]\.result\.number/.test(out)], [1, true], out);
  });

  it("is not compared at other blocks, and not saved as logs", async () => {
    const folder = temporaryFolder();
    const cell = `{ "name": "l", "method": "eth_getLogs", "params": [{ "fromBlock": "{{n}}" }], "each": { "n": ["0x0", "0x1"] } }`;
    writeFileSync(path.join(folder, "a.rpc.json"), `[${cell}]`);
    const go = (...args: readonly string[]) => runCommand(["run", "a.rpc.json", "-e", chain.url, ...args], folder);
    assert.match((await go("--compare", "latest,safe")).out, /Nothing to compare/);
    assert.match((await go("--save", "l=a.csv")).err, /Only the logs of a single `eth_getLogs` request can be saved/);
  });

  it("hides values of the host in all rows, also in those of later pages", async () => {
    const secret = "Tg7pQz4LmVx9Rk2WdYc8";
    const many = Array.from({ length: 300 }, (_, at) => `"${at} {{$secret.KEY}}"`);
    const cell = `[{ "method": "web3_sha3", "params": ["{{text}}"], "each": { "text": [${many}] } }]`;
    const secrets = { names: async () => ["KEY"], read: async () => new Map([["KEY", secret]]) };
    const host = { secrets, consent: person({ allowHost: async () => true }) };
    const { cells, service } = await runText(cell, { endpoint: chain.url, host });
    const { reports, text, json } = cells[0]?.output ?? { reports: [], text: "", json: "" };
    const [table] = reports.flatMap(({ sections }) => sections.flatMap((one) => (one.kind === "table" ? one : [])));
    const page = await service.rows({ rest: table?.rest ?? "", from: 250, count: 10 }, new AbortController().signal);
    const all = JSON.stringify([reports, text, json, page, cells[0]?.answers()]);
    assert.equal(page?.rows.length, 10);
    assert.doesNotMatch(all, new RegExp(secret));
  });

  it("keeps the rows that came before a run was cancelled", async () => {
    const abort = new AbortController();
    const proxy = await countingProxy(chain.url, (body) => {
      if (body.includes('"0x1"')) abort.abort();
      return false;
    });
    const settings = {
      rpcNotebook: { endpoints: { x: { url: proxy.url, batch: false, rate: 20 } }, endpoint: "x" },
    };
    const cell = `[{ "method": "eth_getBalance", "params": ["${alice}", "{{n}}"], "each": { "n": [0, 9, "+1"] } }]`;
    const { cells, waits } = await runText(cell, { host: { settings }, signal: abort.signal });
    assert.match(waits.join(" "), /\d of 10 rows\./);
    const [report] = cells[0]?.output.reports ?? [];
    assert.match(report?.summary ?? "", /^\d of 10 rows/);
    assert.equal(cells[0]?.verdict, "skipped");
    await proxy.close();
  });
});

/** The rows of a table as lines. */
function tableOf(sections: readonly Section[] = []): readonly string[] {
  return sections.flatMap((section) =>
    section.kind === "table"
      ? [section.columns.map(({ name }) => name), ...section.rows.map((row) => row.map(({ text }) => text))].map(
          (row) => row.join(" | "),
        )
      : [],
  );
}

function pick(value: unknown, ...keys: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => keys.includes(key)));
}
