import assert from "node:assert/strict";
import fc from "fast-check";
import { importText } from "../../../server/src/convert/importText.ts";
import { some, times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
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

const call = `{ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }`;
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const computed = (name: string): string =>
  `error: \`${name}\` sends a computed value here, so the request is left out.`;

/** Code as people write it, with other libraries and variables. */
const javascript = rows`
  -- fetch with variables
  ${url} | eth_chainId []
    const url = "${url}";\nconst options = {\n  method: "POST",\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${call})\n};\nfetch(url, options).then((r) => r.json());
    const URL_ = '${url}'\nconst payload: RpcRequest = ${call}\nconst body = JSON.stringify(payload)\nconst { data } = await fetch(URL_, { method: 'POST', body })\n
    async function main() {\n  const response = await fetch(RPC_URL, requestOptions);\n}\nconst RPC_URL = '${url}'\nconst requestOptions = { body: JSON.stringify(${call}) } as const;\nmain();
    var raw = JSON.stringify(${call});\nvar requestOptions = { method: 'POST', body: raw, redirect: 'follow' };\nfetch(new URL("${url}"), requestOptions)
    const host = "rpc.example.org"; fetch(\`https://\${host}/\`, { body: JSON.stringify({ ...{ method: "a" }, id: Date.now(), method: "eth_chainId", params: [] }) })
    const base = "https://" + "rpc.example.org"; fetch(base + "/", { body: JSON.stringify({ id: n++, method: "eth_chainId", params: [], extra: undefined }) })
    const request = new Request("${url}", { method: "POST", body: JSON.stringify(${call}) }); await fetch(request)
    // fetch("http://old", { body: '{"method":"old"}' })\nfetch("${url}", { body: /* "x" */ '${body}' }); const re = /['"]/;
  https://h/v2/{{$env.KEY}} X-Key: {{$env.KEY}} | eth_chainId []
    fetch(\`https://h/v2/\${process.env.KEY}\`, { headers: { "X-Key": process.env.KEY! }, body: JSON.stringify(${call}) })
  ${url} | a [1] | b [2]
    let payload = { method: "a", params: [1] };\nawait fetch("${url}", { body: JSON.stringify(payload) });\npayload = { method: "b", params: [2] };\nawait fetch("${url}", { body: JSON.stringify(payload) });
  ${url} | a [16,100000,"0x1"]
    const p = { method: "a" };\np.params = [0x10, 1_00_000, \`0x\${1}\`];\nfetch("${url}", { body: JSON.stringify(p) })
  -- axios
  ${url} | eth_chainId []
    const axios = require("axios");\nconst { data } = await axios.post("${url}", ${call}, { headers: { "Content-Type": "application/json" } });
    axios({ method: "post", url: "${url}", data: ${call} })
    const config = { method: 'post', maxBodyLength: Infinity, url: '${url}', headers: { 'Content-Type': 'application/json' }, data: JSON.stringify(${call}) };\naxios.request(config).then((response) => {\n  console.log(JSON.stringify(response.data));\n})
    axios("${url}", { method: "POST", data: ${call} })
    axios.post<RpcResponse<string>>("${url}", JSON.stringify(${call}))
  https://h/rpc X-Team: blue | eth_chainId []
    const api = axios.create({ baseURL: "https://h/", headers: { "X-Team": "blue" } });\nawait api.post("/rpc", ${call});
  -- Providers
  nowhere | eth_getBalance ["${alice}","latest"]
    await window.ethereum.request({ method: "eth_getBalance", params: ["${alice}", "latest"] });
    const balance = await provider.send("eth_getBalance", ["${alice}", "latest"]);
    const address = "${alice}"; await ethereum?.request({ method: 'eth_getBalance', params: [address, 'latest'] })
    const hex = await client.request<{ Method: "x"; Parameters: [] }>({ method: "eth_getBalance", params: ["${alice}", "latest"] })
    web3.currentProvider.sendAsync({ jsonrpc: "2.0", id: new Date().getTime(), method: "eth_getBalance", params: ["${alice}", "latest"] }, (error, result) => {})
    (window as any).ethereum.request({ method: "eth_getBalance", params: ["${alice}", "latest"] })
    if (a) (b as Wallet)!.request({ method: "eth_getBalance", params: ["${alice}", "latest"] }); else await (c).request(d)
  nowhere | a_b ["{\\"c\\":[1,\\"d\\"]}"]
    ethereum.request({ method: "a_b", params: [JSON.stringify({ c: [1, "d"] })] })
  ${url} | eth_chainId [] | evm_mine []
    const provider = new ethers.providers.JsonRpcProvider("${url}");\nconsole.log(await provider.send("eth_chainId", []), await provider.send("evm_mine"));
  ${url} | eth_chainId [] | evm_mine []
    const client = createPublicClient({ chain: mainnet, transport: http("${url}") })\nawait client.request({ method: "eth_chainId", params: [] })\nawait client.request({ method: "evm_mine" })
  {{$env.RPC}} | eth_chainId []
    const client = createPublicClient({ transport: http(process.env.RPC) }); client.request({ method: "eth_chainId" })
  -- What has to be computed
  nowhere | ${computed("fetch")}
    fetch("${url}", { method: "POST", body: JSON.stringify({ method, params }) })
    const method = "a"; async function rpc(method, params) { return fetch("${url}", { body: JSON.stringify({ method, params: [] }) }) }
    const method = "a"; const rpc = (method: string) => fetch("${url}", { body: JSON.stringify({ method }) })
    let method = "a"; if (isTest) { method = "b"; }\nfetch("${url}", { body: JSON.stringify({ method }) })
    const params = [1]; params.push(2); fetch("${url}", { body: JSON.stringify({ method: "a", params }) })
    for (const method of ["a", "b"]) fetch("${url}", { body: JSON.stringify({ method }) })
    let a = a; const b = { b }; fetch("${url}", { body: JSON.stringify({ method: "a", params: [a, b] }) })
  nowhere | ${computed("send")}
    provider.send("eth_getBalance", [await signer.getAddress(), "latest"])
  nowhere | error: This \`fetch\` sends no body, so it is not a JSON-RPC request.
    fetch("https://h/health")
`;

const pythonCall = `{"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [{"to": None, 'full': True}, 'latest']}`;
const python = rows`
  ${url} | eth_call [{"to":null,"full":true},"latest"]
    import requests\nresponse = requests.post("${url}", json=${pythonCall})\nprint(response.json())
    url = "${url}"\npayload = {\n    "jsonrpc": "2.0",  # always\n    "method": "eth_call",\n    "params": [{"to": None, "full": True}, "latest"],\n    "id": next(ids),\n}\nheaders = {"content-type": "application/json"}\nr = requests.post(url, headers=headers, json=payload)
    import json\npayload = json.dumps(${pythonCall})\nresponse = requests.request("POST", "${url}", headers={'Content-Type': 'application/json'}, data=payload)
    HOST = "rpc.example.org"\ndef main():\n    to = None\n    params = [dict(to=to, full=True)] + [] if False else [{"to": to, "full": True}, "latest"]\n    requests.post(f"https://{HOST}/", json={"method": "eth_call", "params": [{"to": to, "full": True}, f'{"la"}test']})\n
    async with httpx.AsyncClient() as client:\n    r = await client.post("https://" "rpc.example.org/", content=json.dumps(${pythonCall}).encode("utf-8"))
    req = urllib.request.Request("${url}", data=json.dumps(${pythonCall}).encode(), headers={"User-Agent": "x"})
    payload = {"method": "eth_call"}\npayload["params"] = [{"to": None, "full": True}, "latest"]\nsession = requests.Session()\nsession.post(url="${url}", json=payload)
    data = """{\n  "method": "eth_call", "params": [{"to": null, "full": true}, "latest"]\n}"""\nrequests.post('${url}', data=data)
  {{$env.RPC}} X-Key: {{$env.KEY}} | a []
    requests.post(os.environ["RPC"], json={"method": "a", "params": []}, headers={"X-Key": os.getenv("KEY")})
  ${url} | debug_traceCall [{},"latest"]
    w3 = Web3(Web3.HTTPProvider("${url}"))\nw3.provider.make_request("debug_traceCall", [{}, "latest"])
    from web3 import Web3\nweb3 = Web3(Web3.HTTPProvider('${url}', request_kwargs={'timeout': 60}))\nresult = web3.provider.make_request(RPCEndpoint('debug_traceCall'), [{}, 'latest'])\n
  nowhere | evm_increaseTime [3600]
    w3.provider.make_request("evm_increaseTime", [3600])
  nowhere | a_b ["{\\"c\\": [1, \\"d\\"]}","{\\"c\\":1}"]
    w3.provider.make_request("a_b", [json.dumps({"c": [1, "d"]}), json.dumps({"c": 1}, separators=(",", ":"))])
  nowhere | ${computed("post")}
    def rpc(method, params=[]):\n    return requests.post("${url}", json={"method": method, "params": params})
    if test:\n    method = "a"\nelse:\n    method = "b"\nrequests.post("${url}", json={"method": method})
    requests.post("${url}", json={"method": "a", "params": [hex(block) for block in blocks]})
  nowhere | ${computed("make_request")}
    w3.provider.make_request("eth_getBalance", [acct.address, "latest"])
`;

const notesOf = (text: string): readonly string[] => pluck(importText(text).notes, "what");

describe("an import of code", () => {
  readsEach(table);
  readsEach(javascript);
  readsEach(python);

  it("says where a function of a client library is left out", () => {
    const send = `provider.send("eth_chainId", [])`;
    const post = `requests.post("${url}", json=${pythonCall})`;
    for (const [first, line, isLeft] of [
      [send, `await client.getBalance({ address })`, true],
      [send, `const n = await provider.getBlock("latest")`, true],
      [send, `await client.readContract({ address, abi, functionName: "f" })`, true],
      [send, `web3.eth.getTransaction(hash)`, true],
      [send, `const token = new ethers.Contract(a, abi, provider); await token.balanceOf(a)`, true],
      [send, `await getContract({ address, abi, client }).read.totalSupply()`, true],
      [send, `console.log(items.map(one.call(this)), document.getElementById("x"))`, false],
      [post, `w3.eth.get_balance(a)`, true],
      [post, `c = w3.eth.contract(address=a, abi=abi)`, false],
      [post, `c.functions.balanceOf(a).call()`, true],
      [post, `print(w3.eth.block_number, "w3.eth.gas_price")  # w3.eth.chain_id`, true],
      [post, `settings = w3.eth.block_number == n`, true],
      [post, `w3.eth.chain_id = 5`, false],
      [post, `print(settings.get("x"))`, false],
    ] as const) {
      const text = `${first}\n${line}`;
      const { notes, cells } = importText(text);
      assert.equal(cells.length, 1, text);
      assert.deepEqual(
        notes.map(({ at }) => at > first.length),
        isLeft ? [true] : [],
        text,
      );
    }
  });

  it("says what it cannot read", () => {
    assert.deepEqual(notesOf(`fetch(url, { body: JSON.stringify({ method: name }) })`), [
      "`fetch` sends a computed value here, so the request is left out.",
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

  const signs = `fetch( "'\`{}[]),:;=.\\$\n/*#1a`;
  const words = [
    "JSON.stringify(",
    "fetch(",
    "const a=",
    "a=",
    "=>",
    '"""',
    'f"{',
    "`${",
    "\n  ",
    "def a(",
    "if a:",
    "...",
  ];
  it("reads any text without an error", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs, ...words)), fc.constantFrom("fetch", "python"), (some, form) => {
        importText(`fetch(${some.join("")}`, form);
      }),
    ));

  it("comes to an end in groups that are no code, as those of a pattern", () => {
    const group = fc.array(fc.constantFrom("[]", "[a]", "()", "+", "a", ",", ".", "??"), { maxLength: 6 });
    return fc.assert(
      fc.property(group, fc.constantFrom("fetch", "python"), (some, form) => {
        importText(`fetch((${some.join("")}))`, form);
      }),
      { numRuns: times(3000, 500), examples: [[["[a]", "+"], "python"]] },
    );
  });

  const size = times(100_000, 20_000);
  const others = ["post(", "a.post(b,", "a=[a,a];", "{a", "[a", "a=>", "((a)=>", "post<", "/[", "${", 'post("a"+'];
  for (const word of some([...words, ...signs, ...others], 16))
    for (const form of ["fetch", "python"] as const)
      it(`takes time in proportion to a text of ${form} that repeats ${JSON.stringify(word)}`, () =>
        expectLinear(size / word.length, (count) => {
          const text = `a="x";${word.repeat(count)}`;
          importText(`${text}\nfetch(a,{body:a})\nrequests.post(a,json=a)`, form);
        })).timeout(300_000);
  it("takes time in proportion to a name that repeats the name of a client", () =>
    expectLinear(80_000, (length) => importText(`provider.send(a, b)\n${"client".repeat(length / 6)}.x()`)));
});
