import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const chainId = String.raw`"{\"jsonrpc\":\"2.0\",\"method\":\"eth_chainId\",\"params\":[],\"id\":1}"`;

const table = rows`
  -- One line
  http://h | eth_chainId []
    curl http://h -d ${chainId}
    curl.exe -X POST http://h -H "Content-Type: application/json" --data ${chainId}
    C:\\Users\\me>curl -s http://h -d ${chainId}
    C:\\Program Files (x86)\\tool>curl http://h -d ${chainId}
    curl http://h -d "{""method"":""eth_chainId"",""params"":[]}"
    curl http://h -d {\\"method\\":\\"eth_chainId\\"}
    curl http://h -d ${chainId} > out.json 2>nul
    curl -s http://h -d ${chainId} | findstr result
    curl -s http://h -d ${chainId} && echo ok || echo failed
    echo {"method":"eth_chainId"} | curl http://h -d @-
    echo {"method":"eth_chainId"}| curl -s -X POST --data-binary @- http://h
  http://h/?a=1&b=2 | a ["x & y | z > 1"]
    curl "http://h/?a=1&b=2" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"x & y | z > 1\\"]}"
  http://h/?a=1&b=2 | a []
    curl http://h/?a=1^&b=2 -d "{\\"method\\":\\"a\\"}"
  http://h | a ["C:\\\\dir"]
    curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"C:\\\\\\\\dir\\"]}"
  http://h | a ["say \\"hi\\""]
    curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"say \\\\\\"hi\\\\\\"\\"]}"
  http://h | a [] | b []
    curl http://h -d "[{\\"method\\":\\"a\\"},{\\"method\\":\\"b\\"}]"
  http://h | eth_chainId [] | b []
    curl http://h -d ${chainId} & curl http://h -d "{""method"":""b""}"
  http://h | a ["0x{{$env.i}}"] | error: This value is not known here. Write it instead.
    for %%i in (1 2) do curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"0x%%i\\"]}"
    for /f "tokens=1" %i in (list) do curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"0x%i\\"]}"
  http://h | a ["10%%b"]
    curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"10%%b\\"]}"
  -- Continued lines
  http://h | eth_chainId []
    curl http://h ^\r\n  -X POST ^\r\n  -H "Content-Type: application/json" ^\r\n  -d ${chainId}\r\n
    curl -X POST ^\n  -H "Content-Type: application/json" ^\n  -d ${chainId} ^\n  http://h\n
  http://127.0.0.1:8545 | eth_chainId []
    From the command prompt:\r\n\r\ncurl -X POST ^\r\n  -d ${chainId} ^\r\n  http://127.0.0.1:8545\r\n
  http://h | eth_chainId [] | b []
    curl http://h ^\n  -d ${chainId}\n\ncurl http://h ^\n  -d "{\\"method\\":\\"b\\"}"\n
  https://eth-mainnet.g.alchemy.com/v2/docs-demo | eth_getBlockByNumber ["latest",false]
    curl --request POST ^\n  --url https://eth-mainnet.g.alchemy.com/v2/docs-demo ^\n  --header "accept: application/json" ^\n  --data "{\\"id\\":1,\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"eth_getBlockByNumber\\",\\"params\\":[\\"latest\\",false]}"
  http://h | a []
    curl "http://h" ^\r\n--data "{\r\n  \\"method\\": \\"a\\"\r\n}"\r\n
    powershell -Command "curl.exe http://h -d '{\\"method\\":\\"a\\"}'"
  -- Copied from a browser
  http://h/ | eth_chainId []
    curl ^"http://h/^" ^\n  -H ^"accept: */*^" ^\n  -H ^"content-type: application/json^" ^\n  -H ^"sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"130^\\^"^" ^\n  --data-raw ^"^{^\\^"jsonrpc^\\^":^\\^"2.0^\\^",^\\^"id^\\^":1,^\\^"method^\\^":^\\^"eth_chainId^\\^",^\\^"params^\\^":^[^]^}^"
    curl "http://h/" ^\n  -H "accept: */*" ^\n  -H "sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"130^\\^"" ^\n  --data-raw "^{^\\^"method^\\^":^\\^"eth_chainId^\\^"^}" ^\n  --compressed
    curl ^"http://h/^" ^\r\n  --data-raw ^"^{^\r\n\r\n  ^\\^"method^\\^": ^\\^"eth_chainId^\\^"^\r\n\r\n^}^"
  http://h/ | eth_call [{"to":"0x1"},"latest"]
    curl "http://h/" -H "content-type: application/json" --data-raw "{""jsonrpc"":""2.0"",""method"":""eth_call"",""params"":[{""to"":""0x1""},""latest""]}" --insecure
  http://h/ | a ["100%"] | b []
    curl ^"http://h/^" ^\n  --data-raw ^"^{^\\^"method^\\^":^\\^"a^\\^",^\\^"params^\\^":^[^\\^"100^%^\\^"^]^}^" &\ncurl ^"http://h/^" ^\n  --data-raw ^"^{^\\^"method^\\^":^\\^"b^\\^"^}^"
  -- Batch files
  http://h | eth_chainId []
    @echo off\r\nset RPC=http://h\r\ncurl %RPC% -d ${chainId}\r\npause\r\n
    @echo off\r\nset "RPC=http://h"\r\nREM the chain\r\n@curl -s "%RPC%" -d ${chainId}\r\n
    set BODY={\\"method\\":\\"eth_chainId\\"}\ncurl http://h -d "%BODY%"
    for /L %%i in (1,1,3) do curl -s http://h -d ${chainId}
    %SystemRoot%\\System32\\curl.exe http://h -d ${chainId}
    "C:\\Program Files\\curl\\bin\\curl.exe" http://h -d ${chainId}
  http://h | eth_getBalance ["0x1","latest"]
    set ADDR=0x1\nset TAG=latest\ncurl http://h -d "{\\"method\\":\\"eth_getBalance\\",\\"params\\":[\\"%ADDR%\\",\\"%TAG%\\"]}"
  http://h/?q=a%20b | a ["10%b","%"]
    [a.bat] curl "http://h/?q=a%%20b" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"10%%b\\",\\"%%\\"]}"
    [a.CMD] curl http://h/?q=a%%20b -d "{""method"":""a"",""params"":[""10%%b"",""%%""]}"
    @echo off\r\ncurl "http://h/?q=a%%20b" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"10%%b\\",\\"%%\\"]}"
    set X=1\r\ncurl "http://h/?q=a%%20b" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"10%%b\\",\\"%%\\"]}"
    rem What it is\r\ncurl "http://h/?q=a%%20b" -d "{\\"method\\":\\"a\\",\\"params\\":[\\"10%%b\\",\\"%%\\"]}"
  http://h | a ["%NAME%"]
    [a.bat] set NAME=1\ncurl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"%%NAME%%\\"]}"
  {{$env.RPC_URL}} | eth_getBalance ["{{$env.WALLET}}"]
    curl %RPC_URL% -d "{\\"method\\":\\"eth_getBalance\\",\\"params\\":[\\"%WALLET%\\"]}"
  http://h Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
    curl http://h -H "Authorization: Bearer %TOKEN%" -d ${chainId}
  http://h | eth_chainId [] | eth_chainId []
    call curl http://h -d ${chainId}\ncmd /c curl http://h -d ${chainId}
  http://h | eth_chainId [] | eth_gasPrice []
    :: Chain id\r\ncurl http://h -d ${chainId}\r\nrem Gas\r\ncurl http://h -d "{\\"method\\":\\"eth_gasPrice\\"}"
  nowhere | error: The body is in another file. Import that file instead of the command.
    curl http://h -d @body.json
  http://127.0.0.1:8545 | eth_chainId []
    POST a request with a caret at each end:\r\n\r\ncurl -d ${chainId} ^\r\nhttp://127.0.0.1:8545
`;

describe("an import of curl in cmd", () => readsEach(table));
