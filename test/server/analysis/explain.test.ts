import { expectProblems as expect } from "../../support/cell.ts";

const hash = `0x${"ab".repeat(32)}`;

describe("explain, as it is written", () => {
  for (const method of ["eth_getTransactionByHash", "eth_getTransactionReceipt"])
    it(`takes ${method}`, () => expect(`{ "method": "${method}", "params": ["${hash}"], "explain": true }`));

  it("does nothing beside another method", () =>
    expect(`{ "method": "eth_blockNumber", ‹misplaced-explain→"explain"›: true }`));
  it("may be false anywhere", () => expect(`{ "method": "eth_blockNumber", "explain": false }`));
  it("is true or false", () =>
    expect(`{ "method": "eth_getTransactionByHash", "params": ["${hash}"], "explain": ‹wrong-type→"yes"› }`));
});
