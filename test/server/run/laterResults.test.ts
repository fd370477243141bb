import assert from "node:assert/strict";
import { mock } from "node:test";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { RowStore } from "../../../server/src/run/result/rowStore.ts";
import { createService } from "../../../server/src/service/service.ts";
import { person, testHost } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";

const uri = "file:///nowhere/a.rpc.json";

describe("results of a cell that runs again", () => {
  afterEach(() => mock.restoreAll());

  it("are rendered only if they are looked at, and then say what has changed", async () => {
    let wei = 10n ** 18n;
    const service = createService(
      testHost({
        consent: person({ allowHost: async () => true }),
        transport: {
          async post({ body: sent }) {
            const { id, method } = JSON.parse(sent);
            const result = method === "eth_getBalance" ? `0x${wei.toString(16)}` : "0x1";
            const body = JSON.stringify({ jsonrpc: "2.0", id, result });
            return { kind: "response", status: 200, headers: {}, body, bytes: body.length };
          },
        },
      }),
    );
    const params = JSON.stringify(["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x1"]);
    service.openText(uri, `{ "cells": [{ "method": "eth_getBalance", "params": ${params} }] }`);
    const run = async (): Promise<CellResult> => {
      const finished: CellResult[] = [];
      const events = { started: () => {}, finished: (one: CellResult) => void finished.push(one) };
      await service.run({ uri, endpoint: "http://127.0.0.1:1" }, events, new AbortController().signal);
      return finished[0] ?? assert.fail("the cell ran");
    };
    const rendered = mock.method(RowStore.prototype, "keep");
    for (let runs = 0; runs < 3; runs++) {
      await run();
      wei += 10n ** 18n;
    }
    const last = await run();
    assert.equal(rendered.mock.callCount(), 0);
    assert.match(last.output.text, /4 ether/);
    const [report] = last.output.reports;
    assert.deepEqual(report?.headline?.[1]?.text, "+1 ether");
    assert.equal(rendered.mock.callCount(), 2, "its own output, and the one that it is compared with");
  });
});

describe("rows beyond a result", () => {
  it("are there until the notebook is closed", async () => {
    const log = { address: `0x${"11".repeat(20)}`, topics: [], data: "0x", blockNumber: "0x1" };
    const logs = [0, 1, 2].map((at) => ({ ...log, logIndex: `0x${at}` }));
    const server = await hostileServer(answering((method) => (method === "eth_getLogs" ? logs : "0x1")));
    const service = createService(testHost());
    service.openText(uri, `[{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "0x1" }] }]`);
    let rest: string | undefined;
    const finished = ({ output }: CellResult): void => {
      for (const section of output.reports.flatMap(({ sections }) => sections))
        if (section.kind === "table") rest ??= section.rest;
    };
    const { signal } = new AbortController();
    await service.run({ uri, endpoint: server.url }, { started: () => {}, finished }, signal);
    const page = () => service.rows({ rest: rest ?? assert.fail("no table"), from: 1, count: 5 }, signal);
    assert.equal((await page())?.rows.length, 2);
    service.close(uri);
    assert.equal(await page(), null);
  });
});
