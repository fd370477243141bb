import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const body = `{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}`;
/** With escaped quotes, which PowerShell before 7.3 needs. */
const escaped = body.replaceAll('"', '\\"');
/** In double quotes. */
const ticked = body.replaceAll('"', '`"');

const table = rows`
  -- curl.exe
  curl.exe -X POST http://h -d '${escaped}'
    http://h | eth_chainId []
  curl.exe http://h -H "Content-Type: application/json" -d '${body}'
    http://h | eth_chainId []
  curl.exe http://h -d "${ticked}"
    http://h | eth_chainId []
  curl.exe http://h -d "${body.replaceAll('"', '""')}"
    http://h | eth_chainId []
  curl.exe http://h -d "${body.replaceAll('"', '\\`"')}"
    http://h | eth_chainId []
  curl.exe http://h -d "${body.replaceAll('"', '\\""')}"
    http://h | eth_chainId []
  curl.exe --% http://h -d "${escaped}"
    http://h | eth_chainId []
  PS C:\\Users\\me> curl.exe http://h -d '${escaped}'
    http://h | eth_chainId []
  PS /home/me> curl http://h -d '${body}'
    http://h | eth_chainId []
  curl.exe -X POST \`\n  -H "Content-Type: application/json" \`\n  -d '${escaped}' \`\n  http://127.0.0.1:8545\n
    http://127.0.0.1:8545 | eth_chainId []
  In PowerShell:\r\n\r\ncurl.exe -X POST \`\r\n  -d '${escaped}' \`\r\n  http://127.0.0.1:8545\r\n
    http://127.0.0.1:8545 | eth_chainId []
  PS C:\\> curl.exe http://h \`\n>>   -d '${body}'\n{"jsonrpc":"2.0","id":1,"result":"0x1"}
    http://h | eth_chainId []
  & curl.exe http://h -d '${body}'
    http://h | eth_chainId []
  & "C:\\Program Files\\curl\\curl.exe" http://h -d '${body}'
    http://h | eth_chainId []
  $answer = curl.exe -s http://h -d '${body}' | ConvertFrom-Json\n$answer.result
    http://h | answer: eth_chainId []
  (curl.exe -s http://h -d '${body}' | ConvertFrom-Json).result
    http://h | eth_chainId []
  curl.exe http://h -d '{"method":"a","params":["it''s"]}'
    http://h | a ["it's"]
  curl.exe http://h -d '{\\"method\\":\\"a\\",\\"params\\":[\\"say \\\\\\"hi\\\\\\"\\"]}'
    http://h | a ["say \\"hi\\""]
  curl.exe http://h -d '{"method":"a","params":["say \\"hi\\""]}'
    http://h | a ["say \\"hi\\""]
  curl.exe http://h -d '[{\\"method\\":\\"a\\"},{\\"method\\":\\"b\\"}]'; curl.exe http://h -d '{\\"method\\":\\"c\\"}'
    http://h | a [] | b [] | c []
  -- Variables
  $rpc = "http://h"\n$body = '${body}'\ncurl.exe $rpc -d $body
    http://h | eth_chainId []
  [string]$Rpc = 'http://h'\ncurl.exe -s "$rpc/v1" -d '${body}'
    http://h/v1 | eth_chainId []
  $body = @'\n{\n  "method": "eth_chainId"\n}\n'@\ncurl.exe http://h -d $body
    http://h | eth_chainId []
  $wallet = "0x1"\r\n$body = @"\r\n{ "method": "eth_getBalance", "params": ["$wallet", "latest"] }\r\n"@\r\ncurl.exe http://h --data-raw $body\r\n
    http://h | eth_getBalance ["0x1","latest"]
  @'\n${body}\n'@ | curl.exe http://h -d "@-"
    http://h | eth_chainId []
  '${body}' | curl.exe -s http://h --data-binary '@-'
    http://h | eth_chainId []
  $body | curl.exe http://h -d '@-'\n
    http://h | broken | error: The body is not JSON: a request is an object, \`{ … }\`.
  curl.exe $env:RPC_URL -d '{"method":"eth_chainId"}' -H "Authorization: Bearer \${env:TOKEN}"
    {{$env.RPC_URL}} Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
  $env:RPC = "http://h"\ncurl.exe $env:RPC -d "{\`"method\`":\`"eth_getBalance\`",\`"params\`":[\`"$env:ME\`"]}"
    http://h | eth_getBalance ["{{$env.ME}}"]
  $body = @{ method = "a"; params = 1, 2 } | ConvertTo-Json -Compress\ncurl.exe http://h -d $body.Replace('"', '\\"')
    http://h | a [1,2]
  $b = '{"method":"a"}'\ncurl.exe http://h -d ($b -replace '"', '\\"')
    http://h | a []
  -- Cmdlets: curl is one of their names in Windows PowerShell
  curl -Method POST -Uri http://h -ContentType "application/json" -Body '${body}'
    http://h | eth_chainId []
  Invoke-RestMethod http://h -Method Post -Body '${body}' -ContentType application/json
    http://h | eth_chainId []
  (irm -Uri http://h -Method POST -Body "${ticked}").result
    http://h | eth_chainId []
  $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$session.UserAgent = "Mozilla/5.0 (X11)"\nInvoke-WebRequest -UseBasicParsing -Uri "http://h/" \`\n-Method "POST" \`\n-WebSession $session \`\n-Headers @{\n"accept"="*/*"\n  "x-team"="blue"\n} \`\n-ContentType "application/json" \`\n-Body "${ticked}"
    http://h/ x-team: blue | eth_chainId []
  $headers = @{ "Content-Type" = "application/json"; Authorization = "Bearer $env:TOKEN" }\nInvoke-RestMethod -Uri http://h -Method Post -Headers $headers -Body '${body}'
    http://h Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
  $body = @{\n  jsonrpc = "2.0"\n  method  = "eth_getBalance"\n  params  = @("0x1", "latest")\n  id      = 1\n} | ConvertTo-Json\nInvoke-RestMethod -Uri http://h -Method Post -Body $body -ContentType "application/json"
    http://h | eth_getBalance ["0x1","latest"]
  Invoke-RestMethod http://h -Method Post -Body (@{ method = 'eth_call'; params = @(@{ to = '0x1'; data = '0x' }, 'latest'); full = $true } | ConvertTo-Json -Depth 5)
    http://h | eth_call [{"to":"0x1","data":"0x"},"latest"]
  $p = @{\n  Uri = "http://h"\n  Method = "Post"\n  Body = '${body}'\n}\nInvoke-RestMethod @p
    http://h | eth_chainId []
  # Chain\n$id = Invoke-RestMethod -Method Post http://h -Body '{"method":"eth_chainId"}'\nWrite-Host $id.result
    http://h | id: eth_chainId []
  Invoke-RestMethod http://h -Method Post -InFile body.json
    nowhere | error: The body is in another file. Import that file instead of the command.
  Invoke-WebRequest http://h/status
    nowhere | error: The command sends no data, so it is not a JSON-RPC request.
`;

describe("an import of curl in PowerShell", () => readsEach(table));
