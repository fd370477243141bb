import assert from "node:assert/strict";
import fc from "fast-check";
import { zipSync } from "fflate";
import { base64Of, bytesOf, unzip } from "../../../server/src/base/compression.ts";
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

describe("an archive", () => {
  const archive = zipSync({ "a.json": new Uint8Array(100_000).fill(7) }, { level: 0 });
  const filesOf = (bytes: Uint8Array) => unzip(bytes, 1_000_000, () => true);
  /** The archive with a comment of this many bytes at its end. */
  const commented = (size: number): Uint8Array => {
    const bytes = new Uint8Array(archive.length + size);
    bytes.set(archive);
    bytes.set([size % 256, Math.floor(size / 256)], archive.length - 2);
    return bytes;
  };

  it("is read to its end, with a comment of any length", () => {
    for (const size of [0, 1, 65_535])
      assert.equal(filesOf(commented(size))?.get("a.json")?.length, 100_000, `${size}`);
  });

  it("is not read if a part of its end is missing", () => {
    for (const size of [0, 1, 65_535]) assert.equal(filesOf(commented(size).subarray(0, -1)), undefined, `${size}`);
  });
});
