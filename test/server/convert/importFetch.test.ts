import assert from "node:assert/strict";
import fc from "fast-check";
import { importText } from "../../../server/src/convert/importText.ts";
import { readsEach } from "../../support/importTable.ts";
import { pluck } from "../../support/pluck.ts";
import { rows } from "../../support/rows.ts";

const url = "https://rpc.example.org/";
const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`;

const table = rows`
  ${url} | eth_chainId []
    fetch("${url}", {\n  "headers": {\n    "accept": "*/*",\n    "content-type": "application/json",\n    "sec-fetch-mode": "cors"\n  },\n  "body": ${JSON.stringify(body)},\n  "method": "POST"\n});
    const res = await fetch('${url}', {\n  method: 'POST',\n  headers: { 'Content-Type': 'application/json' },\n  body: JSON.stringify({\n    jsonrpc: "2.0", // always\n    id: 1,\n    method: 'eth_chainId',\n    params: [],\n  }),\n});\nconsole.log(await res.json());
    window.fetch(\`${url}\`, { method: "POST", body: \`${body}\` })
    fetch("${url}", { ...options, signal: make({ a: [1] }), body: ${JSON.stringify(body)} })
    fetch("${url}", { body: '${body}'
  -- Each call of a script
  ${url} | eth_chainId [] | b []
    fetch("${url}", { body: '${body}' });\nfetch("${url}", { body: '{"method":"b"}' })
  -- Numbers and escapes
  ${url} | aAB [1.5,-2000,true,null,{"b":"it's"}]
    fetch("${url}", { body: JSON.stringify({ method: "a\\x41\\u0042", params: [1.50, -2e3, true, null, { 'b': "it's" }] }) })
`;

const notesOf = (text: string): readonly string[] => pluck(importText(text).notes, "what");

describe("an import of fetch", () => {
  readsEach(table);

  it("says what it cannot read", () => {
    assert.deepEqual(notesOf(`fetch(url, { body: JSON.stringify({ method: name }) })`), [
      "The body of this `fetch` is computed, so the request is left out.",
    ]);
    assert.deepEqual(notesOf(`fetch(url, { headers, body: '${body}' })`), [
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
