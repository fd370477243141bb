import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const body = `{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}`;
/** With escaped quotes, which PowerShell before 7.3 needs. */
const escaped = body.replaceAll('"', '\\"');
/** In double quotes. */
const ticked = body.replaceAll('"', '`"');

const table = rows`
  -- curl.exe
  http://h | eth_chainId []
    curl.exe -X POST http://h -d '${escaped}'
    curl.exe http://h -H "Content-Type: application/json" -d '${body}'
    curl.exe http://h -d "${ticked}"
    curl.exe http://h -d "${body.replaceAll('"', '""')}"
    curl.exe http://h -d "${body.replaceAll('"', '\\`"')}"
    curl.exe http://h -d "${body.replaceAll('"', '\\""')}"
    curl.exe --% http://h -d "${escaped}"
    PS C:\\Users\\me> curl.exe http://h -d '${escaped}'
    PS /home/me> curl http://h -d '${body}'
    PS C:\\> curl.exe http://h \`\n>>   -d '${body}'\n{"jsonrpc":"2.0","id":1,"result":"0x1"}
    & curl.exe http://h -d '${body}'
    & "C:\\Program Files\\curl\\curl.exe" http://h -d '${body}'
    (curl.exe -s http://h -d '${body}' | ConvertFrom-Json).result
  http://127.0.0.1:8545 | eth_chainId []
    curl.exe -X POST \`\n  -H "Content-Type: application/json" \`\n  -d '${escaped}' \`\n  http://127.0.0.1:8545\n
    In PowerShell:\r\n\r\ncurl.exe -X POST \`\r\n  -d '${escaped}' \`\r\n  http://127.0.0.1:8545\r\n
  http://h | answer: eth_chainId []
    $answer = curl.exe -s http://h -d '${body}' | ConvertFrom-Json\n$answer.result
  http://h | a ["it's"]
    curl.exe http://h -d '{"method":"a","params":["it''s"]}'
  http://h | a ["say \\"hi\\""]
    curl.exe http://h -d '{\\"method\\":\\"a\\",\\"params\\":[\\"say \\\\\\"hi\\\\\\"\\"]}'
    curl.exe http://h -d '{"method":"a","params":["say \\"hi\\""]}'
  http://h | a [] | b [] | c []
    curl.exe http://h -d '[{\\"method\\":\\"a\\"},{\\"method\\":\\"b\\"}]'; curl.exe http://h -d '{\\"method\\":\\"c\\"}'
  -- Variables
  http://h | eth_chainId []
    $rpc = "http://h"\n$body = '${body}'\ncurl.exe $rpc -d $body
    $body = @'\n{\n  "method": "eth_chainId"\n}\n'@\ncurl.exe http://h -d $body
    @'\n${body}\n'@ | curl.exe http://h -d "@-"
    '${body}' | curl.exe -s http://h --data-binary '@-'
  http://h/v1 | eth_chainId []
    [string]$Rpc = 'http://h'\ncurl.exe -s "$rpc/v1" -d '${body}'
  http://h | eth_getBalance ["0x1","latest"]
    $wallet = "0x1"\r\n$body = @"\r\n{ "method": "eth_getBalance", "params": ["$wallet", "latest"] }\r\n"@\r\ncurl.exe http://h --data-raw $body\r\n
  http://h | broken | error: The body is not JSON: a request is an object, \`{ … }\`.
    $body | curl.exe http://h -d '@-'\n
  {{$env.RPC_URL}} Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
    curl.exe $env:RPC_URL -d '{"method":"eth_chainId"}' -H "Authorization: Bearer \${env:TOKEN}"
  http://h | eth_getBalance ["{{$env.ME}}"]
    $env:RPC = "http://h"\ncurl.exe $env:RPC -d "{\`"method\`":\`"eth_getBalance\`",\`"params\`":[\`"$env:ME\`"]}"
  http://h | a [1,2]
    $body = @{ method = "a"; params = 1, 2 } | ConvertTo-Json -Compress\ncurl.exe http://h -d $body.Replace('"', '\\"')
  http://h | a []
    $b = '{"method":"a"}'\ncurl.exe http://h -d ($b -replace '"', '\\"')
  -- Values that have to be computed
  nowhere | error: The request has a computed value, so it is left out.
    irm http://h -Method Post -Body (@{ method = "a"; params = @("0x{0:x}" -f 5, 1) } | ConvertTo-Json)
    irm http://h -Method Post -Body (@{ method = "a"; params = @(("0x" + $n), 1) } | ConvertTo-Json)
    irm http://h -Method Post -Body ('{"method":"a","params":["' + $n + '"]}')
    $hex = "0x" + $n.ToString("x"); curl.exe http://h -d "{\`"method\`":\`"a\`",\`"params\`":[\`"$hex\`"]}"
    $one = $all[0]\nirm http://h -Method Post -Body (@{ method = "a"; params = @($one) } | ConvertTo-Json)
    foreach ($b in 1..3) { irm http://h -Method Post -Body (@{ method = "a"; params = @("0x$b") } | ConvertTo-Json) }
    function Rpc($m, [string]$p) { irm http://h -Method Post -Body (@{ method = $m; params = @($p) } | ConvertTo-Json) }
  http://h | a []
    foreach ($b in 1..3) { irm http://h -Method Post -Body (@{ id = $b; method = "a"; params = @() } | ConvertTo-Json) }
    irm http://h -Method Post -Body '{"method":"a"}'\n$n = $r.result + 1; $n -eq 2
  nowhere | a []
    irm ("http://h/" + $path) -Method Post -Body '{"method":"a"}'
  -- Cmdlets: curl is one of their names in Windows PowerShell
  http://h | eth_chainId []
    curl -Method POST -Uri http://h -ContentType "application/json" -Body '${body}'
    Invoke-RestMethod http://h -Method Post -Body '${body}' -ContentType application/json
    (irm -Uri http://h -Method POST -Body "${ticked}").result
    $p = @{\n  Uri = "http://h"\n  Method = "Post"\n  Body = '${body}'\n}\nInvoke-RestMethod @p
  http://h/ x-team: blue | eth_chainId []
    $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$session.UserAgent = "Mozilla/5.0 (X11)"\nInvoke-WebRequest -UseBasicParsing -Uri "http://h/" \`\n-Method "POST" \`\n-WebSession $session \`\n-Headers @{\n"accept"="*/*"\n  "x-team"="blue"\n} \`\n-ContentType "application/json" \`\n-Body "${ticked}"
  http://h Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
    $headers = @{ "Content-Type" = "application/json"; Authorization = "Bearer $env:TOKEN" }\nInvoke-RestMethod -Uri http://h -Method Post -Headers $headers -Body '${body}'
  http://h | eth_getBalance ["0x1","latest"]
    $body = @{\n  jsonrpc = "2.0"\n  method  = "eth_getBalance"\n  params  = @("0x1", "latest")\n  id      = 1\n} | ConvertTo-Json\nInvoke-RestMethod -Uri http://h -Method Post -Body $body -ContentType "application/json"
  http://h | eth_call [{"to":"0x1","data":"0x"},"latest"]
    Invoke-RestMethod http://h -Method Post -Body (@{ method = 'eth_call'; params = @(@{ to = '0x1'; data = '0x' }, 'latest'); full = $true } | ConvertTo-Json -Depth 5)
  http://h | id: eth_chainId []
    # Chain\n$id = Invoke-RestMethod -Method Post http://h -Body '{"method":"eth_chainId"}'\nWrite-Host $id.result
  nowhere | error: The body is in another file. Import that file instead of the command.
    Invoke-RestMethod http://h -Method Post -InFile body.json
  nowhere | error: The command sends no data, so it is not a JSON-RPC request.
    Invoke-WebRequest http://h/status
`;

describe("an import of curl in PowerShell", () => readsEach(table));
