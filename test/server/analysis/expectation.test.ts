import { expectProblems as expect } from "../../support/cell.ts";

const chainId = (rest: string): string => `{ "method": "eth_chainId", ${rest} }`;

describe("expect, as it is written", () => {
  for (const right of [
    `"expect": {}`,
    `"expect": { "result": "0x1", "decoded[0].args": [1], "error.code": { "<": 0 } }`,
    `"expect": { "result": { "==": 1, "!=": null, "<": 5, "<=": "0x5", ">": "5", ">=": 0.5, "in": [], "matches": "^0x", "length": 1, "type": "string" } }`,
    `"expect": { "error": { "type": "object" } }`,
  ]) {
    it(`takes ${right}`, () => expect(chainId(right)));
  }

  it("takes an object to compare with, also where members are called as operators are", () => {
    expect(
      `{ "method": "eth_getTransactionByHash", "params": ["0x${"ab".repeat(32)}"], "expect": { "result": { "type": "0x2", "nonce": "0x1" } } }`,
    );
    expect(chainId(`"expect": { "result": { "to": "0x", "typo": 1 } }`));
  });

  it("knows its operators", () =>
    expect(
      `{ "method": "eth_chainId", "expect": { "result": { ‹unknown-operator >=→"=>"›: 1, ‹unknown-operator length→"lenght"›: 2 }, "decoded": { ">": 1, ‹unknown-operator !=→"<>"›: 2, ‹unknown-operator→"max"›: 3 }, "error": { ‹unknown-operator >=→"$gte"›: 1 } } }`,
    ));

  it("knows what its operators take", () =>
    expect(
      `{ "method": "eth_chainId", "expect": { "result": { ">": ‹bad-operand→"x"›, "in": ‹bad-operand→5›, "matches": ‹bad-operand→"("›, "length": ‹bad-operand→"a"›, "type": ‹bad-operand→"text"› }, "decoded": { "matches": ‹bad-operand→"(?=a)"› } } }`,
    ));

  it("has paths for keys", () =>
    expect(
      `{ "method": "eth_chainId", "expect": { ‹bad-path result→"resul"›: 1, ‹bad-path→"value"›: 1, ‹bad-path→"result..x"›: 1, ‹bad-path result→"$.result"›: 1, ‹bad-path→""›: 1 } }`,
    ));

  it("does not take operators beside paths", () =>
    expect(`{ "method": "eth_chainId", "expect": { "result": 1, ‹bad-path→">="›: 1, ‹bad-path→"length"›: 3 } }`));

  it("has paths that can be there", () =>
    expect(
      `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }], "expect": { "result.‹unknown-path→address›": 1, "result[0].‹unknown-path address→adress›": 1, "result[0].l1Fee": 1, "result‹unknown-path [0]→.0›.data": 1 } }`,
    ));

  it("has paths into what is decoded and what went wrong", () =>
    expect(
      `{ "method": "eth_call", "params": [{ "to": "0x5FbDB2315678afecb367f032d93F642f64180aa3", "data": { "function": "f() returns (uint8)" } }, "latest"], "expect": { "decoded[‹unknown-path→1›]": 1, "error.‹unknown-path message→mesage›": "", "error.decoded.args.x": 1 } }`,
    ));

  it("guesses that a field of the result is meant", () =>
    expect(
      `{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { ‹bad-path result.gasUsed→"gasUsed"›: 1 } }`,
    ));

  it("is checked around a batch and in it", () =>
    expect(
      `{ "batch": [{ "method": "eth_chainId", "expect": { "result": { ‹unknown-operator→"=>"›: 1 } } }], "expect": { "result[0].‹unknown-path→x›": 1, "result": { ‹unknown-operator→"lenght"›: 1 } }, "within": ‹bad-within→"soon"› }`,
    ));
});

describe("within", () => {
  for (const right of ["10 s", "10s", "500 ms", "1.5 s", "2 min", "1 block", "3 blocks"]) {
    it(`takes ${right}`, () => expect(chainId(`"expect": {}, "within": "${right}"`)));
  }
  for (const wrong of ["10", "soon", "-1 s", "0 s", "1.5 blocks", "10 parsecs", "s"]) {
    it(`does not take ${wrong}`, () => expect(`{ "method": "eth_chainId", "within": ‹bad-within→"${wrong}"› }`));
  }

  it("has something to wait for", () => {
    expect(`{ "method": "eth_chainId", "within": ‹missing-field→"10 s"› }`);
    expect(`{ "batch": [{ "method": "eth_chainId", "expect": { "result": "0x1" } }], "within": "10 s" }`);
  });
});
