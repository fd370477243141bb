import assert from "node:assert/strict";
import fc from "fast-check";
import { code, escaped } from "../../../server/src/features/markdown.ts";

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
});
