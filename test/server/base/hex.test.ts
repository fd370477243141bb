import assert from "node:assert/strict";
import fc from "fast-check";
import { fromBytes, toBytes } from "../../../server/src/base/hex.ts";
import { times } from "../../support/depth.ts";

describe("bytes as hex", () => {
  it("come back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(toBytes(fromBytes(bytes)), bytes)),
      { numRuns: times(1000) },
    );
    assert.equal(fromBytes(new Uint8Array([0, 255, 10])), "0x00ff0a");
  });
});
