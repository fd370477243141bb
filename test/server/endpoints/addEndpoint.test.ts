import assert from "node:assert/strict";
import fc from "fast-check";
import { addEndpoint, addIgnored, checkAddress } from "../../../server/src/endpoints/addEndpoint.ts";

describe("the address that someone types", () => {
  for (const [address, grant] of [
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["https://rpc.example/main/evm", "https://rpc.example"],
    ["https://[::1]:8545", "https://[::1]:8545"],
  ])
    it(`is good: ${address}`, () => assert.deepEqual(checkAddress(String(address)), { grant, isPrivate: false }));
  for (const text of ["", "   ", "rpc.example", "main", "https://", "//rpc.example", "http://a b"])
    it(`is not whole: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(checkAddress(text), { fault: "Type a whole address, such as http://127.0.0.1:8545." }));
  for (const text of ["localhost:8545", "ws://127.0.0.1:8545", "file:///etc/passwd", "javascript:alert(1)"])
    it(`is not http: ${text}`, () =>
      assert.deepEqual(checkAddress(text), { fault: "The address has to begin with https:// or http://." }));
  for (const address of [
    "https://rpc.example/v2/aB3dE5gH7jK9mN1pQ3sT5vW7",
    "https://rpc.example/?apikey=1",
    "https://user:pass@rpc.example/",
  ])
    it(`seems to hold a key: ${address}`, () =>
      assert.deepEqual(checkAddress(address), { grant: "https://rpc.example", isPrivate: true }));
});

describe("adding an endpoint to rpc-endpoints.json", () => {
  const add = (text: string | undefined): string | undefined => addEndpoint(text, "main", "https://rpc.example");

  const alone = '{\n  "main": "https://rpc.example"\n}\n';
  for (const [what, before, after] of [
    ["in a new file", undefined, alone],
    ["in a blank file", " \n", alone],
    ["in an empty object", "{}\n", alone],
    [
      "on a line of its own, as its neighbours",
      '{\r\n\t"a": 1\r\n}\r\n',
      '{\r\n\t"a": 1,\r\n\t"main": "https://rpc.example"\r\n}\r\n',
    ],
    ["in the line, as its neighbours", '{ "a": 1 }', '{ "a": 1, "main": "https://rpc.example" }'],
    [
      "beside numbers of any size",
      '\ufeff{"$n":9007199254740993}',
      '\ufeff{"$n":9007199254740993, "main": "https://rpc.example"}',
    ],
  ] as const)
    it(`writes it ${what}`, () => assert.equal(add(before), after));
  it("leaves alone what it would damage", () => {
    for (const text of ['{ "main": "http://other" }', "[]", '"text"', "{ // comment\n}", "{", "null"])
      assert.equal(add(text), undefined);
  });
  it("adds one member and changes no other byte, whatever the file holds", () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.constantFrom(0, 2, "\t"),
        (members, indent) => {
          fc.pre(!Object.hasOwn(members, "main"));
          const before = JSON.stringify(members, undefined, indent);
          const after = add(before);
          assert.ok(after);
          const reread = new Map(Object.entries(JSON.parse(after) as object));
          assert.equal(reread.get("main"), "https://rpc.example");
          assert.ok(after.startsWith(before.slice(0, -1).trimEnd()));
          reread.delete("main");
          assert.deepEqual([...reread], Object.entries(JSON.parse(before) as object));
        },
      ),
    ));
});

describe("keeping the private file out of git", () => {
  const file = "rpc-endpoints.private.json";
  it("begins a .gitignore", () => assert.equal(addIgnored("", file), `${file}\n`));
  it("adds a line, also after a last line without an end", () =>
    assert.equal(addIgnored("node_modules", file), `node_modules\n${file}\n`));
  it("sees that the line is there", () => assert.equal(addIgnored(`dist\r\n/${file}\r\n`, file), undefined));
});
