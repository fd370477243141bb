import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../../server/src/base/json.ts";
import { parseJson } from "../../../../server/src/base/json.ts";
import { expectsError } from "../../../../server/src/evaluate/operators.ts";
import { assertionFailures } from "../../../../server/src/run/judge/checkExpectation.ts";
import { times } from "../../../support/depth.ts";
import { expectLinear } from "../../../support/growth.ts";

const answer: JsonObject = { result: "0x10", decoded: [25n, { to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }] };
const word = `0x${"0".repeat(63)}5`;
const big = (2n ** 200n).toString();

function check(expect: string, outcome: JsonObject = answer): readonly string[] {
  return assertionFailures(parseJson(expect) ?? null, outcome).map(
    ({ path, expected, found }) => `${path}: ${expected}. ${found}`,
  );
}

describe("expect", () => {
  for (const [expect, outcome] of [
    [`{ "result": "0x10" }`],
    [`{ "result": 16 }`],
    [`{ "result": "16" }`],
    [`{ "decoded[0]": 25 }`],
    [`{ "decoded[0]": "0x19" }`],
    [`{ "decoded[1].to": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8" }`],
    [`{ "decoded": [25, { "to": "0x70997970C51812DC3A010C7D01B50E0D17DC79C8" }] }`],
    [`{ "result": { "==": 16, "!=": 17, "<": 17, "<=": "0x10", ">": "15", ">=": 15.5, "in": [1, "16"] } }`],
    [`{ "result": { "matches": "^0x[0-9a-f]+$", "length": 1, "type": "string" } }`],
    [`{ "result": "16 wei", "decoded[0]": { ">": "2 wei", "<": "1 gwei", "in": ["25 wei"] } }`],
    [`{ "result": { ">=": "1.5 ether" } }`, { result: "0x14d1120d7b160000" }],
    [`{ "decoded": ["1,000 gwei", { "a": "1 ether" }] }`, { decoded: ["1000000000000", { a: 10n ** 18n }] }],
    [`{ "result": "1 ether" }`, { result: "1 ether" }],
    [`{ "decoded": { "length": 2, "type": "array" }, "decoded[0]": { "type": "number" } }`],
    [`{ "result": ${big} }`, { result: `0x${BigInt(big).toString(16)}` }],
    [`{ "result": { ">": "${big}" } }`, { result: BigInt(big) + 1n }],
    [`{ "result": { "==": 1.50, ">": "1.49999999999999999999", "<": "1.6" } }`, { result: "1.5" }],
    [`{ "result": 1e3 }`, { result: "1000" }],
    [`{ "result": { "<": 1.0000000000000000001, ">": 10000000000000000001e-20 } }`, { result: "0x1" }],
    [`{ "result": null }`, { result: null }],
    [`{ "result": { "type": "null" } }`, { result: null }],
    [`{ "result": true }`, { result: true }],
    [`{ "result": { "a": "0x1" } }`, { result: { a: 1 } }],
    [`{ "result": "${word.toUpperCase().replace("X", "x")}" }`, { result: word }],
    [`{ "result": {} }`, { result: {} }],
    [`{ "result": { "length": 2 } }`, { result: "0xabcd" }],
    [`{ "result": { "length": "0x2" } }`, { result: "0xabcd" }],
    [`{ "result": -0 }`, { result: "0x0" }],
    [`{ "result": 0 }`, { result: -0 }],
    [`{ "result": "0" }`, { result: -0 }],
    [
      `{ "error.code": -32000, "error.message": { "matches": "revert" } }`,
      { error: { code: -32000, message: "execution reverted" } },
    ],
    [`{}`],
  ] as const satisfies readonly (readonly [string, JsonObject?])[]) {
    it(`holds: ${expect.slice(0, 100)}`, () => assert.deepEqual(check(expect, outcome), []));
  }

  for (const [expect, miss, outcome] of [
    [`{ "result": 17 }`, `result: to be 17. It is "0x10".`],
    [`{ "result": { "==": 16, ">": 16 } }`, `result: to be greater than 16. It is "0x10".`],
    [`{ "result": { "!=": 16 } }`, `result: not to be 16. It is "0x10".`],
    [`{ "result": { "in": [1, 2] } }`, `result: to be one of [1,2]. It is "0x10".`],
    [`{ "result": { "matches": "^1" } }`, `result: to match "^1". It is "0x10".`],
    [`{ "result": { "length": 2 } }`, `result: to have the length 2. It is "0x10".`],
    [`{ "result": { "type": "number" } }`, `result: to be of type "number". It is "0x10".`],
    // hex is a number beside a number
    [`{ "result": { "!=": 5 } }`, `result: not to be 5. It is "${word}".`, { result: word }],
    [`{ "result": { "!=": "0x0" } }`, `result: not to be "0x0". It is "0x00".`, { result: "0x00" }],
    [`{ "result": { ">": "0x5" } }`, `result: to be greater than "0x5". It is "${word}".`, { result: word }],
    [
      `{ "result": 0 }`,
      `result: to be 0. This cannot be checked: 0 bytes cannot be compared with a number.`,
      { result: "0x" },
    ],
    [
      `{ "result": "0x${"0".repeat(24)}${"1a".repeat(20)}" }`,
      `result: to be "0x${"0".repeat(24)}${"1a".repeat(20)}". This cannot be checked: 20 bytes cannot be compared with 32 bytes.`,
      { result: `0x${"1a".repeat(20)}` },
    ],
    // text that is not written as numbers are
    [
      `{ "result": { "!=": "7" } }`,
      `result: not to be "7". This cannot be checked: text cannot be compared with a number.`,
      { result: "007" },
    ],
    [
      `{ "result": { "!=": 1 } }`,
      `result: not to be 1. This cannot be checked: text cannot be compared with a number.`,
      { result: "01" },
    ],
    // fractions are compared exactly
    [`{ "result": 1.0000000000000000001 }`, `result: to be 1.0000000000000000001. It is 1.`, { result: 1n }],
    [`{ "result": { ">": 0.3 } }`, `result: to be greater than 0.3. It is "0.3".`, { result: "0.3" }],
    [
      `{ "result": { "!=": "true" } }`,
      `result: not to be "true". This cannot be checked: the boolean true cannot be compared with text.`,
      { result: true },
    ],
    [
      `{ "result": { "in": ["true", 1] } }`,
      `result: to be one of ["true",1]. This cannot be checked: the boolean true cannot be compared with text.`,
      { result: true },
    ],
    [`{ "result": { "toString": 1 } }`, `result: to be {"toString":1}. It is {"a":1}.`, { result: { a: 1 } }],
    [
      `{ "result": { "hasOwnProperty": null } }`,
      `result: to be {"hasOwnProperty":null}. It is {"a":null}.`,
      { result: { a: null } },
    ],
    // paths that lead nowhere, or are none
    [`{ "decoded[2]": 1 }`, `decoded[2]: to be 1. There is none: decoded is an array of 2.`],
    [`{ "decoded[1].to.x": 1 }`, `decoded[1].to.x: to be 1. There is none: decoded[1].to is a string.`],
    [`{ "error.code": 1 }`, `error.code: to be 1. There is none: the answer has result and decoded.`],
    [`{ "result": 1 }`, `result: to be 1. There is none: the endpoint returned an error.`, { error: { code: 3 } }],
    [`{ "result..x": 1 }`, `result..x: to be a path such as result[0].value. It is none.`],
    [`{ "": 1 }`, `: to be a path such as result[0].value. It is none.`],
    [`5`, `expect: to be an object of paths and values. It is 5.`],
    [`["result"]`, `expect: to be an object of paths and values. It is ["result"].`],
    // operands that an operator does not take
    [
      `{ "result": { "matches": "(" } }`,
      `result: to match "(". This cannot be checked: this is not a regular expression.`,
    ],
    [
      `{ "result": { "matches": 1 } }`,
      "result: to match 1. This cannot be checked: `matches` takes a regular expression as a string.",
    ],
    [
      `{ "result": { "matches": "(?=0)" } }`,
      `result: to match "(?=0)". This cannot be checked: lookaround and backreferences are not supported.`,
    ],
    [`{ "result": { "in": 16 } }`, "result: to be one of 16. This cannot be checked: `in` takes a list."],
    [
      `{ "result": { "length": "x" } }`,
      `result: to have the length "x". This cannot be checked: \`length\` takes a number.`,
    ],
    [
      `{ "result": { "type": "str" } }`,
      `result: to be of type "str". This cannot be checked: types are array, boolean, null, number, object and string.`,
    ],
    [
      `{ "result": { "<": "x" } }`,
      `result: to be less than "x". This cannot be checked: \`<\` takes a number, a quantity such as "0x10", or an amount such as "1.5 ether".`,
    ],
  ] as const satisfies readonly (readonly [string, string, JsonObject?])[]) {
    it(`misses: ${expect}`, () => assert.deepEqual(check(expect, outcome), [miss]));
  }

  it("does not read text that came as an amount", () =>
    assert.deepEqual(check(`{ "result": "1000000000000000000" }`, { result: "1 ether" }), [
      `result: to be "1000000000000000000". It is "1 ether".`,
    ]));

  it("says every miss, in the order it is written", () =>
    assert.deepEqual(check(`{ "result": { ">": 20, "<": 10 }, "decoded[0]": 1 }`), [
      `result: to be greater than 20. It is "0x10".`,
      `result: to be less than 10. It is "0x10".`,
      `decoded[0]: to be 1. It is 25.`,
    ]));

  it("shows long and odd values briefly and visibly", () => {
    const [line = ""] = check(`{ "result": "x" }`, { result: `\u202e${"y".repeat(1000)}` });
    assert.ok(line.length < 300 && line.includes("\\u202e"), line);
  });

  it("accepts a failure if it checks the error", () => {
    const asks = (expect: string): boolean => expectsError(parseJson(expect) as JsonValue);
    assert.ok(asks(`{ "error": { "type": "object" } }`) && asks(`{ "result": 1, "error.reason": "revert" }`));
    assert.ok(!asks(`{ "errors": 1 }`) && !asks(`{ "result.error": 1 }`) && !asks(`5`) && !expectsError(undefined));
  });

  it("does not read numbers that no chain has", () =>
    expectLinear(2_000_000, (size) =>
      assert.equal(check(`{ "result": { ">": 5 } }`, { result: "9".repeat(size) }).length, 1),
    ));

  /** A number, in units of 10^-24, as JSON may write it. */
  const written = (units: bigint, form: "number" | "text" | "exponent"): string => {
    const digits = String(units < 0n ? -units : units).padStart(25, "0");
    const plain = `${units < 0n ? "-" : ""}${digits.slice(0, -24)}.${digits.slice(-24)}`.replace(/\.?0+$/, "");
    return { number: plain, text: JSON.stringify(plain), exponent: `${units}e-24` }[form];
  };
  const form = fc.constantFrom("number" as const, "text" as const, "exponent" as const);
  const units = fc.oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: 0n, max: 2n ** 130n }));
  const decimal = fc.tuple(units, form).map(([one, form]) => written(one, form));

  it("compares fractions exactly, however they are written", () =>
    fc.assert(
      fc.property(units, fc.bigInt({ min: -2n, max: 2n }), form, form, (one, more, actualForm, wantedForm) => {
        const [actual = null, wanted = null] = [written(one + more, actualForm), written(one, wantedForm)].map((text) =>
          parseJson(text),
        );
        const held = ["==", "<", ">"].filter(
          (operator) => assertionFailures({ result: { [operator]: wanted } }, { result: actual }).length === 0,
        );
        assert.deepEqual(held, [more === 0n ? "==" : more < 0n ? "<" : ">"]);
      }),
      { numRuns: times(5000) },
    ));

  it("holds for exactly one of == and !=, or for neither with a reason", () => {
    const hex = fc.stringMatching(/^0x(?:0{0,6}[0-9a-f]{0,8}|[0-9a-f]{40}|0{24}[0-9a-f]{40}|[0-9a-f]{64})$/);
    const scalar = fc.oneof(
      hex,
      fc.constantFrom(
        "",
        "0x",
        "0x0",
        "0x00",
        word,
        "0",
        "-0",
        "1",
        "0x01",
        "true",
        "latest",
        true,
        false,
        null,
        -0,
        1.5,
        "01",
        "1.5",
        "1.50",
        "1e3",
      ),
      fc.integer(),
      fc.bigInt().map(String),
      decimal.map((text) => parseJson(text) ?? null),
    );
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), scalar),
    );
    const misses = (operator: string, actual: JsonValue, wanted: JsonValue) =>
      assertionFailures({ result: { [operator]: wanted } }, { result: actual });
    fc.assert(
      fc.property(value, value, (actual, wanted) => {
        const failed = [...misses("==", actual, wanted), ...misses("!=", actual, wanted)];
        const refused = failed.filter(({ found }) => found.startsWith("This cannot"));
        assert.ok(failed.length === 1 ? refused.length === 0 : refused.length === 2);
      }),
      { numRuns: times(5000) },
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 150n }), (number) => {
        const digits = number.toString(16);
        const forms = [`0x${digits}`, String(number), number];
        for (const one of forms)
          for (const other of [...forms, `0x${digits.padStart(64, "0")}`])
            assert.deepEqual(misses("==", other, one), []);
      }),
      { numRuns: times(500) },
    );
  });
});
