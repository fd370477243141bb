import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../../../devchain/devchain.ts";
import type { StreamControl } from "../../../../server/src/protocol/runs.ts";
import type { StreamUpdate } from "../../../../server/src/run/result/runEvents.ts";
import { createService, type Service } from "../../../../server/src/service/service.ts";
import { fastClock } from "../../../support/fastClock.ts";
import { testHost } from "../../../support/host.ts";
import { hostileServer } from "../../../support/hostileServer.ts";
import { answer, notify, type SocketServer, socketServer } from "../../../support/socketServer.ts";

const uri = "file:///nowhere/a.rpc.json";
const cellOf = (...params: readonly unknown[]): string => JSON.stringify({ method: "eth_subscribe", params });

interface Followed {
  readonly service: Service;
  readonly events: readonly StreamUpdate[];
  /** The output of the cell at its end. */
  readonly ok: boolean;
  readonly text: string;
  readonly answers: readonly unknown[];
}

/** Runs a notebook of one subscription cell, until it has so many rows or `changed` stops it. */
async function follow(
  endpoint: string,
  cell: string,
  rows: number,
  changed: (event: StreamUpdate, control: (control: Partial<StreamControl>) => void) => void = () => {},
): Promise<Followed> {
  const service = createService(testHost({ clock: fastClock() }));
  service.openText(uri, `{ "cells": [${cell}] }`);
  const events: StreamUpdate[] = [];
  const control = (wish: Partial<StreamControl>): void => service.stream({ uri, cell: { index: 0 }, ...wish });
  const ended = await new Promise<{ ok: boolean; text: string; answers: readonly unknown[] }>((resolve) => {
    void service.run(
      { uri, endpoint, stream: { rows } },
      {
        started: () => {},
        streamed: (event) => {
          events.push(event);
          changed(event, control);
        },
        finished: (finished) => resolve({ ok: finished.ok, text: finished.output.text, answers: finished.answers() }),
      },
      new AbortController().signal,
    );
  });
  return { service, events, ...ended };
}

const summaries = ({ events }: Followed): readonly string[] =>
  events.map(({ output }) => output.reports[0]?.summary ?? "");
const told = ({ events }: Followed): readonly string[] =>
  events.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text).join(" ")));

describe("a subscription cell", () => {
  let server: SocketServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const tells = async (...results: readonly unknown[]): Promise<string> => {
    server = await socketServer((frame, socket) => {
      if (frame.method !== "eth_subscribe") return answer(socket, frame, "0x1");
      answer(socket, frame, "0xa");
      for (const result of results) notify(socket, "0xa", result);
      return undefined;
    });
    return server.url;
  };

  describe("on the embedded chain", () => {
    let chain: Devchain;
    before(async () => {
      chain = await startDevchain({ sealEveryMs: 100, refreshEveryMs: 50, traffic: 30 });
    });
    after(() => chain.stop());

    it("streams decoded rows over the WebSocket of an HTTP address", async () => {
      const run = await follow(chain.url, cellOf("pendingLogs"), 8);
      assert.ok(run.ok, run.text);
      assert.equal(told(run).length, 8);
      assert.match(told(run).join("\n"), /Transfer/);
      assert.match(summaries(run).at(-1) ?? "", /^8 logs.*, streaming$/);
      assert.match(run.text, /8 logs/);
      const [{ result }] = run.answers as readonly [{ readonly result: readonly unknown[] }]; // one request, answered
      assert.equal(result.length, 8);
    });

    it("shows amounts in the units of their tokens, from the first row on", async () => {
      const address = chain.contracts.token.address;
      const run = await follow(chain.url, cellOf("pendingLogs", { address }), 5);
      assert.ok(run.ok, run.text);
      const transfers = told(run).filter((row) => /Transfer/.test(row));
      assert.ok(transfers.length > 0, told(run).join("\n"));
      for (const row of transfers) assert.match(row, / DUSD /);
      assert.match(run.text, / DUSD /);
    });

    for (const [kind, row] of [
      ["newHeads", /^\d[\d,]* .*UTC/],
      ["newFlashblocks", /^\d[\d,]* \d+ /],
      ["newFlashblockTransactions", /^0x\w{64}/],
    ] as const) {
      it(`streams ${kind}`, async () => {
        const run = await follow(chain.url, cellOf(kind), 3);
        assert.ok(run.ok, run.text);
        for (const one of told(run)) assert.match(one, row);
      });
    }

    it("sends ordinary requests over the WebSocket of an endpoint that has no HTTP address", async () => {
      const service = createService(testHost());
      service.openText(uri, `{ "cells": [{ "method": "eth_chainId" }, { "method": "eth_blockNumber" }] }`);
      const result = await service.run(
        { uri, endpoint: chain.wsUrl },
        { started: () => {}, finished: () => {} },
        new AbortController().signal,
      );
      assert.deepEqual(result, { ok: 2, failed: 0, cancelled: false });
    });
  });

  const flashblock = {
    payload_id: "0x03",
    index: 4,
    diff: { gas_used: "0x5208", transactions: ["0x02"] },
    metadata: { block_number: 7 },
  };
  const hash = `0x${"ab".repeat(32)}`;
  for (const [name, kind, results, rows] of [
    ["a flashblock as its builder sends it", "newFlashblocks", [flashblock], ["7 4 1 21,000 0x03"]],
    ["a flashblock in a string", "newFlashblocks", [JSON.stringify(flashblock)], ["7 4 1 21,000 0x03"]],
    ["a flashblock in base64", "newFlashblocks", [btoa(JSON.stringify(flashblock))], ["7 4 1 21,000 0x03"]],
    ["a list of hashes", "newFlashblockTransactions", [[hash, hash]], [hash, hash]],
    ["a whole transaction", "newFlashblockTransactions", [{ hash, status: "0x0", logs: [] }], [`${hash} failed 0`]],
    ["what no catalogue knows", "minerBlocks", [{ a: 1 }], ['{"a":1}']],
  ] as const) {
    it(`understands ${name}`, async () => {
      const run = await follow(await tells(...results), cellOf(kind), rows.length);
      assert.deepEqual(told(run), rows);
    });
  }

  it("understands logs in a list, and marks removed ones", async () => {
    const log = (block: number, removed = false): object => ({
      address: `0x${"11".repeat(20)}`,
      topics: [],
      data: "0x",
      blockNumber: `0x${block}`,
      blockHash: hash,
      transactionHash: hash,
      logIndex: `0x${block}`,
      removed,
    });
    const url = await tells([log(5), log(6)], log(5, true), log(7));
    const run = await follow(url, cellOf("logs"), 3);
    assert.equal(run.answers.length, 1);
    const table = run.events.at(-1)?.output.reports[0]?.sections[0];
    assert.ok(table?.kind === "table");
    assert.deepEqual(
      table.rows.map((row) => row.some(({ struck }) => struck === true)),
      [false, false, true],
    );
  });

  it("keeps as many rows as requested, else the newest thousand, and counts all", async () => {
    const url = await tells(...Array.from({ length: 1500 }, (_, at) => at));
    const bounded = await follow(url, cellOf("ticks"), 1500);
    const [{ result }] = bounded.answers as readonly [{ readonly result: readonly unknown[] }]; // one request, answered
    assert.equal(result.length, 1500);
    const open = await follow(url, cellOf("ticks"), Number.POSITIVE_INFINITY, ({ output }, control) => {
      if (output.reports[0]?.summary.includes("1,500 that arrived")) control({ stop: true });
    });
    assert.match(open.text, /1,000 items of 1,500 that arrived/);
    const [{ result: newest, notes }] = open.answers as unknown as readonly [
      { readonly result: readonly unknown[]; readonly notes: readonly string[] },
    ];
    assert.deepEqual([newest.length, newest.at(-1)], [1000, 1499]);
    assert.deepEqual(notes, ["These are the newest 1,000 of 1,500 rows that arrived."]);
  });

  it("shows the rows before a failure that ends it, as text and as JSON", async () => {
    let connections = 0;
    server = await socketServer((frame, socket) => {
      if (frame.method !== "eth_subscribe") return;
      if (++connections === 1) {
        answer(socket, frame, "0x1");
        for (const row of ["apple", "pear"]) notify(socket, "0x1", row);
        socket.close();
        return;
      }
      const error = { code: -32601, message: "the method eth_subscribe does not exist" };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: frame.id, error }));
    });
    const run = await follow(server.url, cellOf("fruits"), 100);
    assert.equal(run.ok, false);
    assert.match(run.text, /eth_subscribe/);
    assert.match(
      run.text,
      /2 rows arrived before\.[\s\S]*apple[\s\S]*pear|2 rows arrived before\.[\s\S]*pear[\s\S]*apple/,
    );
    const [{ partial }] = run.answers as unknown as readonly [{ readonly partial: { readonly result: unknown } }];
    assert.deepEqual(partial.result, ["apple", "pear"]);
  });

  it("is paused, filtered and stopped", async () => {
    const url = await tells("apple", "pear");
    let step = 0;
    const run = await follow(url, cellOf("fruits"), 100, (_, control) => {
      step++;
      // a wish is drawn at once, so each comes after the drawing before it
      queueMicrotask(() => {
        if (step === 1) control({ filter: "APP" });
        if (step === 2) control({ paused: true });
        if (step === 3) control({ stop: true });
      });
    });
    assert.deepEqual(summaries(run).slice(-3), [
      "2 items, streaming",
      "1 of 2 items with this text, streaming",
      "1 of 2 items with this text, paused",
    ]);
    assert.ok(run.ok);
  });

  it("says where to write the address of the WebSocket, and shows the host only", async () => {
    const web = await hostileServer((_, response) => response.writeHead(404).end());
    const run = await follow(`${web.url}secret-key`, cellOf("newHeads"), 1);
    await web.close();
    assert.equal(run.ok, false);
    assert.match(run.text, /does not accept WebSockets here \(HTTP 404\)\.\n\s+→ Set `ws` of the endpoint/);
    assert.doesNotMatch(run.text, /secret-key/);
  });

  it("shows interruptions in rows of their own", async () => {
    let connections = 0;
    server = await socketServer((frame, socket) => {
      if (frame.method !== "eth_subscribe") return;
      connections++;
      answer(socket, frame, `0x${connections}`);
      notify(socket, `0x${connections}`, connections);
      if (connections === 1) socket.close();
    });
    const run = await follow(server.url, cellOf("ticks"), 2);
    const lines = run.events.flatMap(({ connectionMessages }) => connectionMessages);
    assert.match(lines[0] ?? "", /closed the connection\. Connecting again in/);
    assert.match(lines[1] ?? "", /^Connected again after .*cannot be read again\.$/);
    assert.match(run.text, /Connection/);
  });
});
