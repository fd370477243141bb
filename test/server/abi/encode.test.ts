import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem";
import { decodeParams } from "../../../server/src/abi/decode.ts";
import { type Encoded, encodeParams, encodeTopic } from "../../../server/src/abi/encode.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { AbiParam } from "../../../server/src/abi/type.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { times } from "../../support/depth.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const never = (): boolean => false;

function params(types: string): readonly AbiParam[] {
  const item = parseItem(`f(${types})`, "");
  assert.ok(item, types);
  return item.inputs;
}

function encoded(types: string, args: JsonValue): string | undefined {
  const result = encodeParams(params(types), args, never);
  return result.kind === "encoded" ? result.hex : undefined;
}

/** Each fault as its path and what is expected. */
function faults(result: Encoded): readonly string[] {
  return result.kind === "faults" ? result.faults.map(({ path, what }) => `${path.join(".")}: ${what}`) : [result.kind];
}

const word = (digits: string): string => digits.padStart(64, "0");

describe("encoding", () => {
  for (const [types, args, want] of [
    ["", [], "0x"],
    ["bool", [true], `0x${word("1")}`],
    ["uint256", [2n ** 256n - 1n], `0x${"f".repeat(64)}`],
    ["uint8", ["255"], `0x${word("ff")}`],
    ["uint8", ["0xff"], `0x${word("ff")}`],
    ["int8", [-128], `0x${"f".repeat(62)}80`],
    ["int256", ["-1"], `0x${"f".repeat(64)}`],
    ["uint256", ["1.5 ether"], `0x${word((15n * 10n ** 17n).toString(16))}`],
    ["uint256", ["30 gwei"], `0x${word((30n * 10n ** 9n).toString(16))}`],
    ["address", [address], `0x${word(address.slice(2).toLowerCase())}`],
    ["address", [address.toUpperCase().replace("0X", "0x")], `0x${word(address.slice(2).toLowerCase())}`],
    ["bytes4", ["0xDDf252ad"], `0xddf252ad${"0".repeat(56)}`],
    ["bytes", ["0x"], `0x${word("20")}${word("0")}`],
    ["string", ["ä"], `0x${word("20")}${word("2")}c3a4${"0".repeat(60)}`],
    ["uint256[]", [[]], `0x${word("20")}${word("0")}`],
    [
      "(address to, uint256 value) call",
      [{ value: 2, to: address }],
      `0x${word(address.slice(2).toLowerCase())}${word("2")}`,
    ],
    ["address to, uint256 value", { value: 2, to: address }, `0x${word(address.slice(2).toLowerCase())}${word("2")}`],
  ] as const satisfies readonly (readonly [string, JsonValue, string])[]) {
    it(`writes (${types}) of ${JSON.stringify(args, (_, one) => (typeof one === "bigint" ? `${one}` : one))}`, () =>
      assert.equal(encoded(types, args), want));
  }

  for (const [types, args, want] of [
    ["address to, uint256 value", [address], [": expected 2 values, not 1"]],
    ["address to", "x", [": expected a list of values"]],
    ["address to", { too: address }, ["too: unknown part: expected to", ": `to` is missing"]],
    ["address", ["0x1234"], ["0: expected an address: `0x` and 40 hexadecimal digits"]],
    ["address[]", [[address, 5]], ["0.1: expected an address: `0x` and 40 hexadecimal digits"]],
    ["uint8", [256], ["0: it does not fit into uint8"]],
    ["uint8", [-1], ["0: it does not fit into uint8"]],
    ["int8", [128], ["0: it does not fit into int8"]],
    ["uint256", [1.5], ["0: expected uint256: a whole number, or a string of one"]],
    ["uint256", [1e300], ["0: expected uint256: a whole number, or a string of one"]],
    ["uint256", ["9".repeat(1_000_000)], ["0: expected uint256: a whole number, or a string of one"]],
    ["uint256", ["1.5"], ["0: expected uint256: a whole number, or a string of one"]],
    ["uint256", ["1.5 wei"], ["0: it has more digits than a wei"]],
    ["int256", ["1.5 ether"], ["0: expected int256: a whole number, or a string of one"]],
    ["bool", ["true"], ["0: expected `true` or `false`"]],
    ["bytes4", ["0x12"], ["0: expected bytes4: `0x` and 8 hexadecimal digits"]],
    ["bytes", ["0x123"], ["0: expected bytes: `0x` and two hexadecimal digits for each"]],
    ["string", [5], ["0: expected a string"]],
    ["uint256[2]", [[1]], ["0: expected 2 items (uint256[2]), not 1"]],
    ["uint256[99999999]", [[1]], ["0: expected 99,999,999 items (uint256[99999999]), not 1"]],
    ["uint256[]", [{}], ["0: expected a list (uint256[])"]],
    ["(bool,bool) pair", [{ a: true }], ["0: not every part has a name, so write a list"]],
    [
      "(bool a, uint8 b)[] list",
      [[{ a: 1, b: 300 }]],
      ["0.0.a: expected `true` or `false`", "0.0.b: it does not fit into uint8"],
    ],
    ["(bool __proto__) odd", [{}], ["0: `__proto__` is missing"]],
  ] as const satisfies readonly (readonly [string, JsonValue, readonly string[]])[]) {
    it(`says what is wrong with (${types}) of ${JSON.stringify(args).slice(0, 60)}`, () =>
      assert.deepEqual(faults(encodeParams(params(types), args, never)), want));
  }

  it("leaves open what is not known yet, and still sees what is wrong", () => {
    const open = (text: string): boolean => text === "?";
    const encode = (args: JsonValue): readonly string[] =>
      faults(encodeParams(params("address a, uint8[] b"), args, open));
    assert.deepEqual(encode(["?", [1]]), ["open"]);
    assert.deepEqual(encode([address, ["?"]]), ["open"]);
    assert.deepEqual(encode("?"), ["open"]);
    assert.deepEqual(encode(["?", [256]]), ["1.0: it does not fit into uint8"]);
  });

  it("comes back as it went in, and is what viem writes, for any types", () => {
    fc.assert(
      fc.property(fc.array(typed(3), { maxLength: 4 }), (list) => {
        const types = list.map(({ type }) => type).join(",");
        const args = list.map(({ value }) => value);
        const hex = encoded(types, args);
        assert.equal(
          hex,
          encodeAbiParameters(
            list.length === 0 ? [] : parseAbiParameters(types),
            list.map(({ native }) => native),
          ),
        );
        assert.deepEqual(decodeParams(params(types), hex ?? "", 2), { values: args, faults: [] });
      }),
      { numRuns: times(300) },
    );
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(typed(3), fc.jsonValue({ maxDepth: 4 }), ({ type }, value) => {
        encodeParams(params(type), [value as JsonValue], never);
        encodeTopic(params(type)[0]?.type ?? assert.fail(), value as JsonValue, never);
      }),
    );
  });
});

describe("a topic", () => {
  const topic = (type: string, value: JsonValue): string | undefined => {
    const result = encodeTopic(params(type)[0]?.type ?? assert.fail(), value, never);
    return result.kind === "encoded" ? result.hex : undefined;
  };
  it("is a word where that is enough", () => {
    assert.equal(topic("address", address), `0x${word(address.slice(2).toLowerCase())}`);
    assert.equal(topic("bytes4", "0x12345678"), `0x12345678${"0".repeat(56)}`);
  });
  it("is the hash of bytes and text as they are", () => {
    assert.equal(topic("string", "hello"), keccak256("0x68656c6c6f"));
    assert.equal(topic("bytes", "0x"), keccak256("0x"));
  });
  it("is the hash of the parts of lists and tuples, each in whole words, without offsets and lengths", () => {
    assert.equal(topic("uint8[]", [1, 2]), keccak256(`0x${word("1")}${word("2")}`));
    assert.equal(topic("uint8[2]", [1, 2]), keccak256(`0x${word("1")}${word("2")}`));
    assert.equal(
      topic("(bool a, string b)[]", [{ a: true, b: "hello" }]),
      keccak256(`0x${word("1")}68656c6c6f${"0".repeat(54)}`),
    );
  });
});

interface Typed {
  readonly type: string;
  /** The value that decoding returns. */
  readonly value: JsonValue;
  /** The value that viem takes. */
  readonly native: unknown;
}

/** A type and a value of it. */
function typed(depth: number): fc.Arbitrary<Typed> {
  const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
  const number = (type: string, value: bigint): Typed => {
    const small = Number(/\d+$/.exec(type)?.[0]) <= 48; // viem takes JavaScript numbers up to there
    return { type, value: value.toString(), native: small ? Number(value) : value };
  };
  const hex = (min: number, max: number): fc.Arbitrary<string> =>
    fc.uint8Array({ minLength: min, maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
  const same =
    (type: string) =>
    (value: string | boolean): Typed => ({ type, value, native: value });
  const scalar = fc.oneof(
    bits.chain((size) =>
      fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }).map((value) => number(`uint${size}`, value)),
    ),
    bits.chain((size) =>
      fc
        .bigInt({ min: -(2n ** BigInt(size - 1)), max: 2n ** BigInt(size - 1) - 1n })
        .map((value) => number(`int${size}`, value)),
    ),
    fc.boolean().map(same("bool")),
    hex(20, 20).map(same("address")),
    fc.integer({ min: 1, max: 32 }).chain((size) => hex(size, size).map(same(`bytes${size}`))),
    hex(0, 70).map(same("bytes")),
    fc.string({ unit: "grapheme", maxLength: 40 }).map(same("string")),
  );
  if (depth === 0) return scalar;
  const inner = typed(depth - 1);
  const list = fc.tuple(inner, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([one, length, fixed]): Typed => {
    const times = <T>(value: T): readonly T[] => Array.from({ length }, () => value);
    return { type: `${one.type}[${fixed ? length : ""}]`, value: times(one.value), native: times(one.native) };
  });
  const tuple = fc.array(inner, { minLength: 1, maxLength: 3 }).map(
    (members): Typed => ({
      type: `(${members.map(({ type }) => type).join(",")})`,
      value: members.map(({ value }) => value),
      native: members.map(({ native }) => native),
    }),
  );
  return fc.oneof({ arbitrary: scalar, weight: 3 }, list, tuple);
}
