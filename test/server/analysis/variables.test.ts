import assert from "node:assert/strict";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../../../server/src/base/json.ts";
import { expectProblems, kindsIn } from "../../support/cell.ts";
import { corpusLines } from "../../support/corpus.ts";

const header = `{ "variables": { "good": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "amount": "5 ether", "gas": 21000 } }`;

describe("the value of a variable", () => {
  it("is checked as the parameter that takes it", () => {
    for (const marked of [
      `{ "method": "eth_getBalance", "params": [‹bad-variable→"{{amount}}"›, "latest"] }`,
      `{ "method": "eth_getBalance", "params": ["{{good}}", ‹bad-variable→"{{amount}}"›] }`,
      `{ "method": "eth_call", "params": [{ "to": ‹bad-variable→"{{gas}}"›, "value": "{{amount}}", "gas": "{{gas}}" }, "latest"] }`,
      `{ "method": "eth_call", "params": [{ "to": "{{good}}", "data": { "function": "f(address,uint256)", "args": [‹bad-variable→"{{amount}}"›, "{{gas}}"] } }, "latest"] }`,
      `{ "method": "eth_getBalance", "params": ["{{unknown.result}}", "latest"] }`,
    ])
      expectProblems(marked, { header, cells: [`{ "name": "unknown", "method": "eth_coinbase" }`] });
  });

  it("is as wrong as it would be in its place", () => {
    const isOfOne = (kind: string): boolean =>
      /^error (?!missing-param|extra-param|unknown-method|swapped-params|inverted-range)/.test(kind);
    for (const line of corpusLines("requests")) {
      const row = parseJson(line);
      const { method = null, params = null } = isObject(row) && isObject(row.body) ? row.body : {};
      if (!isArray(params) || params.length === 0) continue;
      const cell = (filled: readonly JsonValue[]): string => printJson({ method, params: filled });
      const header = printJson({ variables: Object.fromEntries(params.map((value, at) => [`p${at}`, value])) });
      const literal = kindsIn(cell(params)).filter(isOfOne);
      const filled = kindsIn(cell(params.map((_, at) => `{{p${at}}}`)), { header }).filter(isOfOne);
      assert.equal(filled.includes("error bad-variable"), literal.length > 0, `${line} ${literal} ${filled}`);
    }
  });
});
