import { expectProblems as expect } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const wrong = "0x70997970c51812dc3A010C7d01b50e0d17dc79C8";

describe("what published requests get wrong", () => {
  it("is seen: the checksum of an address, wherever it stands", () => {
    expect(`
{ "method": "eth_getBalance", "params": ["${wrong}", "latest"] }
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-checksum: Wrong checksum: a digit of this address may be wrong. If the address is right, write \`${address}\`.
`);
    expect(
      `
{ "variables": { "a": "${wrong}" }, "labels": { "${wrong}": "a" } }
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-checksum
                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-checksum
`,
      {},
      "header",
    );
  });

  it("is not seen in addresses of one case", () => {
    for (const plain of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, address]) {
      expect(`{ "method": "eth_getBalance", "params": ["${plain}", "latest"] }`);
    }
  });

  it("is seen: a key in the wrong case, two names of the call data, unknown members", () =>
    expect(`
{ "method": "eth_call", "feeToken": 1, "params": [{ "to": "${address}", "data": "0x12", "input": "0x34", "strict": true }, "latest"] }
                        ^^^^^^^^^^ unknown-member
                                                                                                                        ^^^^^^^ exclusive-fields
                                                                                                                                         ^^^^^^^^ unknown-field
`));

  it("is seen: marks that nobody sees inside an address", () =>
    expect(`
{ "method": "eth_getBalance", "params": ["\u202d${address}\u202c", "latest"] }
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-hex
                                          ^ bidi-character: Hidden character (U+202D).
                                                                                     ^ bidi-character
`));

  it("is seen: a digit that is missing, zeros in front, a boolean for a block", () =>
    expect(`
{ "batch": [{ "method": "eth_getBalance", "params": ["${address.slice(0, -1)}", "0x000002"] }, { "method": "eth_getBalance", "params": ["${address}", false] }] }
                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ bad-hex: Expected an address of 20 bytes (40 hexadecimal digits), not 39 digits.
                                                                                                  ^^^^^^^^^^ bad-quantity: Quantities have no leading zeros. Write \`"0x2"\`.
                                                                                                                                                                                                        ^^^^^ wrong-type: Expected a block, not a boolean.
`));

  for (const sample of [
    "0x…",
    "0x...",
    "<addr>",
    "0x<address>",
    "YOUR_ADDRESS",
    "yourAddress",
    "{address}",
    "$" + "{ADDRESS}",
    "'$TEST_ADDR'",
    "%s",
    "0xXXXX",
  ]) {
    it(`is seen: ${sample} for an address`, () =>
      expect(`
{ "method": "eth_getBalance", "params": ["${sample}", "latest"] }
                                         ${"^".repeat(sample.length + 2)} sample-placeholder: \`${sample}\` is a sample. Write your own value, or a variable such as \`{{name}}\`.
`));
  }

  it("is seen: what stands for a value in a key, in a call and in a header", () => {
    expect(`
{ "method": "eth_call", "params": [{ "to": "0x…", "value": "<amount>" }, "<block>", { "<address>": {} }] }
                                           ^^^^^ sample-placeholder
                                                           ^^^^^^^^^^ sample-placeholder
                                                                         ^^^^^^^^^ sample-placeholder
                                                                                      ^^^^^^^^^^^ sample-placeholder
`);
    expect(
      `
{ "variables": { "token": "0x…", "greeting": "Hello ..." } }
                          ^^^^^ sample-placeholder
`,
      {},
      "header",
    );
  });

  it("is seen: parameters in the wrong order", () =>
    expect(`
{ "method": "eth_getBalance", "params": ["latest", "${address}"] }
                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ swapped-params: Wrong order: \`eth_getBalance\` takes \`address\` before \`block\`.
`));

  it("is seen: JavaScript, comments and single quotes", () =>
    expect(`
{ method: 'eth_getBalance', "params": [address, "latest",] } // mine
  ^^^^^^ json-syntax: Not JSON: keys need double quotes.
                                       ^^^^^^^ json-syntax: Not JSON: \`address\` is not a JSON value.
                                                             ^^^^^^^ json-syntax: Not JSON: JSON has no comments.
`));

  it("is seen: dots, brackets and typographic quotes in the JSON itself", () => {
    expect(`
{ "method": "eth_getLogs", "params": [...] }
                                      ^^^ json-syntax: Not JSON: this is a sample: write your own value.
`);
    expect(`
{ "method": “eth_chainId” }
            ^^^^^^^^^^^^^ json-syntax: Not JSON: strings need straight double quotes.
`);
    expect(`
{ "method": "eth_getBalance", "params": [{{alice}}, "latest"] }
                                         ^^^^^^^^^ json-syntax: Not JSON: placeholders belong inside a string, in double quotes.
`);
  });

  it("is seen: a command in place of its data", () =>
    expect(`
curl -X POST https://rpc.example --data '{"method":"eth_chainId"}'
^^^^ json-syntax: Not JSON: this is a \`curl\` command; paste the JSON of its \`--data\` in place of it.
`));

  it("is seen: a cell that is nearly another kind of cell", () => {
    expect(`
{ "markdwon": ["# Title"] }
^ missing-method
  ^^^^^^^^^^ unknown-member: Unknown member \`markdwon\`, which is not sent. Did you mean \`markdown\`?
`);
    expect(
      `
{ "endpiont": "local", "cels": [] }
  ^^^^^^^^^^ unknown-member: Unknown member \`endpiont\`, which is not sent. Did you mean \`endpoint\`?
                       ^^^^^^ unknown-member: Unknown member \`cels\`, which is not sent. Did you mean \`cells\`?
`,
      {},
      "header",
    );
  });

  it("is said of what signs, sends and changes the node", () =>
    expect(`
{ "method": "eth_sendRawTransaction", "params": ["0x02"] }
            ^^^^^^^^^^^^^^^^^^^^^^^^ signing-method: \`eth_sendRawTransaction\` sends a transaction. A run asks before sending it.
`));
});
