import assert from "node:assert/strict";
import type { Matching } from "../../../server/src/recording/match.ts";
import type { Recording } from "../../../server/src/recording/recording.ts";
import { Replay } from "../../../server/src/recording/replay.ts";

const recording: Recording = {
  startedAt: 0,
  tool: "test",
  endpoints: { local: { site: "http://localhost" } },
  exchanges: ["one", "two"].map((result, at) => ({
    endpoint: "local",
    method: "m",
    params: [],
    at,
    tookMs: 1,
    reply: { kind: "answer", body: { text: `{"jsonrpc":"2.0","id":9,"result":"${result}"}` } },
  })),
  streams: [],
};

/** Asks one replay after the other; returns each answer's id and result, or its text. */
function asked(matching: Matching, ...bodies: readonly string[]): readonly unknown[] {
  const replay = new Replay(recording, { matching });
  return bodies.map((body) => {
    const came = replay.answer(body, "local", { maxBytes: 1000 });
    assert.ok(came.kind === "response", "there is an answer");
    if (came.body === "") return "";
    const { id, result, error } = JSON.parse(came.body);
    return [id, result ?? error.code];
  });
}

describe("a request that was asked before with another id", () => {
  const spellings = [
    (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":[]}`,
    (id: string) => `{"jsonrpc": "2.0", "id": ${id}, "method": "m", "params": []}`,
    (id: string) => `{"method":"m","params":[],"id":${id},"jsonrpc":"2.0"}`,
    (id: string) => `{"jsonrpc": "2.0", "method": "m", "params": [], "id": ${id}}`,
    (id: string) => ` {"id":${id},"params":[],"method":"m"} `,
  ] as const;

  it("gets its own id and the next answer, however it is written", () => {
    const ids = ["1", '"a-1"', "0", "-0.5", '"\\u0041"', "null", "123456789012345678901"];
    const bodies = ids.flatMap((id) => spellings.map((spelling) => spelling(id)));
    assert.deepEqual(
      asked("lenient", ...bodies),
      bodies.map((body, at) => [JSON.parse(body).id, at % 2 === 0 ? "one" : "two"]),
    );
  });

  for (const spelling of spellings)
    it(`gets each answer once if matching is strict: ${spelling("1")}`, () => {
      assert.deepEqual(asked("strict", spelling("1"), spelling("2"), spelling("3")), [
        [1, "one"],
        [2, "two"],
        [3, -32_099],
      ]);
    });

  it("has the id of its last member of this name", () => {
    const first = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":[],"id":7,"x":0}`;
    const last = (id: number) => `{"id":7,"method":"m","params":[],"id":${id}}`;
    assert.deepEqual(asked("lenient", first(1), first(2), last(3), last(4)), [
      [7, "one"],
      [7, "two"],
      [3, "one"],
      [4, "two"],
    ]);
  });

  it("is no notification, no other object's id, and JSON", () => {
    const valid = spellings[2]("1");
    assert.deepEqual(
      asked(
        "lenient",
        valid,
        `{"method":"m","params":[]}`,
        `{"method":"m","params":[],"a":{"b":0,"id":1}}`,
        `{"method":"m","params":[],,"id":1}`,
        `{"jsonrpc":"2.0","id":01,"method":"m","params":[]}`,
        `{"jsonrpc":"2.0","id":1,{"method":"m","params":[]`,
        valid,
      ),
      [[1, "one"], "", "", [null, -32_700], [null, -32_700], [null, -32_700], [1, "two"]],
    );
  });
});
