import assert from "node:assert/strict";
import fc from "fast-check";
import { BodyText } from "../../../server/src/base/bodyText.ts";
import { concatenated, listOfTexts } from "../../../server/src/base/lazyList.ts";
import { answerJson, jsonText } from "../../../server/src/report/answerJson.ts";
import { answered, exchange, refused } from "./outcomes.ts";

describe("answerJson", () => {
  it("lays out the result and keeps every number as it was written", () =>
    assert.equal(
      answerJson(answered(null, '{"a":[1.10,1e400,12345678901234567890,{}],"b":"x:y,{z}"}')),
      `{
  "a": [
    1.10,
    1e400,
    12345678901234567890,
    {}
  ],
  "b": "x:y,{z}"
}`,
    ));
  it("makes marks that reorder text visible, as JSON writes them", () =>
    assert.equal(answerJson(answered(null, '"a\u202eb"')), '"a\\u202eb"'));
  it("shows errors as the endpoint sent them", () => {
    assert.deepEqual(JSON.parse(answerJson(refused({ code: 3, message: "execution reverted", data: "0x" }))), {
      code: 3,
      message: "execution reverted",
      data: "0x",
    });
    assert.deepEqual(
      JSON.parse(
        answerJson(refused({ code: undefined, message: "Forbidden", exchange: { ...exchange, status: 403 } })),
      ),
      { httpStatus: 403, message: "Forbidden" },
    );
    assert.deepEqual(
      JSON.parse(answerJson({ kind: "unreachable", reason: "dns", message: "No such host.", hint: "", exchange })),
      { unreachable: "dns", message: "No such host." },
    );
  });
  it("is cut above its limit, and says so", () => {
    const text = answerJson(answered(null, `[${"1,".repeat(500_000)}1]`), 1000);
    assert.match(text, /\n… cut here: the whole answer has 1 MB$/);
    assert.ok(text.length < 1100);
  });
  it("is the same for a list whose items are read later, which is not put together for that", () => {
    const logs = Array.from({ length: 30 }, (_, at) => ({ address: `0x${at}`, topics: at % 3 ? ["0x1"] : [], at }));
    const json = JSON.stringify(logs);
    const body = new BodyText(0);
    body.push(new TextEncoder().encode(`{"id":1,"result":${json}}`));
    const { list } = body.response(200, {});
    assert.ok(list);
    const value = listOfTexts(list);
    const two = concatenated([value, value]);
    for (const [listed, whole] of [
      [value, json],
      [two, JSON.stringify([...logs, ...logs])],
    ] as const) {
      const full = answerJson(answered(null, whole)).length;
      const unread = {
        ...answered(null, ""),
        result: {
          value: listed,
          get text(): string {
            throw new Error("The whole list was put together.");
          },
        },
      };
      for (const limit of [1, 100, full - 3, full - 2, full - 1, full, full + 1])
        assert.equal(answerJson(unread, limit), answerJson(answered(null, whole), limit), `${limit} of ${full}`);
      for (const limit of [1, 100, full, 2 * full]) {
        const [partial, other] = [unread.result, answered(null, whole).result].map((result) =>
          answerJson(
            refused({ exchange: { ...exchange, parts: { requests: 1, notes: [], soFar: { result } } } }),
            limit,
          ),
        );
        assert.equal(partial, other, `${limit} of ${full} and an error`);
      }
    }
  });
});

describe("jsonText", () => {
  it("lays JSON out as JSON.stringify does", () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { text } = jsonText(JSON.stringify(value), 1e9);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
        if (text.length === JSON.stringify(value, null, 2).length) assert.equal(text, JSON.stringify(value, null, 2));
      }),
    ));
});
