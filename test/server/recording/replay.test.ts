import assert from "node:assert/strict";
import fc from "fast-check";
import { isObject, parseJson } from "../../../server/src/base/json.ts";
import { printRecording, type Recording, readRecording } from "../../../server/src/recording/recording.ts";
import { anyText } from "../../support/anyText.ts";

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
