import assert from "node:assert/strict";
import fc from "fast-check";
import { base64 } from "../../client/src/base64.ts";

describe("a file on its way to the server", () => {
  it("arrives byte for byte", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        assert.deepEqual(new Uint8Array(Buffer.from(base64(bytes), "base64")), bytes),
      ),
    ));
  it("may be large", () => {
    const bytes = new Uint8Array(1_000_000).fill(7);
    assert.equal(Buffer.from(base64(bytes), "base64").length, bytes.length);
  });
});
