import assert from "node:assert/strict";
import fc from "fast-check";
import { occurs, readPattern } from "../../../server/src/evaluate/pattern.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";

function found(source: string, text: string): boolean | string | undefined {
  const pattern = readPattern(source);
  return typeof pattern === "string" ? pattern : occurs(pattern, text);
}

describe("a pattern", () => {
  const sources = [
    "",
    ...`a ^a a$ ^$ ^a*$ ^(ab)+$ a|bc| ^(?:a|b|)c$ a.c [ab]{2} ^[^a]+$ a{2,3}b ^a{2,}$ a{0}b (a|b)*c ^(a*)*$`.split(" "),
    ...String.raw`(a*)+b ^(?<year>\d{2})-\d$ \bab\b \Bb \. \u{1f600} ^.$ \p{L}+- [\]a]b [a-c\d]+$ a??b a+? (|a){3}b \x61 \n`.split(
      " ",
    ),
    ...String.raw`[\b] \ud83d\ude00 ^(?:a?){5}a{5}$ \(a\) [|)(] ^\s*$`.split(" "),
  ];
  const letters = ["a", "b", "c", "-", "1", " ", "\n", "(", ")", "]", ".", "\u{1f600}", "é"];
  const texts = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((all) => all.join(""));

  for (const source of sources)
    it(`means what it means in JavaScript: ${JSON.stringify(source)}`, () => {
      const native = new RegExp(source, "u");
      fc.assert(
        fc.property(texts, (text) => assert.equal(found(source, text), native.test(text))),
        {
          numRuns: times(60),
          examples: [[""], ["ab"], ["aab"], ["aaaaa"], ["bc"], ["12-1"], ["abc-"], ["(a)"], ["]b"]],
        },
      );
    });

  it("means what it means in JavaScript, whatever it is made of", () => {
    const piece = fc.constantFrom("a", "b", ".", "[ab]", "(a|b)", "(?:ab|)", "(a*)", "^", "$", "\\b", "c");
    const sign = fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?");
    const part = fc.tuple(piece, sign).map(([one, more]) => (/[\^$]|\\b/.test(one) ? one : one + more));
    const source = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(source, texts, (made, text) => assert.equal(found(made, text), new RegExp(made, "u").test(text))),
      { numRuns: times(500) },
    );
  });

  for (const source of "(a+)+$ ^(a|aa)+$ (a|a)*b a*a*a*a*a*a*b (.*)*x ^(\\w+\\s?)*$ (?:a?){100}a{100}".split(" "))
    it(`cannot be made to hang: ${source}`, () =>
      expectLinear(50_000, (size) => assert.notEqual(found(source, `${"a".repeat(size)}!`), "")));

  for (const [source, why] of [
    ["(", "this is not a regular expression"],
    ["a{2,1}", "this is not a regular expression"],
    ["\\q", "this is not a regular expression"],
    ["(?=a)", "lookaround and backreferences are not supported"],
    ["(?<!a)b", "lookaround and backreferences are not supported"],
    ["(a)\\1", "lookaround and backreferences are not supported"],
    ["(?<x>a)\\k<x>", "lookaround and backreferences are not supported"],
    ["(a{1000}){1000}", "the pattern repeats too much"],
    ["((a{0,99}){0,99}){0,99}", "the pattern repeats too much"],
    ["a{4294967295}", "the pattern repeats too much"],
    ["a".repeat(1001), "the pattern is longer than 1000 characters"],
  ] as const)
    it(`is refused: ${source.slice(0, 30)}`, () => assert.equal(found(source, "a"), why));

  it("says when it would take too long", () =>
    assert.equal(found(`^(?:${"a?".repeat(400)})*$`, "a".repeat(3_000_000)), undefined));

  it("bears groups in groups", () => assert.equal(found(`${"(".repeat(450)}a${")".repeat(450)}`, "ba"), true));
});
