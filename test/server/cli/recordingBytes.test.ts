import assert from "node:assert/strict";
import { compress } from "../../../server/src/base/compression.ts";
import { readRecordingBytes } from "../../../server/src/cli/replay.ts";
import { readText } from "../../../server/src/recording/recordedText.ts";
import { readRecording } from "../../../server/src/recording/recording.ts";

const random = (length: number): string => Array.from({ length }, (_, at) => Math.sin(at).toString(36)).join();
const texts = [`{"id":1,"result":"${random(500)}"}`, `{"id":2,"result":"é${random(600)}"}`] as const;
const compressed = texts.map((text) => ({ deflate: compress(text), bytes: Buffer.byteLength(text) }));
const [first, second] = compressed.map((one) => JSON.stringify(one).replaceAll('":', '": '));
const file = (exchanges: readonly string[], more = ""): string =>
  `{"version":1,"startedAt":"2026-01-01T00:00:00Z","endpoints":{"é":{"site":"x"}},"exchanges":[${exchanges}]${more}}`;
const exchange = (members: string): string => `{"endpoint":"local","method":"m",${members}}`;
const read = (text: string) => readRecordingBytes(Buffer.from(text));

describe("a recording that is read from bytes", () => {
  it("has its long texts when they are asked for", () => {
    const recording = read(file([exchange(`"answer":${first}`), exchange(`"status":200,"body":${second}`)]));
    assert.ok("exchanges" in recording, "it is read");
    const came = recording.exchanges.map(({ reply }) => "body" in reply && readText(reply.body, 1e6));
    assert.deepEqual(came, texts);
  });

  const [plain = ""] = compressed.map(({ deflate }) => deflate);
  for (const [what, text] of [
    ["in answers", file([exchange(`"answer":${first}`), exchange(`"answer":${second}`)])],
    ["in parameters", file([exchange(`"params":[${first}],"answer":${second}`)])],
    ["twice in one object", file([exchange(`"answer":{"deflate": "${plain}","deflate": "${plain}a","bytes":5}`)])],
    ["beside another member", file([exchange(`"answer":{"deflate": "${plain}","bytes":5,"a":1}`)])],
    ["in a subscription", file([], `,"streams":[{"endpoint":"a","subscription":"b","params":${first},"events":[]}]`)],
    ["under another name", file([exchange(`"answer":{"\\"deflate": "${plain}","bytes":5}`)])],
    ["in text", file([exchange(`"answer":${JSON.stringify(`{"deflate": "${plain}"}`)}`)])],
    ["with escapes", file([exchange(`"answer":{"deflate": "\\u0041\\/${plain}","bytes":5}`)])],
    ["before an escaped quote", file([exchange(`"answer":{"deflate": "${plain}\\"","bytes":5}`)])],
    ["beside a fault", file([exchange(`"answer":${first}`), "{}"])],
    ["in what is not a recording", `[${first}]`],
    ["in what is not JSON", `${file([exchange(`"answer":${first}`)])}]`],
    ["without an end", file([exchange(`"answer":${first}`)]).slice(0, 3000)],
  ] as const)
    it(`is what it is as a text, with a long text ${what}`, () => assert.deepEqual(read(text), readRecording(text)));

  it("is refused when it was cut off, wherever", () => {
    const text = file([exchange(`"answer":${first}`)]);
    for (let at = 0; at < text.length; at += 97) {
      const cut = read(text.slice(0, at));
      assert.match("fault" in cut ? cut.fault : "", /not JSON/);
    }
  });

  it("answers nothing from a long text that is not JSON", () => {
    const recording = read(file([exchange(`"answer":{"deflate": "${plain}\n","bytes":${compressed[0]?.bytes}}`)]));
    assert.ok("exchanges" in recording, "it is read");
    const [only] = recording.exchanges;
    assert.ok(only?.reply.kind === "answer", "it has an answer");
    assert.equal(readText(only.reply.body, 1e6), undefined);
  });
});
