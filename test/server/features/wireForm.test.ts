import assert from "node:assert/strict";
import { wireForm } from "../../../server/src/features/wireForm.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, scopeOf } from "../../support/cell.ts";

/** The text that would be sent, or the sentence that says why there is none. */
function wire(text: string, around: Around = {}): string {
  const cell = readCell(text);
  const form = wireForm(cell, scopeOf(cell, around));
  return "text" in form ? form.text : `unsent: ${form.unsent}`;
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const header = `{ "variables": { "alice": "${alice}" } }`;

describe("the wire form of a cell", () => {
  it("is the text itself where that is a whole request", () => {
    const text = `{ "jsonrpc" : "2.0", "id":7,\n "method": "eth_call", "params": [{"gas": 1.0}] }`;
    assert.equal(wire(text.replace('{"gas": 1.0}', "")), text.replace('{"gas": 1.0}', ""));
  });

  it("leaves directives out, adds what is missing, and fills in variables", () =>
    assert.equal(
      wire(`{ "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "pending"], "expect": {} }`, { header }),
      `{"jsonrpc":"2.0","id":1,"method": "eth_getBalance","params": ["${alice}", "pending"]}`,
    ));

  it("encodes what is readable", () =>
    assert.equal(
      wire(`{ "method": "eth_call", "params": [{ "to": "{{alice}}", "data": { "function": "name()" } }, 5] }`, {
        header,
      }),
      `{"jsonrpc":"2.0","id":1,"method": "eth_call","params": [{ "to": "${alice}", "data": "0x06fdde03" }, "0x5"]}`,
    ));

  it("is one body for a batch, and several where ids are equal", () => {
    assert.equal(
      wire(`[{ "method": "a" }, { "method": "b", "id": "x" }, { "method": "c" }]`),
      `[{"jsonrpc":"2.0","id":1,"method": "a"},{"jsonrpc":"2.0","method": "b","id": "x"},{"jsonrpc":"2.0","id":3,"method": "c"}]`,
    );
    assert.equal(
      wire(`[{ "method": "a", "id": 1 }, { "method": "b", "id": 1 }]`),
      `{"jsonrpc":"2.0","method": "a","id": 1}\n{"jsonrpc":"2.0","method": "b","id": 1}`,
    );
  });

  it("takes last results", () => {
    const cells = [`{ "name": "head", "method": "eth_blockNumber" }`];
    const lastResult: NonNullable<Around["lastResult"]> = () => ({
      values: () => new Map([["head", { result: "0x10" }]]),
    });
    const text = `{ "method": "eth_getBlockReceipts", "params": ["{{head.result}}"] }`;
    assert.equal(
      wire(text, { cells, lastResult }),
      `{"jsonrpc":"2.0","id":1,"method": "eth_getBlockReceipts","params": ["0x10"]}`,
    );
    assert.equal(
      wire(text, { cells }),
      "unsent: Line 1 of the cell, column 49: {{head.result}} has no value: the result of the cell head is not there yet, and it runs first.",
    );
    assert.equal(
      wire(text.replace("result", "logs"), { cells, lastResult }),
      "unsent: Line 1 of the cell, column 49: {{head.logs}} has no value: head is an object with result.",
    );
    assert.match(
      wire(text, { cells, lastResult: () => ({}) }),
      /the result of the cell head has more than 1 MB, so it was not kept\.$/,
    );
  });

  it("never holds a value of the host", () =>
    assert.equal(
      wire(`{ "method": "m", "params": ["{{$secret.KEY}}", "a{{$env.X}}b", "{{$dotenv.__proto__}}"] }`),
      `{"jsonrpc":"2.0","id":1,"method": "m","params": ["‹secret KEY›", "a‹env X›b", "‹.env __proto__›"]}`,
    ));

  it("says why there is none, and where", () => {
    assert.equal(
      wire(`{\n  "method": "m",\n  "params": ["{{nobody}}"]\n}`),
      "unsent: Line 3 of the cell, column 15: {{nobody}} has no value: no variable or cell has this name.",
    );
    assert.match(wire(`{ "method": "m", }`), /^unsent: Line 1 of the cell, column 1\d: the cell is not JSON yet: /);
    assert.equal(wire(`{ "params": [] }`), "unsent: Line 1 of the cell, column 1: the request has no method.");
    assert.equal(wire(`[{ "method": "m" }, 1]`), "unsent: Item 2 of the batch is not a request.");
    assert.equal(wire(""), "unsent: The cell has no request.");
    assert.equal(wire("[]"), "unsent: The cell has no request.");
    assert.match(
      wire(`{ "method": "eth_getBalance", "params": ["${alice}", "latest - 5"] }`),
      /: a run asks for the number of the block latest first, from which this one counts\.$/,
    );
    assert.match(
      wire(`{ "method": "eth_call", "params": [{ "to": "${alice}", "data": { "function": "nothing" } }] }`),
      /^unsent: Line 1 of the cell, column 1\d\d: .*`nothing`/,
    );
    assert.match(
      wire(`{ "method": "eth_call", "params": [{ "data": { "function": "f(address)", "args": ["{{$secret.A}}"] } }] }`),
      /this is encoded with a value of the host, which only a run has\.$/,
    );
    assert.equal(
      wire(`{ "name": "a", "method": "m", "params": ["{{a.result}}"] }`),
      "unsent: The cell refers to itself, directly or through other cells.",
    );
  });
});
