import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`;

const har = (...requests: readonly object[]): string =>
  JSON.stringify({ log: { version: "1.2", entries: requests.map((request) => ({ request })) } }, undefined, 1);
const post = (text: string, ...headers: readonly string[]): object => ({
  method: "POST",
  url: "https://h/rpc",
  headers: [
    ":authority: h",
    "content-type: application/json",
    "sec-fetch-mode: cors",
    "origin: https://app",
    ...headers,
  ]
    .map((header) => /^(:?[^:]+): (.*)$/.exec(header) ?? [])
    .map(([, name, value]) => ({ name, value })),
  postData: { mimeType: "application/json", text },
});

const insomnia = (...resources: readonly object[]): string =>
  JSON.stringify({ _type: "export", __export_format: 4, resources }, undefined, 1);
const request = (parts: object): object => ({
  _id: "req_1",
  _type: "request",
  parentId: "wrk_1",
  name: "one",
  method: "POST",
  url: "{{ _.base }}/rpc",
  headers: [{ name: "Content-Type", value: "application/json" }],
  body: { mimeType: "application/json", text: body },
  ...parts,
});
const workspace = { _id: "wrk_1", _type: "workspace", parentId: null, name: "Node" };
const environment = { _id: "env_1", _type: "environment", parentId: "wrk_1", data: { base: "https://h", block: 16 } };

const table = rows`
  -- HAR: other traffic is left out
  https://h/rpc | eth_chainId [] | b []
    ${har(post(body), { method: "GET", url: "https://h/a.js", headers: [] }, post(`{"query":"{ a }"}`), post(`{"method":"b"}`))}
  https://h/rpc | a [] | b []
    [page.har] ${har(post(`[{"method":"a","id":1},{"method":"b","id":2}]`))}
  https://h/rpc X-Api-Key: {{$secret.X_API_KEY}} X-Team: blue | eth_chainId []
    ${har(post(body, "x-api-key: tops3cret", "X-Team: blue")).replace("x-api-key", "X-Api-Key")}
  nowhere | error: The archive has no JSON-RPC request with a body.
    ${har({ method: "GET", url: "https://h" }, post("not JSON"), post(`{"method":`))}
    ${har(post(`[{"method":"a","id":1},{"query":"b"}]`))}
    ${har()}
  -- Insomnia
  https://h | one: a ["{% uuid 'v4' %}"] | error: \`{% uuid 'v4' %}\` is not known here. Write its value instead.
    ${insomnia(request({ url: "https://h", body: { text: `{"method":"a","params":["{% uuid 'v4' %}"]}` } }), workspace)}
  https://h/rpc | one: eth_chainId []
    ${insomnia(request({}), workspace, environment)}
    ${insomnia(workspace, environment, { _id: "fld_1", _type: "request_group", parentId: "wrk_1", name: "Reads" }, request({ parentId: "fld_1" }))}
    ${insomnia(request({ url: "{{ _['base'] }}/rpc", authentication: { type: "bearer", disabled: true } }), environment)}
  https://h/rpc | one: a ["{{block}}"]
    ${insomnia(request({ body: { text: `{"method":"a","params":[{{ _.block }}]}` } }), workspace, environment)}
  https://h Authorization: Bearer {{$secret.RPC_TOKEN}} | one: eth_chainId []
    ${insomnia(request({ url: "https://h", authentication: { type: "bearer", token: "tops3cret" } }), workspace)}
  {{$env.base}}/rpc | one: eth_chainId []
    ${insomnia(request({}), workspace)}
  nowhere | error: The request \`one\` is a GET, so it is left out.
    ${insomnia(request({ method: "GET" }), workspace)}
  nowhere | error: The request \`one\` has no text as its body, so it is left out.
    ${insomnia(request({ body: {} }), workspace)}
  nowhere | error: An Insomnia export in YAML cannot be read. In Insomnia, export as “Insomnia v4 (JSON)” or “HAR”.
    type: collection.insomnia.rest/5.0\nname: Node\ncollection:\n  - url: https://h\n    method: POST\n
`;

describe("an import of archives and collections", () => readsEach(table));
