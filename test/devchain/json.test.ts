import assert from "node:assert/strict";
import fc from "fast-check";
import { elements, member, members } from "../../devchain/json.ts";

describe("slices of JSON text", () => {
  it("keeps numbers, spaces and escapes unchanged", () => {
    const text = ' { "id" : 123456789012345678901234567890 , "a\\u0062" :"x\\"}" ,"n":[ 1.50, {"]": null} ]} ';
    assert.deepEqual(
      members(text).map(({ name, raw }) => [name, raw]),
      [
        ["id", "123456789012345678901234567890"],
        ["ab", '"x\\"}"'],
        ["n", '[ 1.50, {"]": null} ]'],
      ],
    );
  });

  it("gives the last of two members with one name", () =>
    assert.equal(member('{"id":1,"method":"x","id":"two"}', "id"), '"two"'));

  it("finds nothing in empty brackets", () => {
    assert.deepEqual(members(" { } "), []);
    assert.deepEqual(elements("[ ]"), []);
  });

  it("cuts every array and every object where JSON.parse does", () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.json(), fc.constantFrom(undefined, 0, 2), (a, b, indent) => {
        const parts = [JSON.parse(a), JSON.parse(b)];
        const array = JSON.stringify(parts, null, indent);
        assert.deepEqual(
          elements(array).map((raw) => JSON.parse(raw)),
          parts,
        );
        const object = JSON.stringify({ [a]: parts[0], b: parts[1] }, null, indent);
        assert.deepEqual(
          Object.fromEntries(members(object).map(({ name, raw }) => [name, JSON.parse(raw)])),
          JSON.parse(object),
        );
      }),
    ));
});
