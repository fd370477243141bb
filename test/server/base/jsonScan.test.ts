import assert from "node:assert/strict";
import fc from "fast-check";
import { itemTexts, memberSpans } from "../../../server/src/base/jsonScan.ts";
import { slice } from "../../../server/src/base/span.ts";

/** JSON text as servers lay it out: with any white space. */
const json = fc
  .tuple(fc.json(), fc.constantFrom(0, 2))
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent));

describe("the text of a member", () => {
  const member = (body: string): readonly (string | undefined)[] =>
    memberSpans(body, "result").map((found) => found && slice(body, found));

  it("is the slice of the body", () => {
    assert.deepEqual(member(`{"id":1,"result" : {"a": [1,"}"]} }`), [`{"a": [1,"}"]}`]);
    assert.deepEqual(member(`{"result":"a\\\\","result":"\\"b"}`), [`"\\"b"`]);
    assert.deepEqual(member(`{"\\u0072esult":true}`), ["true"]);
    assert.deepEqual(member(`{"error":{"result":1}}`), [undefined]);
    assert.deepEqual(member(`{}`), [undefined]);
    assert.deepEqual(member(`[ ]`), []);
    assert.deepEqual(member(`[1, {"result":null}, [{"result":2}], "x", {"result":-1e3}]`), [
      undefined,
      "null",
      undefined,
      undefined,
      "-1e3",
    ]);
  });
  it("reads as the member does, for any body", () =>
    fc.assert(
      fc.property(fc.array(json), fc.constantFrom(0, 1), (results, indent) => {
        const body = JSON.stringify(
          results.map((text, id) => ({ id, result: JSON.parse(text), error: null })),
          null,
          indent,
        );
        assert.deepEqual(
          member(body).map((text) => JSON.parse(text ?? "")),
          results.map((text) => JSON.parse(text)),
        );
      }),
    ));
  it("is in the text of its item, which is the slice of the body", () =>
    fc.assert(
      fc.property(fc.array(json), (items) => assert.deepEqual(itemTexts(` [ ${items.join(" ,\n")} ] `), items)),
    ));
  it("is found in any text without end", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\1 ') }),
        (text) => void safely(() => memberSpans(text, "result")),
      ),
    ));
});

/** A body is known to be JSON; other text may throw, but has to come to an end. */
function safely(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
  }
}
