import assert from "node:assert/strict";
import { Wallet } from "ethers";
import type { JsonValue } from "../../server/src/base/json.ts";
import { isObject } from "../../server/src/base/json.ts";
import { person, type Run, runText } from "../support/host.ts";
import {
  answering,
  closedPort,
  type HostileServer,
  hostileServer,
  type Misbehaviour,
} from "../support/hostileServer.ts";

const wallet = new Wallet(`0x${"11".repeat(32)}`);
const consent = person({ allowWrites: async () => true, allowMethods: async () => "once" });

/** Returns the JSON report of the one request of a run. */
function told({ cells }: Run): Readonly<Record<string, JsonValue | undefined>> {
  const [answer] = cells[0]?.answers() ?? [];
  return isObject(answer) && isObject(answer.error) ? answer.error : {};
}

describe("a request that may change something", () => {
  let server: HostileServer;
  let raw: string;
  let hash: string;
  before(async () => {
    raw = await wallet.signTransaction({
      to: wallet.address,
      value: 1n,
      nonce: 0,
      gasLimit: 21000n,
      gasPrice: 1n,
      chainId: 1n,
    });
    const { keccak256 } = await import("ethers");
    hash = keccak256(raw);
  });

  const run = async (misbehave: Misbehaviour, cell: object = {}, signal?: AbortSignal, timeout = 60): Promise<Run> => {
    server = await hostileServer(misbehave);
    const settings = { rpcNotebook: { timeout, endpoints: { node: server.url } } };
    const text = JSON.stringify({ cells: [{ method: "eth_sendRawTransaction", params: [raw], ...cell }] });
    return runText(text, { endpoint: "node", host: { consent, settings }, ...(signal && { signal }) });
  };

  const losses: Readonly<Record<string, Misbehaviour>> = {
    "a connection that is reset": (_, __, socket) => socket.resetAndDestroy(),
    "a connection that ends": (_, __, socket) => socket.end(),
    "no answer in time": () => {},
    "an answer that breaks off": (_, response) =>
      response.writeHead(200, { "content-length": 100 }).write("{") && response.destroy(),
    "a gateway without an upstream": (_, response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"),
    "a gateway that gave up": (_, response) => response.writeHead(504).end(),
    "a service that is not available": (_, response) => response.writeHead(503, { "retry-after": "0" }).end(),
    "an answer under another id": (_, response) => response.end(`{"jsonrpc":"2.0","id":77,"result":"0x1"}`),
    "a page": (_, response) => response.end("<html>"),
    "a redirect that repeats it": (_, response) => response.writeHead(307, { location: "/again" }).end(),
    "a permanent redirect": (_, response) => response.writeHead(308, { location: "/again" }).end(),
  };
  for (const [what, misbehave] of Object.entries(losses)) {
    it(`is sent once, and may have been executed: ${what}`, async () => {
      const ran = await run(misbehave, {}, undefined, what === "no answer in time" ? 0.5 : 60);
      const [cell] = ran.cells;
      assert.equal(server.seen.length, 1);
      assert.deepEqual([told(ran).mayHaveBeenExecuted, told(ran).transactionHash], [true, hash]);
      assert.deepEqual([cell?.ok, cell?.uncertain, cell?.cancelled], [false, true, false]);
      assert.match(cell?.output.text ?? "", /may have been executed/);
      const advice = cell?.output.text.match(/→ .*/g);
      assert.deepEqual(
        advice,
        ["→ Look it up with the cell below before you send it again."],
        "and nothing against it",
      );
      assert.match(cell?.output.text ?? "", new RegExp(`"method":"eth_getTransactionByHash","params":\\["${hash}"\\]`));
    });
  }

  it("is sent once if the node received too many requests", async () => {
    const ran = await run((_, response) => response.writeHead(429, { "retry-after": "0" }).end());
    assert.equal(server.seen.length, 1);
    assert.equal(told(ran).mayHaveBeenExecuted, undefined);
  });

  it("is in the pool after the wait for its receipt (EIP-7966)", async () => {
    const error = {
      code: 4,
      message: "The transaction was added to the mempool but wasn't processed in 2s",
      data: hash,
    };
    const ran = await run(
      ({ body }, response) => response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, error })),
      { method: "eth_sendRawTransactionSync", params: [raw, "0x7d0"] },
    );
    assert.equal(server.seen.length, 1);
    assert.deepEqual([told(ran).mayHaveBeenExecuted, told(ran).transactionHash], [true, hash]);
    assert.match(ran.cells[0]?.output.text ?? "", /may have been executed.*\n/);
  });

  it("may have been executed when a person cancels", async () => {
    const stop = new AbortController();
    const ran = await run(() => stop.abort(), {}, stop.signal);
    assert.deepEqual([told(ran).mayHaveBeenExecuted, told(ran).transactionHash], [true, hash]);
    assert.equal(ran.cells[0]?.cancelled, false);
    assert.doesNotMatch(ran.cells[0]?.output.text ?? "", /Run it again/);
  });

  it("was not executed if nothing was sent", async () => {
    const settings = { rpcNotebook: { endpoints: { node: `http://127.0.0.1:${await closedPort()}` } } };
    const text = JSON.stringify({ cells: [{ method: "eth_sendRawTransaction", params: [raw] }] });
    const ran = await runText(text, { endpoint: "node", host: { consent, settings } });
    assert.equal(told(ran).reason, "refused");
    assert.equal(told(ran).mayHaveBeenExecuted, undefined);
  });

  it("was not executed if the node says so", async () => {
    const ran = await run(({ body }, response) =>
      response.end(
        JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, error: { code: -32000, message: "nonce too low" } }),
      ),
    );
    assert.equal(told(ran).mayHaveBeenExecuted, undefined);
  });

  it("is looked up by the nonce of its sender if the node signs", async () => {
    const params = [{ from: wallet.address, to: wallet.address }];
    const ran = await run((_, __, socket) => socket.resetAndDestroy(), { method: "eth_sendTransaction", params });
    assert.match(
      ran.cells[0]?.output.text ?? "",
      new RegExp(`"eth_getTransactionCount","params":\\["${wallet.address}","pending"\\]`),
    );
  });

  it("is sent once, whatever its name is", async () => {
    for (const method of ["author_submitExtrinsic", "acme_anything", "Eth_getBalance", "eth_sendRawTransaction"]) {
      await run((_, __, socket) => socket.resetAndDestroy(), { method, params: [] });
      assert.equal(server.seen.length, 1, method);
    }
  });

  it("is not repeated until the expectation holds", async () => {
    const ran = await run(
      answering(() => "0x1"),
      { method: "acme_do", params: [], expect: { result: "0x2" }, within: "1 s" },
    );
    assert.equal(server.seen.length, 1);
    assert.equal(ran.cells[0]?.ok, false);
  });

  it("does not change reads: those follow a redirect of the same origin, and are sent again", async () => {
    const ran = await run(
      (seen, response, socket) => {
        if (server.seen.length === 1) return response.writeHead(307, { location: "/again" }).end();
        if (server.seen.length === 2) return socket.resetAndDestroy();
        return answering(() => "0x1")(seen, response, socket);
      },
      { method: "eth_gasPrice", params: [] },
    );
    assert.equal(ran.cells[0]?.ok, true);
    assert.ok(server.seen.length > 2);
  });
});
