import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import { isObject, parseJson } from "../../../server/src/base/json.ts";
import { clock } from "../../../server/src/node/clock.ts";
import { createSockets } from "../../../server/src/node/socket.ts";
import { createTransport } from "../../../server/src/node/transport.ts";
import { openRecorder, type Recorder } from "../../../server/src/recording/recorder.ts";
import { printRecording, type Recording, readRecording } from "../../../server/src/recording/recording.ts";
import { notRecordedCode } from "../../../server/src/recording/replay.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { anyText } from "../../support/anyText.ts";
import { type Run, runText } from "../../support/host.ts";

const quickstart = readFileSync(new URL("../../../examples/quickstart.rpc.json", import.meta.url), "utf8");

/** A recording as another session reads it. */
async function reread(recorder: Recorder): Promise<Recording> {
  const read = readRecording(printRecording(await recorder.finish("test", new AbortController().signal)));
  assert.ok(!("fault" in read), "the recording can be read");
  return read;
}

/** A host without a network, where this recording answers. */
function offline(recording: Recording): Partial<Host> {
  const transport = { post: async () => assert.fail("nothing is sent") };
  return { transport, sockets: undefined, replay: recording };
}

/** Returns the text of a run, without its start and duration. */
const reports = ({ cells }: Run): readonly unknown[] =>
  cells.map(({ output: { text, json, reports } }) => ({ text, json, reports }));

describe("a recorded run", function () {
  this.timeout(30_000);
  let recording: Recording;
  let live: Run;
  let url = "";
  before(async () => {
    const chain: Devchain = await startDevchain();
    try {
      url = chain.url;
      const ports = { transport: createTransport(() => ({}), {}), sockets: createSockets(() => ({}), {}), clock };
      const recorder = openRecorder(ports);
      live = await runText(quickstart, { endpoint: url, host: recorder });
      recording = await reread(recorder);
    } finally {
      await chain.stop();
    }
  });

  it("gives the same answers when the node is gone", async () => {
    const again = await runText(quickstart, { endpoint: url, host: offline(recording) });
    assert.deepEqual(again.result, live.result);
    assert.deepEqual(reports(again), reports(live));
  });

  it("gives them in every run", async () => {
    const replay = offline(recording);
    for (const _ of [1, 2, 3]) {
      const again = await runText(quickstart, { endpoint: url, host: replay });
      assert.deepEqual(reports(again), reports(live));
    }
  });

  it("names the nearest request for one that was not recorded", async () => {
    const one = `{ "method": "eth_getBalance", "params": ["0x${"9".repeat(40)}", "pending"] }`;
    const { cells } = await runText(`{ "cells": [${one}] }`, { endpoint: url, host: offline(recording) });
    const answer = parseJson(cells[0]?.output.json ?? "");
    assert.match(JSON.stringify(answer), new RegExp(`${notRecordedCode}`));
    assert.match(cells[0]?.output.text ?? "", /nearest recorded `eth_getBalance` differs at params\[0\]/);
  });
});

describe("the text of a recording", () => {
  const plain = { noNullPrototype: true } as const;
  const json = fc.jsonValue({ maxDepth: 3 });
  const text = fc.oneof(
    fc.record({ text: anyText().filter((one) => !isObject(parseJson(one))) }, plain),
    fc.dictionary(fc.string(), json).map((value) => {
      const object = parseJson(JSON.stringify(value));
      return isObject(object) ? { json: object } : { text: "" };
    }),
  );
  const exchange = fc.record(
    {
      endpoint: fc.string(),
      method: fc.string(),
      params: json.map((value) => parseJson(JSON.stringify(value)) ?? null),
      at: fc.integer({ min: 0, max: 1_000_000 }),
      tookMs: fc.integer({ min: 0, max: 1_000_000 }),
      reply: fc.record({ kind: fc.constant("answer" as const), body: text }, plain),
    },
    plain,
  );

  it("comes back as it was written", () =>
    fc.assert(
      fc.property(fc.array(exchange), (exchanges) => {
        const recording: Recording = { startedAt: 1000, tool: "test", endpoints: {}, exchanges, streams: [] };
        assert.deepEqual(readRecording(printRecording(recording)), recording);
      }),
    ));

  for (const [text, fault] of [
    ["", /not JSON/],
    [`{ "version": 1, "exch`, /not JSON/],
    ["[]", /not JSON/],
    [`{ "a": 1 }`, /not a recording/],
    [`{ "version": 2 }`, /version 2.*Update/],
    [`{ "version": 1, "startedAt": 5 }`, /not a time/],
    [`{ "version": 1, "startedAt": "2026-01-01T00:00:00Z", "endpoints": {}, "exchanges": [{}] }`, /Exchange 1/],
    [`${"[".repeat(1000)}${"]".repeat(1000)}`, /not JSON/],
  ] as const) {
    it(`is refused in a sentence: ${text.slice(0, 40)}`, () => {
      const read = readRecording(text);
      assert.match("fault" in read ? read.fault : "", fault);
    });
  }

  it("takes no member for something else", () => {
    const read = readRecording(
      `{ "version": 1, "startedAt": "2026-01-01T00:00:00Z", "endpoints": { "__proto__": { "site": "x" } }, "exchanges": [] }`,
    );
    assert.ok("endpoints" in read, "it is read");
    assert.equal(Object.getPrototypeOf(read.endpoints), Object.prototype);
  });
});
