import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeParams } from "../../../server/src/abi/decode.ts";
import { encodeParams } from "../../../server/src/abi/encode.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { AbiParam } from "../../../server/src/abi/type.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { times } from "../../support/depth.ts";

function params(types: string): readonly AbiParam[] {
  const item = parseItem(`f(${types})`, "");
  assert.ok(item, types);
  return item.inputs;
}

/** Numbers as words; text as digits that are at the left of theirs, as bytes do; `!` ends the data without padding. */
function data(...parts: readonly (number | string)[]): string {
  const digits = parts.map((part) => {
    if (typeof part === "number") return part.toString(16).padStart(64, "0");
    return part.startsWith("!") ? part.slice(1) : part.padEnd(Math.ceil(part.length / 64) * 64, "0");
  });
  return `0x${digits.join("")}`;
}

const read = (types: string, hex: string) => decodeParams(params(types), hex, 2);
const ends = "the data ends before the last argument";

describe("decodeParams", () => {
  const whole: readonly (readonly [string, string, string, readonly JsonValue[]])[] = [
    ["nothing", "", "0x", []],
    [
      "strings without a letter, lists without an item",
      "string,bytes,uint8[]",
      data(96, 128, 160, 0, 0, 0),
      ["", "0x", []],
    ],
    ["a string that ends without padding", "string", data(32, 4, "!74657874"), ["text"]],
    ["tails in another order", "string,string", data(128, 64, 1, "62", 1, "61"), ["a", "b"]],
    ["tails that are shared", "string,string", data(64, 64, 1, "61"), ["a", "a"]],
    ["tails behind a gap", "string", data(64, 7, 1, "61"), ["a"]],
    ["a function", "function", data(`${"ab".repeat(20)}12345678`), [`0x${"ab".repeat(20)}12345678`]],
    ["numbers below zero", "int8,int256", data(`${"f".repeat(62)}80`, "f".repeat(64)), ["-128", "-1"]],
    ["numbers of any size", "uint256", data("f".repeat(64)), [(2n ** 256n - 1n).toString()]],
    ["a list of fixed length, in place", "uint8[2],bool", data(1, 2, 1), [["1", "2"], true]],
    ["a list of fixed length of strings", "string[2]", data(32, 64, 128, 1, "61", 1, "62"), [["a", "b"]]],
    ["lists in lists", "uint8[][]", data(32, 2, 64, 128, 1, 5, 0), [[["5"], []]]],
    ["lists without a place", "uint256[0][2],bool", data(1), [[[], []], true]],
    ["a tuple by its names", "(uint8 a, string b) t", data(32, 5, 64, 1, "61"), [{ a: "5", b: "a" }]],
    ["a tuple whose names are equal", "(uint8 a, uint8 a) t", data(1, 2), [["1", "2"]]],
    ["a name that is special to JavaScript", "(bool __proto__) t", data(1), [JSON.parse('{"__proto__":true}')]],
    ["letters beyond the first plane", "string", data(32, 4, "f09f9880"), ["😀"]],
    ["a byte order mark and NUL", "string", data(32, 4, "efbbbf00"), ["\ufeff\0"]],
  ];
  for (const [name, types, hex, values] of whole)
    it(`reads ${name}`, () => assert.deepEqual(read(types, hex), { values, faults: [] }));

  const faulty: readonly (readonly [string, string, string, readonly (JsonValue | undefined)[], readonly string[]])[] =
    [
      ["no data", "uint8,bool", "0x", [undefined, undefined], [ends]],
      ["half a word", "uint8,uint8", data(1, "!02"), ["1", undefined], [ends]],
      ["a string that is cut", "string", data(32, 5, "!6162"), ["ab"], ["the data ends 3 bytes early"]],
      ["a list that is cut", "uint8[]", data(32, 3, 1, 2), [["1", "2", null]], ["an array of 3 ends after 2"]],
      [
        "a list whose first offset is broken",
        "string[]",
        data(32, 3, "f".repeat(64), 96, 160, 1, "61", 1, "62"),
        [[null, "a", "b"]],
        ["the offset of a value is impossible"],
      ],
      [
        "a list whose middle offset is broken",
        "bytes[3]",
        data(32, 96, 4096, 160, 1, "61", 1, "62"),
        [["0x61", null, "0x62"]],
        [ends],
      ],
      ["a list in place that is cut", "uint8[3]", data(1), [["1", null]], ["an array of 3 ends after 1"]],
      ["an offset beyond the data", "string,uint8", data(4096, 1), [undefined, "1"], [ends]],
      [
        "an offset that is no number",
        "string",
        data("f".repeat(64)),
        [undefined],
        ["the offset of a value is impossible"],
      ],
      ["a string that is no text", "string", data(32, 2, "c328"), ["\ufffd("], ["a string is not UTF-8"]],
      ["half a surrogate pair", "string", data(32, 3, "eda080"), ["\ufffd\ufffd\ufffd"], ["a string is not UTF-8"]],
      ["a bool of two", "bool", data(2), [data(2)], ["a bool is neither 0 nor 1"]],
      [
        "an address with more bits",
        "address",
        data("f".repeat(64)),
        [`0x${"f".repeat(40)}`],
        ["an address has bits set beyond its 20 bytes"],
      ],
      ["bytes before the words end", "bytes2", data("123456"), ["0x1234"], ["bytes2 is followed by other bytes"]],
      ["more than the arguments", "uint8", data(1, 2), ["1"], ["32 bytes more than the arguments take"]],
      ["half a byte", "bytes", data(32, 2, "!616"), ["0x616"], ["the data ends 0.5 bytes early"]],
    ];
  for (const [name, types, hex, values, faults] of faulty)
    it(`reads what there is of ${name}, and says so`, () => assert.deepEqual(read(types, hex), { values, faults }));

  it("takes any number of values that stand in place, however deep", () => {
    const { values, faults } = read(
      "((((((((uint8))))))))[]",
      data(32, 3000, ...Array.from({ length: 3000 }, () => 7)),
    );
    assert.equal(Array.isArray(values[0]) && values[0].length, 3000);
    assert.deepEqual(faults, []);
  });

  it("says of any bytes as any types what they are, and never throws", () =>
    fc.assert(
      fc.property(fc.array(typeText, { maxLength: 4 }), hostile, (types, hex) => {
        const list = params(types.join(","));
        const { values, faults } = decodeParams(list, hex, 2);
        assert.equal(values.length, types.length);
        if (faults.length > 0) return;
        // without a fault it is what an encoder would write, up to the order of tails: it comes back the same
        const again = encodeParams(
          list,
          values.map((value) => value ?? null),
          () => false,
        );
        assert.ok(again.kind === "encoded", `${types}: ${JSON.stringify(values)}`);
        assert.deepEqual(decodeParams(list, again.hex, 2), { values, faults: [] });
      }),
      { numRuns: times(500) },
    ));

  it("is done soon with what promises much", () => {
    const promises: readonly (readonly [string, string])[] = [
      ["uint256[0][]", data(32, 2 ** 32 - 1)],
      ["()[]", data(32, 2 ** 32 - 1)],
      ["uint256[4294967295]", data(1, 2, 3)],
      ["uint256[0][4294967295]", data(1)],
      [`uint8${"[]".repeat(400)}`, data(...Array.from({ length: 2000 }, () => 32))],
      ["bytes[]", data(32, 1000, ...Array.from({ length: 1000 }, () => 32_000), 20_000, "ab".repeat(20_000))],
    ];
    for (const [types, hex] of promises) {
      const { values, faults } = read(types, hex);
      assert.notDeepEqual(faults, [], types);
      assert.ok(JSON.stringify(values).length < 1_000_000, types);
    }
  });
});

const { typeText } = fc.letrec<{ typeText: string }>((tie) => ({
  typeText: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("uint8", "uint256", "int24", "int256", "address", "bool", "bytes1", "bytes32", "function"),
    fc.constantFrom("bytes", "string"),
    fc.tuple(tie("typeText"), fc.constantFrom("[]", "[0]", "[1]", "[3]")).map((parts) => parts.join("")),
    fc.array(tie("typeText"), { maxLength: 3 }).map((members) => `(${members.join(",")})`),
  ),
}));

/** Words as encoders write them, mixed with any bytes: random bytes alone would never get behind the first offset. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map((n) => (n * 32).toString(16).padStart(64, "0")) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }).map((n) => n.toString(16).padStart(64, "0")) },
      { weight: 1, arbitrary: fc.stringMatching(/^([0-9a-f]{2}){0,40}$/) },
      { weight: 1, arbitrary: fc.constant("f".repeat(64)) },
    ),
    { maxLength: 24 },
  )
  .map((words) => `0x${words.join("")}`);
