import assert from "node:assert/strict";
import { check } from "../../server/src/analysis/check.ts";
import type { JsonObject } from "../../server/src/base/json.ts";
import { secretParts } from "../../server/src/base/secretParts.ts";
import { secretInHeader, secretsInText } from "../../server/src/base/secretText.ts";
import { slice } from "../../server/src/base/span.ts";
import type { ImportForm } from "../../server/src/convert/forms.ts";
import { type ImportedNotebook, importText } from "../../server/src/convert/importText.ts";
import { readEndpointsFile } from "../../server/src/endpoints/readFiles.ts";
import { readFile } from "../../server/src/notebook/readFile.ts";
import { scopeOf } from "../support/cell.ts";
import { some, times } from "../support/depth.ts";
import { expectLinear } from "../support/growth.ts";

/** Invented keys in the formats of services. The part between ‹ and › is the secret. */
const withKeys = [
  "https://eth-mainnet.g.alchemy.com/v2/‹Zk3x9QpLr7TnW2vYb8Md4HcJ1sGf6Ua0›",
  "https://mainnet.infura.io/v3/‹9aa3d95b3bc440fa88ea12eaa4456161›",
  "https://cool-solitary-panorama.quiknode.pro/‹c9a1f7e2b3d4568790aabbccddeeff0011223344›/",
  "https://rpc.ankr.com/eth/‹5f2c8e1d9b7a43605f2c8e1d9b7a43605f2c8e1d9b7a43605f2c8e1d9b7a4360›",
  "https://go.getblock.io/‹7d3f9a2b1c4e5f60718293a4b5c6d7e8›",
  "https://eth-mainnet.blastapi.io/‹3f2504e0-4f89-41d3-9a0c-0305e82c3301›",
  "https://lb.drpc.org/ogrpc?network=ethereum&dkey=‹AkR3vT9xQm2LpZ8sWn5yBc7dEf1gHj4k›",
  "https://lb.drpc.org/ethereum/‹AkR3vT9xQm2LpZ8sWn5yBc7dEf1gHj4kUi6oPa0sD›",
  "https://1rpc.io/‹4XyZ7aBcD9eFgH2iJkLm›/eth",
  "https://ethereum-mainnet.g.allthatnode.com/full/evm/‹1c9f3a7be4d2456890fedcba12345678›",
  "https://‹6f1d2e3c4b5a69788796a5b4c3d2e1f0›.eth.rpc.rivet.cloud/",
  "https://eth-mainnet.gateway.pokt.network/v1/lb/‹62ffac2d9b1e4f7a8c3d5e60›",
  "https://eth-mainnet.rpc.grove.city/v1/‹01fdb492›",
  "https://eth.api.onfinality.io/rpc?apikey=‹3f2504e0-4f89-41d3-9a0c-0305e82c3301›",
  "https://g.w.lavanet.xyz:443/gateway/eth/rpc-http/‹4a8f2d6c1e3b597086a4c2e0f1d3b5a7›",
  "https://api.developer.coinbase.com/rpc/v1/base/‹qLp7Zx2Wn9Tb4Kd8Vf3Rm6Yc1Hs5Jg0›",
  "https://svc.blockdaemon.com/ethereum/mainnet/native?apiKey=‹zpka_7f3a9c2e1b5d4860_4f2a›",
  "https://json-rpc.abc.blockchainnodeengine.com?key=‹AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q›",
  "https://ethereum.managedblockchain.us-east-1.amazonaws.com?billingtoken=‹Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z›",
  "https://‹u0anbpp9kt:8gSDxXFrT3pQ2wZ›@u0eyd9yz0d-u0wlms1n8t-rpc.us0-aws.kaleido.io",
  "https://rpc.zerodev.app/api/v2/bundler/‹3f2504e0-4f89-41d3-9a0c-0305e82c3301›",
  "https://api.pimlico.io/v2/1/rpc?apikey=‹pim_Xy7Zk3Lm9QpRt2›",
  "https://bundler.biconomy.io/api/v2/1/‹nJPK7B3ru.dd7f7861-190d-41bd-af80-6877f74b8f44›",
  "https://api.stackup.sh/v1/node/‹7c1e5a9b3d2f48607c1e5a9b3d2f48607c1e5a9b3d2f48607c1e5a9b3d2f4860›",
  "https://mainnet.gateway.tenderly.co/‹5sVq8Kx2Lm9PzRt4Wy7B›",
  "https://ethereum.blockpi.network/v1/rpc/‹1f2e3d4c5b6a79880918273645546372819fabcd›",
  "https://gateway.thegraph.com/api/‹4a8f2d6c1e3b597086a4c2e0f1d3b5a7›/subgraphs/name/x",
  "https://rpc.example/v2/‹abc123›",
  "https://rpc.example/v3/‹Ab9xQ2›",
  "https://rpc.example/rpc;key=‹s3cr3t›",
  "https://rpc.example/rpc;apikey=‹hunter2›/eth",
  "https://rpc.example/key=‹abcd1234›/eth",
  "https://rpc.example/apikey/‹abc123›/eth",
  "https://rpc.example/token/‹a1b2c3›/eth",
  "https://rpc.example/#‹4a8f2d6c1e3b597086a4c2e0f1d3b5a7›",
  "https://rpc.example/#apikey=‹hunter2›",
  "https://rpc.example/rpc#/access_token=‹Ab3dEf6h›",
  "https://rpc.example/?x=‹4a8f2d6c1e3b597086a4c2e0f1d3b5a7›",
  "https://rpc.example/?project=‹9aa3d95b›",
  "https://rpc.example/?auth=‹abcdefgh›",
  "https://rpc.example/?password=‹correcthorse›",
  "https://rpc.example/?key=‹9aa3d95b›",
  "https://rpc.example/?‹9aa3d95b3bc440fa88ea12eaa4456161›",
  "https://rpc.example/?q=‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlMTIz›",
  "https://‹9aa3d95b3bc440fa88ea12eaa4456161›.host",
  "https://‹9aa3d95b3bc440fa›.host/",
  "https://‹3f2504e0-4f89-41d3-9a0c-0305e82c3301›.eth.example",
  "https://‹me:hunter2›@rpc.example",
  "https://‹:hunter2›@rpc.example/",
  "https://‹user:p@ss:w0rd›@rpc.example/",
  "https://proxy.example/?url=‹https%3A%2F%2Fmainnet.infura.io%2Fv3%2F9aa3d95b3bc440fa88ea12eaa4456161›",
  "https://rpc.example/‹%39aa3d95b3bc440fa88ea12eaa4456161›",
  "https://rpc.example/eth/‹AKIAIOSFODNN7EXAMPLE›",
  "https://rpc.example/?X-Amz-Signature=‹fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024›",
  "https://rpc.example/?sig=‹Ab3dEf6h›",
  "https://rpc.example/‹ghp_16C7e42F292c6912E7710c838347Ae178B4a›",
  "https://rpc.example/v1/‹Zk3x9QpLr7-TnW2vYb8_Md4HcJ1sGf6Ua0›",
  "https://rpc.example/?clientId=‹9aa3d95b3bc440fa›",
  "https://‹9aa3d95b3bc440fa88ea12eaa4456161›/rpc",
  "https://rpc.example/‹rpc%3Bkey%3Dhunter2›",
  "https://rpc.example/‹v3%2F9aa3d95b3bc440fa88ea12eaa4456161›",
  "https://rpc.example/rpc?net=eth,key=‹hunter2xyz›",
  "https://rpc.example/rpc?o=‹%7B%22apiKey%22%3A%22hunter2xyz%22%7D›",
  "https://rpc.example/rpc?basic=‹bWU6aHVudGVyMg==›",
  "https://rpc.example/rpc?key[]=‹hunter2xyz›",
  "HTTPS://RPC.EXAMPLE/V2/‹9AA3D95B3BC440FA88EA12EAA4456161›",
  "http://‹me:hunter2›@[::1]:8545",
  "https://rpc.example/?a=‹4a8f2d6c1e3b597086a4c2e0f1d3b5a7›&apikey=‹hunter2›#‹9aa3d95b3bc440fa88ea12eaa4456161›",
];

/** Addresses without a secret, some of which look as if they have one. */
const withoutKeys = [
  "http://localhost:8545/rpc",
  "http://[::1]:8545",
  "http://10.0.0.17:8545/ext/bc/C/rpc",
  "https://api.avax-test.network/ext/bc/2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5/rpc",
  "https://rpc.example/evm/8453",
  "https://ethereum-rpc.publicnode.com",
  "https://rpc.ankr.com/eth_sepolia",
  "https://cloudflare-eth.com/v1/mainnet",
  "https://bsc-dataseed1.binance.org",
  "https://lb.drpc.org/ogrpc?network=ethereum",
  "https://rpc.flashbots.net/fast?hint=hash&hint=logs&builder=flashbots&originId=my-wallet",
  "https://rpc.mevblocker.io/fullprivacy",
  "https://eth-mainnet.g.alchemy.com/v2/demo",
  "https://mainnet.infura.io/v3/YOUR_API_KEY",
  "https://mainnet.infura.io/v3/{{$secret.INFURA_KEY}}",
  "https://{{$env.USER}}:{{$secret.PASS}}@rpc.example",
  "https://rpc.example/?apikey={{$secret.KEY}}",
  "https://rpc.example/v1/base8453/jsonrpc",
  "https://rpc.example/api/v1/chain42161",
  "https://rpc.example/api/v2/sendPrivateTransaction",
  "https://rpc.example/chains/1/blocks/latest",
  "https://rpc.example/eth-mainnet/archive-2024-full-history",
  "https://docs.example/some-very-long-name-of-a-page-that-people-read",
  "https://docs.example/Release-Notes-2024-11-23-for-version-1.14.12",
  "https://scan.example/tx/0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  "https://scan.example/address/0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  "https://raw.githubusercontent.com/a/b/0123456789abcdef0123456789abcdef01234567/abi.json",
  "https://api.example/rpc?token=ETH&chainId=1&block=latest",
  "https://api.example/rpc?token=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  "https://api.example/rpc?auth=false&session=0&keys=eth,base",
  "https://api.example/rpc?key=mainnet&token=ethereum",
  "https://k8s-default-rpc-1a2b3c4d5e-1234567890.us-east-1.elb.amazonaws.com",
  "https://d111111abcdef8.cloudfront.net/rpc",
  "https://my-app-git-main-3f9a2c1b-team.vercel.app/api/rpc",
  "https://cool-solitary-panorama.quiknode.pro",
  "https://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi.ipfs.dweb.link/",
  "https://gateway.example/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG",
  "https://rpc.testnet.example:8443/ws/v2",
  "https://node-1.internal.corp.example/erigon/rpc2",
  "https://api.example/v1/erc4337/bundler",
  "https://api.example/v1/12345678",
];

const plain = (marked: string): string => marked.replace(/[‹›]/g, "");
const secretsOf = (marked: string): readonly string[] => [...marked.matchAll(/‹([^›]*)›/g)].map(([, key = ""]) => key);
const pairs = (values: object): readonly object[] => Object.entries(values).map(([key, value]) => ({ key, value }));

const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Everything of an import that people can see or commit. */
function shown({ notebook, cells, endpoints, notes }: ImportedNotebook): string {
  return [notebook, JSON.stringify(cells), JSON.stringify(endpoints), JSON.stringify(notes)].join("\n");
}

/** Returns the secrets that `check` reports in a notebook and the endpoint file next to it. */
function problemsOf(notebook: string, endpoints: JsonObject = {}): readonly string[] {
  const { header, cells } = readFile(notebook);
  const all = [...(header ? [header.cell] : []), ...cells];
  const bytes = new TextEncoder().encode(JSON.stringify(endpoints));
  return [
    ...all.flatMap((cell) => check(cell, scopeOf(cell)).map(({ code }) => code)),
    ...readEndpointsFile(bytes, "file:///w/rpc-endpoints.json", "f", () => "x").problems.map(({ code }) => code),
  ].filter((code) => code.startsWith("secret-in-"));
}

const insomnia = (url: string): object => ({
  _id: 1,
  _type: "request",
  name: "a",
  method: "POST",
  url,
  body: { text: body },
});

/** An address in the forms of all tools. */
function importsOf(url: string): readonly (readonly [ImportForm, string])[] {
  const postman = {
    info: { name: "n" },
    item: [{ name: "one", request: { method: "POST", url: { raw: url }, body: { mode: "raw", raw: body } } }],
  };
  const variables = { ...postman, variable: [{ key: "base", value: url }] };
  return [
    ["curl", `curl ${quoted(url)} -d '${body}'`],
    ["curl", `# before: ${url}\ncurl --url ${quoted(url)} -d '${body}'`],
    ["curl", `NODE=${quoted(url)}\ncurl "$NODE" -d '${body}'`],
    ["cast", `cast chain-id --rpc-url ${quoted(url)}`],
    ["postman", JSON.stringify(postman)],
    ["postman", JSON.stringify(variables).replace(`"raw":${JSON.stringify(url)}`, '"raw":"{{base}}"')],
    ["http", `### ${url}\n# see ${url}\nPOST ${url}\n\n${body}\n`],
    ["http", `@base = ${url}\n###\nPOST {{base}}\n\n${body}\n`],
    ["fetch", `const u = "${url}"; // ${url}\naxios.post(u, ${body})`],
    ["python", `u = "${url}"\nrequests.post(u, json={"method": "a", "params": []})`],
    ["har", JSON.stringify({ log: { entries: [{ request: { method: "POST", url, postData: { text: body } } }] } })],
    [
      "insomnia",
      JSON.stringify({
        _type: "export",
        resources: [
          insomnia(url),
          { ...insomnia("{{ _.base }}"), _id: 2 },
          { _type: "environment", parentId: 1, data: { base: url } },
        ],
      }),
    ],
    ["json", `{"method":"eth_chainId","params":[],"endpoint":${JSON.stringify(url)}}`],
    ["json", `{"method":"acme_forward","params":[${JSON.stringify(url)},{"url":${JSON.stringify(url)}}]}`],
  ];
}

describe("secrets in an imported file", () => {
  for (const marked of withKeys) {
    it(`are found, and left out for every tool: ${marked}`, () => {
      const [url, keys] = [plain(marked), secretsOf(marked)];
      assert.deepEqual(
        secretParts(url).map((at) => slice(url, at)),
        keys,
      );
      for (const [form, text] of importsOf(url)) {
        const made = importText(text, form);
        for (const key of keys) assert.ok(!shown(made).includes(key), `${key} of ${form}: ${shown(made)}`);
        assert.deepEqual(problemsOf(made.notebook, made.endpoints), [], form);
        assert.match(shown(made), /\{\{\$secret\.[A-Z]/);
      }
      const written = JSON.stringify({ endpoint: url, cells: [{ method: "eth_chainId", endpoint: url }] });
      const inFiles = ["secret-in-file", "secret-in-file", "secret-in-endpoint-file", "secret-in-endpoint-file"];
      assert.deepEqual(problemsOf(written, { a: url, b: { url: "https://h", ws: url } }), inFiles);
    });
  }

  it("are not reported if there are none", () => {
    for (const url of withoutKeys) {
      assert.deepEqual(secretParts(url), [], url);
      assert.deepEqual(problemsOf(JSON.stringify({ endpoint: url, cells: [] }), { a: url }), [], url);
      if (/\{\{|YOUR/.test(url)) continue;
      for (const [form, text] of importsOf(url))
        assert.doesNotMatch(shown(importText(text, form)), /\$secret/, `${form} ${url}`);
    }
  });

  const token = "Zk3x9QpLr7TnW2vYb8Md4HcJ1sGf6Ua0";
  const words = "abandon ability able about above absent absorb abstract absurd abuse access zoo";
  const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  /** Texts in which the part between ‹ and › is a secret, by the tool that wrote them. */
  const texts: Readonly<Partial<Record<ImportForm, readonly string[]>>> = {
    curl: [
      ...[
        "-u me:‹hunter2›",
        "--user=me:‹hunter2›",
        "--oauth2-bearer ‹tops3cret›",
        "-b 'session=‹hunter2›; a=b'",
        "-H 'Authorization: Bearer ‹tops3cret›'",
        "-HX-Api-Key:‹tops3cret›",
        "--header='x-access-token:‹tops3cret›'",
        `-H 'X-Team: ‹${token}›'`,
        `-H 'X-Team: id=7; v=‹${token}›'`,
        "-H 'X-Node: https://h/v2/‹abc123›'",
        "-x http://me:‹hunter2›@proxy",
        "-G --data-urlencode 'apikey=‹hunter2›'",
        "-H $'X-Team: a\\nX-Api-Key: ‹hunter2xyz9›'",
      ].map((options) => `curl ${options} https://h -d '${body}'`),
      ...[
        "export API_KEY=‹hunter2xyz›",
        "curl -u me:‹hunter2› https://h",
        "see (https://h/v2/‹abc123›).",
        "see [it](https://h/v2/‹abc123›)",
      ].map((comment) => `# ${comment}\ncurl https://h -d '${body}'`),
      `KEY=‹${token}›\ncurl https://h -d '{"method":"a_b","params":["'$KEY'"]}'`,
      `curl https://h -d '{"method":"a","apiKey":"‹hunter2xyz›",}'`,
    ],
    cast: [
      "chain-id --jwt-secret ‹tops3cret›",
      "chain-id --rpc-headers 'X-Api-Key: ‹tops3cret›'",
      `call ${alice} --private-key 0x‹${"ab".repeat(32)}›`,
    ].map((command) => `cast ${command} --rpc-url http://h`),
    postman: [
      postman({ type: "bearer", bearer: [{ key: "token", value: "‹tops3cret›" }] }),
      postman({ type: "bearer", bearer: { token: "‹tops3cret›" } }),
      postman({ type: "apikey", apikey: pairs({ key: "X-K", value: "‹tops3cret›" }) }),
      postman({ type: "apikey", apikey: pairs({ value: "‹tops3cret›", in: "query" }) }),
      postman({ type: "basic", basic: pairs({ username: "me", password: "‹hunter2›" }) }),
      postman({ type: "oauth2", oauth2: pairs({ accessToken: "‹tops3cret›" }) }),
      postman(undefined, pairs({ apiKey: "‹hunter2xyz›" }), `{"method":"a_b","params":["{{apiKey}}"]}`),
      postman(undefined, pairs({ password: "‹abcd›" }), `{"method":"a_b","params":["{{password}}"]}`),
    ],
    http: [
      `@token = ‹hunter2xyz›\n###\nPOST http://h\n\n{"method":"a_b","params":["{{token}}"]}\n`,
      `POST http://h\nX-Api-Key: ‹tops3cret›\n\n${body}\n`,
      `### https://h/v2/‹abc123›\nPOST http://h\n\n${body}\n`,
    ],
    json: [
      JSON.stringify({ name: "e", values: pairs({ apiKey: "‹hunter2xyz›" }) }),
      `{"name":"e","values":[{"key":"x","value":"‹tops3cret›","type":"secret"}]}`,
      `{"dev":{"apiKey":"‹hunter2xyz›","host":"h"}}`,
      `{"method":"personal_unlockAccount","params":["${alice}","‹hunter2›",30]}`,
      `{"method":"a_b","params":[],"headers":{"Cookie":"sid=‹hunter2›","X-Api-Key":"‹k3y›"}}`,
      `{"headers":[{"name":"X-Api-Key","value":"‹tops3cret›"}]}`,
      `[{"method":"a_b","params":[{"password":"‹hunter2›"}]}]`,
      ...[
        `{"apiKey":"‹hunter2xyz›"}`,
        `"Bearer ‹tops3cret1›"`,
        `"‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl›"`,
        `"‹${words}›"`,
        `{"password":‹12345678›}`,
        `{"privateKey":"0x‹${"cd".repeat(32)}›"}`,
      ].map((param) => `{"method":"acme_login","params":[${param}]}`),
    ],
  };
  for (const [form, marked] of Object.entries(texts)) {
    it(`are replaced in texts of ${form}`, () => {
      for (const one of marked) {
        const made = importText(plain(one), form as ImportForm); // a key of the table
        for (const secret of secretsOf(one)) assert.ok(!shown(made).includes(secret), `${one}: ${shown(made)}`);
        assert.deepEqual(problemsOf(made.notebook, made.endpoints), [], one);
      }
    });
  }

  it("are not what stands for one in prose", () => {
    for (const [text, found] of [
      ["password: hunter2", ["hunter2"]],
      ["password: YOUR_PASSWORD_2", []],
      ["api_key={{key1}}", []],
    ] as const)
      assert.deepEqual(
        secretsInText(text).map((one) => slice(text, one)),
        found,
        text,
      );
  });

  it("are searched for in limited time in any text", async () => {
    const shapes =
      `a|a.|bearer |{{|{{a}}|:/|a://|-u |x=|key=|x|$|$a|***|...|%a%|<|/|@|?|;|#|\`|"'|0f|&a=b|A|Aa|eyJ`.split("|");
    shapes.push("eyJaaaaaaaa.", "%25", '{"a":"b",');
    for (const shape of some(shapes, 4))
      await expectLinear(
        times(100_000, 40_000) / shape.length,
        (size) => {
          const many = shape.repeat(size);
          for (const text of [many, `${many}!`, `https://h/${many}`, `https://h/?a=${many}`]) {
            secretParts(text);
            secretsInText(text);
            secretInHeader("X-Team", text);
          }
        },
        shape,
      );
  });

  it("do not change a request without secrets", () => {
    const log = `{"method":"eth_getLogs","params":[{"topics":["0x${"ab".repeat(32)}"],"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}]}`;
    const raw = `{"method":"eth_sendRawTransaction","params":["0x02f8${"7c".repeat(100)}"]}`;
    for (const text of [log, raw, body]) {
      const made = importText(text);
      assert.ok(made.notebook.includes(text));
      assert.deepEqual(made.notes, []);
    }
  });

  it("are one secret each, in any place, and the notebook runs with them", () => {
    const url = `https://mainnet.infura.io/v3/${token}`;
    const made = importText(
      `# ${token}\ncurl ${url} -H 'X-Api-Key: ${token}' -d '{"method":"a_b","params":["${token}"]}'`,
    );
    assert.deepEqual(made.endpoints, {
      "mainnet.infura.io": {
        url: "https://mainnet.infura.io/v3/{{$secret.INFURA_KEY}}",
        headers: { "X-Api-Key": "{{$secret.INFURA_KEY}}" },
      },
    });
    assert.deepEqual(JSON.parse(made.notebook).cells, [
      { markdown: ["{{$secret.INFURA_KEY}}"] },
      { method: "a_b", params: ["{{$secret.INFURA_KEY}}"] },
    ]);
    const read = readEndpointsFile(
      new TextEncoder().encode(JSON.stringify(made.endpoints)),
      "file:///f",
      "f",
      () => token,
    );
    const [endpoint] = read.endpoints.flatMap((one) => ("url" in one.endpoint ? one.endpoint : []));
    assert.equal(endpoint?.url, url);
  });
});

function postman(auth: unknown, variable: unknown = [], raw = body): string {
  const request = { method: "POST", url: "http://h/rpc", auth, body: { mode: "raw", raw } };
  return JSON.stringify({ info: { name: "n" }, auth, variable, item: [{ name: "one", request }] });
}
