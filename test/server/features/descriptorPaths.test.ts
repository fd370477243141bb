import assert from "node:assert/strict";
import { formatFaults } from "../../../server/src/abi/descriptorFormats.ts";
import { descriptorPaths } from "../../../server/src/features/descriptorPaths.ts";
import { cursor } from "../../support/cell.ts";

/** The first paths that are suggested at the cursor, with their details, and the text that they replace. */
function suggested(marked: string, count = 99): readonly string[] {
  const { text, offset } = cursor(marked);
  const found = descriptorPaths(text, offset);
  if (!found) return ["nothing"];
  const { start, end } = found.span;
  return [
    `‹${text.slice(start, end)}›`,
    ...found.paths.slice(0, count).map(({ path, detail }) => `${path}: ${detail}`),
  ];
}

const field = (key: string, fields: string, more = ""): string =>
  `{ "context": {}, "display": { "formats": { "${key}": { "fields": [${fields}] } }${more} } }`;
const container = ["@.from", "@.to", "@.value", "@.chainId"];
const names = (paths: readonly string[]): readonly string[] => paths.slice(1).map((path) => path.replace(/: .*/, ""));

describe("paths of a descriptor", () => {
  const approve = "approve(address spender,uint256 value)";

  it("are the parameters of the function, and the values of the transaction", () => {
    const all = suggested(field(approve, `{ "path": "v|al", "label": "x" }`));
    assert.deepEqual(all.slice(0, 3), ["‹val›", "spender: address", "value: uint256"]);
    assert.deepEqual(names(all), ["spender", "value", ...container]);
    assert.deepEqual(names(suggested(field(approve, `{ "params": { "tokenPath": "|" } }`))), names(all));
  });

  it("begin at the root after #", () =>
    assert.deepEqual(suggested(field(approve, `{ "path": "#.|" }`), 2), [
      "‹#.›",
      "#.spender: address",
      "#.value: uint256",
    ]));

  it("go into tuples and lists", () =>
    assert.deepEqual(
      names(suggested(field("fill((address maker,uint256[] amounts) order,bytes)", `{ "path": "|" }`), 4)),
      ["order", "order.maker", "order.amounts", "order.amounts.[]"],
    ));

  it("go into the types of typed data, also of types that contain each other", () => {
    const key = "Order(address maker,Item[] items)Item(uint256 amount,Order of)";
    const all = names(suggested(field(key, `{ "path": "|" }`)));
    assert.deepEqual(all.slice(0, 6), [
      "maker",
      "items",
      "items.[]",
      "items.[].amount",
      "items.[].of",
      "items.[].of.maker",
    ]);
    assert.ok(all.length < 400);
  });

  it("have no fault: what is suggested in a group is what the check takes", () => {
    const key = "Order(address maker,Item[] items)Item(uint256 amount)";
    for (const written of ["", "#"]) {
      const { text, offset } = cursor(
        field(
          key,
          `{ "path": "items.[]", "fields": [{ "path": "${written}|", "label": "x", "format": "raw" }] }`,
        ).replace('"context": {}', '"context": { "eip712": {} }'),
      );
      const { span, paths = [] } = descriptorPaths(text, offset) ?? {};
      assert.deepEqual(
        paths.map(({ path }) => path),
        [written === "" ? "amount" : "#.amount", "@.from", "@.to", "@.chainId"],
      );
      for (const { path } of paths) {
        const accepted = text.slice(0, span?.start) + path + text.slice(span?.end);
        const faults = [...formatFaults("typed", JSON.parse(accepted.replace('"fields"', '"intent": "x", "fields"')))];
        assert.deepEqual(faults, [], path);
      }
    }
  });

  it("are those of the group that they are in, also after #", () => {
    const key = "fill((address maker,uint256 amount)[] orders,address to)";
    const nested = field(key, `{ "path": "#.orders.[0]", "fields": [{ "path": "|" }] }`);
    assert.deepEqual(names(suggested(nested)), ["maker", "amount", ...container]);
    const after = field(key, `{ "path": "#.orders.[0]", "fields": [{ "path": "#|" }] }`);
    assert.deepEqual(names(suggested(after)), ["#.maker", "#.amount", ...container]);
    const list = field(key, `{ "path": "orders", "fields": [{ "path": "orders.[].maker" }, { "path": "|" }] }`);
    assert.equal(names(suggested(list))[0], "orders"); // the library reads them from the root
    const unnamed = field(key, `{ "path": "", "fields": [{ "path": "|" }] }`);
    assert.equal(names(suggested(unnamed))[0], "orders");
    const own = field(key, `{ "path": "|", "fields": [{ "path": "maker" }] }`);
    assert.equal(names(suggested(own))[0], "orders");
  });

  it("are in the sentence, between braces", () => {
    const sentence = (text: string): string =>
      `{ "display": { "formats": { "${approve}": { "intent": "x", "interpolatedIntent": "${text}" } } } }`;
    assert.deepEqual(suggested(sentence("Let {sp|} spend {value}"), 1), ["‹sp›", "spender: address"]);
    assert.deepEqual(suggested(sentence("Let {|"), 1), ["‹›", "spender: address"]);
    assert.deepEqual(suggested(sentence("Let {spender} spe|nd {value}")), ["nothing"]);
  });

  describe("of the file", () => {
    const metadata = `"metadata": { "constants": { "native": "0xee" }, "enums": { "rate": { "1": "stable" } }, "maps": { "of": {} } }`;
    const definitions = `, "definitions": { "send": { "label": "Amount to send" } }`;
    const inFile = (fields: string): readonly string[] =>
      suggested(field(approve, fields, definitions).replace('"context": {}', metadata));

    it("are constants, where a value is expected, and after the parameters", () => {
      const constant = `$.metadata.constants.native: "0xee"`;
      assert.deepEqual(inFile(`{ "params": { "threshold": "$|" } }`), ["‹$›", constant]);
      assert.deepEqual(inFile(`{ "params": { "nativeCurrencyAddress": ["|"] } }`), ["‹›", constant]);
      assert.equal(inFile(`{ "path": "|" }`).at(-1), constant);
    });
    it("are definitions, enums and maps, where one is referred to", () => {
      assert.deepEqual(inFile(`{ "$ref": "|" }`), ["‹›", "$.display.definitions.send: Amount to send"]);
      assert.deepEqual(inFile(`{ "params": { "$ref": "|" } }`), ["‹›", `$.metadata.enums.rate: { "1": "stable" }`]);
      assert.deepEqual(inFile(`{ "params": { "token": { "map": "|" } } }`), ["‹›", "$.metadata.maps.of: {}"]);
    });
  });

  for (const [what, text] of [
    ["a key", field(approve, `{ "pa|th": "" }`)],
    ["a label", field(approve, `{ "label": "|" }`)],
    ["a number", field(approve, `{ "path": 1|2 }`)],
    ["another file", `{ "scripts": { "path": "|" } }`],
    ["no JSON", "path|"],
    ["nothing", "|"],
    ["many levels", `${"[".repeat(100_000)}"|`],
  ] as const)
    it(`are not in ${what}`, () => assert.deepEqual(suggested(text), ["nothing"]));
});
