import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { type LoggedWords, loggedWords } from "../../../server/src/inspect/loggedWords.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";

/** An answer as far as it is read. */
const answered = (value: JsonValue): Outcome => ({ kind: "answered", result: { value, text: "" } }) as Outcome;
const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;

/** Searches, and returns what was found and the ranges that were asked for. */
async function search(
  last: bigint,
  answer: (from: string) => Outcome | undefined,
): Promise<{ readonly found: LoggedWords; readonly asked: readonly JsonValue[] }> {
  const asked: JsonValue[] = [];
  const found = await loggedWords(
    async ({ params: [filter] }) => {
      const { fromBlock, toBlock } = Object(filter);
      asked.push([fromBlock, toBlock]);
      return answer(fromBlock);
    },
    "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    last,
  );
  return { found, asked };
}

describe("words of a contract's logs", () => {
  it("are those of topics and data, the newest first, each once", async () => {
    const logs = [
      { topics: [word(1), word(2)], data: word(3) },
      { topics: [word(1), word(4), word(2)], data: "0x" },
    ];
    const { found, asked } = await search(50n, () => answered(logs));
    assert.deepEqual(found, { words: [word(4), word(2), word(3)], blocks: 51n });
    assert.deepEqual(asked, [["0x0", "0x32"]]);
  });

  it("are searched further back if there are few", async () => {
    const { found, asked } = await search(10_000n, () => answered([]));
    assert.deepEqual(asked, [
      ["0x26ad", "0x2710"],
      ["0x1f41", "0x26ac"],
    ]);
    assert.equal(found.blocks, 2_000n);
  });

  it("are read in the range that an endpoint states", async () => {
    const narrow = { kind: "refused", reason: "range-limit", rangeLimit: 20n } as Outcome; // all that is read
    let count = 0;
    const { found, asked } = await search(10_000n, () => (count++ === 0 ? narrow : answered([])));
    assert.deepEqual([asked.length, asked[1], found], [6, ["0x26fd", "0x2710"], { words: [], blocks: 100n }]);
  });

  it("are not searched further back if there are many", async () => {
    const busy = Array.from({ length: 5_000 }, (_, at) => ({ topics: [word(0), word(at)], data: "0x" }));
    const { found, asked } = await search(10_000n, () => answered(busy));
    assert.equal(asked.length, 1);
    assert.equal(found.words.length, 64);
    assert.equal(found.words[0], word(4_999));
  });

  it("say why there are none, and survive what is not a log", async () => {
    const { found } = await search(9n, () => undefined);
    assert.deepEqual(found, { words: [], blocks: 0n, failure: "not a list of logs" });
    for (const logs of [7, {}, null]) assert.ok((await search(9n, () => answered(logs))).found.failure);
    const odd = [null, 7, {}, { topics: [word(0), 7, "0x1"], data: "0x123" }, { topics: "0x", data: null }];
    assert.deepEqual((await search(9n, () => answered(odd))).found.words, []);
  });
});
