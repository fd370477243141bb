import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodeLog, decodeLogWith } from "../../../server/src/abi/decodeLog.ts";
import { isEvent, parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { times } from "../../support/depth.ts";
import { pattern, rows } from "../../support/rows.ts";

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

/** The word of a value as tests write it: a name, a number, or hex with the bytes at the left. */
const words: Readonly<Record<string, string>> = { alice: topic(alice), bob: topic(bob), transfer, approval, memo };
const wordOf = (text: string): string =>
  words[text] ??
  (/^\d+$/.test(text) ? topic(BigInt(text)) : text.startsWith("0x") ? text : `0x${text.padEnd(64, "0")}`);

/** What a log is, its topics and the words of its data, how it is read, and the ABI of the project, whose first event is `own`. */
const logs = rows`
  an ERC-20 transfer
    transfer alice bob | 1000000000000000000000000
    ERC-20 Transfer(from: alice, to: bob, value: 1000000000000000000000000)
  an ERC-721 transfer, by its four topics
    transfer alice bob 7 |
    ERC-721 Transfer(from: alice, to: bob, tokenId: 7)
  a transfer that indexes nothing
    transfer | alice bob 1
    tokens before ERC-721 Transfer(from: alice, to: bob, value: 1)
  an approval of ERC-20
    approval alice bob | 1
    ERC-20 Approval(owner: alice, …, value: 1)
  an approval of ERC-721
    approval alice bob 1 |
    ERC-721 Approval(…, tokenId: 1)
  a memo, which has no data
    memo alice 496e766f69636520 |
    Base B20 Memo(caller: alice, memo: 0x496e766f69636520${"0".repeat(48)})
  a PaymentCaptured, by its topic and never by its name
    0xe749f7bbd01b49bb05abf26ca492cb4dfdea6bedeada8a40fdccd478c73a74e2 9 | 5 30 bob
    …amount: 5, feeBps: 30, feeReceiver: bob)
  a PaymentCaptured of version 1.1
    0xac1e0db1957daedbc6944bcb4c8dc947ff8101d710671ac2ec26309f7f38d58e 9 | 5 1 bob
    …v1.1 …feeAmount: 1…
  an early PaymentCaptured
    0xb4c8a10023427dbae6bc82da57c80cdd00b7353a0bbc946994c2f8e9a7cd01e6 9 | 5 bob
    …early PaymentCaptured(…amount: 5, operator: bob)
  a payout with extra bytes
    0xe8ea8a8ee3ea4527ccc3891146ee8a65129e0bb2d05690a9e83932394125b009 alice | bob alice 3 128 2 beef
    …amount: 3, extraData: 0xbeef)
  a payout without
    0xe8ea8a8ee3ea4527ccc3891146ee8a65129e0bb2d05690a9e83932394125b009 alice | bob alice 3 128 0
    …extraData: 0x)
  short data
    transfer alice bob | 0x00
    ERC-20 Transfer(from: alice, to: bob, value: undefined) ! the data ends before the last argument
  data beyond the arguments
    transfer alice bob | 1 2
    …value: 1) ! 32 bytes more than the arguments take
  an address with more bits
    transfer 0x${"ff".repeat(32)} bob | 1
    … ! an address has bits set beyond its 20 bytes
  values that their types cannot hold
    own | 2 256 128 0x1234567${"0".repeat(57)}
    …b: 0x…2, n: 256, i: 128, x: 0x1234) ! a bool … ! a value is too big for uint8 ! a value is too big for int8 ! bytes2 is followed by other bytes
    event E(bool b, uint8 n, int8 i, bytes2 x)
  no topic
    \ |
    unknown
  an unknown topic
    1 |
    unknown
  too many topics
    transfer alice bob 1 2 |
    unknown
  a topic that is not a word
    0x12 |
    unknown
  an event with fewer arguments indexed than declared
    own alice | bob 1
    Test.json Paid(from: alice, to: bob, value: 1) ! the event is declared with 2 indexed arguments, and logged with 1 | event Paid(address from, address indexed to, uint256 value)
    event Paid(address indexed from, address indexed to, uint256 value)
  an event with more arguments indexed than declared
    own alice bob 1 |
    Test.json Paid(from: alice, to: bob, value: 1) ! the event is declared with 2 indexed arguments, and logged with 3
    event Paid(address indexed from, address indexed to, uint256 value)
  an event with fewer arguments indexed than declared, and not the first of them
    own 5 | alice bob
    Test.json Paid(from: alice, to: bob, value: 5) ! the event is declared with 2 indexed arguments, and logged with 1
    event Paid(address indexed from, address indexed to, uint256 value)
  a known event with fewer arguments indexed, and not the first of them
    transfer 1000000000000000000 | alice bob
    ERC-20 Transfer(from: alice, to: bob, value: 1000000000000000000) ! the event is declared with 2 indexed arguments, and logged with 1
  other arguments indexed than declared, which the declared ones cannot hold
    own 0x${"ab".repeat(32)} | alice
    Test.json Kept(who: alice, id: 0x${"ab".repeat(32)}) ! other arguments are indexed than the event declares
    event Kept(address indexed who, bytes32 id)
  other arguments indexed than declared, which the declared ones can hold by chance
    own 1000000000000000000 | alice
    Test.json Deposit(who: 0x0…de0b6b3a7640000, amount: 6428…) | event Deposit(address who, uint256 indexed amount)
    event Deposit(address indexed who, uint256 amount)
  a payment of nothing to an address that is a small number
    transfer alice 57005 | 0
    ERC-20 Transfer(from: alice, to: 0x…dead, value: 0)
  an event of which two ways of indexing fit as well
    own alice bob | 5
    Test.json Paid(from: alice, to: bob, value: 5) ! the event is declared with 1 indexed argument, and logged with 2
    event Paid(address indexed from, address to, uint256 value)
  an event with more ways of indexing than are tried
    own 1 2 3 | 4 5 6 7 8 9 10 11
    Test.json Many(a: 1, b: 2, c: 3, d: 4…) ! … and logged with 3 | …
    event Many(uint8 a, uint8 b, uint8 c, uint8 d, uint8 e, uint8 f, uint8 g, uint8 h, uint8 i, uint8 j, uint8 k)
  an event with no argument indexed, and short data
    own | alice 2
    Test.json Paid(from: alice, …, value: undefined) ! … logged with 0 ! the data ends before the last argument
    event Paid(address indexed from, address indexed to, uint256 value)
  an event with more topics than arguments
    own 1 2 |
    unknown
    event None(uint8 a)
  a named event that is indexed otherwise, beside an anonymous one that fits
    own | 1
    Test.json Any(…
    event Paid(address indexed from, uint256 value)
    event Any(bytes32 indexed a, uint256 b) anonymous
  a topic with a broken rest
    transfer 0xnonsense 0x | 0xzz
    ERC-20 Transfer(from: undefined, to: undefined, value: undefined) ! the data is not hex ! topic 1 is not 32 bytes of hex ! topic 2 is not 32 bytes of hex ! the data ends before the last argument
  a transfer with the project's names for arguments
    transfer alice bob | 1
    Test.json Transfer(src: …wad: 1)
    event Transfer(address indexed src, address indexed dst, uint256 wad)
  one of two ways of indexing, by what the data can be
    own 1${"0".repeat(60)} | alice
    …E(a: alice, b: 1${"0".repeat(60)})
    event E(address indexed a, uint256 b)
    event E(address a, uint256 indexed b)
  both of two ways of indexing
    own 5 | 6
    …a: 0x…5, b: 6) | event E(address a, uint256 indexed b)
    event E(address indexed a, uint256 b)
    event E(address a, uint256 indexed b)
  an anonymous event
    3 | alice
    …Note(kind: 3, who: alice)
    event Note(uint8 indexed kind, address who) anonymous
  an anonymous event that does not fit
    300 | alice
    unknown
    event Note(uint8 indexed kind, address who) anonymous
  a named event beside an anonymous one
    transfer alice bob | 1
    ERC-20…
    event Note(uint8 indexed kind, address who) anonymous
  the hashes of indexed strings, arrays and tuples
    own 1 2 3 |
    …s: #0x…1, a: #0x…2, t: #0x…3)
    event H(string indexed s, uint256[2] indexed a, (bool) indexed t)
`;

describe("decodeLog", () => {
  for (const [what = "", written = "", expected = "", ...abi] of logs)
    it(`reads ${what}`, () => {
      const [topics = [], data = []] = written.split("|").map((part) => part.split(" ").filter(Boolean));
      const own = event(abi[0] ?? "event E()").hash;
      const found = read(
        log(
          topics.map((one) => (one === "own" ? own : wordOf(one))),
          `0x${data.map((one) => wordOf(one).slice(2)).join("")}`,
        ),
        ...abi,
      );
      assert.match(found.replaceAll(alice, "alice").replaceAll(bob, "bob"), pattern(expected));
    });

  it("knows transfers of the native currency in simulations, also in upper case", () => {
    const topics = [transfer, topic(alice), topic(bob)].map((one) => `0x${one.slice(2).toUpperCase()}`);
    assert.match(read(log(topics, topic(1n), `0x${"Ee".repeat(20)}`)), /^ERC-20 native Transfer/);
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
});

describe("any log", () => {
  it("is read without an error", () =>
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
        fc.constantFrom(..."address uint256 uint8 int256 int16 bool bytes32 bytes4 string uint256[]".split(" ")),
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
          const [found, declared] = [decodeLog(one, scopeOf([of])), decodeLogWith(of, one)];
          const isMoved = found?.faults.some((fault) => fault.startsWith("other arguments"));
          if (isMoved) assert.notDeepEqual(declared?.faults, []);
          else assert.deepEqual(found && { ...found, others: [] }, declared);
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
