import assert from "node:assert/strict";
import { headerIndex, headerValues } from "../../../server/src/notebook/header.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

const values = (text: string) => headerValues(readCell(text, "header"));

describe("headerValues", () => {
  it("reads what the header says, integers of any size included", () => {
    const read = values(
      `{ "endpoint": "local", "chainId": "0x7a69", "variables": { "n": 9007199254740993, "a": ["x"] }, "labels": { "0xAb": "alice" }, "abi": ["./a.json"] }`,
    );
    assert.equal(read.endpoint, "local");
    assert.equal(read.chainId, 31337n);
    assert.deepEqual(
      [...read.variables],
      [
        ["n", 9007199254740993n],
        ["a", ["x"]],
      ],
    );
    assert.deepEqual([...read.labels], [["0xAb", "alice"]]);
    assert.deepEqual(read.abi, ["./a.json"]);
  });

  it("reads tokens by their address, and leaves out what is none", () =>
    assert.deepEqual(
      [
        ...values(
          `{ "tokens": { "0xAb": { "symbol": "USDC", "decimals": 6 }, "0x1": { "symbol": "A", "decimals": 1.5 }, "0x2": 3, "0x3": { "decimals": 18 } } }`,
        ).tokens,
      ],
      [["0xab", { symbol: "USDC", decimals: 6 }]],
    ));

  it("takes one ABI for a list of one", () => assert.deepEqual(values(`{ "abi": "event A()" }`).abi, ["event A()"]));

  it("keeps what can be read of a header being typed", () => {
    const read = values(
      `{ "endpoint": 5, "labels": { "0x1": 2, "0x2": "b" }, "variables": { "a": 1, "b": , "c": tru, "d": "x"`,
    );
    assert.equal(read.endpoint, "5"); // nothing has this name: a run does not go elsewhere
    assert.deepEqual([...read.labels.keys()], ["0x2"]);
    assert.deepEqual(
      [...read.variables],
      [
        ["a", 1],
        ["d", "x"],
      ],
    );
  });

  it("is empty where there is no header", () =>
    assert.deepEqual(headerValues(undefined), {
      endpoint: undefined,
      chainId: undefined,
      variables: new Map(),
      labels: new Map(),
      tokens: new Map(),
      openrpc: [],
      descriptors: [],
      recording: undefined,
      statedChain: undefined,
      abi: [],
    }));
});

describe("headerIndex", () => {
  const code = (text: string, header?: boolean) => ({ kind: "code", text, header }) as const;
  const title = { kind: "markdown", text: "# Title" } as const;

  it("goes by the mark", () => assert.equal(headerIndex([code(`{ "endpoint": "a" }`), code("{ ", true)]), 1));
  it("goes by the shape of the first code cell", () => {
    assert.equal(headerIndex([title, code(`{ "variables": {} }`)]), 1);
    assert.equal(headerIndex([code(`{ "method": "a" }`), code(`{ "variables": {} }`)]), -1);
  });
  it("does not take a request for a header", () => {
    for (const text of [
      `{ "endpoint": "a", "method": "b" }`,
      `{ "endpoint": "a", "name": "b" }`,
      "{}",
      `{ "abi": [`,
      `[{ "abi": [] }]`,
    ]) {
      assert.equal(headerIndex([code(text)]), -1);
    }
  });
  it("believes a mark of false", () => assert.equal(headerIndex([code(`{ "variables": {} }`, false)]), -1));
  it("knows the header by its text", () =>
    assert.equal(headerIndex([code(`{ "method": "a" }`), code(`{ "x": 1 }`)], `{ "x": 1 }`), 1));
});
