import assert from "node:assert/strict";
import { compareRecordings, comparisonText } from "../../../server/src/recording/compareRecordings.ts";
import type { RecordedExchange, Recording } from "../../../server/src/recording/recording.ts";

const recording = (...exchanges: readonly (readonly [method: string, answer: string])[]): Recording => ({
  startedAt: 0,
  tool: "test",
  endpoints: {},
  streams: [],
  exchanges: exchanges.map(([method, text], at): RecordedExchange => {
    return { endpoint: "local", method, params: [], at, tookMs: at, reply: { kind: "answer", body: { text } } };
  }),
});

describe("a comparison of recordings", () => {
  it("does not see ids, times, spaces and the order of members", () => {
    const first = recording(["eth_chainId", `{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":2}}`]);
    const second = recording(["eth_chainId", `{ "id": 7, "result": { "b": 2, "a": 1 }, "jsonrpc": "2.0" }`]);
    assert.equal(comparisonText(compareRecordings(first, second)), "The recordings have the same answers.");
  });

  it("names the fields that changed", () => {
    const first = recording(["eth_getBlockByNumber", `{"id":1,"result":{"number":"0x10","hash":"0xaa"}}`]);
    const second = recording(["eth_getBlockByNumber", `{"id":1,"result":{"number":"0x11","hash":"0xaa"}}`]);
    assert.equal(
      comparisonText(compareRecordings(first, second)),
      `eth_getBlockByNumber []\n  result.number: "0x10" (16) → "0x11" (17)`,
    );
  });

  it("names what only one of them has, and compares equal requests in order", () => {
    const first = recording(["a", `{"result":1}`], ["a", `{"result":2}`], ["b", `{"result":1}`]);
    const second = recording(["a", `{"result":1}`], ["a", `{"result":3}`], ["c", `{"error":{"code":-1}}`]);
    assert.equal(
      comparisonText(compareRecordings(first, second)),
      "a [] (answer 2)\n  result: 2 → 3\nb []: only in the first recording\nc []: only in the second recording",
    );
  });

  it("compares what subscriptions delivered, without their ids, and leaves out heads", () => {
    const streaming = (id: string, kind: string, ...results: readonly string[]): Recording => {
      const params = [kind];
      const events = results.map((result, at) => {
        return { at, text: `{"method":"eth_subscription","params":{"subscription":"${id}","result":"${result}"}}` };
      });
      const [asked] = recording(["eth_subscribe", `{"id":1,"result":"${id}"}`]).exchanges;
      assert.ok(asked, "an exchange");
      const exchanges = [{ ...asked, params }];
      return { ...recording(), exchanges, streams: [{ endpoint: "local", params, subscription: id, events }] };
    };
    const said = (first: Recording, second: Recording) => comparisonText(compareRecordings(first, second));
    const same = "The recordings have the same answers.";
    assert.equal(said(streaming("0x1", "logs", "0xaa"), streaming("0x2", "logs", "0xaa")), same);
    assert.equal(said(streaming("0x1", "newHeads", "0xaa"), streaming("0x2", "newHeads", "0xbb")), same);
    assert.match(
      said(streaming("0x1", "logs", "0xaa"), streaming("0x2", "logs", "0xbb")),
      /^eth_subscribe \["logs"\]\n {2}notifications\[0\]: "0xaa".* → "0xbb"/,
    );
  });

  it("tells an answer from a failure", () => {
    const [one] = recording(["a", "{}"]).exchanges;
    assert.ok(one, "an exchange");
    const down: Recording = {
      ...recording(),
      exchanges: [{ ...one, reply: { kind: "fault", reason: "refused", detail: "" } }],
    };
    const [difference] = compareRecordings(recording(["a", `{"result":1}`]), down);
    assert.equal(difference?.kind, "changed");
  });
});
