import assert from "node:assert/strict";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { headerSummary } = await import("../../client/src/cellStatus.ts");

describe("the summary of a header", () => {
  it("names the endpoint and the chain, and counts the rest", () => {
    const header = {
      endpoint: "main",
      chainId: 1,
      variables: { a: 1, b: 2 },
      labels: { "0x1": "one" },
      tokens: {},
      abi: "event A()",
      recording: "included",
    };
    const summary = headerSummary(JSON.stringify(header));
    assert.equal(summary.join(" | "), "main | recorded | chain 1 | 2 variables | 1 label | 1 ABI");
  });

  it("shows only the host of an address, which may contain a key", () =>
    assert.deepEqual(headerSummary(`{ "endpoint": "https://user:pass@rpc.example/v2/KEY?k=KEY" }`), ["rpc.example"]));

  it("draws no icon of a name, and is one line", () =>
    assert.deepEqual(headerSummary(JSON.stringify({ endpoint: "$(check) main\n\u202e" })), ["$ (check) main \ufffd"]));

  it("is empty for a header that is empty or broken", () => {
    for (const text of ["", "{", "{}", "[]"]) assert.deepEqual(headerSummary(text), []);
  });
});
