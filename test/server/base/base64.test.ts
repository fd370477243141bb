import assert from "node:assert/strict";
import fc from "fast-check";
import { bytesOf } from "../../../server/src/base/base64.ts";

describe("base64", () => {
  it("is decoded byte for byte, with and without padding or line breaks", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        for (const form of [text, text.replace(/=/g, ""), text.replace(/.{4}/g, "$&\r\n")])
          assert.deepEqual(bytesOf(form), bytes);
      }),
    ));

  it("is decoded from any text without an error", () =>
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void bytesOf(text))));
});
