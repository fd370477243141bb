import assert from "node:assert/strict";
import fc from "fast-check";
import { importText } from "../../../server/src/convert/importText.ts";

const url = "https://rpc.example.org/";
const chainId = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
const body = JSON.stringify(chainId);

function imported(text: string) {
  const { form, notebook, notes } = importText(text);
  return {
    form,
    notes: notes.map(({ what }) => what),
    ...(JSON.parse(notebook) as { endpoint?: string; cells: unknown[] }),
  };
}

describe("an import of fetch", () => {
  for (const [what, text] of [
    [
      "what a browser copies",
      `fetch("${url}", {\n  "headers": {\n    "accept": "*/*",\n    "content-type": "application/json",\n    "sec-fetch-mode": "cors"\n  },\n  "body": ${JSON.stringify(body)},\n  "method": "POST"\n});`,
    ],
    [
      "an object in JSON.stringify",
      `const res = await fetch('${url}', {\n  method: 'POST',\n  headers: { 'Content-Type': 'application/json' },\n  body: JSON.stringify({\n    jsonrpc: "2.0", // always\n    id: 1,\n    method: 'eth_chainId',\n    params: [],\n  }),\n});\nconsole.log(await res.json());`,
    ],
    ["a template without code", `window.fetch(\`${url}\`, { method: "POST", body: \`${body}\` })`],
    [
      "options that have to run",
      `fetch("${url}", { ...options, signal: make({ a: [1] }), body: ${JSON.stringify(body)} })`,
    ],
    ["a call that is cut off", `fetch("${url}", { body: '${body}'`],
  ] as const)
    it(`reads ${what}`, () => {
      const { form, endpoint, cells, notes } = imported(text);
      assert.deepEqual({ form, endpoint, cells, notes }, { form: "fetch", endpoint: url, cells: [chainId], notes: [] });
    });

  it("reads each call of a script", () => {
    const { cells } = imported(`fetch("${url}", { body: '${body}' });\nfetch("${url}", { body: '{"method":"b"}' })`);
    assert.deepEqual(cells, [chainId, { method: "b" }]);
  });

  it("keeps numbers and escapes as they are", () => {
    const { cells } = imported(
      String.raw`fetch("${url}", { body: JSON.stringify({ method: "a\x41\u0042\n", params: [1.50, -2e3, true, null, { 'b': "it's" }] }) })`,
    );
    assert.deepEqual(cells, [{ method: "aAB\n", params: [1.5, -2000, true, null, { b: "it's" }] }]);
  });

  it("says what it cannot read", () => {
    assert.deepEqual(imported(`fetch(url, { body: JSON.stringify({ method: name }) })`).notes, [
      "The body of this `fetch` is computed, so the request is left out.",
    ]);
    assert.deepEqual(imported(`fetch(url, { headers, body: '${body}' })`).notes, [
      "The address of this `fetch` is computed, so it is left out.",
      "Some headers of this `fetch` are computed, so they are left out.",
    ]);
  });

  it("puts no secret into the notebook", () => {
    const key = "Zk3x9QpLr7TnW2vYb8Md4HcJ1sGf6Ua0";
    const text = `fetch("https://eth-mainnet.g.alchemy.com/v2/${key}", { headers: { Authorization: "Bearer ${key}" }, body: '${body}' })`;
    assert.equal(importText(text).notebook.includes(key), false);
  });

  it("reads any text without an error", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...`fetch( "'\`{}[]),:\\$\n/*1a`, "JSON.stringify(", "fetch(")), (parts) => {
        importText(`fetch(${parts.join("")}`, "fetch");
      }),
    ));
});
