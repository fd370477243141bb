import assert from "node:assert/strict";
import type { Report } from "../../../server/src/report/report.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runText, testHost } from "../../support/host.ts";
import { type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** The parts of a headline. */
const words = (report: Report | undefined): readonly string[] => (report?.headline ?? []).map(({ text }) => text);
/** The buttons of a report, each with what it would do. */
const buttons = (report: Report | undefined): readonly object[] =>
  (report?.sections ?? []).flatMap((section) => (section.kind === "failure" ? (section.actions ?? []) : []));

describe("the lines of a result", () => {
  let server: HostileServer;
  let answer: object = {};
  before(async () => {
    server = await hostileServer(({ body }, response) => {
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, ...answer }));
    });
  });

  const reportOf = async (cell: string): Promise<Report | undefined> =>
    (await runText(cell, { endpoint: server.url })).cells[0]?.output.reports[0];

  it("are one calm one for a failure that is expected", async () => {
    const data = `0x08c379a0${"20".padStart(64, "0")}${"5".padStart(64, "0")}${"706f6f72".padEnd(64, "0")}`;
    answer = { error: { code: 3, message: "execution reverted: poor", data } };
    const report = await reportOf(
      `{ "method": "eth_call", "params": [{ "to": "${alice}" }, "0x1"], "expect": { "error.reason": "revert" } }`,
    );
    assert.equal(report?.status, "ok");
    assert.match(words(report).join(" "), /^Reverted as expected: poor/);
    assert.deepEqual(buttons(report), []);
    assert.equal(
      report?.sections.every(({ folded }) => folded),
      true,
    );
  });

  it("say what the checks know about a refusal, with buttons", async () => {
    answer = { error: { code: -32602, message: "invalid string length" } };
    const cell = `{ "method": "eth_getBalance", "params": ["${alice.slice(0, -2)}", "0x1"] }`;
    const report = await reportOf(cell);
    assert.deepEqual(words(report), [
      "Refused: expected an address of 20 bytes (40 hexadecimal digits), not 38 digits",
    ]);
    const start = cell.indexOf('"0x7099');
    const [show] = buttons(report);
    assert.deepEqual(show, { kind: "show", label: "Show in Cell", start, end: start + 42 });
  });

  it("offer the right name of a method", async () => {
    answer = { error: { code: -32601, message: "Method not found" } };
    const cell = `{ "method": "eth_getBalanc", "params": ["${alice}", "0x1"] }`;
    const [, fix] = buttons(await reportOf(cell));
    const start = cell.indexOf('"eth_getBalanc"');
    const text = '"eth_getBalance"';
    assert.deepEqual(fix, { kind: "fix", label: "Use eth_getBalance", start, end: start + 15, text });
  });

  it("say why nothing was sent, once, and show where", async () => {
    const cell = `{ "method": "eth_getBalance", "params": ["{{alise}}", "0x1"] }`;
    const report = await reportOf(cell);
    assert.deepEqual(words(report), [
      "Not sent: a placeholder has no value: {{alise}}; no variable or cell has the name `alise`",
    ]);
    const start = cell.indexOf("{{");
    assert.deepEqual(buttons(report), [{ kind: "show", label: "Show in Cell", start, end: start + 9 }]);
  });

  it("show the difference to the last run of the same request, and none to that of another one", async () => {
    const service = createService(testHost());
    const uri = "file:///a.rpc.json";
    const run = async (address: string, result: string): Promise<readonly string[]> => {
      answer = { result };
      service.openText(uri, `{ "method": "eth_getBalance", "params": ["${address}", "0x1"] }`);
      const shown: (Report | undefined)[] = [];
      await service.run(
        { uri, endpoint: server.url },
        { started: () => {}, finished: ({ output }) => shown.push(output.reports[0]) },
        new AbortController().signal,
      );
      return words(shown[0]);
    };
    assert.deepEqual(await run(alice, "0xde0b6b3a7640000"), []);
    assert.deepEqual(await run(alice, "0xe043da617250000"), ["1.01 ether", "+0.01 ether"]);
    assert.deepEqual(await run(alice, "0xe043da617250000"), []);
    assert.deepEqual(await run(alice.replace("0x70", "0x71"), "0xde0b6b3a7640000"), []);
  });
});
