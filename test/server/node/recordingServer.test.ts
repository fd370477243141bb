import assert from "node:assert/strict";
import { connect } from "node:net";
import { createPublicClient, http } from "viem";
import { WebSocket } from "ws";
import type { Devchain } from "../../../devchain/devchain.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { type RecordingServer, serveReplay } from "../../../server/src/node/recordingServer.ts";
import { createSockets } from "../../../server/src/node/socket.ts";
import { createTransport } from "../../../server/src/node/transport.ts";
import { openRecorder } from "../../../server/src/recording/recorder.ts";
import type { Recording } from "../../../server/src/recording/recording.ts";
import { Replay } from "../../../server/src/recording/replay.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const never = new AbortController().signal;

describe("a served recording", () => {
  const chain = sharedChain({ sealEveryMs: 100 });
  let recording: Recording;
  let server: RecordingServer;
  const missing: string[] = [];

  before(async () => {
    recording = await recorded(chain);
    const replay = new Replay(recording, { notRecorded: (method) => void missing.push(method) });
    server = await serveReplay(replay, 0);
  });
  after(() => server.close());

  it("answers batches", async () => {
    const client = createPublicClient({ transport: http(server.url, { retryCount: 0, batch: true }) });
    const [chainId, balance] = await Promise.all([
      client.getChainId(),
      client.getBalance({ address: alice, blockTag: "latest" }), // recorded at pending: matched leniently
    ]);
    assert.equal(chainId, 31_337);
    assert.ok(balance > 0n, "a balance");
  });

  it("names what was not recorded", async () => {
    const client = createPublicClient({ transport: http(server.url, { retryCount: 0 }) });
    await assert.rejects(client.getGasPrice(), /it has no `eth_gasPrice`, only eth_chainId/);
    assert.ok(missing.includes("eth_gasPrice"), "it is in the log");
  });

  for (const [what, body, status, answer] of [
    ["text that is not JSON", "nonsense", 200, /-32700.*Not JSON/],
    ["an empty batch", "[]", 200, /Not a request/],
    ["a batch of 10,000", `[${Array(10_000).fill(`{"id":1,"method":"x"}`).join(",")}]`, 200, /at most 1000/],
    ["10 MB and more", `"${"a".repeat(11_000_000)}"`, 413, /larger than 10 MB/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const response = await fetch(server.url, { method: "POST", body });
      assert.equal(response.status, status);
      assert.match(await response.text(), answer);
    });
  }

  it("refuses pages of other sites", async () => {
    const headers = { origin: "https://example.org" };
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`;
    assert.equal((await fetch(server.url, { method: "POST", body, headers })).status, 403);
    const local = await fetch(server.url, { method: "POST", body, headers: { origin: "http://localhost:3000" } });
    assert.equal(local.headers.get("access-control-allow-origin"), "http://localhost:3000");
  });

  it("tells equal subscriptions of one connection apart", async () => {
    const socket = new WebSocket(server.url.replace("http", "ws"));
    await new Promise<void>((resolve) => socket.once("open", resolve));
    const ids = new Set<string>();
    const heads: string[] = [];
    await new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        const { params, result } = JSON.parse(data.toString());
        if (params) heads.push(params.subscription);
        else ids.add(result);
        if (ids.size > 0 && [...ids].every((id) => heads.includes(id)) && new Set(heads).size === 2) resolve();
      });
      for (const id of [1, 2])
        socket.send(`{"jsonrpc":"2.0","id":${id},"method":"eth_subscribe","params":["newHeads"]}`);
    });
    socket.terminate();
    assert.equal(ids.size, 2);
  });

  it("goes on after a client that closes half-way", async () => {
    const { port } = new URL(server.url);
    const half = connect(Number(port), "127.0.0.1");
    await new Promise<void>((resolve) => half.once("connect", resolve));
    half.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    half.destroy();
    const socket = new WebSocket(server.url.replace("http", "ws"));
    await new Promise<void>((resolve) => socket.once("open", resolve));
    socket.terminate();
    const client = createPublicClient({ transport: http(server.url, { retryCount: 0 }) });
    assert.equal(await client.getChainId(), 31_337);
  });

  it("fails on a port that is in use", async () => {
    const replay = new Replay(recording);
    await assert.rejects(serveReplay(replay, Number(new URL(server.url).port)), /EADDRINUSE/);
  });
});

/** Records two requests and a stream of heads. */
async function recorded(chain: Devchain): Promise<Recording> {
  const ports = { transport: createTransport(() => ({}), {}), sockets: createSockets(() => ({}), {}), clock };
  const recorder = openRecorder(ports);
  const request = { headers: {}, timeoutMs: 60_000, maxBytes: 1_000_000 };
  for (const [id, method, params] of [
    [1, "eth_chainId", []],
    [2, "eth_getBalance", [alice, "pending"]],
  ] as const) {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await recorder.transport.post({ ...request, url: chain.url, body }, never);
  }
  await new Promise<void>((resolve) => {
    let heads = 0;
    void recorder.sockets
      ?.open(
        { ...request, url: chain.wsUrl },
        {
          message: (text) => (text.includes(`"eth_subscription"`) && ++heads === 3 ? resolve() : undefined),
          closed: () => {},
        },
        never,
      )
      .then((socket) => {
        if (socket.kind === "open")
          socket.send(`{"jsonrpc":"2.0","id":3,"method":"eth_subscribe","params":["newHeads"]}`);
      });
  });
  return recorder.finish("test", never);
}
