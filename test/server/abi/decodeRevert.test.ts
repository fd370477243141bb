import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeErrorResult, parseAbiItem } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodedRevert } from "../../../server/src/abi/decodedResult.ts";
import { decodeRevert, revertReason } from "../../../server/src/abi/decodeRevert.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function encode(text: string, args: readonly unknown[]): `0x${string}` {
  const item = parseAbiItem(text as "error E(uint256)"); // any error will do at run time
  return encodeErrorResult({ abi: [item], errorName: item.name, args: args as [bigint] }); // as above
}

const reason = (data: JsonValue | undefined, ...abi: readonly string[]): string =>
  revertReason(decodeRevert(data, scopeOf(abi.flatMap((text) => parseItem(text, "Test.json") ?? []))));

const error = "error Error(string message)";

describe("decodeRevert", () => {
  it("reads a reason", () => assert.equal(reason(encode(error, ["Reverter: x too small"])), "Reverter: x too small"));
  it("reads a reason without the padding at its end", () =>
    assert.equal(reason(encode(error, ["user error"]).slice(0, 2 + 78 * 2)), "user error"));
  it("reads an empty reason", () => assert.equal(reason(encode(error, [""])), "an empty reason"));
  const panicked: readonly (readonly [code: bigint, meaning: RegExp])[] = [
    [0x00n, /without a cause of its own/],
    [0x01n, /assert/],
    [0x11n, /overflowed or underflowed/],
    [0x12n, /division or modulo by zero/],
    [0x21n, /enum/],
    [0x22n, /storage byte array/],
    [0x31n, /pop/],
    [0x32n, /index/],
    [0x41n, /memory/],
    [0x51n, /function/],
    [0x99n, /a code that no compiler writes/],
    [2n ** 256n - 1n, /a code that no compiler writes/],
  ];
  for (const [code, meaning] of panicked) {
    it(`says panic 0x${code.toString(16)} in words`, () => {
      const text = reason(encode("error Panic(uint256 code)", [code]));
      assert.ok(text.startsWith(`panic 0x${code.toString(16)}: `), text);
      assert.match(text, meaning);
    });
  }
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
  it("reads the standard errors of tokens", () =>
    assert.equal(
      reason(
        encode("error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)", [alice, 5n, 10n]),
      ),
      `ERC20InsufficientBalance(sender: ${alice.toLowerCase()}, balance: 5, needed: 10)`,
    ));
  it("reads errors of the project", () => {
    const text = "error TooLow(uint256 min, (bool ok, bytes4 code) detail)";
    assert.equal(
      reason(encode(text, [3n, { ok: true, code: "0x01020304" }]), text),
      'TooLow(min: 3, detail: {"ok":true,"code":"0x01020304"})',
    );
  });
  it("reads an error without arguments by its selector alone", () =>
    assert.equal(reason("0xd93c0665"), "EnforcedPause()"));
  it("reads the revert inside a revert", () => {
    const inner = encode(error, ["AA23 reverted"]);
    assert.equal(
      reason(encode("error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)", [0n, "AA95", inner])),
      'FailedOpWithRevert(opIndex: 0, reason: "AA95", inner: "AA23 reverted")',
    );
  });
  it("reads what a wrapped error wraps", () => {
    const text = "error WrappedError(address target, bytes4 selector, bytes reason, bytes details)";
    const data = encode(text, [alice, "0xa9059cbb", encode(error, ["paused"]), "0xd93c0665"]);
    assert.match(
      reason(data),
      /^WrappedError\(.*selector: 0xa9059cbb, reason: "paused", details: EnforcedPause\(\)\)$/,
    );
  });
  it("reads the reverts inside of lists and tuples, and says where they stand", () => {
    const text = "error Failed((address target, bytes reason)[] calls, bytes[] more)";
    const inner = encode(error, ["paused"]);
    const data = encode(text, [
      [
        { target: alice, reason: "0x" },
        { target: alice, reason: inner },
      ],
      [inner, "0xd93c0665"],
    ]);
    const item = parseItem(text, "Test.json");
    const revert = decodeRevert(data, scopeOf(item ? [item] : []));
    assert.deepEqual(
      revert.kind === "custom" && revert.args.map(({ inner }) => inner.map(({ path }) => path.join("."))),
      [["1.reason"], ["0", "1"]],
    );
    assert.match(
      revertReason(revert),
      /"reason":"0x"\},\{"target":"0x\w+","reason":"paused"\}\], more: \["paused","EnforcedPause\(\)"\]\)$/,
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
  it("is not misled by text that ends in many NULs or is too long for a message", () => {
    assert.equal(reason(`0x${"61".repeat(100)}${"00".repeat(1000)}`), "a".repeat(100));
    assert.equal(reason(`0xdeadbeef${"00".repeat(2_000_000)}01`), "unknown error 0xdeadbeef");
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
  it("shows text that was never encoded", () => {
    assert.equal(reason("0x77726f6e672d63616c6c6461746173697a65"), "wrong-calldatasize");
    assert.equal(reason(`0x${"6e6f7420616c6c6f776564".padEnd(64, "0")}`), "not allowed");
  });
  it("knows a selector that nobody declared from text", () => {
    assert.equal(reason("0x41424344"), "unknown error 0x41424344");
    assert.equal(reason(`0xdeadbeef${"00".repeat(32)}`), "unknown error 0xdeadbeef");
  });
  it("says when there is no reason", () => {
    assert.equal(reason("0x"), "no reason given");
    assert.equal(reason(undefined), "no reason given");
    assert.equal(reason("0x0102"), "no reason given, only 0x0102");
    assert.equal(reason("Reverted"), "no reason given");
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
