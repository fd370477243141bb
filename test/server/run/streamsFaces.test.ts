import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CellFinished, StreamRows } from "../../../server/src/protocol/runs.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { startEditor } from "../../support/editor.ts";
import { answer, notify, type SocketServer, socketServer } from "../../support/socketServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const cell = `{ "name": "ticks", "method": "eth_subscribe", "params": ["ticks"] }`;

describe("a stream, in each client", function () {
  this.timeout(300_000);
  let server: SocketServer;
  const folder = temporaryFolder();
  before(async () => {
    writeFileSync(join(folder, "a.rpc.json"), `{ "cells": [${cell}] }`);
    server = await socketServer((frame, socket) => {
      answer(socket, frame, "0xa");
      if (frame.method === "eth_subscribe") for (let at = 1; at <= 5; at++) notify(socket, "0xa", `tick ${at}`);
    });
  });

  it("is printed as it comes, up to a number of rows", async () => {
    const { code, out, err } = await runCommand(["run", "a.rpc.json", "-e", server.url, "--rows", "3"], folder);
    assert.equal(err, "");
    assert.match(out, /^ticks: eth_subscribe\ntick 1\ntick 2\ntick 3\n✓ ticks: eth_subscribe: 3 items\n/);
    assert.equal(code, 0);
  });

  it("ends after a given time", async () => {
    const args = ["run", "a.rpc.json", "-e", server.url, "--for", "300ms", "--report", "json"];
    const { code, out } = await runCommand(args, folder);
    assert.equal(code, 0);
    const [{ cells }] = JSON.parse(out);
    assert.equal(cells[0].answers[0].result.length, 5);
  });

  it("ends when it is cancelled and shows its rows", async () => {
    const stop = new AbortController();
    const heard = (text: string): void => {
      if (text.includes("tick 5")) stop.abort();
    };
    const { out } = await runCommand(["run", "a.rpc.json", "-e", server.url], folder, { signal: stop.signal, heard });
    assert.match(out, /^ticks: eth_subscribe\ntick 1\n/);
    assert.match(out, /ticks: eth_subscribe: 5 items/);
  });

  it("is sent to an editor in notifications, until it is stopped", async () => {
    const editor = await startEditor({
      initializationOptions: { settings: { rpcNotebook: { endpoints: { test: server.url }, endpoint: "test" } } },
    });
    const uri = "file:///w/a.rpc.json";
    await editor.open(uri, `{ "cells": [${cell}] }`);
    const run = editor.connection.sendRequest("rpcNotebook/run", { runId: "1", uri });
    const rows = await editor.until<StreamRows>(
      "rpcNotebook/streamRows",
      ({ output }) => output.reports[0]?.summary === "5 items, streaming",
    );
    assert.deepEqual(rows.output.reports[0]?.live, { uri, cell: { index: 0 }, paused: false, filter: "" });
    await editor.connection.sendNotification("rpcNotebook/stream", { uri, cell: { index: 0 }, stop: true });
    const { output } = await editor.until<CellFinished>("rpcNotebook/cellFinished", () => true);
    assert.equal(output.ok, true);
    assert.equal(output.reports[0]?.live, undefined);
    assert.deepEqual(await run, { ok: 1, failed: 0, cancelled: false });
    editor.connection.dispose();
  });
});
