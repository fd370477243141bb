import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clock } from "../../../server/src/node/environment.ts";
import { openRecorder } from "../../../server/src/recording/recorder.ts";
import { readRecording } from "../../../server/src/recording/recording.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { answer, notify, socketServer } from "../../support/socketServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a recording of answers", () => {
  it("stops at its limit, keeps what it has, and counts what is missing", async () => {
    const transport = {
      post: async ({ body }: { readonly body: string }) => {
        const answer = JSON.stringify({ id: JSON.parse(body).id, result: "x".repeat(1000) });
        return { kind: "response", status: 200, headers: {}, body: answer, bytes: answer.length } as const;
      },
    };
    const recorder = openRecorder({ transport, clock }, { answers: 3500, messages: 0 });
    const limits = { timeoutMs: 1000, maxBytes: 10_000, repeatable: true };
    for (const id of [1, 2, 3, 4, 5]) {
      const body = JSON.stringify({ id, method: "eth_chainId" });
      const came = await recorder.transport.post(
        { url: "http://127.0.0.1:1", headers: {}, body, ...limits },
        new AbortController().signal,
      );
      assert.equal(came.kind, "response");
    }
    const { exchanges, missed } = recorder.recording("test");
    assert.deepEqual([exchanges.length, missed], [3, 2]);
  });
});

describe("a recording of a subscription", function () {
  this.timeout(300_000);

  it("that never ends stops at its limit, keeps what it has, and says what is missing", async () => {
    const note = "x".repeat(200_000);
    const count = 130;
    const server = await socketServer((frame, socket) => {
      answer(socket, frame, "0x1");
      for (let at = 0; at < count; at++) notify(socket, "0x1", { at, note });
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.rpc.json"), `{ "cells": [{ "method": "eth_subscribe", "params": ["newHeads"] }] }`);
    const file = "a.rpc.recording.json";
    const args = ["run", "a.rpc.json", "-e", server.url, "--rows", String(count), "--record", file, "--report", "json"];
    const { code, err } = await runCommand(args, folder);
    await server.close();
    assert.equal(code, 0, err);
    assert.match(err, /The recording is full\. It leaves out \d+ messages/);
    assert.ok(statSync(join(folder, file)).size < 64 * 1024 * 1024);
    const recording = readRecording(readFileSync(join(folder, file), "utf8"));
    assert.ok(!("fault" in recording));
    const kept = recording.streams[0]?.events.length ?? 0;
    assert.equal(kept + (recording.missed ?? 0), count);
    assert.ok(kept > 50 && kept < count, `${kept}`);
  });

  it("names its server when it is replayed", async () => {
    const server = await socketServer((frame, socket) => {
      answer(socket, frame, "0x1");
      notify(socket, "0x1", { number: "0x5" });
    });
    const folder = temporaryFolder();
    const write = (file: string, value: unknown): void => writeFileSync(join(folder, file), JSON.stringify(value));
    write("a.rpc.json", [{ method: "eth_subscribe", params: ["newHeads"] }]);
    write("rpc-endpoints.json", { pre: server.url });
    const run = ["run", "a.rpc.json", "-e", "pre", "--rows", "1"];
    const { host } = new URL(server.url);
    const live = await runCommand([...run, "--allow-host", host, "--record", "a.rpc.recording.json"], folder);
    await server.close();
    const again = await runCommand([...run, "--replay", "a.rpc.recording.json"], folder);
    for (const { out } of [live, again]) assert.ok(out.includes(`pre (${host})`), out);
  });
});
