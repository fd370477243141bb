import assert from "node:assert/strict";
import { scopeOf } from "../../server/src/abi/abiScope.ts";
import { decodeCall } from "../../server/src/abi/decodeCall.ts";
import { encodeParams } from "../../server/src/abi/encode.ts";
import { parseItem, selectorOf } from "../../server/src/abi/item.ts";
import type { JsonValue } from "../../server/src/base/json.ts";

/**
 * The examples of the ABI specification, which ethereum/tests `basic_abi_tests.json` has too.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/abi-spec.html#examples
 */
describe("the examples of the ABI specification", () => {
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  const text = (value: string): string => Buffer.from(value).toString("hex").padEnd(64, "0");

  const examples: readonly (readonly [string, string, readonly JsonValue[], readonly string[]])[] = [
    ["baz(uint32 x, bool y)", "0xcdcd77c0", ["69", true], [word(69), word(1)]],
    ["bar(bytes3[2])", "0xfce353f6", [["0x616263", "0x646566"]], [text("abc"), text("def")]],
    [
      "sam(bytes, bool, uint256[])",
      "0xa5643bf2",
      ["0x64617665", true, ["1", "2", "3"]],
      [word(0x60), word(1), word(0xa0), word(4), text("dave"), word(3), word(1), word(2), word(3)],
    ],
    [
      "f(uint256, uint32[], bytes10, bytes)",
      "0x8be65246",
      [
        `${0x123}`,
        [`${0x456}`, `${0x789}`],
        `0x${Buffer.from("1234567890").toString("hex")}`,
        `0x${Buffer.from("Hello, world!").toString("hex")}`,
      ],
      [
        ...[word(0x123), word(0x80), text("1234567890"), word(0xe0)],
        ...[word(2), word(0x456), word(0x789), word(13), text("Hello, world!")],
      ],
    ],
    [
      "g(uint256[][], string[])",
      "0x2289b18c",
      [
        [["1", "2"], ["3"]],
        ["one", "two", "three"],
      ],
      [
        ...[word(0x40), word(0x140)],
        ...[word(2), word(0x40), word(0xa0), word(2), word(1), word(2), word(1), word(3)],
        ...[
          word(3),
          word(0x60),
          word(0xa0),
          word(0xe0),
          word(3),
          text("one"),
          word(3),
          text("two"),
          word(5),
          text("three"),
        ],
      ],
    ],
  ];
  for (const [declared, selector, args, words] of examples) {
    it(declared, () => {
      const item = parseItem(declared, "specification") ?? assert.fail();
      assert.equal(selectorOf(item), selector);
      const encoded = encodeParams(item.inputs, args, () => false);
      assert.deepEqual(encoded, { kind: "encoded", hex: `0x${words.join("")}` });
      const call = decodeCall(`${selector}${words.join("")}`, scopeOf([item]));
      assert.deepEqual([call?.args.map(({ value }) => value), call?.faults], [args, []]);
    });
  }
});
