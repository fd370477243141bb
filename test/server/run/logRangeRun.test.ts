import assert from "node:assert/strict";
import type { HttpRequest } from "../../../server/src/base/ports.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runText, summaries, testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";
import { logProvider } from "../../support/logProvider.ts";

const never = new AbortController().signal;
const cell = `{"cells":[{ "name": "all", "method": "eth_getLogs", "params": [{ "fromBlock": "0x0", "toBlock": "0x3e7" }] }]}`;

/** A provider that takes 100 blocks at once, over HTTP. */
function startProvider(isBroken = () => false) {
  const provider = logProvider({
    head: 2000,
    logsIn: (block) => (block % 10 === 0 ? 1 : 0),
    refuse: ({ from, to }) => {
      if (to - from >= 100) return { code: -32614, message: "eth_getLogs is limited to a 100 range", status: 413 };
      return isBroken() && from >= 500 ? { code: -32000, message: "Unauthorized: key expired" } : undefined;
    },
  });
  const request = (body: string): HttpRequest => ({ url: "", headers: {}, body, timeoutMs: 0, maxBytes: 0 });
  return hostileServer(async ({ body }, response) => {
    const reply = await provider.post(request(body), never);
    if (reply.kind === "response") response.writeHead(reply.status).end(reply.body);
  });
}

describe("a cell with logs of many blocks", () => {
  it("gets them all, and says how", async () => {
    const server = await startProvider();
    const done = await runText(cell, { endpoint: server.url });
    assert.deepEqual(done.result, { ok: 1, failed: 0, cancelled: false });
    assert.match(summaries(done)[0] ?? "", /^✓ 100 /);
    const text = done.cells[0]?.output.text ?? "";
    assert.match(
      text,
      /Read in 10 parts of up to 100 blocks, with 11 requests, since 127\.0\.0\.1:\d+ does not send all of it at once\./,
    );
    assert.equal(JSON.parse(done.cells[0]?.output.json ?? "").length, 100);
  });

  it("shows the logs before a failure, and continues there", async () => {
    let isBroken = true;
    const server = await startProvider(() => isBroken);
    const service = createService(testHost());
    const uri = "file:///nowhere/logs.rpc.json";
    service.openText(uri, cell);
    const run = async (): Promise<string> => {
      let text = "";
      let told = "";
      await service.run(
        { uri, endpoint: server.url },
        {
          started: () => {},
          waiting: ({ why, soFar }) => {
            told ||= `${why} ${soFar?.()
              .map((report) => reportText(report))
              .join("")}`;
          },
          finished: ({ output }) => {
            text = output.text;
          },
        },
        never,
      );
      assert.match(told, /^\d+ of \d+ ranges, \d+ logs\. .*logs/s);
      return text;
    };
    const failed = await run();
    assert.match(failed, /Unauthorized: key expired/);
    assert.match(
      failed,
      /5 of 10 ranges, 50 logs arrived\. They are kept while the editor or a watched run is open: run the cell again/,
    );
    assert.match(failed, /These are the logs of the blocks 0 to 999, without the blocks 500 to 999\./);
    isBroken = false;
    const before = server.seen.filter(({ body }) => body.includes("eth_getLogs")).length;
    assert.match(await run(), /5 parts arrived in the previous run\./);
    assert.equal(server.seen.filter(({ body }) => body.includes("eth_getLogs")).length - before, 5);
  });

  it("gets them for a member of a batch too, and repeats no answered request", async () => {
    const server = await startProvider();
    const logs = (to: string): string =>
      `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x0", "toBlock": "${to}" }] }`;
    const done = await runText(`[[${logs("0x3e7")}, { "method": "eth_blockNumber" }, ${logs("0x9")}]]`, {
      endpoint: server.url,
    });
    assert.deepEqual(done.result, { ok: 1, failed: 0, cancelled: false });
    const answers = done.cells[0]?.answers().map((one) => (one as { readonly result: unknown }).result);
    assert.deepEqual(
      answers?.map((result) => (Array.isArray(result) ? result.length : result)),
      [100, "0x7d0", 1],
    );
    assert.match(done.cells[0]?.output.text ?? "", /Read in 10 parts of up to 100 blocks, with 11 requests,/);
    const sent = server.seen.map(({ body }) => body).filter((body) => body.includes("eth_getLogs"));
    assert.equal(sent.length, 11);
    assert.equal(sent.filter((body) => body.includes('"0x9"')).length, 1);
  });
});
