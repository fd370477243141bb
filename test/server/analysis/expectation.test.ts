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
    expect(`
{ "method": "eth_chainId", "expect": { "result": { "=>": 1, "lenght": 2 }, "decoded": { ">": 1, "<>": 2, "max": 3 }, "error": { "$gte": 1 } } }
                                                   ^^^^ unknown-operator: \`=>\` is not an \`expect\` operator. Did you mean \`>=\`?
                                                            ^^^^^^^^ unknown-operator: \`lenght\` is not an \`expect\` operator. Did you mean \`length\`?
                                                                                                ^^^^ unknown-operator: \`<>\` is not an \`expect\` operator. Did you mean \`!=\`?
                                                                                                         ^^^^^ unknown-operator: \`max\` is not an \`expect\` operator.
                                                                                                                                ^^^^^^ unknown-operator: \`$gte\` is not an \`expect\` operator. Did you mean \`>=\`?
`));

  it("knows what its operators take", () =>
    expect(`
{ "method": "eth_chainId", "expect": { "result": { ">": "x", "in": 5, "matches": "(", "length": "a", "type": "text" }, "decoded": { "matches": "(?=a)" } } }
                                                        ^^^ bad-operand: This cannot be checked: \`>\` takes a number, a quantity such as "0x10", or an amount such as "1.5 ether".
                                                                   ^ bad-operand: This cannot be checked: \`in\` takes a list.
                                                                                 ^^^ bad-operand: This cannot be checked: this is not a regular expression.
                                                                                                ^^^ bad-operand: This cannot be checked: \`length\` takes a number.
                                                                                                             ^^^^^^ bad-operand: This cannot be checked: types are array, boolean, null, number, object and string.
                                                                                                                                               ^^^^^^^ bad-operand: This cannot be checked: look-around and references back are not taken.
`));

  it("has paths for keys", () =>
    expect(`
{ "method": "eth_chainId", "expect": { "resul": 1, "value": 1, "result..x": 1, "$.result": 1, "": 1 } }
                                       ^^^^^^^ bad-path: Paths start with \`result\`, \`decoded\` or \`error\`, but \`resul\` does not. Did you mean \`result\`?
                                                   ^^^^^^^ bad-path: Paths start with
                                                               ^^^^^^^^^^^ bad-path: \`result..x\` is not a path such as \`result[0].value\`.
                                                                               ^^^^^^^^^^ bad-path: \`$.result\` is not a path such as \`result[0].value\`. Did you mean \`result\`?
                                                                                              ^^ bad-path
`));

  it("does not take operators beside paths", () =>
    expect(`
{ "method": "eth_chainId", "expect": { "result": 1, ">=": 1, "length": 3 } }
                                                    ^^^^ bad-path: \`>=\` is an operator. Write it under a path: \`"result": { ">=": … }\`.
                                                             ^^^^^^^^ bad-path: \`length\` is an operator. Write it under a path
`));

  it("has paths that can be there", () =>
    expect(`
{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }], "expect": { "result.address": 1, "result[0].adress": 1, "result[0].l1Fee": 1, "result.0.data": 1 } }
                                                                                   ^^^^^^^ unknown-path: \`result\` is a list, which has no \`address\`.
                                                                                                           ^^^^^^ unknown-path: \`result[0]\` is an object, which has no \`adress\`. Did you mean \`address\`?
                                                                                                                                                    ^^ unknown-path: \`result\` is a list, which has no \`0\`. Did you mean \`[0]\`?
`));

  it("has paths into what is decoded and what went wrong", () =>
    expect(`
{ "method": "eth_call", "params": [{ "to": "0x5FbDB2315678afecb367f032d93F642f64180aa3", "data": { "function": "f() returns (uint8)" } }, "latest"], "expect": { "decoded[1]": 1, "error.mesage": "", "error.decoded.args.x": 1 } }
                                                                                                                                                                          ^ unknown-path: \`decoded\` is a list, which has no \`1\`.
                                                                                                                                                                                         ^^^^^^ unknown-path: \`error\` is an object, which has no \`mesage\`. Did you mean \`message\`?
`));

  it("guesses that a field of the result is meant", () =>
    expect(`
{ "method": "eth_getBlockByNumber", "params": ["latest", false], "expect": { "gasUsed": 1 } }
                                                                             ^^^^^^^^^ bad-path: Paths start with \`result\`, \`decoded\` or \`error\`, but \`gasUsed\` does not. Did you mean \`result.gasUsed\`?
`));

  it("is checked around a batch and in it", () =>
    expect(`
{ "batch": [{ "method": "eth_chainId", "expect": { "result": { "=>": 1 } } }], "expect": { "result[0].x": 1, "result": { "lenght": 1 } }, "within": "soon" }
                                                               ^^^^ unknown-operator
                                                                                                      ^ unknown-path
                                                                                                                         ^^^^^^^^ unknown-operator
                                                                                                                                                    ^^^^^^ bad-within
`));
});

describe("within", () => {
  for (const right of ["10 s", "10s", "500 ms", "1.5 s", "2 min", "1 block", "3 blocks"]) {
    it(`takes ${right}`, () => expect(chainId(`"expect": {}, "within": "${right}"`)));
  }
  for (const wrong of ["10", "soon", "-1 s", "0 s", "1.5 blocks", "10 parsecs", "s"]) {
    it(`does not take ${wrong}`, () =>
      expect(`
{ "method": "eth_chainId", "within": ${JSON.stringify(wrong)} }
                                     ${"^".repeat(wrong.length + 2)} bad-within: \`${wrong}\` is not a duration. Write \`10 s\` or \`3 blocks\`.
`));
  }

  it("has something to wait for", () => {
    expect(`
{ "method": "eth_chainId", "within": "10 s" }
                                     ^^^^^^ missing-field: Missing \`expect\`. \`within\` waits until what is expected holds.
`);
    expect(`{ "batch": [{ "method": "eth_chainId", "expect": { "result": "0x1" } }], "within": "10 s" }`);
  });
});
