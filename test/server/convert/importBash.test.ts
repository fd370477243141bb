import { readsEach } from "../../support/importTable.ts";
import { rows } from "../../support/rows.ts";

const table = rows`
  -- Documentation of services
  https://mainnet.base.org | eth_blockNumber []
    curl https://mainnet.base.org \\\n  -X POST \\\n  -H "Content-Type: application/json" \\\n  -d '{"jsonrpc":"2.0","method":"eth_blockNumber","params":[],"id":1}'
    Ask for the head of the chain:\n\ncurl -s -X POST \\\n  -H 'Content-Type: application/json' \\\n  --data '{"jsonrpc":"2.0","method":"eth_blockNumber","params":[],"id":1}' \\\n  https://mainnet.base.org\n
  https://eth-mainnet.g.alchemy.com/v2/docs-demo | eth_gasPrice []
    curl --request POST \\\n     --url https://eth-mainnet.g.alchemy.com/v2/docs-demo \\\n     --header 'accept: application/json' \\\n     --header 'content-type: application/json' \\\n     --data '\n{\n  "id": 1,\n  "jsonrpc": "2.0",\n  "method": "eth_gasPrice"\n}\n'
  http://127.0.0.1:8545 | eth_chainId []
    POST is the only method that the endpoint takes.\ncurl http://127.0.0.1:8545 -d '{"method":"eth_chainId"}'
    GET requests are refused, so send a POST:\n\n$ curl http://127.0.0.1:8545 \\\n>   -d '{"method":"eth_chainId"}'\n{"jsonrpc":"2.0","id":1,"result":"0x1"}\n
  http://127.0.0.1:8545 | eth_chainId [] | eth_blockNumber []
    ## Chain id\n\nSend this to\nhttp://127.0.0.1:8545\n\n\`\`\`bash\ncurl http://127.0.0.1:8545 -d '{"method":"eth_chainId"}'\n\`\`\`\n\n### Block number\n\n\`\`\`sh\ncurl http://127.0.0.1:8545 -d '{"method":"eth_blockNumber"}'\n\`\`\`\n
  http://h | Balance: eth_getBalance ["0x1","latest"] | Nonce: eth_getTransactionCount ["0x1","latest"]
    ### Balance\ncurl http://h -d '{"method":"eth_getBalance","params":["0x1","latest"]}'\n### Nonce\ncurl http://h -d '{"method":"eth_getTransactionCount","params":["0x1","latest"]}'\n
  http://localhost:8545 | eth_syncing []
    // Request\ncurl -X POST --data '{"jsonrpc":"2.0","method":"eth_syncing","params":[],"id":1}' localhost:8545\n// Result\n{\n  "id":1,\n  "jsonrpc": "2.0",\n  "result": false\n}
  -- Scripts
  http://localhost:8545 | eth_chainId []
    #!/usr/bin/env bash\nset -euo pipefail\n\nRPC_URL="\${RPC_URL:-http://localhost:8545}"\ncurl -fsS "$RPC_URL" -H 'content-type: application/json' -d '{"method":"eth_chainId"}' | jq -r .result\n
    cat <<EOF | curl -s http://localhost:8545 --data-binary @-\n{"method":"eth_chainId"}\nEOF\n
    echo '{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}' | curl -s -X POST -H "Content-Type: application/json" -d @- http://localhost:8545
    curl -s http://localhost:8545 -d "$(cat <<'EOF'\n{"method":"eth_chainId"}\nEOF\n)"\n
  {{$env.RPC_URL}} | eth_chainId []
    [ -z "$RPC_URL" ] && RPC_URL=http://localhost:8545\ncurl $RPC_URL -d '{"method":"eth_chainId"}'\n
  http://localhost:8545 | eth_gasPrice []
    export RPC=http://localhost:8545\nPAYLOAD='{"jsonrpc":"2.0","method":"eth_gasPrice","params":[],"id":1}'\ncurl -s -X POST -H "Content-Type: application/json" --data "$PAYLOAD" "$RPC"
  http://h | eth_gasPrice []
    read -r -d '' DATA <<'EOF'\n{"method":"eth_chainId"}\nEOF\ncurl http://h -d '{"method":"eth_gasPrice"}'\n
  http://localhost:8545 | eth_getBalance ["{{$env.WALLET}}","latest"]
    curl -s http://localhost:8545 -H 'Content-Type: application/json' -d @- <<EOF\n{\n  "jsonrpc": "2.0",\n  "method": "eth_getBalance",\n  "params": ["\${WALLET}", "latest"],\n  "id": 1\n}\nEOF
  http://localhost:8545 | eth_syncing []
    sudo docker exec -it op-geth curl -s localhost:8545 -d '{"method":"eth_syncing"}'
  http://localhost:8545 | net_peerCount []
    kubectl exec -n nodes geth-0 -- curl -s -d '{"method":"net_peerCount"}' http://localhost:8545
  http://h | eth_blockNumber []
    while true; do curl -s http://h -d '{"method":"eth_blockNumber"}' | jq .result; sleep 1; done
    for i in 1 2 3; do\n  curl -s http://h -d '{"method":"eth_blockNumber"}' &\ndone\nwait\n
    watch -n 1 "curl -s http://h -d '{\\"method\\":\\"eth_blockNumber\\"}'"
  -- Values that only the shell knows
  http://h | a ["0x{{$env.i}}"] | error: This value is not known here. Write it instead.
    for i in 1 2; do curl http://h -d '{"method":"a","params":["0x'$i'"]}'; done
    for (( i = 0; i < 3; i++ )); do\n  curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"0x$i\\"]}"\ndone
    while read -r a i; do\n  curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"0x$i\\"]}"\ndone < list
  http://h | a ["0x1"]
    printf '%s\\n' '{"method":"a","params":["0x1"]}' | curl http://h -d @-
    curl http://h -d "$(printf '{"method":"a","params":["0x1"]}')"
  http://h | a ["$(printf 0x%x 16)"] | error: This value is not known here. Write it instead.
    curl http://h -d '{"method":"a","params":["'$(printf 0x%x 16)'"]}'
  http://h | a ["\${B%x}"] | error: This value is not known here. Write it instead.
    curl http://h -d "{\\"method\\":\\"a\\",\\"params\\":[\\"\${B%x}\\"]}"
  http://h | {{$env.ARG1}} ["{{$env.ARG2}}"] | error: The method is not known here. Write its name instead.
    rpc() { curl http://h -d '{"method":"'$1'","params":["'$2'"]}'; }
  http://h | net_listening []
    if curl -sf http://h -d '{"method":"net_listening"}' > /dev/null; then\n  echo up\nfi\n
  http://h | HEAD: eth_blockNumber []
    HEAD=\`curl -s http://h -d '{"method":"eth_blockNumber"}' | jq -r .result\`
    export HEAD=$(curl -s http://h -d '{"method":"eth_blockNumber"}') && echo $HEAD
  {{$env.ARG1}} | eth_chainId []
    check() {\n  curl -s "$1" -d '{"method":"eth_chainId"}'\n}\n
  http://h | eth_chainId []
    RPC=http://h; curl -s "$RPC" --data '{"method":"eth_chainId"}'
    docker run --rm curlimages/curl:8.5.0 -s http://h -d '{"method":"eth_chainId"}'
    seq 1 10 | xargs -P4 -I{} curl -s http://h -d '{"method":"eth_chainId"}'
    curl http://h -d "$(echo '{"method":"eth_chainId"}')"
    printf '%s\\n' '{"method":"eth_chainId"}' | curl http://h -d @-
    echo '{"method":' '"eth_chainId"}' | curl http://h -d @-
    (cd /tmp; curl http://h -d '{"method":"eth_chainId"}')
  nowhere | error: The input of the command is not known here. Write it after \`-d\`.
    jq -n '{method:"eth_chainId"}' | curl -s http://h -d @-
  http://h | a ["{{$env.NOW}}"]
    NOW=$(date +%s)\ncurl http://h -d '{"method":"a","params":["'$NOW'"]}'
  http://h | a [] | b []
    cat <<A | curl http://h -d @- && cat <<B | curl http://h -d @-\n{"method":"a"}\nA\n{"method":"b"}\nB\n
  -- Quotes
  http://h | eth_getBalance ["{{$env.ADDR}}","latest"]
    curl http://h -d "{\\"method\\":\\"eth_getBalance\\",\\"params\\":[\\"$ADDR\\",\\"latest\\"]}"
    curl http://h -d '{"method":"eth_getBalance","params":["'"$ADDR"'","'\${BLOCK:-latest}'"]}'
  http://h/rpc?key=1&x=2 | eth_call [{"to":"0x1","data":"0x"},"latest"]
    curl 'http://h/rpc?key=1&x=2' -H 'Content-Type: application/json' --data-raw $'{"method":"eth_call","params":[{"to":"0x1","data":"0x"},"latest"]}' --compressed
  http://h | eth_chainId []
    curl "http://h" -d '{\\"method\\":\\"eth_chainId\\",\\"params\\":[]}'
    curl “http://h” -d ‘{"method":"eth_chainId"}’
  http://h | broken | error: The body is not JSON: keys need double quotes.
    curl http://h -d '{“method”:“eth_chainId”}'
  -- Options
  http://h | eth_chainId []
    curl -sSLXPOST http://h -HContent-Type:application/json -d'{"method":"eth_chainId"}'
    curl --json '{"method":"eth_chainId"}' http://h
    curl http://h -d '{"method":"eth_chainId"}' -w '\\n%{http_code} %{time_total}\\n' -o /dev/null
  http://h Authorization: Bearer {{$env.TOKEN}} | eth_chainId []
    curl -H "Authorization: Bearer $TOKEN" http://h -d '{"method":"eth_chainId"}'
  http://h | broken | error: \`--data-urlencode\` encodes the data in a form that JSON-RPC endpoints do not read. | error: The body is not JSON: \`x=1\` is not a JSON value.
    curl --data-urlencode 'x=1' http://h
  nowhere | error: The body is in another file. Import that file instead of the command.
    curl -X POST http://h -d @body.json
  http://h | a'bA\n []
    curl http://h -d $'{"method":"a\\'b\\x41\\\\n"}'
  http://h | it's []
    curl http://h -d '{"method":"it'\\''s"}'
  http://h | a []
    curl http://h -d {\\"method\\":\\"a\\"}
    curl http://h -d @- <<< '{"method":"a"}'
  http://h | a [] | b [] | c [] | d []
    curl h --data='{"method":"a"}'\ncurl h --data-raw '{"method":"b"}'\ncurl h --data-binary '{"method":"c"}'\ncurl h -sXPOST -d'{"method":"d"}'
  http://h | a [] | b []
    curl http://h -d '{"method":"a"}' --next http://h -d '{"method":"b"}'
  -- Several
  http://a | eth_chainId [] | eth_gasPrice [] @http://b | eth_blockNumber []
    curl http://a -d '{"method":"eth_chainId"}'; curl http://b -d '{"method":"eth_gasPrice"}'\ncurl http://a -d '{"method":"eth_blockNumber"}'
  http://h | eth_chainId [] | eth_gasPrice []
    curl http://h -d '[{"jsonrpc":"2.0","method":"eth_chainId","id":1},{"jsonrpc":"2.0","method":"eth_gasPrice","id":2}]'
  http://h | eth_blockNumber []
    curl -X POST http://h \\\n  # the head\n  -d '{"method":"eth_blockNumber"}'\n
  http://h | eth_chainId []
    { "note": "a page that begins like JSON" }\n\ncurl http://h -d '{"method":"eth_chainId"}'
`;

describe("an import of curl in bash", () => readsEach(table));
