import assert from "node:assert/strict";
import { isArray, isObject } from "../../../server/src/base/json.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { some } from "../../support/depth.ts";
import { fastClock } from "../../support/fastClock.ts";
import { type Run, runText, summaries } from "../../support/host.ts";
import { type NineMethods, nineMethods } from "../../support/nineMethods.ts";
import { pluck } from "../../support/pluck.ts";

const wide = `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "latest", "address": "{{token}}" }] }`;
const earlier = `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest - 2"] }`;

describe("a service with nothing but the nine methods", () => {
  let nine: NineMethods;
  /** Its chain makes no blocks by itself. */
  let still: NineMethods;
  before(async () => {
    [nine, still] = await Promise.all([nineMethods(), nineMethods({ hashesPending: true, stateMs: 60_000 })]);
  });
  after(() => Promise.all([nine.close(), still.close()]));

  const run = (cells: string, service: NineMethods = nine, host: Partial<Host> = {}): Promise<Run> =>
    runText(`{ "variables": { "alice": "${nine.alice}", "token": "${nine.token}" }, "cells": [${cells}] }`, {
      endpoint: service.url,
      host: { settings: { rpcNotebook: { timeout: 20 } }, ...host },
    });
  /** Runs cells at a service of another kind in front of the same chain. */
  const runAt = async (
    options: Parameters<NineMethods["beside"]>[0],
    cells: string,
    host?: Partial<Host>,
  ): Promise<Run> => {
    const service = await nine.beside(options);
    try {
      return await run(cells, service, host);
    } finally {
      await service.close();
    }
  };
  const text = ({ cells }: Run, at = 0): string => cells[at]?.output.text ?? "";

  it("answers each of them, and the badge shows the head", async () => {
    const done = await run(`
      { "method": "eth_getBalance", "params": ["{{alice}}", "latest"] },
      { "method": "eth_getTransactionCount", "params": ["{{alice}}", "pending"] },
      { "method": "eth_getCode", "params": ["{{token}}", "latest"] },
      { "method": "eth_getStorageAt", "params": ["{{token}}", "0x0", "latest"] },
      { "method": "eth_call", "params": [{ "to": "{{token}}", "data": { "function": "decimals() returns (uint8)" } }, "latest"] },
      { "method": "eth_estimateGas", "params": [{ "to": "{{token}}", "data": "0x313ce567" }, "pending"] },
      { "method": "eth_getLogs", "params": [{ "fromBlock": "pending", "toBlock": "pending", "address": "{{token}}" }] },
      { "method": "eth_getBlockReceipts", "params": ["latest"] },
      { "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [{ "to": "{{token}}", "data": "0x313ce567" }] }] }, "pending"] }`);
    for (const { ok, output } of done.cells) assert.ok(ok, output.text);
    for (const at of [0, 1, 2, 3, 4, 5]) assert.match(text(done, at), /head \d+, .* old/);
  });

  it("reads a range of any size up to each tag, with the head from other methods", async () => {
    const done = await run(
      ["latest", ...some(["safe", "finalized", "pending"], 1)]
        .map(
          (tag) =>
            `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "${tag}", "address": "{{token}}" }] }`,
        )
        .join(","),
    );
    for (const [at] of done.cells.entries())
      assert.match(text(done, at), /Read in \d+ parts of up to \d+ blocks/, text(done, at));
    assert.match(summaries(done)[0] ?? "", /^✓ \d+ logs: \d+ Transfer/);
  });

  it("reads a range in parts if it never answers the whole", async () => {
    const host = { settings: { rpcNotebook: { timeout: 5 } }, clock: fastClock(3) };
    const done = await runAt({ isSilentOnWideRanges: true }, wide, host);
    assert.match(text(done), /Read in [2-9] parts of up to 2\d blocks/);
    assert.equal(done.cells[0]?.ok, true);
  });

  it("counts blocks from the head, and waits for some", async () => {
    const quick = await nineMethods({ stateMs: 20 });
    const done = await run(
      `
      { "method": "eth_getLogs", "params": [{ "fromBlock": "latest - 20", "toBlock": "latest", "address": "{{token}}" }] },
      { "method": "eth_getBalance", "params": ["{{alice}}", "latest - 3"] },
      { "method": "eth_getTransactionCount", "params": ["{{alice}}", "latest"], "within": "2 blocks", "expect": { "result": "0xfff" } }`,
      quick,
      { clock: fastClock(10) },
    );
    await quick.close();
    assert.deepEqual(pluck(done.cells, "ok"), [true, true, false]);
    assert.match(text(done, 2), /The time of `within` is over: sent \d+ times/);
  });

  for (const [method, params] of [
    ["eth_getLogs", `{ "fromBlock": "latest", "toBlock": "pending" }`],
    ["eth_getBlockReceipts", `"pending"`],
  ])
    it(`marks what ${method} shows above the head although it has a block hash, and then offers \`pending\` first`, async () => {
      const settings = { rpcNotebook: { endpoint: "nine", endpoints: { nine: { url: still.url } } } };
      const done = await runText(`[{ "method": "${method}", "params": [${params}] }]`, { host: { settings } });
      assert.equal(text(done).match(/(?<!state )pre-confirmed/g)?.length, 1, text(done));
      const later = `[{ "method": "eth_getBalance", "params": ["${nine.alice}", ""] }]`;
      done.service.openText("file:///nowhere/a.rpc.json", later);
      const [first] = done.service.completion("file:///nowhere/a.rpc.json", later.indexOf(`""]`) + 1);
      assert.equal(first?.label, "pending");
    });

  const tomorrow = `{ "assume": { "time": "+1 day" }, "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [] }] }, "latest"] }`;
  for (const without of [[], ["eth_getLogs"]])
    it(`assumes a time after that of a block, which ${without.length > 0 ? "a simulation" : "a log"} tells`, async () => {
      const done = await runAt({ without }, tomorrow);
      assert.equal(done.cells[0]?.ok, true, text(done));
      const [answer] = done.cells[0]?.answers() ?? [];
      const [block] = (isObject(answer) && isArray(answer.result) && answer.result.filter(isObject)) || [];
      const ahead = Number(block?.timestamp) - Date.now() / 1000;
      assert.ok(Math.abs(ahead - 86_400) < 60, `${ahead} s`);
    });

  it("names the method that it lacks, and not the one of the cell", async () => {
    const done = await runAt({ without: ["eth_getLogs", "eth_simulateV1"] }, tomorrow);
    assert.match(text(done), /does not serve eth_(?:getBlockByNumber|simulateV1) .*: the method eth_/);
    assert.doesNotMatch(text(done), /does not serve eth_call/);
  });

  for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt"])
    it(`explains a transaction of ${method} from the receipts of its block, sealed or not, and says what is not known`, async () => {
      const explained = (hash: unknown): string => `{ "explain": true, "method": "${method}", "params": ["${hash}"] }`;
      const receipts = (block: string): string => `{ "method": "eth_getBlockReceipts", "params": ["${block}"] }`;
      const lists = await run(`${receipts("latest")}, ${receipts("pending")}`, still);
      const answers = lists.cells.flatMap((cell) => cell.answers()).filter(isObject);
      const hashes = answers.map(({ result }) => isArray(result) && isObject(result[0]) && result[0].transactionHash);
      const done = await run([...hashes, `0x${"1".repeat(64)}`].map(explained).join(","), still);
      assert.deepEqual(pluck(done.cells, "ok"), [true, true, false], text(done));
      assert.match(text(done), /succeeded: .*sent[\s\S]*in a block[\s\S]*Not known: the transaction/);
      assert.match(text(done, 1), /succeeded[\s\S]*pre-confirmed/);
      for (const cell of [0, 1]) assert.match(text(done, cell), /sent .* [\d.,]+ DUSD/);
      assert.match(
        text(done, 2),
        new RegExp(`does not serve ${method} [\\s\\S]*not among the receipts of the newest 16`),
      );
    });

  it("names the method that told which block is safe", async () => {
    const list = await run(`{ "method": "eth_getBlockReceipts", "params": ["finalized"] }`, still);
    const [answer] = list.cells.flatMap((cell) => cell.answers()).filter(isObject);
    const [receipt] = (isArray(answer?.result) && answer.result.filter(isObject)) || [];
    const hash = String(receipt?.transactionHash);
    const done = await run(`{ "explain": true, "method": "eth_getTransactionByHash", "params": ["${hash}"] }`, still);
    assert.match(text(done), /already true at the first request, from eth_(?!getBlockByNumber)\w+\("safe"\)/);
  });

  it("shows receipts from logs if it refuses receipts, and says what is missing", async () => {
    const options = { refusesReceipts: true, takesBatches: true };
    const done = await runAt(options, `{ "method": "eth_getBlockReceipts", "params": ["latest"] }`);
    assert.equal(done.cells[0]?.ok, false);
    assert.match(text(done), /with logs, without their gas/);
  });

  const methods = ["eth_getLogs", "eth_call", "eth_simulateV1", "eth_getBlockReceipts", "eth_getCode"];
  for (const method of some(methods, 2)) {
    it(`works without ${method} as well, and says so in a cell that needs it`, async () => {
      const done = await runAt(
        { without: [method] },
        `${wide}, ${earlier},
        { "method": "eth_call", "params": [{ "to": "{{token}}", "data": "0x313ce567" }, "latest"] },
        { "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [] }] }, "pending"] },
        { "method": "eth_getBlockReceipts", "params": ["latest"] },
        { "method": "eth_getCode", "params": ["{{token}}", "latest"] }`,
      );
      for (const { ok, output } of done.cells) {
        const isOf = output.text.includes(`: ${method}: `);
        assert.equal(ok, !isOf, output.text.slice(0, 1000));
        if (isOf) assert.match(output.text, new RegExp(`does not serve ${method}`));
      }
    });
  }

  const forms = [
    { code: -32600, message: "Invalid Request" },
    { code: -32000, message: "unsupported" },
    { code: -32004, message: "" },
    ...[403, 404, 400].map((status) => ({ code: 0, message: "", status })),
  ];
  for (const refusesBy of some(forms, 3)) {
    it(`works whatever it says of other methods: ${JSON.stringify(refusesBy)}`, async () => {
      const pending = `{ "method": "eth_getBalance", "params": ["{{alice}}", "pending"] }`;
      const done = await runAt({ refusesBy, takesBatches: true }, `${wide}, ${earlier}, ${pending}`);
      assert.deepEqual(pluck(done.cells, "ok"), [true, true, true], text(done, 1));
      assert.match(text(done, 2), /head \d+/);
    });
  }

  it("says so if no remaining method returns the head", async () => {
    const done = await runAt({ without: ["eth_simulateV1", "eth_getLogs"], refusesReceipts: true }, earlier);
    assert.match(text(done), /`latest`.* is not known: .* has no method that returns its number/);
  });
});
