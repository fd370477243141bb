import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { differences, differenceText, equal } from "../../../server/src/evaluate/diff.ts";

function check(expected: JsonValue, actual: JsonValue): readonly string[] {
  return [...differences(expected, actual, ["result"])].map((one) => `${one.path}: ${differenceText(one)}`);
}

describe("differences of JSON", () => {
  for (const [expected, actual, ...want] of [
    ["0x10", "0x11", `result: "0x10" (16) → "0x11" (17)`],
    ["0x9", "0xa", `result: "0x9" → "0xa" (10)`],
    [1, "0x1", `result: 1 → "0x1"`],
    [null, [], "result: null → []"],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, { b: null }, "result.a: 1 → nothing", "result.b: nothing → null"],
    [[1, 2, 3], [1, 3], "result[1]: 2 → nothing"],
    [[1, 3], [1, 2, 3], "result[1]: nothing → 2"],
    [[1, 1], [1], "result[1]: 1 → nothing"],
    [[{ data: "0x01", n: "0x1" }], [{ data: "0x02", n: "0x1" }], `result[0].data: "0x01" → "0x02"`],
    [[1, 2, 3], [9, 2, 8, 7], "result[0]: 1 → 9", "result[2]: 3 → 8", "result[3]: nothing → 7"],
    [12345678901234567890n, 12345678901234567891n, "result: 12345678901234567890 → 12345678901234567891"],
    [JSON.parse(`{ "__proto__": 1 }`), {}, "result.__proto__: 1 → nothing"],
    // Texts that are cut where they still look the same
    [`0x${"00".repeat(300)}01`, `0x${"00".repeat(300)}02`, `result: from byte 300 on …"00000000001" → …"00000000002"`],
    [`0x00${"AB".repeat(150)}`, `0x00${"ab".repeat(149)}`, `result: from byte 150 on …"ABABABABABAB" → …"ababababab"`],
    [
      `${"a".repeat(300)}b${"c".repeat(300)}`,
      `${"a".repeat(300)}`,
      `result: from character 300 on …"aaaaaaaaaab${"c".repeat(87)}… → …"aaaaaaaaaa"`,
    ],
    ["a\u202e", "b", `result: "a\\u202e" → "b"`],
  ] as const satisfies readonly (readonly [JsonValue, JsonValue, ...string[]])[]) {
    it(`${JSON.stringify(want)}`, () => assert.deepEqual(check(expected, actual), want));
  }

  it("are none between equal values alone", () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        assert.equal(
          [...differences(a as JsonValue, b as JsonValue)].length === 0,
          equal(a as JsonValue, b as JsonValue),
        );
        assert.deepEqual([...differences(a as JsonValue, a as JsonValue)], []);
      }),
    ));

  it("take no longer for deep values than for wide ones", () => {
    const deep = (last: JsonValue): JsonValue => Array.from({ length: 500 }).reduce<JsonValue>((all) => [all], last);
    assert.equal(check(deep(1), deep(2)).length, 1);
    const wide = (first: JsonValue): JsonValue => [first, ...Array.from({ length: 100_000 }, (_, at) => at)];
    assert.equal(check(wide("a"), wide("b")).length, 1);
  });
});
