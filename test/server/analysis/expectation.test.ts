import { expectProblems as expect } from "../../support/cell.ts";

const chainId = (rest: string): string => `{ "method": "eth_chainId", ${rest} }`;

describe("expect, as it is written", () => {
  for (const right of [
    `"expect": { "result": "0x1", "decoded[0].args": [1], "error.code": { "<": 0 } }`,
    `"expect": { "result": { "==": 1, "!=": null, "<": 5, "<=": "0x5", ">": "5", ">=": 0.5, "in": [], "matches": "^0x", "length": 1, "type": "string" } }`,
    `"expect": { "error": { "type": "object" } }`,
  ])
    it(`takes ${right}`, () => expect(chainId(right)));

  for (const marked of [
    // takes an object to compare with, also where members are called as operators are
    `{ "method": "eth_getTransactionByHash", "params": ["0x${"ab".repeat(32)}"], "expect": { "result": { "type": "0x2", "nonce": "0x1" } } }`,
    chainId(`"expect": { "result": { "to": "0x", "typo": 1 } }`),
    // knows its operators
    `{ "method": "eth_chainId", "expect": { "result": { ‹unknown-operator >=→"=>"›: 1, ‹unknown-operator length→"lenght"›: 2 }, "decoded": { ">": 1, ‹unknown-operator !=→"<>"›: 2, ‹unknown-operator→"max"›: 3 }, "error": { ‹unknown-operator >=→"$gte"›: 1 } } }`,
    // knows what its operators take
    `{ "method": "eth_syncing", "expect": { "result": ‹bad-operand→"false"› } }`,
    `{ "method": "eth_chainId", "expect": { "result": ‹bad-operand→true› } }`,
    `{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { "result.number": { "!=": ‹bad-operand→"0x"› }, "result": { "!=": null } } }`,
    `{ "method": "eth_chainId", "expect": { "result": { ">": ‹bad-operand→"x"›, "in": ‹bad-operand→5›, "matches": ‹bad-operand→"("›, "length": ‹bad-operand→"a"›, "type": ‹bad-operand→"text"› }, "decoded": { "matches": ‹bad-operand→"(?=a)"› } } }`,
    // expects something
    chainId(`"expect": ‹wrong-type→{}›`),
    `{ "batch": [{ "method": "eth_chainId" }], "expect": ‹wrong-type→{ }› }`,
    // has paths for keys
    `{ "method": "eth_chainId", "expect": { ‹bad-path result→"resul"›: 1, ‹bad-path→"value"›: 1, ‹bad-path→"result..x"›: 1, ‹bad-path result→"$.result"›: 1, ‹bad-path→""›: 1 } }`,
    // does not take operators beside paths
    `{ "method": "eth_chainId", "expect": { "result": 1, ‹bad-path→">="›: 1, ‹bad-path→"length"›: 3 } }`,
    // has paths that can be there
    `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }], "expect": { "result.‹unknown-path→address›": 1, "result[0].‹unknown-path address→adress›": 1, "result[0].l1Fee": 1, "result‹unknown-path [0]→.0›.data": 1 } }`,
    // has paths into what is decoded and what went wrong
    `{ "method": "eth_call", "params": [{ "to": "0x5FbDB2315678afecb367f032d93F642f64180aa3", "data": { "function": "f() returns (uint8)" } }, "latest"], "expect": { "decoded[‹unknown-path→1›]": 1, "error.‹unknown-path message→mesage›": "", "error.decoded.args.x": 1 } }`,
    // guesses that a field of the result is meant
    `{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { ‹bad-path result.gasUsed→"gasUsed"›: 1 } }`,
    // is checked around a batch and in it
    `{ "batch": [{ "method": "eth_chainId", "expect": { "result": { ‹unknown-operator→"=>"›: 1 } } }], "expect": { "result[0].‹unknown-path→x›": 1, "result": { ‹unknown-operator→"lenght"›: 1 } }, "within": ‹bad-within→"soon"› }`,
  ])
    it(marked, () => expect(marked));
});

describe("a directive of a batch", () => {
  for (const member of [`"snapshot": ‹wrong-type→"true"›`, `"name": ‹wrong-type→5›`, `"within": ‹wrong-type→5›`])
    it(`has a value of its type: ${member}`, () => expect(`{ "batch": [{ "method": "eth_chainId" }], ${member} }`));
});

describe("within", () => {
  for (const right of ["10 s", "10s", "500 ms", "1.5 s", "2 min", "1 block", "3 blocks"])
    it(`takes ${right}`, () => expect(chainId(`"expect": { "result": "0x1" }, "within": "${right}"`)));
  for (const wrong of ["10", "soon", "-1 s", "0 s", "1.5 blocks", "10 parsecs", "s"])
    it(`does not take ${wrong}`, () => expect(`{ "method": "eth_chainId", "within": ‹bad-within→"${wrong}"› }`));

  it("has something to wait for", () => {
    expect(`{ "method": "eth_chainId", "within": ‹missing-field→"10 s"› }`);
    expect(`{ "batch": [{ "method": "eth_chainId", "expect": { "result": "0x1" } }], "within": "10 s" }`);
  });
});
