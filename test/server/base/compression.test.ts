import assert from "node:assert/strict";
import fc from "fast-check";
import { base64Of, bytesOf } from "../../../server/src/base/compression.ts";
import { anyText } from "../../support/anyText.ts";

describe("base64", () => {
  it("is encoded byte for byte", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        assert.equal(base64Of(bytes), Buffer.from(bytes).toString("base64")),
      ),
    ));

  it("is encoded from a large file", () => {
    const bytes = new Uint8Array(1_000_000).fill(7);
    assert.equal(base64Of(bytes), Buffer.from(bytes).toString("base64"));
  });

  it("is decoded byte for byte, with and without padding or line breaks", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        for (const form of [text, text.replace(/=/g, ""), text.replace(/.{4}/g, "$&\r\n")])
          assert.deepEqual(bytesOf(form), bytes);
      }),
    ));

  it("is decoded from any text without an error", () =>
    fc.assert(fc.property(anyText(), (text) => void bytesOf(text))));
});
