import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const body = `{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}`;
const type = `Content-Type: application/json`;

const table = rows`
  -- The request line
  http://h | eth_chainId []
    POST http://h HTTP/1.1\n${type}\n\n${body}\n
    post http://h\n${type}\n\n${body}\n
    POST   http://h\t\n${type}\n\n${body}
  http://h/rpc | eth_chainId []
    Post http://h/rpc http/1.1\r\ncontent-type: application/json\r\n\r\n${body}\r\n
    http://h/rpc\n${type}\n\n${body}\n
    POST http://h/rpc\nHost: other\n\n${body}
    POST "http://h/rpc"\n\n${body}
  {{$env.host}}/rpc | eth_chainId []
    [a.http] {{host}}/rpc\n${type}\n\n${body}\n
  {{$dotenv.RPC_URL}} | eth_chainId []
    [a.rest] {{$dotenv RPC_URL}}\n${type}\n\n${body}\n
  {{$env.host}} | eth_chainId []
    {{host}}\n\n${body}\n
  http://localhost:8545 | eth_chainId []
    POST localhost:8545\n\n${body}
    [a.http] localhost:8545\n\n${body}
  http://h:8545/rpc | eth_chainId []
    POST /rpc HTTP/1.1\nHost: h:8545\n${type}\n\n${body}
  http://h/rpc?key=1&x=2 | eth_chainId []
    POST http://h/rpc\n  ?key=1\n  &x=2\n${type}\n\n${body}
  http://h/rpc/v1 | eth_chainId []
    POST http://h\n    /rpc\n    /v1\n${type}\n\n${body}
  -- Comments and variables
  http://h | head: eth_chainId []
    # Node\n\n@host = http://h\n\n### Head\n# @name head\npost {{host}}\n${type}\n\n${body}
    // @name = head\nPOST http://h\n\n${body}
  http://h | a ["{{block}}"]
    @host=http://h\n@block=latest\nPOST {{host}}\n\n{"method":"a","params":["{{block}}"]}
    # @no-log\n# @timeout 5\n# @prompt block Which block?\nPOST http://h\n\n{"method":"a","params":["{{block}}"]}
  http://127.0.0.1:8545/rpc | eth_chainId []
    @port = 8545\n@host = http://127.0.0.1:{{port}}\nPOST {{host}}/rpc\n\n${body}
  http://h X-Team: blue | eth_chainId []
    POST http://h\n${type}\n# Authorization: Bearer x\n// X-Old: 1\nX-Team: blue\n\n${body}
  http://h | eth_chainId []
    /*\n * Reads the chain id\n */\nPOST http://h\n\n${body}
    POST http://h\n\n{\n  // the method\n  "method": "eth_chainId" // of the chain\n}\n
  http://h | a []
    POST http://h\n\n{"method":"a","id":"{{$guid}}"}
  http://h | {{method}} [] | error: The method is not known here. Write its name instead.
    POST http://h\n\n{"method":"{{method}}","params":[]}
  http://h | a ["{{$guid}}"] | error: \`{{$guid}}\` has no counterpart here and is left as it is.
    POST http://h\n\n{"method":"a","id":{{$randomInt 1 100}},"params":["{{$guid}}"]}
  http://h | a ["{{first.result}}"]
    POST http://h\n\n{"method":"a","params":["{{first.response.body.result}}"]}
  {{$env.RPC}} Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
    POST {{$processEnv RPC}}\nAuthorization: Bearer {{$processEnv TOKEN}}\n\n${body}
  {{$env.RPC}} | eth_chainId []
    POST {{$env.RPC}}\n\n${body}
  -- Scripts and responses
  http://h | eth_chainId []
    < {%\n  request.variables.set("a", "1");\n%}\nPOST http://h\n\n${body}\n\n> {%\n  client.test("ok", () => {});\n%}\n
    POST http://h\n\n${body}\n\n> ./check.js\n>> out.json\n<> 2024-01-01.200.json\n
    POST http://h\n\n${body}\n\n?? status == 200\n
  http://h | Chain: eth_chainId []
    [a.http] {{\n  exports.now = Date.now();\n}}\n\n### Chain\nPOST http://h\n\n${body}\n
    ### Chain\nPOST http://h\n\n${body}\n\nHTTP/1.1 200 OK\ncontent-type: application/json\n\n{"result":"0x1"}\n
  nowhere | error: The body is in another file. Import that file instead of the request.
    POST http://h\n\n< ./body.json\n
  -- Several
  http://h | A: a [] | B: b []
    ### A\nPOST http://h\n\n{"method":"a"}\n\n### B\nPOST http://h\n\n{"method":"b"}\n###\n
  http://h | a [] | b [] @http://other
    POST http://h\n\n{"method":"a"}\n\n####\n\npost http://other\n\n{"method":"b"}\n
  http://h | a [] | b []
    ### Batch\nPOST http://h\n\n[\n  {"method":"a","id":1},\n  {"method":"b","id":2}\n]\n
  http://h | one: a [] | two: b [] | three: c []
    ### one\ncurl http://h -d '{"method":"a"}'\n### two\ncurl.exe http://h -d '{\\"method\\":\\"b\\"}'\n### three\nPOST http://h\n\n{"method":"c"}\n
  http://h | eth_chainId [] | error: A JSON-RPC request is a POST, and this is a GET, so it is left out.
    GET http://h/health\n\n###\nPOST http://h\n\n${body}\n
  ws://h | eth_chainId [] | POST: b [] @http://h
    WEBSOCKET ws://h\n${type}\n\n${body}\n\n### POST\nPOST http://h\n\n{"method":"b"}
  -- Mistakes
  http://h | eth_chainId []
    POST http://h\n${type}\n${body}\n
  http://h | Chain: eth_chainId []
    \ufeff### Chain\r\nPOST http://h\r\n\r\n{\r\n  "method": "eth_chainId"\r\n}\r\n
`;

describe("an import of .http files", () => readsEach(table));
