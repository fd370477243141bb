import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { call } from "../../devchain/contracts.ts";
import { type Devchain, DevchainRpcError, startDevchain } from "../../devchain/devchain.ts";

/** The nine methods, with the number of parameters that each takes at most. */
const nine: Readonly<Record<string, number>> = {
  eth_getLogs: 1,
  eth_call: 2,
  eth_simulateV1: 2,
  eth_getBlockReceipts: 1,
  eth_estimateGas: 2,
  eth_getStorageAt: 3,
  eth_getTransactionCount: 2,
  eth_getCode: 2,
  eth_getBalance: 2,
};

interface NineOptions {
  /** Behaves as the public endpoints do. */
  readonly refusesReceipts?: boolean;
  /** The service accepts bodies with one request; providers add batches. */
  readonly takesBatches?: boolean;
  /** Methods that this provider leaves away. */
  readonly without?: readonly string[];
  /** How it refuses every other method. */
  readonly refusesBy?: { readonly code: number; readonly message: string; readonly status?: number };
  /** A range that is too wide is never answered, instead of being refused. */
  readonly isSilentOnWideRanges?: boolean;
}

interface ChainOptions {
  /** Pre-confirmed logs and receipts name a block hash, and there are some from the start. */
  readonly hashesPending?: boolean;
  /** Milliseconds between two pre-confirmed states; 200 by default. A block has ten of them. */
  readonly stateMs?: number;
}

/** A service with the nine methods of a chain with pre-confirmed state, and no others. */
export interface NineMethods {
  readonly url: string;
  readonly socketUrl: string;
  /** The method of every request that came. */
  readonly asked: readonly string[];
  /** A contract of a token; alice sends bob a token with every pre-confirmed state. */
  readonly token: string;
  readonly alice: string;
  readonly bob: string;
  /** Starts a service of another kind in front of the same chain. */
  beside(options: NineOptions): Promise<NineMethods>;
  close(): Promise<void>;
}

/** The largest distance between the blocks of a range. */
const logRange = 20;

interface Reply {
  readonly status: number;
  readonly body?: object;
}

const allowsPages = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };

/** Starts the service on loopback, with HTTP and WebSocket, in front of a chain of its own. */
export async function nineMethods(options: NineOptions & ChainOptions = {}): Promise<NineMethods> {
  const { stateMs = 200, hashesPending = false } = options;
  const chain = await startDevchain({ sealEveryMs: 10 * stateMs, refreshEveryMs: stateMs, traffic: false, logRange });
  const { alice, bob, deployer } = chain.accounts;
  const send = (from: string, to: string, amount: bigint): Promise<unknown> =>
    chain.rpc("eth_sendTransaction", [call(from as `0x${string}`, "token", "transfer", [to, amount])]); // it is an address
  await send(deployer.address, alice.address, 10n ** 9n);
  await chain.seal();
  if (hashesPending) await send(alice.address, bob.address, 1n);
  const timer = setInterval(() => void send(alice.address, bob.address, 1n).catch(() => undefined), stateMs);
  const service = await serveNine(chain, hashesPending, options);
  return {
    ...service,
    async close() {
      clearInterval(timer);
      await service.close();
      await chain.stop();
    },
  };
}

async function serveNine(chain: Devchain, hashesPending: boolean, options: NineOptions): Promise<NineMethods> {
  const { without = [], refusesBy } = options;
  const refused = (id: unknown, code: number, message: string, data?: unknown): Reply => ({
    status: 200,
    body: { jsonrpc: "2.0", id, error: { code, message, data } },
  });
  const unknown = (id: unknown, name: string): Reply =>
    refused(id, -32601, `the method ${name} does not exist/is not available`);
  const asked: string[] = [];
  /** Resolves with `undefined` for a request that is never answered. */
  async function answer({ id = null, method, params = [] }: Record<string, unknown>): Promise<Reply | undefined> {
    if (typeof method !== "string" || !Array.isArray(params)) return refused(id, -32600, "invalid request");
    asked.push(method);
    const most = without.includes(method) ? undefined : nine[method];
    if (most === undefined) {
      if (!refusesBy) return unknown(id, method);
      const { code, message, status = 200 } = refusesBy;
      return status === 200 ? refused(id, code, message) : { status };
    }
    if (params.length > most) return refused(id, -32602, "too many arguments");
    if (method === "eth_getBlockReceipts" && options.refusesReceipts) return { status: 403 };
    try {
      const text = JSON.stringify(await chain.rpc(method, params));
      const hash = `"blockHash":"0x${"ab".repeat(32)}"`;
      const result = JSON.parse(hashesPending ? text.replaceAll('"blockHash":null', hash) : text);
      return { status: 200, body: { jsonrpc: "2.0", id, result } };
    } catch (error) {
      if (!(error instanceof DevchainRpcError)) return undefined; // the chain has ended
      if (options.isSilentOnWideRanges && error.message.includes("range")) return undefined;
      return refused(id, error.code, error.message, error.data);
    }
  }

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method === "OPTIONS") return response.writeHead(204, allowsPages).end(); // a browser asks first
    const body = JSON.parse(text);
    const isBatch = Array.isArray(body);
    const replies =
      isBatch && !options.takesBatches
        ? [refused(null, -32600, "the request is not an object")]
        : await Promise.all([body].flat().map(answer));
    if (replies.includes(undefined)) return; // never
    // a member that is forbidden forbids the whole body
    const forbidden = replies.find((one) => one?.status !== 200);
    const bodies = replies.map((one) => one?.body);
    const told = isBatch && options.takesBatches ? bodies : bodies[0];
    response.writeHead(forbidden?.status ?? 200, { "content-type": "application/json", ...allowsPages });
    response.end(forbidden ? "" : JSON.stringify(told));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (near) => {
    const far = new WebSocket(chain.wsUrl);
    const open = once(far, "open");
    far.on("message", (data) => near.send(String(data)));
    far.on("error", () => near.terminate());
    near.on("error", () => undefined);
    near.on("close", () => far.terminate());
    near.on("message", async (data) => {
      const { id, method, params } = JSON.parse(String(data));
      await open;
      if (method === "eth_subscribe" && params[0] === "pendingLogs") far.send(String(data));
      else near.send(JSON.stringify(unknown(id, String(method === "eth_subscribe" ? params[0] : method)).body));
    });
  });
  server.keepAliveTimeout = 60_000; // on a busy machine, a client may be silent for longer than the 5 s of Node
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    url: `http://${host}`,
    socketUrl: `ws://${host}`,
    asked,
    token: chain.contracts.token.address,
    alice: chain.accounts.alice.address,
    bob: chain.accounts.bob.address,
    beside: (others) => serveNine(chain, hashesPending, others),
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
