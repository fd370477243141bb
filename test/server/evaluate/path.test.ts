import assert from "node:assert/strict";
import fc from "fast-check";
import { follow, kindOf, printPath } from "../../../server/src/evaluate/path.ts";
import { parsePath } from "../../../server/src/notebook/placeholder.ts";

describe("a path", () => {
  it("is printed as it is read", () => {
    const name = fc.stringMatching(/^[A-Za-z_]\w{0,8}$/);
    const path = fc.tuple(name, fc.array(fc.oneof(name, fc.nat({ max: 999 }))));
    fc.assert(
      fc.property(path, ([first, rest]) => assert.deepEqual(parsePath(printPath([first, ...rest])), [first, ...rest])),
    );
  });

  it("leads to a value, null among them", () => {
    assert.deepEqual(follow({ a: [{ b: null }] }, ["a", 0, "b"]), { value: null });
    assert.deepEqual(follow(5, []), { value: 5 });
  });

  it("ends if it is no more, with what is there", () =>
    assert.deepEqual(follow({ a: [{ b: 1 }] }, ["a", 1, "b"]), { missing: { until: "a", found: "an array of 1" } }));

  it("takes no member that nobody wrote", () =>
    assert.deepEqual(follow({ a: "x" }, ["__proto__"]), { missing: { until: "", found: "an object with a" } }));

  it("names what is there", () =>
    assert.deepEqual([null, "x", 1, 1n, true, [], {}, { a: 1 }].map(kindOf), [
      "null",
      "a string",
      "a number",
      "a number",
      "a boolean",
      "an array of 0",
      "an object with no members",
      "an object with a",
    ]));
});
