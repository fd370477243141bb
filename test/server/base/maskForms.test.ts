import assert from "node:assert/strict";
import fc from "fast-check";
import { openMask } from "../../../server/src/base/mask.ts";
import { times } from "../../support/depth.ts";

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
const char = String.fromCharCode;
const readable = (byte: number): string => (byte === 0x5c ? "\\\\" : char(byte));
/** How programs print one byte. */
const prints: Readonly<Record<string, (byte: number) => string>> = {
  C: (byte) => `\\x${hex(byte)}`,
  Python: (byte) => (isPrintable(byte) ? readable(byte) : `\\x${hex(byte)}`),
  Postgres: (byte) => (isPrintable(byte) ? readable(byte) : octal(byte)),
  octal,
  Perl: (byte) => `\\x{${byte.toString(16)}}`,
  JSON: (byte) => JSON.stringify(char(byte)).slice(1, -1),
  JavaScript: (byte) => `\\u00${hex(byte)}`,
  URL: (byte) => (/\w/.test(char(byte)) ? char(byte) : `%${hex(byte)}`),
  "JSON with text of C": (byte) => `\\\\x${hex(byte)}`,
  "JSON in JSON with text of C": (byte) => `${"\\".repeat(8)}x${hex(byte)}`,
  "a URL with text of Python": (byte) => encodeURIComponent(isPrintable(byte) ? readable(byte) : `\\x${hex(byte)}`),
};
/** A key whose bytes look like a part of the escapes before and after them. */
const lookalikes = Uint8Array.from([
  ...Buffer.from("\0}\u0001{x\u0002}\\\\u{\u0003}0\u0004\\x00%7\u0005f'\"abtnvfr", "latin1"),
]);
const isOdd = (byte: number): boolean => !isPrintable(byte) && (byte < 0x07 || byte > 0x0d);
/** Keys that look random: most bytes differ, and some are not printable. */
const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => new Set(bytes).size > 20 && bytes.filter(isOdd).length > 4);

describe("a mask of a key in hex", () => {
  for (const [program, print] of Object.entries(prints)) {
    it(`hides its bytes as in ${program}`, () =>
      fc.assert(
        fc.property(
          keys,
          fc.constantFrom("", 'b"', "data: "),
          fc.constantFrom("", '"', " end"),
          (key, before, after) => {
            const mask = openMask();
            mask.add(`0x${Buffer.from(key).toString("hex")}`, "‹secret KEY›");
            const printed = [...key].map(print);
            const shown = mask.text(before + printed.join("") + after);
            for (let at = 0; at + 8 <= printed.length; at++)
              assert.ok(!shown.includes(printed.slice(at, at + 8).join("")), shown);
          },
        ),
        { numRuns: times(100), examples: [[lookalikes, "", ""]] },
      ));
  }
  it("leaves other bytes and what is around them", () => {
    const mask = openMask();
    mask.add(`0x${"7f3aab41425c27ff".repeat(4)}`, "‹secret KEY›");
    const text = `before ${"\\x01\\x02\\x03 %20%21%22 é \u0001\u0002\u0003".repeat(20)} after`;
    assert.equal(mask.text(text), text);
    const [first, last] = ["a: 1, \\x01\\x02 ", " \\x03, b: 2"];
    const key = "\\x7f:\\xabAB\\\\'\\xff".repeat(4);
    assert.match(mask.text(first + key + last), /^a: 1, \\x01\\x02 (?:.{0,9}‹secret KEY›.{0,9})+ \\x03, b: 2$/);
  });
});

describe("a mask of a text", () => {
  it("hides the number that its bytes are, at either end of a word", () => {
    const bytes = Buffer.from("hunter2-swordfish").toString("hex");
    const mask = openMask();
    mask.add("hunter2-swordfish", "‹secret WORD›");
    for (const word of [bytes, bytes.padEnd(64, "0")])
      assert.equal(mask.text(`"code": "${BigInt(`0x${word}`)}"`), '"code": "‹secret WORD›"');
  });
});
