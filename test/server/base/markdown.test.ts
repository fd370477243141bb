import assert from "node:assert/strict";
import fc from "fast-check";
import { code, codeCut, escaped, fenced, link } from "../../../server/src/base/markdown.ts";

describe("Markdown", () => {
  it("escapes what could begin a link, HTML or an address", () => {
    assert.equal(escaped("[a](command:b) <b> www.x.io a@b"), "\\[a\\]\\(command\\:b\\) \\<b\\> www\\.x\\.io a\\@b");
    assert.equal(escaped("a\u202eb\nc"), "a\\\\u202eb c");
  });

  it("leaves no mark of Markdown without its backslash", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        assert.doesNotMatch(escaped(text).replace(/\\[!-/:-@[-`{-~]/g, ""), /[!-/:-@[-`{-~]|[\n\r]/),
      ),
    ));

  it("has one way out of code, which text cannot take", () =>
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.match(code(text), /^`[^`\n\r]*`$/))));

  it("cuts code and says how long it was", () => {
    assert.equal(codeCut("abc", 5), "`abc`");
    assert.equal(codeCut("x".repeat(2000), 5), "`xxxx…` (2,000 characters)");
  });

  it("has a fence that no text inside ends", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "~", "a", "\n", "\u202e") }), (text) => {
        const [first = "", ...lines] = fenced(text, "json").split("\n");
        const fence = first.replace("json", "");
        assert.match(fence, /^`{3,}$/);
        assert.equal(
          lines.findIndex((line) => line.startsWith(fence)),
          lines.length - 1,
        );
      }),
    ));

  it("links only to the web, and lets nothing out of the link", () => {
    assert.equal(link("a]b", "https://x.io/a b(c)"), "[a\\]b](https://x.io/a%20b%28c%29)");
    for (const url of ["command:x", "javascript:alert(1)", "data:,x", "//x", "", "file:///etc"]) {
      assert.equal(link("a", url), undefined);
    }
  });
});
