import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../server/src/base/json.ts";
import { openMask } from "../../server/src/base/mask.ts";
import { maskRecording } from "../../server/src/recording/editRecording.ts";
import { readText } from "../../server/src/recording/recordedText.ts";
import {
  printRecording,
  type RecordedExchange,
  type RecordedReply,
  type RecordedStream,
  type Recording,
  readRecording,
} from "../../server/src/recording/recording.ts";
import { times } from "../support/depth.ts";
import { type Case, cases, leaked, secrets } from "../support/echo.ts";

const answers = times(3_000, 400);
const answersPerRecording = 100;

/** Text around a secret that has none. */
const filler = fc.stringMatching(/^[ a-z_.,:;<>={}"\\/\n-]{0,40}$/);
const jsonWith = (value: unknown): string => `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(value)}}`;
/** Escapes some characters of a JSON text in its strings. */
const escaped = (json: string, step: number): string =>
  json.replace(/(?<!\\)[a-z]/gi, (char, at: number) =>
    at % step === 0 && at > json.indexOf("result") + 8
      ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
      : char,
  );
const nested = (value: string, depth: number): string =>
  depth === 0 ? value : nested(JSON.stringify({ inner: value }), depth - 1);

type Place = (payload: string, before: string, size: number) => RecordedReply | RecordedStream;
const answer = (text: string): RecordedReply => ({ kind: "answer", body: { text } });
const http = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): RecordedReply => ({
  kind: "http",
  status,
  headers,
  body: { text },
});
const stream = (text: string): RecordedStream => {
  const message = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":${text}}}`;
  return { endpoint: "local", params: ["newHeads"], subscription: "0x1", events: [{ at: 1, text: message }] };
};
const isStream = (made: RecordedReply | RecordedStream): made is RecordedStream => "events" in made;

/** Where a node, a gateway or a proxy may return a secret. */
const places: Readonly<Record<string, Place>> = {
  "a value": (payload, before) => answer(jsonWith({ before, is: `${before} ${payload} ` })),
  "a key": (payload, before) => answer(jsonWith({ [before]: { [payload]: null } })),
  "a list": (payload, before, size) => answer(jsonWith([...Array(size % 9).fill(before), payload])),
  "JSON in strings": (payload, before, size) => answer(jsonWith([before, nested(payload, 1 + (size % 3))])),
  escapes: (payload, before, size) => answer(escaped(jsonWith(`${before} ${payload}`), 1 + (size % 3))),
  "the first of two equal members": (payload) => answer(`{"id":1,"result":${JSON.stringify(payload)},"result":"0x1"}`),
  "the key __proto__": (payload) => answer(`{"id":1,"result":{"__proto__":{"is":${JSON.stringify(payload)}}}}`),
  "a number that no double holds": (payload) =>
    answer(
      `{"id":1,"result":${/^[1-9]\d*$/.test(payload) ? `${payload}.5000000000000000000001` : JSON.stringify(payload)}}`,
    ),
  "an error message": (payload, before) =>
    answer(JSON.stringify({ id: 1, error: { code: -32_000, message: `${before} ${payload}` } })),
  "error data": (payload, before) =>
    answer(JSON.stringify({ id: 1, error: { code: 3, message: before, data: { cause: [payload] } } })),
  "the echo of a URL": (payload) =>
    answer(jsonWith(`POST https://user:${encodeURIComponent(payload)}@node.example/v2/${encodeURIComponent(payload)}`)),
  "the page of a proxy": (payload, before) =>
    http(
      502,
      `<html><body>\n<p>Bad gateway: <a href="/?key=${encodeURIComponent(payload)}">${before}</a></body></html>`,
    ),
  "JSON of another status": (payload, before) => http(401, JSON.stringify({ before, key: payload })),
  "JSON that is cut off": (payload) => http(200, `{"id":1,"result":{"is":${JSON.stringify(payload)},"more":[`),
  "a header": (payload) => http(429, "slow down", { "content-type": `text/plain; ${payload}`, "retry-after": payload }),
  "a fault": (payload, before) => ({ kind: "fault", reason: "reset", detail: `${before} ${payload}` }),
  "a large answer": (payload, before, size) => {
    const rows = Array.from({ length: 60 + size }, (_, at) => ({ at, before, data: `0x${"ab".repeat(32)}` }));
    return answer(jsonWith([...rows, { data: payload }, ...rows]));
  },
  "a deep answer": (payload) =>
    answer(jsonWith(JSON.parse(`${"[".repeat(600)}${JSON.stringify(payload)}${"]".repeat(600)}`))),
  "an event": (payload, before) => stream(JSON.stringify({ before, extraData: payload })),
  "the key of an event": (payload, before) => stream(JSON.stringify({ [payload]: before })),
  "an event that is not JSON": (payload, before) => stream(`${before.replace(/"/g, "")} ${payload}`),
};

interface Sample {
  readonly one: Case;
  readonly place: string;
  readonly made: RecordedReply | RecordedStream;
}

const sample: fc.Arbitrary<Sample> = fc
  .record({
    one: fc.constantFrom(...cases.filter(({ place }) => place === "result")),
    place: fc.constantFrom(...Object.keys(places)),
    before: filler,
    size: fc.nat({ max: 40 }),
  })
  .map(({ one, place, before, size }) => ({
    one,
    place,
    made: places[place]?.(String(one.payload), before, size) ?? answer(""),
  }));

/** A recording with one exchange or stream for each sample, which its `at` numbers. */
function recordingOf(samples: readonly Sample[]): Recording {
  const exchanges = samples.map(({ made }, at): RecordedExchange => {
    const reply: RecordedReply = isStream(made) ? answer(`{"id":1,"result":"0x1"}`) : made;
    return { endpoint: "local", method: "eth_call", params: [], at, tookMs: 1, reply };
  });
  const streams = samples.map(({ made }) => (isStream(made) ? made : stream("1")));
  return { startedAt: 0, tool: "test", endpoints: {}, exchanges, streams };
}

/** Each sample as a reader of the file sees it: nothing stays compressed. */
function readersView(recording: Recording, count: number): readonly string[] {
  const read = readRecording(printRecording(recording));
  assert.ok(!("fault" in read), "the file can be read");
  return Array.from({ length: count }, (_, at) => {
    const reply = read.exchanges[at]?.reply;
    const text = !reply || reply.kind === "fault" ? "" : (readText(reply.body, 10_000_000) ?? "");
    return [text, JSON.stringify(reply), JSON.stringify(read.streams[at])].join("\n");
  });
}

/** The text, and the text without the escapes of JSON and of URLs. */
function readings(text: string): string {
  const plain = (one: string): string =>
    one
      .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [text, plain(text), plain(plain(text))].join("\n");
}

describe("a recording of answers that contain secrets", function () {
  this.timeout(300_000);
  const mask = openMask();
  for (const [name, value] of Object.entries(secrets)) mask.add(value, `‹${name}›`);

  it(`has none of them: ${answers.toLocaleString("en")} answers`, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(sample, { minLength: answersPerRecording, maxLength: answersPerRecording }), (samples) => {
        const recording = recordingOf(samples);
        const raw = readersView(recording, samples.length);
        const shown = readersView(maskRecording(recording, mask).recording, samples.length);
        for (const [at, { one, place }] of samples.entries()) {
          if (leaked(one, readings(raw[at] ?? "")) !== undefined) seen.set(place, (seen.get(place) ?? 0) + 1);
          const part = leaked(one, readings(shown[at] ?? ""));
          assert.equal(part, undefined, `${one.encoding} in ${place}: ${part} of ${shown[at]?.slice(0, 300)}`);
        }
      }),
      { numRuns: answers / answersPerRecording, endOnFailure: true },
    );
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(total > answers * 0.6, `without the mask, ${total} of ${answers} are found`);
    assert.equal(seen.size, Object.keys(places).length, "in every place");
  });

  it("keeps JSON that is masked JSON", () =>
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 20 }), (samples) => {
        const recording = recordingOf(samples);
        const { exchanges } = maskRecording(recording, mask).recording;
        for (const [at, { reply }] of exchanges.entries()) {
          const before = recording.exchanges[at]?.reply;
          if (reply.kind !== "answer" || before?.kind !== "answer") continue;
          const text = readText(before.body, 10_000_000) ?? "";
          if (parseJson(text) === undefined) continue;
          const masked = readText(reply.body, 10_000_000) ?? "";
          assert.notEqual(parseJson(masked), undefined, `${samples[at]?.place}: ${masked.slice(0, 300)}`);
        }
      }),
      { numRuns: times(200), endOnFailure: true },
    ));

  it("keeps JSON of bytes JSON", () => {
    const [secret = ""] = Object.values(secrets);
    const exchange = { endpoint: "local", method: "x", params: [], at: 0, tookMs: 1 };
    const reply = answer(JSON.stringify({ id: 1, result: { bytes: [...new TextEncoder().encode(secret)] } }));
    const recording = { ...recordingOf([]), exchanges: [{ ...exchange, reply }] };
    const [text = ""] = readersView(maskRecording(recording, mask).recording, 1)[0]?.split("\n") ?? [];
    assert.match(JSON.parse(text).result.bytes, /^\[‹\w+›\]$/);
  });

  it("has none of them in what describes it", () => {
    for (const secret of Object.values(secrets)) {
      const endpoint = { site: `https://${secret}.example`, client: secret, chainId: "0x1" };
      const exchange = { method: `x_${secret}`, params: { [secret]: [secret] }, at: 0, tookMs: 0 };
      const recording: Recording = {
        startedAt: 0,
        tool: "test",
        endpoints: { [`node ${secret}`]: endpoint },
        exchanges: [{ endpoint: `node ${secret}`, ...exchange, reply: answer("{}") }],
        streams: [{ endpoint: secret, params: ["logs", { address: secret }], subscription: secret, events: [] }],
      };
      const text = printRecording(maskRecording(recording, mask).recording);
      const one: Case = { name: "", secret, encoding: "as it is", place: "result", payload: secret };
      assert.equal(leaked(one, text), undefined, text);
    }
  });
});
