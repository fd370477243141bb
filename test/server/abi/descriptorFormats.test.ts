import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { encodeFunctionData, parseAbi } from "viem";
import { callInWords } from "../../../server/src/abi/clearSigning.ts";
import { formatFaults } from "../../../server/src/abi/descriptorFormats.ts";
import { descriptorsOf, entryOf } from "../../../server/src/abi/descriptors.ts";
import { describedContracts } from "../../support/describedContracts.ts";

/** The example of docs/descriptors.md. */
const example = /```json\n([\s\S]*?)```/.exec(readFileSync("docs/descriptors.md", "utf8"))?.[1] ?? "";
const faultsOf = (text: string) => {
  const descriptor = JSON.parse(text);
  const kind = descriptor.context.eip712 ? "typed" : "call";
  return [...formatFaults(kind, descriptor)].map(({ what }) => what);
};

describe("formats of descriptors", () => {
  it("of the documentation are right, and give the words that it says", async () => {
    assert.deepEqual(faultsOf(example), []);
    const entry = entryOf(JSON.parse(example), "vault.json", "vault.json");
    assert.ok("body" in entry);
    const treasury = `0x${"7".repeat(40)}` as const;
    const abi = parseAbi(["function lock(address owner, uint256 amount, uint64 until)"]);
    const words = await callInWords(
      {
        chainId: 1n,
        to: `0x${"1".repeat(40)}`,
        data: encodeFunctionData({ abi, args: [treasury, 5_000_000n, 1_900_000_000n] }),
      },
      descriptorsOf([entry], () => entry.body, String),
      {
        token: () => ({ symbol: "USDT", decimals: 6 }),
        label: (address) => (address === treasury ? "Treasury" : undefined),
        chain: () => undefined,
      },
    );
    const said = /`(Lock 5 USDT [^`]*)`/.exec(readFileSync("docs/descriptors.md", "utf8"))?.[1];
    assert.equal(words?.sentence, said);
  });

  it("of the contracts of these tests are right", () => {
    for (const one of Object.values(describedContracts)) assert.deepEqual(faultsOf(JSON.stringify(one)), []);
  });

  const order =
    '{"context":{"eip712":{"deployments":[]}},"display":{"formats":{"Order(address maker,Item[] items)Item(uint256 amount)":{"intent":"x","fields":[{"label":"Items","path":"items.[]","fields":[{"path":"amount","label":"Amount","format":"raw"}]}]}}}}';
  for (const [what, text, expected] of [
    ["a misspelt path", example.replace('"path": "until"', '"path": "untill"'), /^`untill` is not a parameter/],
    ["a misspelt path of a token", example.replace('"@.to"', '"token"'), /^`token` is not a parameter/],
    ["a value of the call that does not exist", example.replace('"@.to"', '"@.token"'), /^`@\.token` is not a value/],
    ["a constant that does not exist", example.replace('"@.to"', '"$.metadata.constants.a"'), /constants\.a` does not/],
    ["no label", example.replace('"label": "Until", ', ""), /^the field `until` has no `label`/],
    ["no format", example.replace(', "format": "addressName"', ""), /^the field `owner` has no `format`/],
    ["an unknown format", example.replace('"date"', '"datetime"'), /^`datetime` is not a format/],
    ["no value", example.replace('"path": "owner", ', ""), /^the field `Owner` has neither `path` nor `value`/],
    ["no intent", example.replace('"intent": "Lock tokens",', ""), /has no `intent`/],
    ["a sentence with another path", example.replace("{amount}", "{value}"), /^`\{value\}` is not the path of a field/],
    [
      "parameters without names",
      example.replace("address owner, uint256 amount, uint64 until", "address,uint256,uint64"),
      /^`owner` leads nowhere: the function does not name its parameters/,
    ],
    [
      "a group in a group",
      order.replace('{"path":"amount"', '{"label":"Inner","fields":[]},{"path":"amount"'),
      /^the group `Inner` is inside another group/,
    ],
    [
      "a path of a group that begins at the root",
      order.replace('"path":"amount"', '"path":"#.maker"'),
      /^`#\.maker` is not a parameter/,
    ],
    [
      "a list in a list",
      example.replace("uint64 until", "uint64[][] until").replace('"path": "until"', '"path": "until.[].[]"'),
      /^`until\.\[\]\.\[\]` is of lists in a list/,
    ],
    [
      "a list in a group with a path: the library begins at the root",
      example
        .replace("uint64 until", "(uint64[] times) until")
        .replace(
          '"fields": [',
          '"fields": [{ "path": "until", "fields": [{ "path": "times.[]", "label": "T", "format": "raw" }] },',
        ),
      /^`times\.\[\]` is not a parameter/,
    ],
    [
      "a value that a message does not have",
      order.replace('"amount"', '"@.value"'),
      /^`@\.value` is not a value of a mes/,
    ],
    [
      "a reference to what is not a definition",
      example.replace('"format": "date"', '"$ref": "$.metadata.owner"'),
      /^`\$\.metadata\.owner` does not begin with `\$\.display\.definitions\.`/,
    ],
    [
      "a reference without its root",
      example.replace('"format": "date"', '"$ref": "display.formats"'),
      /^`display\.formats` does not begin with/,
    ],
    [
      "a path to what is not metadata",
      example.replace('"@.to"', '"$.context.contract"'),
      /^`\$\.context\.contract` does not begin with `\$\.metadata\.`/,
    ],
    [
      "a constant as a value that does not exist",
      example.replace('"path": "owner"', '"value": "$.metadata.constants.a"'),
      /^`\$\.metadata\.constants\.a` does not exist/,
    ],
    [
      "a definition that does not exist",
      example.replace('"format": "date"', '"$ref": "$.display.definitions.a"'),
      /definitions\.a` does not exist/,
    ],
    ["a list as one value", order.replace('"path":"amount"', '"path":"amount.[]"'), /^`amount\.\[\]` is not/],
    [
      "a list that is shown as one value",
      example.replace("uint64 until", "uint64[] until"),
      /^`until` has several values/,
    ],
    ["a member of typed data that does not exist", order.replace('"amount"', '"price"'), /^`price` is not a parameter/],
  ] as const)
    it(`have a fault: ${what}`, () => {
      assert.notEqual(text, example);
      assert.match(faultsOf(text)[0] ?? "", expected);
    });

  it("have none in a group, with a definition, an index or a part of bytes", () => {
    assert.deepEqual(faultsOf(order), []);
    for (const path of ["items.[0].amount", "#.items.[-1].amount", "items.[].amount", "maker.[0:4]"])
      assert.deepEqual(
        faultsOf(
          order.replace(
            '{"label":"Items","path":"items.[]","fields":[{"path":"amount"',
            `{"fields":[{"path":"${path}"`,
          ),
        ),
        [],
        path,
      );
    const defined = example
      .replace('"label": "Until", "format": "date"', '"$ref": "$.display.definitions.time"')
      .replace('"formats"', '"definitions": { "time": { "label": "Until", "format": "date" } }, "formats"');
    assert.deepEqual(faultsOf(defined), []);
  });

  it("have none with the address of a token, with a value, or with parameters that no path leads to", () => {
    const pause = '"formats": { "pause(bytes32)": { "intent": "Pause", "fields": [] },';
    for (const text of [
      example.replace('"@.to"', `"0x${"a1".repeat(20)}"`),
      example.replace('"path": "owner"', '"value": "$.metadata.owner"').replace("{owner}", "you"),
      example.replace('"path": "owner"', '"value": "$5"').replace("{owner}", "you"),
      example.replace('"formats": {', pause),
    ]) {
      assert.notEqual(text, example);
      assert.deepEqual(faultsOf(text), []);
    }
  });
});
