import assert from "node:assert/strict";
import { artifact } from "../../../server/src/abi/artifact.ts";
import { declaration, libraryFunctions, selectorOf } from "../../../server/src/abi/item.ts";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { solcOutput } from "../../support/solidity.ts";

const source = `
library Interest {
  enum Mode { A, B }
  struct Data { uint256 at; }
  function accrue(Data storage self, uint256 rate) external {}
  function lists(uint256[] storage self, Data[3][] storage d, bytes storage b, bytes4[2] memory c) external {}
  function maps(mapping(address => mapping(uint256 => Data)) storage m, mapping(address => uint256) storage n) external {}
  function mode(Data storage self, Mode mode) external {}
  function plain(uint256 a) external pure {}
}`;

describe("functions of a library that take references to storage", () => {
  it("have the selectors of their compiler; those with types that it only names are left out", () => {
    const output = solcOutput(source);
    const read = artifact(output, "x.json")?.items ?? [];
    const named = read.filter(({ signature }) => signature.includes(" storage"));
    assert.deepEqual(named.map(({ name }) => name).toSorted(), ["accrue", "lists", "maps"]);
    const contracts = output.contracts as Record<string, Record<string, { evm: { methodIdentifiers: JsonObject } }>>; // solc writes it
    const identifiers = contracts["src/Test.sol"]?.Interest?.evm.methodIdentifiers ?? {};
    for (const one of named) assert.equal(selectorOf(one), `0x${String(identifiers[one.signature])}`);
    const [accrue] = named.filter(({ name }) => name === "accrue");
    assert.equal(accrue && declaration(accrue), "function accrue(Interest.Data storage, uint256)");
  });
  it("are none in what is no signature", () => {
    for (const text of [
      "f( storage)",
      "f(<b> storage)",
      "1f(A storage)",
      "f(A storage,B)",
      "f(A storage))",
      "f(A storage,(uint256)",
      `f(${"(".repeat(900)} storage)`,
      `f(${"A storage,".repeat(200)}A storage)`,
    ])
      assert.deepEqual(libraryFunctions({ methodIdentifiers: { [text]: "00000000" } }, "x"), [], text.slice(0, 30));
    assert.deepEqual(libraryFunctions({ methodIdentifiers: ["A storage"] }, "x"), []);
  });
});
