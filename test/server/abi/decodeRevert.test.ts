import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeErrorResult, parseAbiItem } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodedRevert } from "../../../server/src/abi/decodedResult.ts";
import { decodeRevert, revertReason } from "../../../server/src/abi/decodeRevert.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { pattern, rows } from "../../support/rows.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function encode(text: string, args: readonly unknown[]): `0x${string}` {
  const item = parseAbiItem(text as "error E(uint256)"); // any error will do at run time
  return encodeErrorResult({ abi: [item], errorName: item.name, args: args as [bigint] }); // as above
}

const reason = (data: JsonValue | undefined, ...abi: readonly string[]): string =>
  revertReason(decodeRevert(data, scopeOf(abi.flatMap((text) => parseItem(text, "Test.json") ?? []))));

const error = "error Error(string message)";
const tooLow = "error TooLow(uint256 min, (bool ok, bytes4 code) detail)";

describe("decodeRevert", () => {
  for (const [what, data, expected = "", ...abi] of rows`
    a reason
      ${encode(error, ["Reverter: x too small"])}
      Reverter: x too small
    a reason without the padding at its end
      ${encode(error, ["user error"]).slice(0, 2 + 78 * 2)}
      user error
    an empty reason
      ${encode(error, [""])}
      an empty reason
    a standard error of tokens
      ${encode("error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)", [alice, 5n, 10n])}
      ERC20InsufficientBalance(sender: ${alice.toLowerCase()}, balance: 5, needed: 10)
    a negative number
      ${encode("error Low(int256 tick)", [-5n])}
      Low(tick: −5)
      error Low(int256 tick)
    an error of the project
      ${encode(tooLow, [3n, { ok: true, code: "0x01020304" }])}
      TooLow(min: 3, detail: {"ok":true,"code":"0x01020304"})
      ${tooLow}
    an error without arguments, by its selector alone
      0xd93c0665
      EnforcedPause()
    the revert inside a revert
      ${encode("error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)", [0n, "AA95", encode(error, ["AA23 reverted"])])}
      FailedOpWithRevert(opIndex: 0, reason: "AA95", inner: "AA23 reverted")
    what a wrapped error wraps
      ${encode("error WrappedError(address target, bytes4 selector, bytes reason, bytes details)", [alice, "0xa9059cbb", encode(error, ["paused"]), "0xd93c0665"])}
      WrappedError(…selector: 0xa9059cbb, reason: "paused", details: EnforcedPause())
    text that ends in many NULs
      0x${"61".repeat(100)}${"00".repeat(1000)}
      ${"a".repeat(100)}
    data that is too long for a message
      0xdeadbeef${"00".repeat(2_000_000)}01
      unknown error 0xdeadbeef
    text that was never encoded
      0x77726f6e672d63616c6c6461746173697a65
      wrong-calldatasize
    text that was padded to a word
      0x${"6e6f7420616c6c6f776564".padEnd(64, "0")}
      not allowed
    a selector that is also text
      0x41424344
      unknown error 0x41424344
    a selector with a word
      0xdeadbeef${"00".repeat(32)}
      unknown error 0xdeadbeef
    no data
      0x
      no reason given
    data that is too short
      0x0102
      no reason given, only 0x0102
    what is no hex
      Reverted
      no reason given
  `)
    it(`reads ${what}`, () => assert.match(reason(data, ...abi), pattern(expected)));

  it("says panics in words, those of no compiler too", () => {
    const causes =
      "generic panic|assert|overflowed|zero|enum|storage byte|pop|index|memory|function|no compiler|no compiler";
    for (const [at, code] of [0, 1, 0x11, 0x12, 0x21, 0x22, 0x31, 0x32, 0x41, 0x51, 0x99, 2n ** 256n - 1n].entries()) {
      const text = reason(encode("error Panic(uint256 code)", [BigInt(code)]));
      assert.match(text, pattern(`panic 0x${code.toString(16)}: …${causes.split("|")[at]}…`));
    }
  });
  it("tells the errors of other ABIs that have the selector as well", () => {
    // keccak begins with 0x42966c68 in both
    const items = ["error burn(uint256 amount)", "error collate_propagate_storage(bytes16 id)"].map((text) =>
      parseItem(text, `${text.slice(6, 10)}.json`),
    );
    const found = decodeRevert(`0x42966c68${"0".repeat(64)}`, scopeOf(items.flatMap((item) => item ?? [])));
    assert.deepEqual(found.kind === "custom" && [found.name, found.others.map(({ source }) => source)], [
      "burn",
      ["coll.json"],
    ]);
    const only = decodeRevert(`0x42966c68${"7".padStart(64, "0")}`, scopeOf(items.flatMap((item) => item ?? [])));
    assert.deepEqual(only.kind === "custom" && [only.name, only.others], ["burn", []]);
  });
  it("reads the reverts inside of lists and tuples, and says where they stand", () => {
    const text = "error Failed((address target, bytes reason)[] calls, bytes[] more)";
    const inner = encode(error, ["paused"]);
    const data = encode(text, [
      [
        { target: alice, reason: "0x" },
        { target: alice, reason: inner },
      ],
      [inner, "0xd93c0665", "0x08c379a0ffff"],
    ]);
    const item = parseItem(text, "Test.json");
    const revert = decodeRevert(data, scopeOf(item ? [item] : []));
    assert.deepEqual(
      revert.kind === "custom" && revert.args.map(({ inner }) => inner.map(({ path }) => path.join("."))),
      [["1.reason"], ["0", "1"]],
    );
    assert.match(
      revertReason(revert),
      /"reason":"0x"\},\{"target":"0x\w+","reason":"paused"\}\], more: \["paused","EnforcedPause\(\)","0x08c379a0ffff"\]\)$/,
    );
  });
  it("says whose word it is, and that a selector alone may mislead", () => {
    const text = "error Paused(uint256 until)";
    const item = parseItem(text, "Test.json");
    const own = decodeRevert(encode(text, [5n]), scopeOf(item ? [item] : []));
    assert.deepEqual(own.kind === "custom" && [own.source, own.guess, own.others], ["Test.json", false, []]);
    const bundled = decodeRevert("0xd93c0665");
    assert.equal(bundled.kind === "custom" && bundled.guess, true);
  });
  it("reads reverts in reverts only so deep", () => {
    const wrap = "error Wrap(bytes inner)";
    let data = encode(error, ["core"]);
    for (let i = 0; i < 30; i++) data = encode(wrap, [data]);
    assert.match(reason(data, wrap), /^(Wrap\(inner: ){9}0x[0-9a-f]+\){9}$/);
  });
  it("names an error whose data does not fit it, and keeps the data", () => {
    for (const data of ["0x08c379a0", "0x08c379a0ffff", `0x08c379a0${"f".repeat(128)}`]) {
      const revert = decodeRevert(data);
      assert.equal(revertReason(revert), "Error with data that does not fit it");
      assert.equal(revert.kind === "custom" && revert.data, data);
    }
  });
  it("never throws", () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^0x[0-9a-f]*$/),
        fc.constantFrom("08c379a0", "4e487b71", "556f1830", "65c8fd4d"),
        fc.jsonValue(),
        (data, selector, any) => {
          for (const one of [data, `0x${selector}${data.slice(2)}`, any as JsonValue]) {
            assert.equal(typeof decodedRevert(one).reason, "string");
          }
        },
      ),
    ));
});

describe("decodedRevert", () => {
  it("has name, arguments and reason", () => {
    assert.deepEqual(decodedRevert(encode(error, ["too small"])), {
      name: "Error",
      args: { message: "too small" },
      reason: "too small",
    });
    assert.deepEqual(decodedRevert(encode("error Panic(uint256 code)", [1n])), {
      name: "Panic",
      args: { code: "1" },
      reason: "panic 0x1: an assertion failed",
    });
    assert.deepEqual(decodedRevert(encode("error ERC721NonexistentToken(uint256 tokenId)", [2n ** 200n])).args, {
      tokenId: (2n ** 200n).toString(),
    });
    assert.deepEqual(decodedRevert("0xdeadbeef"), { selector: "0xdeadbeef", reason: "unknown error 0xdeadbeef" });
    assert.deepEqual(decodedRevert("0x"), { reason: "no reason given" });
  });
});
