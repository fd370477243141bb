import assert from "node:assert/strict";
import fc from "fast-check";
import { literal, plain, skeleton } from "../../../server/src/features/snippet.ts";

describe("a snippet", () => {
  it("is its defaults where an editor has none", () =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what snippets look like
    assert.equal(plain('{ "a": "${1:lat\\}est}", "b": [$2] \\}$0'), '{ "a": "lat}est", "b": [] }'));

  it("keeps any text", () => fc.assert(fc.property(fc.string(), (text) => assert.equal(plain(literal(text)), text))));

  it("keeps any JSON", () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        assert.deepEqual(JSON.parse(plain(skeleton(json))), json);
      }),
    ));
});
