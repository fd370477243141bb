import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters, encodeEventTopics, type AbiEvent as ViemEvent } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodeLog, decodeLogWith } from "../../../server/src/abi/decodeLog.ts";
import { isEvent, parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { times } from "../../support/depth.ts";

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const approval = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const memo = "0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8";
const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const bob = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

const word = (value: bigint | string): string =>
  typeof value === "string" ? value.slice(2).padStart(64, "0") : value.toString(16).padStart(64, "0");
const topic = (value: bigint | string): string => `0x${word(value)}`;

function event(text: string) {
  const item = parseItem(text, "Test.json");
  assert.ok(item && isEvent(item), text);
  return item;
}

/** Events as a reader sees them: `ERC-20 Transfer(from: 0x…, to: 0x…, value: 5) ! fault | other`. */
function read(log: JsonValue, ...abi: readonly string[]): string {
  const found = decodeLog(log, abi.length > 0 ? scopeOf(abi.map(event)) : undefined);
  if (!found) return "unknown";
  const args = found.args.map(
    ({ name, value, hashed }) => `${name}: ${hashed ? "#" : ""}${JSON.stringify(value)?.replaceAll('"', "")}`,
  );
  const marks = [
    ...found.faults.map((fault) => ` ! ${fault}`),
    ...found.others.map((other) => ` | ${other.declaration}`),
  ];
  return `${found.source}${found.native ? " native" : ""} ${found.name}(${args.join(", ")})${marks.join("")}`;
}

const log = (topics: readonly string[], data = "0x", address = bob) => ({ address, topics, data });

describe("decodeLog", () => {
  it("reads an ERC-20 transfer", () =>
    assert.equal(
      read(log([transfer, topic(alice), topic(bob)], topic(10n ** 24n))),
      `ERC-20 Transfer(from: ${alice}, to: ${bob}, value: 1000000000000000000000000)`,
    ));
  it("reads an ERC-721 transfer by its four topics", () =>
    assert.equal(
      read(log([transfer, topic(alice), topic(bob), topic(7n)])),
      `ERC-721 Transfer(from: ${alice}, to: ${bob}, tokenId: 7)`,
    ));
  it("reads a transfer that indexes nothing", () =>
    assert.equal(
      read(log([transfer], `0x${word(alice)}${word(bob)}${word(1n)}`)),
      `tokens before ERC-721 Transfer(from: ${alice}, to: ${bob}, value: 1)`,
    ));
  it("tells ERC-20 and ERC-721 approvals apart", () => {
    assert.match(
      read(log([approval, topic(alice), topic(bob)], topic(1n))),
      /^ERC-20 Approval\(owner: .*, value: 1\)$/,
    );
    assert.match(read(log([approval, topic(alice), topic(bob), topic(1n)])), /^ERC-721 Approval\(.*, tokenId: 1\)$/);
  });
  it("reads a memo, which has no data", () =>
    assert.equal(
      read(log([memo, topic(alice), `0x${"496e766f69636520".padEnd(64, "0")}`])),
      `Base B20 Memo(caller: ${alice}, memo: 0x${"496e766f69636520".padEnd(64, "0")})`,
    ));
  it("reads each PaymentCaptured by its topic, never by its name", () => {
    const hash = topic(9n);
    assert.match(
      read(
        log(
          ["0xe749f7bbd01b49bb05abf26ca492cb4dfdea6bedeada8a40fdccd478c73a74e2", hash],
          `0x${word(5n)}${word(30n)}${word(bob)}`,
        ),
      ),
      /amount: 5, feeBps: 30, feeReceiver: 0x3c44/,
    );
    assert.match(
      read(
        log(
          ["0xac1e0db1957daedbc6944bcb4c8dc947ff8101d710671ac2ec26309f7f38d58e", hash],
          `0x${word(5n)}${word(1n)}${word(bob)}`,
        ),
      ),
      /v1\.1 .*feeAmount: 1/,
    );
    assert.match(
      read(
        log(["0xb4c8a10023427dbae6bc82da57c80cdd00b7353a0bbc946994c2f8e9a7cd01e6", hash], `0x${word(5n)}${word(bob)}`),
      ),
      /early PaymentCaptured\(.*amount: 5, operator: 0x3c44/,
    );
  });
  it("reads dynamic data: a payout with extra bytes, also with none", () => {
    const payout = "0xe8ea8a8ee3ea4527ccc3891146ee8a65129e0bb2d05690a9e83932394125b009";
    const head = `0x${word(bob)}${word(alice)}${word(3n)}${word(128n)}`;
    assert.match(
      read(log([payout, topic(alice)], `${head}${word(2n)}${"beef".padEnd(64, "0")}`)),
      /amount: 3, extraData: 0xbeef\)$/,
    );
    assert.match(read(log([payout, topic(alice)], `${head}${word(0n)}`)), /extraData: 0x\)$/);
  });
  it("knows transfers of the native currency in simulations", () =>
    assert.match(
      read(log([transfer, topic(alice), topic(bob)], topic(1n), `0x${"Ee".repeat(20)}`)),
      /^ERC-20 native Transfer/,
    ));
  it("takes upper-case hex", () =>
    assert.match(
      read(
        log(
          [transfer, topic(alice), topic(bob)].map((one) => `0x${one.slice(2).toUpperCase()}`),
          topic(255n).toUpperCase().replace("X", "x"),
        ),
      ),
      /value: 255\)$/,
    ));

  it("reads what there is of short data", () =>
    assert.equal(
      read(log([transfer, topic(alice), topic(bob)], "0x00")),
      `ERC-20 Transfer(from: ${alice}, to: ${bob}, value: undefined) ! the data ends before the last argument`,
    ));
  it("notes data beyond the arguments", () =>
    assert.match(
      read(log([transfer, topic(alice), topic(bob)], `${topic(1n)}${word(2n)}`)),
      /value: 1\) ! there are 32 bytes more than the arguments take$/,
    ));
  it("notes values that their types cannot hold", () => {
    assert.match(
      read(log([transfer, `0x${"ff".repeat(32)}`, topic(bob)], topic(1n))),
      / ! an address has bits set beyond its 20 bytes$/,
    );
    assert.match(
      read(
        log(
          [event("event E(bool b, uint8 n, int8 i, bytes2 x)").hash],
          `0x${word(2n)}${word(256n)}${word(128n)}${"1234567".padEnd(64, "0")}`,
        ),
        "event E(bool b, uint8 n, int8 i, bytes2 x)",
      ),
      /b: 0x0+2, n: 256, i: 128, x: 0x1234\) ! a bool .* ! a value is too big for uint8 ! a value is too big for int8 ! bytes2 is followed by other bytes$/,
    );
  });
  it("says nothing of logs that no event fits", () => {
    for (const unknown of [
      log([]),
      log([topic(1n)]),
      log([transfer, topic(alice), topic(bob), topic(1n), topic(2n)]),
      log(["0x12"]),
    ])
      assert.equal(read(unknown), "unknown");
  });
  it("reads a log whose event is only declared with other arguments indexed, and says so", () => {
    const logged = (count: number): string =>
      ` ! the event is declared with 2 indexed arguments, and logged with ${count}`;
    const own = "event Paid(address indexed from, address indexed to, uint256 value)";
    const paid = event(own).hash;
    assert.equal(
      read(log([paid, topic(alice)], `${topic(bob)}${word(1n)}`), own),
      `Test.json Paid(from: ${alice}, to: ${bob}, value: 1)${logged(1)}`,
    );
    assert.equal(
      read(log([paid, topic(alice), topic(bob), topic(1n)], "0x"), own),
      `Test.json Paid(from: ${alice}, to: ${bob}, value: 1)${logged(3)}`,
    );
    assert.equal(
      read(log([paid], `${topic(alice)}${word(2n)}`), own),
      `Test.json Paid(from: ${alice}, to: 0x${"2".padStart(40, "0")}, value: undefined)${logged(0)} ! the data ends before the last argument`,
    );
    assert.equal(
      read(log([event("event None(uint8 a)").hash, topic(1n), topic(2n)]), "event None(uint8 a)"),
      "unknown",
    );
  });
  it("prefers an anonymous event that fits to a named one that is indexed otherwise", () => {
    const own = "event Paid(address indexed from, uint256 value)";
    assert.match(
      read(log([event(own).hash], topic(1n)), own, "event Any(bytes32 indexed a, uint256 b) anonymous"),
      /^Test\.json Any\(/,
    );
  });
  it("names a log by its topic, however broken the rest is", () => {
    assert.equal(
      read(log([transfer, "nonsense", "0x"], "0xzz")),
      "ERC-20 Transfer(from: undefined, to: undefined, value: undefined) ! the data is not hex ! topic 1 is not 32 bytes of hex ! topic 2 is not 32 bytes of hex ! the data ends before the last argument",
    );
  });

  it("prefers the project's names for arguments", () =>
    assert.match(
      read(
        log([transfer, topic(alice), topic(bob)], topic(1n)),
        "event Transfer(address indexed src, address indexed dst, uint256 wad)",
      ),
      /^Test\.json Transfer\(src: .*wad: 1\)$/,
    ));
  it("chooses between ways of indexing by what the data can be", () => {
    const both = ["event E(address indexed a, uint256 b)", "event E(address a, uint256 indexed b)"] as const;
    const { hash } = event(both[0]);
    assert.match(
      read(log([hash, topic(10n ** 60n)], topic(alice)), ...both),
      new RegExp(`E\\(a: ${alice}, b: 1(0{60})\\)$`),
    );
    assert.match(
      read(log([hash, topic(5n)], topic(6n)), ...both),
      /a: 0x0+5, b: 6\) \| event E\(address a, uint256 indexed b\)$/,
    );
  });
  it("tries anonymous events of the project last, and only where they fit", () => {
    const anonymous = "event Note(uint8 indexed kind, address who) anonymous";
    assert.match(read(log([topic(3n)], topic(alice)), anonymous), /Note\(kind: 3, who: 0x7099/);
    assert.equal(read(log([topic(300n)], topic(alice)), anonymous), "unknown");
    assert.match(read(log([transfer, topic(alice), topic(bob)], topic(1n)), anonymous), /^ERC-20/);
  });
  it("shows only the hash of indexed strings, bytes, arrays and tuples", () => {
    const text = "event H(string indexed s, uint256[2] indexed a, (bool) indexed t)";
    assert.match(
      read(log([event(text).hash, topic(1n), topic(2n), topic(3n)]), text),
      /s: #0x0+1, a: #0x0+2, t: #0x0+3\)$/,
    );
  });
});

describe("decodeLogWith", () => {
  it("looks in the data for indexed arguments without a topic", () => {
    const found = decodeLogWith(
      event("event T(address indexed a, address indexed b, uint256 c)"),
      log([event("event T(address,address,uint256)").hash, topic(alice)], `0x${word(bob)}${word(9n)}`),
    );
    assert.deepEqual(
      found?.args.map(({ value }) => value),
      [alice, bob, "9"],
    );
    assert.deepEqual(found.faults, ["there are fewer topics than indexed arguments"]);
  });
  it("says when topic 0 is another event's", () =>
    assert.match(String(decodeLogWith(event("event A()"), log([transfer]))?.faults), /topic 0 is not that of A\(\)/));
});

describe("hostile encodings", () => {
  const list = "event L(uint256[] list)";
  const nested = "event L(uint256[][][][][][][][][][] list)";
  it("stops at offsets that point back at themselves", () => {
    const data = `0x${(word(32n) + word(10n)).repeat(1)}${word(32n).repeat(60)}`;
    assert.match(read(log([event(nested).hash], data), nested), /! /);
  });
  it("stops at lengths beyond the data, within its size", () => {
    assert.match(
      read(log([event(list).hash], `0x${word(32n)}${word(2n ** 32n - 1n)}${word(7n)}`), list),
      /list: \[7,null\]\) ! an array of 4294967295 ends after 1$/,
    );
    assert.match(
      read(log([event(list).hash], `0x${word(32n)}${word(2n ** 255n)}`), list),
      /! the length of a value is absurd$/,
    );
  });
  it("bounds items without a size", () => {
    const empty = "event L(uint32[0][] list)";
    assert.match(
      read(log([event(empty).hash], `0x${word(32n)}${word(2n ** 32n - 1n)}`), empty),
      /more values than it can hold$/,
    );
  });
  it("bounds bytes that many offsets share", () => {
    const text = "event L(bytes[] list)";
    const count = 2000;
    const body = word(BigInt(count * 32)).repeat(count) + word(64000n) + "ab".repeat(64000);
    const found = decodeLog(
      log([event(text).hash], `0x${word(32n)}${word(BigInt(count))}${body}`),
      scopeOf([event(text)]),
    );
    assert.ok(JSON.stringify(found).length < 2_000_000);
    assert.match(String(found?.faults), /more values than it can hold/);
  });
  it("never throws, whatever a log is", () =>
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.stringMatching(/^0x[0-9a-f]{0,70}$/)),
        fc.stringMatching(/^0x[0-9a-f]*$/),
        (any, topics, data) => {
          decodeLog(any as JsonValue);
          decodeLog({ topics: [transfer, ...topics], data });
          decodeLogWith(event("event F(bytes a, string[] b, (uint8,bytes)[2][] c) anonymous"), { topics: [], data });
        },
      ),
    ));
});

/** Types with values of theirs, as viem takes them, and as they should come back. */
interface Sample {
  readonly type: string;
  readonly value: unknown;
  readonly expected: JsonValue;
}
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 32 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })).map(([bytes, n]) => {
    const value = BigInt.asUintN(bytes * 8, n);
    return { type: `uint${bytes * 8}`, value: bytes <= 6 ? Number(value) : value, expected: value.toString() };
  }),
  fc.tuple(fc.integer({ min: 1, max: 32 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })).map(([bytes, n]) => {
    const value = BigInt.asIntN(bytes * 8, n);
    return { type: `int${bytes * 8}`, value: bytes <= 6 ? Number(value) : value, expected: value.toString() };
  }),
  fc.stringMatching(/^0x[0-9a-f]{40}$/).map((value) => ({ type: "address", value, expected: value })),
  fc.boolean().map((value) => ({ type: "bool", value, expected: value })),
  fc.string({ unit: "grapheme" }).map((value) => ({ type: "string", value, expected: value })),
  fc.stringMatching(/^0x([0-9a-f]{2})*$/).map((value) => ({ type: "bytes", value, expected: value })),
  fc.stringMatching(/^0x([0-9a-f]{2}){5}$/).map((value) => ({ type: "bytes5", value, expected: value })),
);
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(leaf, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([one, n, fixed]) => ({
      type: `${one.type}[${fixed ? n : ""}]`,
      value: Array.from({ length: n }, () => one.value),
      expected: Array.from({ length: n }, () => one.expected),
    })),
    fc.array(tie("sample"), { minLength: 1, maxLength: 3 }).map((members) => ({
      type: `(${members.map(({ type }) => type).join(",")})`,
      value: members.map(({ value }) => value),
      expected: members.map(({ expected }) => expected),
    })),
  ),
}));

describe("a compiled event", () => {
  const digits = (pattern: string) => fc.stringMatching(new RegExp(`^0x${pattern}$`));
  const wordOf = fc.oneof(
    digits("[0-9a-f]{64}"),
    digits("0{24}[0-9a-f]{40}"),
    digits("0{63}[0-3]"),
    digits("f{62}[0-9a-f]{2}"),
    digits("[0-9A-Fa-f]{4}0{60}"),
    digits("[0-9a-f]{62}"),
    fc.constantFrom("0x", "nonsense", "0x12345"),
  );
  const anyEvent = fc
    .array(
      fc.tuple(
        fc.constantFrom(
          "address",
          "uint256",
          "uint8",
          "int256",
          "int16",
          "bool",
          "bytes32",
          "bytes4",
          "string",
          "uint256[]",
        ),
        fc.boolean(),
      ),
      { maxLength: 4 },
    )
    .map((inputs) =>
      event(`event E(${inputs.map(([type, indexed], i) => `${type}${indexed ? " indexed" : ""} a${i}`).join(", ")})`),
    )
    .filter(({ inputs }) => inputs.filter(({ indexed }) => indexed).length < 4);

  it("reads every log as the reader does that is careful with each", () =>
    fc.assert(
      fc.property(
        anyEvent,
        fc.array(wordOf, { minLength: 3 }),
        fc.array(wordOf, { maxLength: 5 }),
        (of, topics, words) => {
          const count = of.inputs.filter(({ indexed }) => indexed).length;
          const data = `0x${words.map((one) => one.replace("0x", "")).join("")}`;
          const one = log([of.hash, ...topics.slice(0, count)], data);
          assert.deepEqual(decodeLog(one, scopeOf([of])), decodeLogWith(of, one));
        },
      ),
      { numRuns: times(1000) },
    ));
  it("reads what an encoder wrote as viem does", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.boolean(), (value, flag) => {
        const of = event("event E(address indexed a, uint256 b, bool c, bytes32 indexed d)");
        const data = encodeAbiParameters([{ type: "uint256" }, { type: "bool" }], [value, flag]);
        const found = decodeLog(log([of.hash, topic(alice), topic(value)], data), scopeOf([of]));
        assert.deepEqual(
          found?.args.map((arg) => arg.value),
          [alice, value.toString(), flag, topic(value)],
        );
      }),
    ));
});

describe("the decoder", () => {
  it("gives back what an encoder put in", () =>
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 4 }), (samples) => {
        const text = `event E(${samples.map(({ type }) => type).join(",")})`;
        const data = encodeAbiParameters(
          samples.map(({ type }) => viemType(type)),
          samples.map(({ value }) => value),
        );
        const found = decodeLog(log([event(text).hash], data), scopeOf([event(text)]));
        assert.deepEqual(
          found?.args.map(({ value }) => value),
          samples.map(({ expected }) => expected),
        );
        assert.deepEqual(found.faults, []);
      }),
    ));
  it("reads of every prefix what is whole in it", () => {
    const text = "event E(uint256 a, string b, address[] c)";
    const data = encodeAbiParameters(
      [{ type: "uint256" }, { type: "string" }, { type: "address[]" }],
      [1n, "hello world", [alice, bob]],
    );
    for (let end = 2; end < data.length - 64; end += 2) {
      const found = decodeLog(log([event(text).hash], data.slice(0, end)), scopeOf([event(text)]));
      assert.ok(found && found.faults.length > 0, `prefix of ${end}`);
      assert.equal(found.args[0]?.value, end >= 66 ? "1" : undefined);
    }
  });
  it("reads indexed values as viem's encoder writes them", () => {
    const text = "event E(int64 indexed a, bytes5 indexed b, bool indexed c)";
    const abi = [
      {
        type: "event",
        name: "E",
        inputs: [
          { name: "a", type: "int64", indexed: true },
          { name: "b", type: "bytes5", indexed: true },
          { name: "c", type: "bool", indexed: true },
        ],
      },
    ] as const satisfies readonly ViemEvent[];
    const topics = encodeEventTopics({ abi, args: { a: -5n, b: "0x1122334455", c: true } });
    const found = decodeLog(log(topics.map(String)), scopeOf([event(text)]));
    assert.deepEqual(
      found?.args.map(({ value }) => value),
      ["-5", "0x1122334455", true],
    );
  });
});

/** viem wants tuples in parts. */
function viemType(type: string): {
  readonly type: string;
  readonly components?: readonly ReturnType<typeof viemType>[];
} {
  const [, inner, suffix] = /^\((.*)\)((?:\[\d*\])*)$/.exec(type) ?? [];
  if (inner === undefined) return { type };
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= inner.length; i++) {
    const letter = inner[i] ?? ",";
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (letter === "," && depth === 0) members.push(inner.slice(start, i));
    if (letter === "," && depth === 0) start = i + 1;
  }
  return { type: `tuple${suffix}`, components: members.map(viemType) };
}
