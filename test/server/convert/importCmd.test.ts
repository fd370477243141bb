import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const chainId = String.raw`"{\"jsonrpc\":\"2.0\",\"method\":\"eth_chainId\",\"params\":[],\"id\":1}"`;

const table = rows`
  -- One line
  curl http://h -d ${chainId}
    http://h | eth_chainId []
  curl.exe -X POST http://h -H "Content-Type: application/json" --data ${chainId}
    http://h | eth_chainId []
  C:\\Users\\me>curl -s http://h -d ${chainId}
    http://h | eth_chainId []
  C:\\Program Files (x86)\\tool>curl http://h -d ${chainId}
    http://h | eth_chainId []
  curl http://h -d "{""method"":""eth_chainId"",""params"":[]}"
    http://h | eth_chainId []
  curl http://h -d {\\"method\\":\\"eth_chainId\\"}
    http://h | eth_chainId []
  curl "http://h/?a=1&b=2" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"x & y | z > 1\\"]}"
    http://h/?a=1&b=2 | a ["x & y | z > 1"]
  curl http://h/?a=1^&b=2 -d "{\\"method\\":\\"a\\"}"
    http://h/?a=1&b=2 | a []
  curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"C:\\\\\\\\dir\\"]}"
    http://h | a ["C:\\\\dir"]
  curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"say \\\\\\"hi\\\\\\"\\"]}"
    http://h | a ["say \\"hi\\""]
  curl http://h -d "[{\\"method\\":\\"a\\"},{\\"method\\":\\"b\\"}]"
    http://h | a [] | b []
  curl http://h -d ${chainId} > out.json 2>nul
    http://h | eth_chainId []
  curl -s http://h -d ${chainId} | findstr result
    http://h | eth_chainId []
  curl -s http://h -d ${chainId} && echo ok || echo failed
    http://h | eth_chainId []
  curl http://h -d ${chainId} & curl http://h -d "{""method"":""b""}"
    http://h | eth_chainId [] | b []
  echo {"method":"eth_chainId"} | curl http://h -d @-
    http://h | eth_chainId []
  echo {"method":"eth_chainId"}| curl -s -X POST --data-binary @- http://h
    http://h | eth_chainId []
  -- Continued lines
  curl http://h ^\r\n  -X POST ^\r\n  -H "Content-Type: application/json" ^\r\n  -d ${chainId}\r\n
    http://h | eth_chainId []
  curl -X POST ^\n  -H "Content-Type: application/json" ^\n  -d ${chainId} ^\n  http://h\n
    http://h | eth_chainId []
  From the command prompt:\r\n\r\ncurl -X POST ^\r\n  -d ${chainId} ^\r\n  http://127.0.0.1:8545\r\n
    http://127.0.0.1:8545 | eth_chainId []
  curl http://h ^\n  -d ${chainId}\n\ncurl http://h ^\n  -d "{\\"method\\":\\"b\\"}"\n
    http://h | eth_chainId [] | b []
  curl --request POST ^\n  --url https://eth-mainnet.g.alchemy.com/v2/docs-demo ^\n  --header "accept: application/json" ^\n  --data "{\\"id\\":1,\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"eth_getBlockByNumber\\",\\"params\\":[\\"latest\\",false]}"
    https://eth-mainnet.g.alchemy.com/v2/docs-demo | eth_getBlockByNumber ["latest",false]
  curl "http://h" ^\r\n--data "{\r\n  \\"method\\": \\"a\\"\r\n}"\r\n
    http://h | a []
  powershell -Command "curl.exe http://h -d '{\\"method\\":\\"a\\"}'"
    http://h | a []
  -- Copied from a browser
  curl ^"http://h/^" ^\n  -H ^"accept: */*^" ^\n  -H ^"content-type: application/json^" ^\n  -H ^"sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"130^\\^"^" ^\n  --data-raw ^"^{^\\^"jsonrpc^\\^":^\\^"2.0^\\^",^\\^"id^\\^":1,^\\^"method^\\^":^\\^"eth_chainId^\\^",^\\^"params^\\^":^[^]^}^"
    http://h/ | eth_chainId []
  curl "http://h/" ^\n  -H "accept: */*" ^\n  -H "sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"130^\\^"" ^\n  --data-raw "^{^\\^"method^\\^":^\\^"eth_chainId^\\^"^}" ^\n  --compressed
    http://h/ | eth_chainId []
  curl ^"http://h/^" ^\r\n  --data-raw ^"^{^\r\n\r\n  ^\\^"method^\\^": ^\\^"eth_chainId^\\^"^\r\n\r\n^}^"
    http://h/ | eth_chainId []
  curl "http://h/" -H "content-type: application/json" --data-raw "{""jsonrpc"":""2.0"",""method"":""eth_call"",""params"":[{""to"":""0x1""},""latest""]}" --insecure
    http://h/ | eth_call [{"to":"0x1"},"latest"]
  curl ^"http://h/^" ^\n  --data-raw ^"^{^\\^"method^\\^":^\\^"a^\\^",^\\^"params^\\^":^[^\\^"100^%^\\^"^]^}^" &\ncurl ^"http://h/^" ^\n  --data-raw ^"^{^\\^"method^\\^":^\\^"b^\\^"^}^"
    http://h/ | a ["100%"] | b []
  -- Batch files
  @echo off\r\nset RPC=http://h\r\ncurl %RPC% -d ${chainId}\r\npause\r\n
    http://h | eth_chainId []
  @echo off\r\nset "RPC=http://h"\r\nREM the chain\r\n@curl -s "%RPC%" -d ${chainId}\r\n
    http://h | eth_chainId []
  set BODY={\\"method\\":\\"eth_chainId\\"}\ncurl http://h -d "%BODY%"
    http://h | eth_chainId []
  set ADDR=0x1\nset TAG=latest\ncurl http://h -d "{\\"method\\":\\"eth_getBalance\\",\\"params\\":[\\"%ADDR%\\",\\"%TAG%\\"]}"
    http://h | eth_getBalance ["0x1","latest"]
  curl %RPC_URL% -d "{\\"method\\":\\"eth_getBalance\\",\\"params\\":[\\"%WALLET%\\"]}"
    {{$env.RPC_URL}} | eth_getBalance ["{{$env.WALLET}}"]
  curl http://h -H "Authorization: Bearer %TOKEN%" -d ${chainId}
    http://h Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
  for /L %%i in (1,1,3) do curl -s http://h -d ${chainId}
    http://h | eth_chainId []
  call curl http://h -d ${chainId}\ncmd /c curl http://h -d ${chainId}
    http://h | eth_chainId [] | eth_chainId []
  :: Chain id\r\ncurl http://h -d ${chainId}\r\nrem Gas\r\ncurl http://h -d "{\\"method\\":\\"eth_gasPrice\\"}"
    http://h | eth_chainId [] | eth_gasPrice []
  %SystemRoot%\\System32\\curl.exe http://h -d ${chainId}
    http://h | eth_chainId []
  "C:\\Program Files\\curl\\bin\\curl.exe" http://h -d ${chainId}
    http://h | eth_chainId []
  curl http://h -d @body.json
    nowhere | error: The body is in another file. Import that file instead of the command.
  POST a request with a caret at each end:\r\n\r\ncurl -d ${chainId} ^\r\nhttp://127.0.0.1:8545
    http://127.0.0.1:8545 | eth_chainId []
`;

describe("an import of curl in cmd", () => readsEach(table));
