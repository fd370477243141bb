import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const raw = `{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}`;
const says = `http://h | one: eth_chainId []`;

/** A request, with only the parts that differ between rows. */
const request = (parts: object = {}): object => ({
  method: "POST",
  header: [{ key: "Content-Type", value: "application/json" }],
  url: "http://h",
  body: { mode: "raw", raw },
  ...parts,
});
const items = (item: readonly object[], parts: object = {}): string =>
  JSON.stringify({ info: { _postman_id: "1", name: "Node", schema }, item, ...parts }, undefined, 1);
const one = (parts: object = {}, around: object = {}): string =>
  items([{ name: "one", request: request(parts) }], around);
const withUrl = (url: unknown, around: object = {}): string => one({ url }, around);
const withBody = (written: string): string => one({ body: { mode: "raw", raw: written } });
const withAuth = (auth: object): string => one({ auth });

const table = rows`
  ${one()}
    ${says}
  -- Addresses
  ${withUrl({ raw: "http://h/rpc", protocol: "http", host: ["h"], path: ["rpc"] })}
    http://h/rpc | one: eth_chainId []
  ${withUrl({ protocol: "http", host: ["a", "example"], port: "8545", path: ["rpc", "v1"] })}
    http://a.example:8545/rpc/v1 | one: eth_chainId []
  ${withUrl({ host: ["{{node}}"], path: ["rpc"] }, { variable: [{ key: "node", value: "http://h" }] })}
    http://h/rpc | one: eth_chainId []
  ${withUrl({ protocol: "https", host: "h.example", path: "/rpc" })}
    https://h.example/rpc | one: eth_chainId []
  ${withUrl({ host: ["localhost"], port: "8545" })}
    http://localhost:8545 | one: eth_chainId []
  ${withUrl({
    protocol: "http",
    host: ["h"],
    path: ["rpc", ""],
    query: [
      { key: "a", value: "1" },
      { key: "b", value: null },
      { key: "c", value: "2", disabled: true },
    ],
  })}
    http://h/rpc/?a=1&b | one: eth_chainId []
  ${withUrl({ raw: "http://h/:chain/rpc", host: ["h"], path: [":chain", "rpc"], variable: [{ key: "chain", value: "base" }] })}
    http://h/base/rpc | one: eth_chainId []
  ${withUrl({ protocol: "http", host: ["h"], path: [{ type: "string", value: "rpc" }] })}
    http://h/rpc | one: eth_chainId []
  ${withUrl("{{ node }}/rpc", { variable: [{ key: "node", value: "http://h" }] })}
    http://h/rpc | one: eth_chainId []
  ${withUrl("{{node}}")}
    {{node}} | one: eth_chainId []
  ${withUrl({ raw: "", protocol: "http", host: ["h"] })}
    http://h | one: eth_chainId []
  ${withUrl({ path: ["rpc"] })}
    nowhere | one: eth_chainId [] | error: The request \`one\` has no address.
  ${one({ url: undefined })}
    nowhere | one: eth_chainId [] | error: The request \`one\` has no address.
  -- Headers and authorization
  ${one({
    header: [
      { key: "X-Team", value: "blue" },
      { key: "X-Off", value: "1", disabled: true },
    ],
  })}
    http://h X-Team: blue | one: eth_chainId []
  ${one({ header: "Content-Type: application/json\nX-Team: blue\n" })}
    http://h X-Team: blue | one: eth_chainId []
  ${one({ header: null })}
    ${says}
  ${withAuth({ type: "bearer", bearer: [{ key: "token", value: "{{TOKEN}}", type: "string" }] })}
    http://h Authorization: Bearer {{TOKEN}} | one: eth_chainId []
  ${withAuth({ type: "basic", basic: { username: "me", password: "tops3cret" } })}
    http://h Authorization: Basic {{$secret.RPC_TOKEN}} | one: eth_chainId []
  ${withAuth({
    type: "apikey",
    apikey: [
      { key: "key", value: "X-Key" },
      { key: "value", value: "tops3cret" },
      { key: "in", value: "header" },
    ],
  })}
    http://h X-Key: {{$secret.X_KEY}} | one: eth_chainId []
  ${withAuth({
    type: "apikey",
    apikey: [
      { key: "key", value: "apikey" },
      { key: "value", value: "tops3cret" },
      { key: "in", value: "query" },
    ],
  })}
    http://h?apikey={{$secret.RPC_KEY}} | one: eth_chainId []
  ${items([{ name: "one", request: request({ auth: { type: "noauth" } }) }], { auth: { type: "bearer", bearer: { token: "x" } } })}
    ${says}
  -- Bodies
  ${withBody(`{\n  // the head\n  "method": "eth_getBlockByNumber",\n  "params": ["latest", false] /* no transactions */\n}`)}
    http://h | one: eth_getBlockByNumber ["latest",false]
  ${withBody(`[{"method":"a","id":1},{"method":"b","id":2}]`)}
    http://h | a [] | b []
  ${withBody(`{"method":"a","id":{{$randomInt}},"params":["{{$guid}}"]}`)}
    http://h | one: a ["{{$guid}}"]
  ${withBody(`{"method":"a","params":[{{block}}]}`)}
    http://h | one: a ["{{block}}"]
  ${withBody(`\r\n{\r\n\t"method": "a"\r\n}\r\n`)}
    http://h | one: a []
  ${withBody(`{"method":"a",}`)}
    http://h | broken | error: The body is not JSON: one comma too many.
  ${one({ body: { mode: "graphql", graphql: { query: "{ block { number } }" } } })}
    nowhere | error: The request \`one\` has no raw body, so it is left out.
  ${one({ body: { mode: "file", file: { src: "/tmp/body.json" } } })}
    nowhere | error: The request \`one\` has no raw body, so it is left out.
  ${one({ method: "post" })}
    ${says}
  ${one({ method: "GET" })}
    nowhere | error: The request \`one\` is a GET, so it is left out.
  -- Folders, other files
  ${items([{ name: "Reads", item: [{ name: "Heads", item: [{ name: "one", request: request() }] }] }])}
    ${says}
  ${items([{ name: "one", request: request(), response: [{ name: "ok", originalRequest: request(), body: "{}" }], event: [{ listen: "test", script: { exec: [] } }] }])}
    ${says}
  ${items([
    { name: "one", request: request() },
    { name: "one", request: request() },
  ])}
    http://h | one: eth_chainId [] | one 2: eth_chainId []
  ${items([{ name: "one", request: "http://h/health" }])}
    nowhere | error: The request \`one\` is a GET, so it is left out.
  ${JSON.stringify({ collection: JSON.parse(one()) as object })}
    ${says}
  ${JSON.stringify({ id: "1", name: "Old", order: ["2"], requests: [{ id: "2", name: "one", method: "POST", url: "http://h", headers: "X-Team: blue\n", dataMode: "raw", rawModeData: raw }] })}
    http://h X-Team: blue | one: eth_chainId []
  ${JSON.stringify({
    id: "1",
    name: "Main",
    values: [
      { key: "node", value: "http://h", enabled: true },
      { key: "deployer", value: "sh0rt", type: "secret", enabled: true },
    ],
    _postman_variable_scope: "environment",
  })}
    nowhere | error: A Postman environment has variables only. Import it together with its collection.
  \ufeff${one()}
    ${says}
    node.postman_collection.json
`;

describe("an import of Postman", () => readsEach(table));
