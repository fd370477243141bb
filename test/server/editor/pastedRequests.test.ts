import assert from "node:assert/strict";
import { pasted } from "../../../server/src/editor/pastedRequests.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { preconfirmed, scopeOf } from "../../support/cell.ts";

const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`;
const key = "Zk3x9QpLr7TnW2vYb8Md4HcJ1sGf6Ua0";
const scope = scopeOf(readCell(""), {
  endpoint: { cadence: preconfirmed },
  endpoints: [
    { name: "local", host: "127.0.0.1:8545", origin: "built in" },
    { name: "main", host: "eth-mainnet.g.alchemy.com", origin: "rpc-endpoints.json" },
  ],
});

async function one(text: string) {
  const { cells, notes, summary } = await pasted(text, scope);
  assert.equal(cells.length, 1);
  return { ...JSON.parse(cells[0]?.text ?? ""), notes, summary };
}

const leftOut = "rpc.example.org needs a key, so its address was left out. Choose an endpoint for it.";
const chainId = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };

describe("what is pasted into a cell", () => {
  for (const [what, text, added, where] of [
    ["the endpoint of the notebook", "http://127.0.0.1:8545", {}, " Endpoint: local."],
    [
      "another endpoint that the notebook knows",
      `https://eth-mainnet.g.alchemy.com/v2/${key}`,
      { endpoint: "main" },
      " Endpoint: main.",
    ],
    [
      "an address without a key",
      "https://rpc.example.org/eth",
      { endpoint: "https://rpc.example.org/eth" },
      " Endpoint: rpc.example.org.",
    ],
    ["an address with a key that no endpoint has", `https://rpc.example.org/v2/${key}`, {}, ""],
  ] as const)
    it(`keeps ${what}`, async () =>
      assert.deepEqual(await one(`curl ${text} -d '${body}'`), {
        ...added,
        ...chainId,
        notes: where === "" ? [leftOut] : [],
        summary: `Converted a curl command.${where}`,
      }));

  for (const [command, text] of [
    ["a cast", "cast chain-id --rpc-url https://rpc.example.org"],
    ["a curl", `curl.exe https://rpc.example.org -d '${body}'`],
    ["a curl", `PS C:\\> curl.exe https://rpc.example.org -d '${body}'`],
    ["an Invoke-RestMethod", `Invoke-RestMethod -Uri https://rpc.example.org -Method Post -Body '${body}'`],
  ] as const)
    it(`says that ${command} command was converted`, async () => {
      const { summary } = await one(text);
      assert.equal(summary, `Converted ${command} command. Endpoint: rpc.example.org.`);
    });

  it("names the programs of several commands", async () => {
    const { summary } = await pasted(`cast chain-id\ncurl http://localhost:8545 -d '${body}'`, scope);
    assert.equal(summary, "Converted a cast and curl command into 2 requests. Endpoint: localhost:8545.");
  });

  it("does not name another endpoint than the one that its text has", async () => {
    const text = body.replace("{", `{"endpoint":"https://other.example",`);
    const { endpoint, summary } = await one(`curl https://rpc.example.org -d '${text}'`);
    assert.deepEqual([endpoint, summary], ["https://other.example", "Converted a curl command."]);
  });

  it("never gets a key into a cell", async () => {
    for (const text of [
      `curl https://rpc.example.org -H "Authorization: Bearer ${key}" -d '${body}'`,
      `fetch("https://rpc.example.org/?apikey=${key}", { method: "POST", body: JSON.stringify(${body}) })`,
    ]) {
      const result = await pasted(text, scope);
      assert.equal(JSON.stringify(result).includes(key), false);
      assert.deepEqual(result.notes, [leftOut]);
    }
  });

  it("keeps the endpoint of a batch", async () =>
    assert.deepEqual(
      JSON.parse((await pasted(`curl https://a.example.org -d '[${body}]'`, scope)).cells[0]?.text ?? ""),
      { endpoint: "https://a.example.org/".slice(0, -1), batch: [chainId] },
    ));

  it("may be a body, a hash or an address", async () => {
    assert.deepEqual(await one(body), { ...chainId, notes: [], summary: "Converted a JSON-RPC body." });
    const hash = `0x${"ab".repeat(32)}`;
    const { summary, ...asked } = await one(` ${hash}\n`);
    assert.deepEqual(asked, { method: "eth_getTransactionByHash", params: [hash], explain: true, notes: [] });
    assert.match(summary ?? "", /^Transaction hash\. /);
    const { batch } = await one("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    assert.deepEqual(batch[1], {
      method: "eth_getTransactionCount",
      params: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "pending"],
    });
  });

  it("may be an error message", async () => {
    const { method, params } = await one(
      `Error: execution reverted (action="call", transaction={ "data": "0x70a08231", "to": "0x5FbDB2315678afecb367f032d93F642f64180aa3" })`,
    );
    assert.deepEqual([method, params[0].data, params[1]], ["eth_call", "0x70a08231", "pending"]);
  });

  it("stays as it is if it is no request", async () => {
    for (const text of [
      "hello",
      "{",
      "0xab",
      "21000000",
      "latest",
      `curl https://a.example.org -d '{"x":1}'`,
      `curl https://a.example.org`,
    ])
      assert.equal((await pasted(text, scope)).summary, undefined, text);
  });
});
