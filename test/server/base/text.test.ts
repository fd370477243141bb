import assert from "node:assert/strict";
import { quantity } from "../../../server/src/base/hex.ts";
import { brief, lineColumn, listed, nearest, plural, shortHex, visible } from "../../../server/src/base/text.ts";
import { formatBytes, formatDuration, formatTime, formatUnits, formatWei } from "../../../server/src/base/units.ts";

describe("text as people see it", () => {
  it("counts lines and columns from 1, over every kind of line end", () => {
    assert.deepEqual(lineColumn("a\r\nb\rc\nd", 7), { line: 4, column: 1 });
    assert.deepEqual(lineColumn("abc", 2), { line: 1, column: 3 });
  });

  it("shows control and bidirectional characters", () =>
    assert.equal(visible("ok\u001b[31m\u202e\u0000\u200b"), "ok\\u001b[31m\\u202e\\u0000\\u200b"));

  it("shows every format character, and no character that cannot be seen stays", () => {
    const left: string[] = [];
    for (let code = 0; code < 0x11_0000; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character) && visible(character) === character)
        left.push(code.toString(16));
    }
    assert.deepEqual(left, ["9", "a"]); // tab and newline
  });

  it("cuts to one line", () => assert.equal(brief("a\n  b ".repeat(50), 10), "a b a b a…"));

  it("names the nearest words and no far ones", () => {
    assert.deepEqual(nearest("eth_getBalanc", ["eth_getBalance", "eth_getCode", "eth_call"]), ["eth_getBalance"]);
    assert.deepEqual(nearest("zzz", ["eth_call"]), []);
  });

  it("counts and lists", () => {
    assert.equal(plural(1, "log"), "1 log");
    assert.equal(plural(12000, "log"), "12,000 logs");
    assert.equal(listed(["a", "b", "c"], "or"), "a, b or c");
    assert.equal(shortHex("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"), "0x7099…79C8");
  });
});

describe("amounts", () => {
  for (const [wei, text] of [
    [0n, "0 ether"],
    [1n, "1 wei"],
    [999_999n, "999,999 wei"],
    [30_000_000_000n, "30 gwei"],
    [1_500_000_000_000_000_000n, "1.5 ether"],
    [10_000_000_000_000_000_000_000n, "10,000 ether"],
    [-1_000_000_000_000_000_000n, "−1 ether"],
  ] as const) {
    it(`writes ${wei} wei as ${text}`, () => assert.equal(formatWei(wei), text));
  }

  it("never rounds", () => assert.equal(formatUnits(1234567890123456789012345n, 18), "1,234,567.890123456789012345"));
  it("writes times, bytes and durations", () => {
    assert.deepEqual([1_700_000_000n, 2n ** 64n].map(formatTime), [
      "2023-11-14 22:13:20 UTC",
      "18,446,744,073,709,551,616 s",
    ]);
    assert.deepEqual([63_000_000, 1500].map(formatBytes), ["63 MB", "1.5 kB"]);
    const durations = [1530, 90_000, 150_000, 3 * 86_400_000, 1_795_292_952_600].map(formatDuration);
    assert.equal(durations.join(", "), "1.5 s, 90 s, 2.5 min, 3 days, 56.9 years");
  });

  it("reads quantities as nodes write them", () => {
    assert.equal(quantity("0x10"), 16n);
    assert.equal(quantity("0x"), undefined);
    assert.equal(quantity(1_700_000_000), 1_700_000_000n);
    assert.equal(quantity("12"), undefined);
  });
});
