import assert from "node:assert/strict";
import {
  identify,
  type KeptResult,
  keepsResults,
  matchResults,
  parseResults,
  printResults,
} from "../../client/src/keptResult.ts";

const document = "file:///a.rpc.json";
const request = (method: string, more = ""): string => `{ ${more} "method": "${method}" }`;

function resultsOf(texts: readonly string[], text = "text"): readonly KeptResult[] {
  return identify(texts).map((cell, at) => ({
    cell,
    request: cell.request,
    origin: `origin ${at}`,
    output: { ok: true, reports: [], text, json: "", startedAt: at, durationMs: 1 },
  }));
}

/** The ordinals of the results that cells get. */
function matched(before: readonly string[], after: readonly string[]): readonly (number | undefined)[] {
  return matchResults(identify(after), resultsOf(before)).map((result) => result?.output.startedAt);
}

describe("kept results", () => {
  const balance = request("eth_getBalance");
  const head = request("eth_blockNumber");
  const named = (method: string): string => request(method, '"name": "it",');

  it("follow their request, wherever it moves and however it is laid out", () => {
    assert.deepEqual(matched([balance, head], [head, balance.replaceAll(" ", "\n")]), [1, 0]);
    assert.deepEqual(matched([head, head], [head, balance, head]), [0, undefined, 1]);
  });

  it("follow a name, and a method whose parameters have changed", () => {
    assert.deepEqual(matched([named("eth_call")], [head, named("eth_getLogs")]), [undefined, 0]);
    assert.deepEqual(matched([balance], [`{ "method": "eth_getBalance", "params": ["0x1"] }`]), [0]);
  });

  it("do not go to a request of another method, or to text without a request", () => {
    assert.deepEqual(matched([balance], [head]), [undefined]);
    assert.deepEqual(matched(["text"], ["other"]), [undefined]);
  });

  it("come back from their file", () => {
    const results = resultsOf([balance, head]);
    assert.deepEqual(parseResults(document, printResults(document, results)), results);
  });

  it("contain only the name, the methods and a hash of their cell", () => {
    const cell = `{ "name": "it", "method": "eth_call", "params": ["PARAMS"], "expect": "EXPECT" }`;
    assert.doesNotMatch(printResults(document, resultsOf([cell])), /PARAMS|EXPECT/);
  });

  it("are ignored in a file that is cut off, belongs to another document, or is not a file of results", () => {
    const text = printResults(document, resultsOf([balance]));
    for (let end = 0; end < text.length; end++) assert.deepEqual(parseResults(document, text.slice(0, end)), []);
    assert.deepEqual(parseResults("file:///b.rpc.json", text), []);
    for (const other of ["null", "[]", "7", `{"version":1,"document":"${document}","results":[null,{},{"cell":{}}]}`])
      assert.deepEqual(parseResults(document, other), []);
  });

  it("leave out the largest if all are too large", () => {
    const [large] = resultsOf([balance], "x".repeat(2_000_000));
    const [small] = resultsOf([head]);
    assert.ok(large && small, "both are there");
    assert.deepEqual(parseResults(document, printResults(document, [large, small])), [small]);
  });

  it("are not written if a person or the workspace turns them off", () => {
    assert.equal(keepsResults(undefined), true);
    assert.equal(keepsResults({ workspaceValue: false }), false);
    assert.equal(keepsResults({ globalValue: false, workspaceValue: true }), false);
    assert.equal(keepsResults({ globalValue: true, workspaceValue: true }), true);
  });
});
