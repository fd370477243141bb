import { expectProblems as expect } from "../../support/cell.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const wrong = "0x70997970c51812dc3A010C7d01b50e0d17dc79C8";

describe("what published requests get wrong", () => {
  it("is seen: the checksum of an address, wherever it stands", () => {
    const marked = `‹bad-checksum ${address}→"${wrong}"›`;
    expect(`{ "method": "eth_getBalance", "params": [${marked}, "latest"] }`);
    expect(`{ "variables": { "a": ${marked} }, "labels": { ${marked}: "a" } }`, {}, "header");
  });

  it("is not seen in addresses of one case", () => {
    for (const plain of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, address]) {
      expect(`{ "method": "eth_getBalance", "params": ["${plain}", "latest"] }`);
    }
  });

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
  ])
    it(`is seen: ${sample} for an address`, () =>
      expect(`{ "method": "eth_getBalance", "params": [‹sample-placeholder ${sample}→"${sample}"›, "latest"] }`));

  it("is seen: what stands for a value in a key, in a call and in a header", () => {
    expect(
      `{ "method": "eth_call", "params": [{ "to": ‹sample-placeholder→"0x\u2026"›, "value": ‹sample-placeholder→"<amount>"› }, ‹sample-placeholder→"<block>"›, { ‹sample-placeholder→"<address>"›: {} }] }`,
    );
    expect(`{ "variables": { "token": ‹sample-placeholder→"0x\u2026"›, "greeting": "Hello ..." } }`, {}, "header");
  });

  it("is seen: a cell that is nearly another kind of cell", () => {
    expect(`‹missing-method→{› ‹unknown-member markdown→"markdwon"›: ["# Title"] }`);
    expect(`{ ‹unknown-member endpoint→"endpiont"›: "local", ‹unknown-member cells→"cels"›: [] }`, {}, "header");
  });

  for (const marked of [
    // is seen: a key in the wrong case, two names of the call data, unknown members
    `{ "method": "eth_call", ‹unknown-member→"feeToken"›: 1, "params": [{ "to": "${address}", "data": "0x12", ‹exclusive-fields→"input"›: "0x34", ‹unknown-field→"strict"›: true }, "latest"] }`,
    // is seen: marks that nobody sees inside an address
    `{ "method": "eth_getBalance", "params": [‹bad-hex→"‹bidi-character U+202D→\u202d›${address}‹bidi-character→\u202c›"›, "latest"] }`,
    // is seen: a digit that is missing, zeros in front, a boolean for a block
    `{ "batch": [{ "method": "eth_getBalance", "params": [‹bad-hex→"0x70997970C51812dc3A010C7d01b50e0d17dc79C"›, ‹bad-quantity→"0x000002"›] }, { "method": "eth_getBalance", "params": ["${address}", ‹wrong-type→false›] }] }`,
    // is seen: parameters in the wrong order
    `{ "method": "eth_getBalance", "params": [‹swapped-params→"latest", "${address}"›] }`,
    // is seen: JavaScript, comments and single quotes
    `{ ‹json-syntax→method›: 'eth_getBalance', "params": [‹json-syntax→address›, "latest",] } ‹json-syntax→// mine›`,
    // is seen: dots, brackets and typographic quotes in the JSON itself
    `{ "method": "eth_getLogs", "params": [‹json-syntax→...›] }`,
    `{ "method": ‹json-syntax→\u201ceth_chainId\u201d› }`,
    `{ "method": "eth_getBalance", "params": [‹json-syntax→{{alice}}›, "latest"] }`,
    // is seen: a command in place of its data
    `‹json-syntax→curl› -X POST https://rpc.example --data '{"method":"eth_chainId"}'`,
    // is said of what signs, sends and changes the node
    `{ "method": ‹signing-method→"eth_sendRawTransaction"›, "params": ["0x02"] }`,
  ])
    it(marked, () => expect(marked));
});
