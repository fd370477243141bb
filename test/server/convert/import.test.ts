import assert from "node:assert/strict";
import { lineColumn, replaced } from "../../../server/src/base/text.ts";
import type { ImportForm } from "../../../server/src/convert/forms.ts";
import { importText } from "../../../server/src/convert/importText.ts";
import { formatFile } from "../../../server/src/features/formatting.ts";
import { tokens } from "../../../server/src/notebook/json.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { readFile } from "../../../server/src/notebook/readFile.ts";
import { corpusLines } from "../../support/corpus.ts";
import { some, times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";
import { rows } from "../../support/rows.ts";
import { open, save } from "../notebook/bytes.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const body = `{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}`;

/** Imports a text and formats the file as the command line does. */
function imported(text: string, form?: ImportForm) {
  const made = importText(text, form);
  const file = replaced(made.notebook, formatFile(readFile(made.notebook), { indent: "  " }));
  assert.equal(save(open(file)), file, "it saves as it is");
  const notes = made.notes.map(({ at, severity, what }) => {
    const { line, column } = lineColumn(text, at);
    return `${line}:${column}: ${severity}: ${what}`;
  });
  return { ...made, notes, json: JSON.parse(file) as { endpoint?: string; variables?: object; cells: unknown[] } };
}

const chainId = { jsonrpc: "2.0", method: "eth_chainId", params: [], id: 1 };

describe("an import", () => {
  describe("of curl", () => {
    it("reads comments and names", () => {
      const { json, notes } = imported(`# What it is\nID=$(curl -s http://h -d '${body}')`);
      assert.deepEqual([json.cells, notes], [[{ markdown: ["What it is"] }, { name: "ID", ...chainId }], []]);
    });

    it("replaces keys in addresses and headers, and says so", () => {
      const key = "abcdEFGH12345678ijklmn90";
      const made = imported(
        `curl https://eth.g.alchemy.com/v2/${key} -H 'Authorization: Bearer tops3cret' -H 'X-Team: blue' -u me:pass -d '${body}'`,
      );
      assert.deepEqual(made.endpoints, {
        "eth.g.alchemy.com": {
          url: "https://eth.g.alchemy.com/v2/{{$secret.ALCHEMY_KEY}}",
          headers: { Authorization: "Basic {{$secret.ALCHEMY_TOKEN_2}}", "X-Team": "blue" },
        },
      });
      assert.equal(made.json.endpoint, "eth.g.alchemy.com");
      assert.equal(made.notes.length, 4);
      assert.doesNotMatch(JSON.stringify(made), /abcdEFGH|tops3cret|me:pass/);
    });

    for (const [what, text = "", cells = "", ...notes] of rows`
      a body that is not JSON
        curl http://h \\\n  -d '{"method":"a","params":[...]}'
        [{"text":["{\\"method\\":\\"a\\",\\"params\\":[...]}"]}]
        2:31: error: The body is not JSON: \`...\` is not a JSON value.
      a quote that is not closed
        curl http://h -d '{"method":
        [{"text":["{\\"method\\":"]}]
        1:18: error: This quote is never closed.
        1:28: error: The body is not JSON: \`}\` is missing at the end.
      a body in a file
        curl http://h -d @body.json
        []
        1:18: error: The body is in another file. Import that file instead of the command.
      no body
        curl http://h
        []
        1:1: error: The command sends no data, so it is not a JSON-RPC request.
      no request
        curl http://h -d '{"a":1}'
        [{"a":1}]
        1:19: error: The body is not a JSON-RPC request: it has no \`method\`.
      options without a counterpart
        curl -k --bogus http://h -d '${body}' | jq .
        [${body}]
        1:1: note: \`-k\` has no counterpart here and is left out.
        1:9: note: \`--bogus\` is not known here, so it is left out.
        1:91: note: What the shell does with the response is left out.
      other lines
        echo hi\ncurl http://h -d '${body}'
        [${body}]
        1:1: note: This is not a \`curl\` or \`cast\` command, so it is left out.
      several commands on one line
        time curl http://h -d '${body}' > a 2>&1 && curl http://h -d '{"method":"b; curl"}' & curl http://h -d '{"method":"c"}'; X="$(curl http://h -d '{"method":"d"}')"; Y="$(cast rpc e)" || cast rpc f
        [${body},{"method":"b; curl"},{"method":"c"},{"name":"X","method":"d"},{"name":"Y","method":"e"},{"method":"f"}]
        1:85: note: What the shell does with the response is left out.
      text that only looks like another command
        curl http://h -d '${body}' | jq '.a; curl b' && echo "; cast c"
        [${body}]
        1:80: note: What the shell does with the response is left out.
    `)
      it(`notes ${what}`, () => {
        const made = imported(text);
        assert.deepEqual([made.json.cells, made.notes], [JSON.parse(cells), notes]);
      });
  });

  describe("of cast", () => {
    for (const [command, request = ""] of rows`
      chain-id
        {"method":"eth_chainId"}
      block-number
        {"method":"eth_blockNumber"}
      gas-price
        {"method":"eth_gasPrice"}
      balance ${alice}
        {"method":"eth_getBalance","params":["${alice}","latest"]}
      balance -B 12 ${alice} --ether
        {"method":"eth_getBalance","params":["${alice}","0xc"]}
      nonce ${alice} --block pending
        {"method":"eth_getTransactionCount","params":["${alice}","pending"]}
      code ${alice}
        {"method":"eth_getCode","params":["${alice}","latest"]}
      storage ${alice} 3
        {"method":"eth_getStorageAt","params":["${alice}","0x3","latest"]}
      block 16 --full
        {"method":"eth_getBlockByNumber","params":["0x10",true]}
      tx 0x12
        {"method":"eth_getTransactionByHash","params":["0x12"]}
      receipt 0x12
        {"method":"eth_getTransactionReceipt","params":["0x12"]}
      call ${alice} "balanceOf(address)(uint256)" ${alice} --from ${alice}
        {"method":"eth_call","params":[{"to":"${alice}","from":"${alice}","data":{"function":"balanceOf(address) returns (uint256)","args":["${alice}"]}},"latest"]}
      estimate ${alice} "f(uint256[],(bool,string))" "[1,2]" "(true,a)" --value 1ether
        {"method":"eth_estimateGas","params":[{"to":"${alice}","value":"1 ether","data":{"function":"f(uint256[],(bool,string))","args":[["1","2"],[true,"a"]]}},"latest"]}
      logs --from-block 1 --to-block latest --address ${alice} "Transfer(address indexed from, address indexed to, uint256)" ${alice}
        {"method":"eth_getLogs","params":[{"address":"${alice}","fromBlock":"0x1","toBlock":"latest","event":"event Transfer(address indexed from, address indexed to, uint256)","args":["${alice}"]}]}
      rpc eth_getBlockByNumber latest false
        {"method":"eth_getBlockByNumber","params":["latest",false]}
      rpc a --raw '[1,{"b":2}]'
        {"method":"a","params":[1,{"b":2}]}
    `)
      it(`reads cast ${command}`, () => {
        const { json, notes } = imported(`cast ${command}`);
        assert.deepEqual([json.cells, notes], [[JSON.parse(request)], []]);
      });

    it("keeps the name of an endpoint", () => {
      const { json, notes, endpoints } = imported(
        `cast chain-id -r mainnet\ncast rpc a --rpc-url mainnet --rpc-headers "X-A: b"\ncast gas-price -r localhost`,
      );
      assert.deepEqual(
        [json.endpoint, json.cells],
        [
          "mainnet",
          [{ method: "eth_chainId" }, { method: "a" }, { endpoint: "http://localhost", method: "eth_gasPrice" }],
        ],
      );
      assert.deepEqual(endpoints, {});
      assert.deepEqual(notes, ["2:22: note: The endpoint of this name has its own headers, so these are left out."]);
    });

    it("overrides the state of a call, and proves slots by their number", () => {
      const { json, notes } = imported(
        `cast proof ${alice} 0 17 0x2\ncast call ${alice} 0x12 --override-balance ${alice}:1000 --override-state-diff ${alice}:1:2 --override-nonce ${alice}:0x5`,
      );
      const word = (digit: number): string => `0x${"0".repeat(63)}${digit}`;
      const account = { balance: "0x3e8", nonce: "0x5", stateDiff: { [word(1)]: word(2) } };
      assert.deepEqual(json.cells, [
        { method: "eth_getProof", params: [alice, ["0x0", "0x11", "0x2"], "latest"] },
        { method: "eth_call", params: [{ to: alice, data: "0x12" }, "latest", { [alice]: account }] },
      ]);
      assert.deepEqual(notes, []);
      assert.match(imported(`cast call ${alice} 0x12 --override-balance 5`).notes[0] ?? "", /error: /);
    });

    it("leaves out calls that create a contract, and names in place of addresses", () => {
      const names = "cast balance a.b.eth\ncast call --from a.eth 0x12 0x\ncast call --create 0x6000\ncast rpc a b.eth";
      const { json, notes } = imported(names);
      assert.deepEqual(json.cells, [{ method: "a", params: ["b.eth"] }]);
      assert.equal(notes.filter((note) => note.includes("error: ")).length, 3);
    });

    it("does not sign, and keeps no keys", () => {
      const { json, notes } = imported(
        `cast send ${alice} --private-key 0x12 --rpc-url http://h\ncast frob\ncast call ${alice} "f(uint256,bool)" 1`,
      );
      assert.deepEqual(json.cells, []);
      assert.match(notes[0] ?? "", /^1:6: error: `cast send` signs with a key/);
      assert.match(notes[1] ?? "", /^2:6: error: `cast frob` does not send one request/);
      assert.match(notes[2] ?? "", /^3:6: error: The function takes 2 arguments, not 1/);
    });
  });

  it("reads .http files", () => {
    const { json, endpoints, notes, form } = imported(
      `@host = http://127.0.0.1:8545\n@alice = ${alice}\n### first\n# Explained\nPOST {{host}} HTTP/1.1\nContent-Type: application/json\nX-Api-Key: {{$dotenv KEY}}\n\n${body}\n\n###\n# @name second\nPOST {{host}}\nX-Api-Key: {{$dotenv KEY}}\n\n{"method":"eth_getBalance","params":["{{alice}}","{{first.response.body.$.result}}"]}\n\n### third\nGET {{host}}\n`,
    );
    assert.equal(form, "http");
    assert.deepEqual(json.cells, [
      { markdown: ["Explained"] },
      { name: "first", ...chainId },
      { name: "second", method: "eth_getBalance", params: ["{{alice}}", "{{first.result}}"] },
    ]);
    assert.deepEqual(json.variables, { alice }, "`host` is in the address");
    assert.deepEqual(endpoints, {
      "127.0.0.1:8545": { url: "http://127.0.0.1:8545", headers: { "X-Api-Key": "{{$dotenv.KEY}}" } },
    });
    assert.deepEqual(notes, ["19:1: error: A JSON-RPC request is a POST, and this is a GET, so it is left out."]);
  });

  it("reads Postman collections", () => {
    const url = { raw: "{{node}}", host: ["{{node}}"] };
    const request = (raw: string) => ({ method: "POST", header: [], url, body: { mode: "raw", raw } });
    const collection = {
      info: { name: "Node", description: "All of it" },
      auth: { type: "bearer", bearer: [{ key: "token", value: "tops3cret" }] },
      variable: [
        { key: "node", value: "http://h" },
        { key: "my block", value: "16" },
      ],
      item: [
        { name: "Folder", item: [{ name: "one", request: request(body) }] },
        { name: "two", request: request(`{"method":"a","params":["{{my block}}",{{my block}}]}`) },
        { name: "bad", request: request(`{\n "method": nope }`) },
        { name: "get", request: { method: "GET", url } },
      ],
    };
    const { json, endpoints, notes, form } = imported(JSON.stringify(collection, undefined, 1));
    assert.equal(form, "postman");
    assert.deepEqual(json.cells, [
      { markdown: ["# Node", "", "All of it"] },
      { markdown: ["## Folder"] },
      { name: "one", ...chainId },
      { name: "two", method: "a", params: ["{{my_block}}", "{{my_block}}"] },
      { text: ["{", ' "method": nope }'] },
    ]);
    assert.deepEqual(json.variables, { my_block: 16 });
    const headers = { Authorization: "Bearer {{$secret.RPC_TOKEN}}" };
    assert.deepEqual(endpoints, { h: { url: "http://h", headers } });
    assert.deepEqual(
      notes.map((note) => note.split(": ", 2).join(" ")),
      ["34:14 note", "78:30 error", "84:15 error"],
    );
  });

  it("leaves keys out of the variables too", () => {
    const http = imported(
      `@base = http://h\n@url = {{base}}/rpc\n@token = tops3cret\n@block = latest\n@tag = {{block}}\n@apiKey = other\n@note = kept\n###\nPOST {{url}}\nAuthorization: Bearer {{token}}\n\n{"method":"a","params":["{{tag}}"]}\n`,
    );
    assert.deepEqual(http.json.variables, { block: "latest", tag: "{{block}}", note: "kept" });
    assert.deepEqual(http.endpoints, {
      h: { url: "http://h/rpc", headers: { Authorization: "Bearer {{$secret.RPC_TOKEN}}" } },
    });
    assert.match(http.notes.join("\n"), /The variable `apiKey` may be a secret and no request uses it/);
    assert.doesNotMatch(http.notebook + http.notes.join(), /tops3cret|other/);
  });

  it("does not give a name of an earlier import a second meaning", () => {
    const curl = (key: string): string => `curl http://h -H 'X-Api-Key: ${key}' -d '${body}'`;
    const secrets = new Map<string, string>();
    const endpoints = { h: { url: "http://h", headers: { "X-Api-Key": "{{$secret.X_API_KEY}}" } } };
    const first = importText(curl("tops3cret"), undefined, { endpoints: {}, secrets });
    assert.deepEqual(first.endpoints, endpoints);
    const same = importText(curl("tops3cret"), undefined, { endpoints, secrets });
    assert.deepEqual([same.endpoints, /"endpoint": "h"/.test(same.notebook)], [{}, true]);
    const other = importText(curl("0ther"), undefined, { endpoints, secrets });
    assert.deepEqual(other.endpoints, {
      "h-2": { url: "http://h", headers: { "X-Api-Key": "{{$secret.X_API_KEY_2}}" } },
    });
    assert.match(other.notebook, /"endpoint": "h-2"/);
  });

  it("reads requests as JSON: one, several, one a line", () => {
    assert.deepEqual(imported(body).json.cells, [chainId]);
    assert.deepEqual(imported(`[${body}, ${body}]`).json.cells, [chainId, chainId]);
    assert.deepEqual(imported(`${body}\n\n${body}\n`).json.cells, [chainId, chainId]);
    assert.deepEqual(imported(`// the chain\n${body}`).json.cells, [chainId]);
    assert.deepEqual(imported(`[${body},\r\n// again\r\n${body}]`).json.cells, [[chainId, chainId]]);
    assert.deepEqual(
      imported(`{"method":"a","params":[9007199254740993,1.50]}`).notebook.includes("[9007199254740993,1.50]"),
      true,
    );
  });

  it("names placeholders that have no value in the notebook", () => {
    const text = `@a = 0x1\n### b\nPOST http://h\n\n{"method":"a","params":["{{a}}","{{c}}","{{d.result}}","{{b.result}}"]}`;
    const named = importText(text).notes.filter(({ what }) => what.includes("has no value here"));
    assert.equal(named.length, 2);
  });

  it("never throws, and reads nonsense quickly", async () => {
    const parts =
      "|curl|curl -d|curl '|curl \"|curl $'\\|cast|cast call|cast rpc|###|POST|@a=|{|[|curl <<X|%|^\n|curl ^\"|irm";
    const hostile = [
      ...parts.split("|"),
      ...["irm -Body @{", "$a = @{ b = (", "@'\nirm", "$(curl.exe -d", '{"item":[],"info":{}}'],
      ...["[", "$a=@{b=", "irm ("].map((text) => text.repeat(2000)),
      `curl h -d '${"[".repeat(2000)}'`,
      `${"sudo ".repeat(2000)}curl`,
      `{"info":{},"item":[{"item":[{"request":{"body":{"raw":"\\u12"}}}]}]}`,
    ];
    for (const text of hostile)
      for (const form of [undefined, "curl", "postman", "http", "json"] as const) {
        const { notebook } = importText(text, form);
        assert.doesNotThrow(() => JSON.parse(notebook), text);
      }
    await expectLinear(times(100_000, 20_000), (size) => importText(`curl h -d '${"[1,".repeat(size)}'`));
    for (const [piece, size] of [
      ["curl \\\n", times(20_000, 5_000)],
      ["A=", times(50_000, 10_000)],
      ["curl $(", times(5_000, 2_000)],
      ["curl <<A\n", 1_000],
      ['X="$X$X"\n', 60],
      ['$x = "a$x$x"\n', 60],
    ] as const)
      await expectLinear(size, (count) => importText(piece.repeat(count)), piece);
  });

  const published = corpusLines("requests");
  it(`reads ${published.length} published requests without loss, or says where they are wrong`, () => {
    assert.ok(published.length > 0);
    for (const row of some(published, 80)) {
      const { id, raw, body: parsed } = JSON.parse(row) as { id: string; raw?: string; body?: unknown }; // rows of a known shape
      const text = raw ?? JSON.stringify(parsed);
      for (const written of [text, `curl http://h -d '${text.replaceAll("'", "'\\''")}'`]) {
        const { notebook, notes, json, cells } = imported(written);
        const { root, faults } = readCell(text);
        const [cell] = cells;
        assert.equal(cell?.text, text, id);
        if (faults.length > 0 || !root) {
          assert.ok(
            notes.some((note) => /^\d+:\d+: error: The body is not JSON/.test(note)),
            id,
          );
          assert.deepEqual(json.cells, [{ text: text.split("\n") }], id);
        } else {
          assert.deepEqual(notes, [], id);
          const [kept] = readFile(notebook).cells;
          assert.ok(kept?.root, id);
          assert.equal(tokens(kept.text, kept.root), tokens(text, root), id);
        }
      }
    }
  });
});
