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

/** `key=value` pairs; `!` disables one. */
const list = (pairs: string): readonly object[] =>
  pairs.split(" ").map((pair) => {
    const [, off, key, value = null] = /^(!?)([^=]+)(?:=(.*))?$/.exec(pair) ?? [];
    return { key, value, disabled: off === "!" };
  });

const table = rows`
  ${says}
    ${one()}
  -- Addresses
  http://h/rpc | one: eth_chainId []
    ${withUrl({ raw: "http://h/rpc", protocol: "http", host: ["h"], path: ["rpc"] })}
    ${withUrl({ host: ["{{node}}"], path: ["rpc"] }, { variable: [{ key: "node", value: "http://h" }] })}
    ${withUrl({ protocol: "http", host: ["h"], path: [{ type: "string", value: "rpc" }] })}
    ${withUrl("{{ node }}/rpc", { variable: [{ key: "node", value: "http://h" }] })}
  http://a.example:8545/rpc/v1 | one: eth_chainId []
    ${withUrl({ protocol: "http", host: ["a", "example"], port: "8545", path: ["rpc", "v1"] })}
  https://h.example/rpc | one: eth_chainId []
    ${withUrl({ protocol: "https", host: "h.example", path: "/rpc" })}
  http://localhost:8545 | one: eth_chainId []
    ${withUrl({ host: ["localhost"], port: "8545" })}
  http://h/rpc/?a=1&b | one: eth_chainId []
    ${withUrl({ protocol: "http", host: ["h"], path: ["rpc", ""], query: list("a=1 b !c=2") })}
  http://h/base/rpc | one: eth_chainId []
    ${withUrl({ raw: "http://h/:chain/rpc", host: ["h"], path: [":chain", "rpc"], variable: [{ key: "chain", value: "base" }] })}
  {{$env.node}} | one: eth_chainId []
    ${withUrl("{{node}}")}
  http://h | one: eth_chainId []
    ${withUrl({ raw: "", protocol: "http", host: ["h"] })}
  nowhere | one: eth_chainId [] | error: The request \`one\` has no address.
    ${withUrl({ path: ["rpc"] })}
    ${one({ url: undefined })}
  -- Headers and authorization
  http://h X-Team: blue | one: eth_chainId []
    ${one({ header: list("X-Team=blue !X-Off=1") })}
    ${one({ header: "Content-Type: application/json\nX-Team: blue\n" })}
  ${says}
    ${one({ header: null })}
    ${items([{ name: "one", request: request({ auth: { type: "noauth" } }) }], { auth: { type: "bearer", bearer: { token: "x" } } })}
  http://h Authorization: Bearer {{$env.TOKEN}} | one: eth_chainId []
    ${withAuth({ type: "bearer", bearer: [{ key: "token", value: "{{TOKEN}}", type: "string" }] })}
  http://h Authorization: Basic {{$secret.RPC_TOKEN}} | one: eth_chainId []
    ${withAuth({ type: "basic", basic: { username: "me", password: "tops3cret" } })}
  http://h X-Key: {{$secret.X_KEY}} | one: eth_chainId []
    ${withAuth({ type: "apikey", apikey: list("key=X-Key value=tops3cret in=header") })}
  http://h?apikey={{$secret.RPC_KEY}} | one: eth_chainId []
    ${withAuth({ type: "apikey", apikey: list("key=apikey value=tops3cret in=query") })}
  -- Bodies
  http://h | one: eth_getBlockByNumber ["latest",false]
    ${withBody(`{\n  // the head\n  "method": "eth_getBlockByNumber",\n  "params": ["latest", false] /* no transactions */\n}`)}
  http://h | a [] | b []
    ${withBody(`[{"method":"a","id":1},{"method":"b","id":2}]`)}
  http://h | one: a ["{{$guid}}"] | error: \`{{$guid}}\` has no counterpart here and is left as it is.
    ${withBody(`{"method":"a","id":{{$randomInt}},"params":["{{$guid}}"]}`)}
  http://h | one: a ["{{block}}"]
    ${withBody(`{"method":"a","params":[{{block}}]}`)}
  http://h | one: a []
    ${withBody(`\r\n{\r\n\t"method": "a"\r\n}\r\n`)}
  http://h | broken | error: The body is not JSON: one comma too many.
    ${withBody(`{"method":"a",}`)}
  nowhere | error: The request \`one\` has no raw body, so it is left out.
    ${one({ body: { mode: "graphql", graphql: { query: "{ block { number } }" } } })}
    ${one({ body: { mode: "file", file: { src: "/tmp/body.json" } } })}
  ${says}
    ${one({ method: "post" })}
  nowhere | error: The request \`one\` is a GET, so it is left out.
    ${one({ method: "GET" })}
  -- Folders, other files
  ${says}
    ${items([{ name: "Reads", item: [{ name: "Heads", item: [{ name: "one", request: request() }] }] }])}
    ${items([{ name: "one", request: request(), response: [{ name: "ok", originalRequest: request(), body: "{}" }], event: [{ listen: "test", script: { exec: [] } }] }])}
    ${JSON.stringify({ collection: JSON.parse(one()) as object })}
    [node.postman_collection.json] \ufeff${one()}
  http://h | one: eth_chainId [] | one 2: eth_chainId []
    ${items([
      { name: "one", request: request() },
      { name: "one", request: request() },
    ])}
  nowhere | error: The request \`one\` is a GET, so it is left out.
    ${items([{ name: "one", request: "http://h/health" }])}
  http://h X-Team: blue | one: eth_chainId []
    ${JSON.stringify({ id: "1", name: "Old", order: ["2"], requests: [{ id: "2", name: "one", method: "POST", url: "http://h", headers: "X-Team: blue\n", dataMode: "raw", rawModeData: raw }] })}
  nowhere | error: A Postman environment has variables only. Import it together with its collection.
    ${JSON.stringify({
      id: "1",
      name: "Main",
      values: [
        { key: "node", value: "http://h", enabled: true },
        { key: "deployer", value: "sh0rt", type: "secret", enabled: true },
      ],
      _postman_variable_scope: "environment",
    })}
`;

describe("an import of Postman", () => readsEach(table));
