import assert from "node:assert/strict";
import { pluck } from "../support/pluck.ts";
import { sharedChain } from "../support/sharedChain.ts";
import { post } from "./client.ts";

describe("the endpoint of the embedded chain", () => {
  const chain = sharedChain();

  const check = async (body: string, status: number, answer: string, url = chain.url): Promise<void> => {
    const { status: gotStatus, text } = await post(url, body);
    assert.deepEqual([gotStatus, text], [status, answer]);
  };

  it("returns every id unchanged", async () => {
    const ids = ["1", "-0", "1.50", "1e3", "123456789012345678901234567890", '"a\\u0062\\"}"', '""', "null"];
    for (const id of ids) {
      await check(
        `{ "id" : ${id} , "method":"eth_chainId","jsonrpc":"2.0" }`,
        200,
        `{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}`,
      );
    }
    const batch = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`).join(",\n");
    await check(`[${batch}]`, 200, `[${ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":"0x7a69"}`).join()}]`);
  });

  it("answers a batch of any mix in its order", () =>
    check(
      `[1, {"jsonrpc":"2.0","id":1,"method":"eth_chainId","extra":true},
        {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x7d1"}]},
        {"jsonrpc":"2.0","method":"eth_chainId"},
        {"jsonrpc":"2.0","id":2,"method":"eth_nope"},
        {"jsonrpc":"2.0","id":[],"method":"eth_chainId"},
        {"jsonrpc":"1.0","id":3,"method":"eth_chainId"},
        {"jsonrpc":"2.0","id":4,"method":"eth_chainId","params":{}},
        {"jsonrpc":"2.0","id":5,"method":"net_version","params":[]}]`,
      200,
      `[${[
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}',
        '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}',
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32614,"message":"eth_getLogs is limited to a 2,000 range"}}',
        '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}',
        '{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"invalid request"}}',
        '{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"non-array args"}}',
        '{"jsonrpc":"2.0","id":5,"result":"31337"}',
      ].join()}]`,
    ));

  it("shows a transaction to the next requests of its batch", async () => {
    const { dave, bob } = chain.accounts;
    const send = `{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"${dave.address}","to":"${bob.address}"}]}`;
    const count = `{"jsonrpc":"2.0","id":2,"method":"eth_getTransactionCount","params":["${dave.address}","pending"]}`;
    const { text } = await post(chain.url, `[${count},${send},${count},${send},${count}]`);
    const answers = JSON.parse(text) as readonly { readonly id: number; readonly result: string }[];
    assert.deepEqual(
      pluck(
        answers.filter(({ id }) => id === 2),
        "result",
      ),
      ["0x0", "0x1", "0x2"],
    );
  });

  it("answers a large batch at once", async () => {
    const ids = Array.from({ length: 3000 }, (_, id) => id);
    const batch = ids.map((id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_getBalance",
      params: [chain.accounts.bob.address, "latest"],
    }));
    const { text } = await post(chain.url, JSON.stringify(batch));
    assert.deepEqual(pluck(JSON.parse(text) as readonly { readonly id: number }[], "id"), ids);
  });

  it("reports a body that is not a request", async () => {
    await check("{", 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}');
    await check("", 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}');
    await check("7", 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}');
    await check(
      "[]",
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"must specify at least one batch call"}}',
    );
    const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    assert.equal(
      (await post(chain.url, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${nested}}`)).status,
      200,
    );
  });

  it("says nothing to notifications", async () => {
    await check('{"jsonrpc":"2.0","method":"eth_chainId"}', 204, "");
    await check('[{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_nope"}]', 204, "");
  });

  it("refuses a body over 25 MB", () =>
    check(
      " ".repeat(25_000_001),
      413,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32021,"message":"request body too large"}}',
    ));

  it("lets pages of any origin ask", async () => {
    const preflight = await fetch(chain.publicUrl, {
      method: "OPTIONS",
      headers: {
        origin: "https://example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-api-key",
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.equal(preflight.headers.get("access-control-allow-headers"), "content-type,x-api-key");
    assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
    const { headers } = await post(chain.url, "refused");
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("content-type"), "application/json");
  });

  it("is only at its two paths, and only by POST", async () => {
    assert.equal((await post(`${chain.url}/other`, "{}")).status, 404);
    assert.equal((await fetch(chain.url)).status, 405);
  });
});
