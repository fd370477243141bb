import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { type Around, hashOf, Ledger, type Log, type Ran, run, tokenCode, transferLog, word } from "./nineState.ts";

/** A JSON-RPC error, or an HTTP status in its place. */
class Refusal extends Error {
  readonly code: number;
  readonly data: string | undefined;
  readonly status: number;
  constructor(code: number, message: string, { data, status = 200 }: { data?: string; status?: number } = {}) {
    super(message);
    [this.code, this.data, this.status] = [code, data, status];
  }
}

interface Block {
  readonly number: number;
  readonly timestamp: number;
  readonly ledger: Ledger;
  readonly transactions: readonly { readonly hash: string; readonly logs: readonly Log[] }[];
}

interface NineOptions {
  /** Behaves as the public endpoints do. */
  readonly refusesReceipts?: boolean;
  /** The service accepts bodies with one request; providers add batches. */
  readonly takesBatches?: boolean;
  /** Methods that this provider leaves away. */
  readonly without?: readonly string[];
  /** How it refuses every other method. */
  readonly refusesBy?: { readonly code: number; readonly message: string; readonly status?: number };
  /** A range of 2,000 blocks and more is never answered, instead of being refused. */
  readonly isSilentOnWideRanges?: boolean;
  /** Pre-confirmed logs and receipts name a block hash, and there are some from the start. */
  readonly hashesPending?: boolean;
  /** Milliseconds between two pre-confirmed states; 200 by default. A block has ten of them. */
  readonly stateMs?: number;
}

/** A service with the nine methods of a chain with pre-confirmed state, and no others. */
export interface NineMethods {
  readonly url: string;
  readonly socketUrl: string;
  readonly host: string;
  readonly head: number;
  /** Every request that came. */
  readonly asked: readonly { readonly method: string; readonly params: readonly unknown[] }[];
  /** A contract of a token with six decimals, and two accounts that own some. */
  readonly token: string;
  readonly alice: string;
  readonly bob: string;
  close(): Promise<void>;
}

const alice = "0x00000000000000000000000000000000000a11c0";
const bob = "0x0000000000000000000000000000000000000b0b";
const token = "0x0000000000000000000000000000000000070c3e";
/** Number of the newest block when the service starts. */
const firstHead = 5000;
const statesOfBlock = 10;

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** The chain of the service: alice sends bob a token with every pre-confirmed state. */
class Chain {
  readonly #sealed: Block[];
  pending: Block;
  readonly #began = Math.floor(Date.now() / 1000);

  constructor() {
    const ledger = new Ledger();
    ledger.set(alice, { balance: 10n ** 20n, nonce: 7 });
    ledger.set(bob, { balance: 10n ** 18n });
    ledger.set(token, { code: tokenCode });
    ledger.store(token, BigInt(alice), 1_000_000_000n);
    this.#sealed = [{ number: firstHead, timestamp: this.#began, ledger, transactions: [this.#old(firstHead)] }];
    this.pending = { number: firstHead + 1, timestamp: this.#began + 2, ledger: ledger.copy(), transactions: [] };
  }
  get head(): Block {
    return this.#sealed.at(-1) as Block; // there is the first one
  }
  /** A transaction is pre-confirmed. */
  send(): readonly Log[] {
    const ledger = this.pending.ledger.copy();
    const { balance, nonce } = ledger.at(alice);
    ledger.set(alice, { balance: balance - 21_000n, nonce: nonce + 1 });
    const data = `0xa9059cbb${word(BigInt(bob)).slice(2)}${word(1n).slice(2)}`;
    const { logs } = run(ledger, alice, token, data, aroundOf(this.head));
    const transaction = { hash: hashOf(`transaction ${nonce}`), logs };
    this.pending = { ...this.pending, ledger, transactions: [...this.pending.transactions, transaction] };
    return logs;
  }
  seal(): void {
    this.#sealed.push(this.pending);
    const { number, timestamp, ledger } = this.pending;
    this.pending = { number: number + 1, timestamp: timestamp + 2, ledger, transactions: [] };
  }
  at(block: unknown): Block {
    if (block === "pending") return this.pending;
    if (block === "latest" || block === "safe" || block === "finalized")
      return this.block(this.head.number - (block === "latest" ? 0 : block === "safe" ? 10 : 20));
    if (block === "earliest") return this.block(0);
    if (typeof block !== "string" || !/^0x[0-9a-f]+$/.test(block)) throw new Refusal(-32602, "block is not a string");
    return this.block(Number(block));
  }
  block(number: number): Block {
    if (number > this.head.number) throw new Refusal(-32000, "header not found");
    const late = this.#sealed[number - firstHead];
    if (late) return late;
    const timestamp = this.#began - 2 * (firstHead - number);
    return { number, timestamp, ledger: this.#sealed[0]?.ledger ?? new Ledger(), transactions: [this.#old(number)] };
  }
  #old(number: number): Block["transactions"][number] {
    return { hash: hashOf(`old ${number}`), logs: [transferLog(token, alice, bob, BigInt(number))] };
  }
}

function aroundOf({ number, timestamp }: Block): Around {
  return { number: BigInt(number), timestamp: BigInt(timestamp) };
}

function blockHash(number: number): string {
  return hashOf(`block ${number}`);
}

type Params = readonly unknown[];

/** An object of a request; anything else is refused. */
function objectAt(params: Params, at: number): Record<string, unknown> {
  const value = params[at];
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal(-32602, "not an object");
  return value as Record<string, unknown>;
}

function addressAt(params: Params, at: number): string {
  const value = params[at];
  if (typeof value !== "string" || !/^0x[0-9a-f]{40}$/i.test(value)) throw new Refusal(-32602, "not an address");
  return value;
}

/** The nine methods, as the document of the service describes them. */
class Methods {
  readonly #chain: Chain;
  readonly #options: NineOptions;

  constructor(chain: Chain, options: NineOptions) {
    this.#chain = chain;
    this.#options = options;
  }

  /** `undefined` for a request that is never answered. */
  answer(method: string, params: Params): unknown {
    const most: Readonly<Record<string, number>> = { eth_getLogs: 1, eth_getBlockReceipts: 1, eth_getStorageAt: 3 };
    if (this.#options.without?.includes(method)) throw this.#unknown(method);
    if (params.length > (most[method] ?? 2)) throw new Refusal(-32602, "too many arguments");
    const chain = this.#chain;
    switch (method) {
      case "eth_getLogs":
        return this.#logs(objectAt(params, 0));
      case "eth_call":
        return given(this.#call(objectAt(params, 0), chain.at(params[1])));
      case "eth_simulateV1":
        return this.#simulate(objectAt(params, 0), chain.at(params[1]));
      case "eth_getBlockReceipts": {
        if (this.#options.refusesReceipts) throw new Refusal(-32000, "", { status: 403 });
        const block = chain.at(params[0]);
        const of = ({ hash }: { readonly hash: string }) => ({ ...receipt, ...named, transactionHash: hash });
        const named = this.#options.hashesPending ? { blockHash: blockHash(block.number) } : {};
        const receipt = { blockNumber: hex(block.number), status: "0x1", gasUsed: "0x5208", type: "0x2" };
        return block.transactions.map(of);
      }
      case "eth_estimateGas":
        return this.#estimate(objectAt(params, 0), chain.at(params[1] ?? "latest"));
      case "eth_getStorageAt":
        return chain.at(params[2]).ledger.slot(addressAt(params, 0), BigInt(String(params[1])));
      case "eth_getTransactionCount":
        return hex(chain.at(params[1]).ledger.at(addressAt(params, 0)).nonce);
      case "eth_getCode":
        return chain.at(params[1]).ledger.at(addressAt(params, 0)).code;
      case "eth_getBalance":
        return hex(chain.at(params[1]).ledger.at(addressAt(params, 0)).balance);
      default:
        throw this.#unknown(method);
    }
  }
  #unknown(method: string): Refusal {
    const { refusesBy } = this.#options;
    return refusesBy
      ? new Refusal(refusesBy.code, refusesBy.message, { status: refusesBy.status ?? 200 })
      : unknown(method);
  }
  #call({ from, to, data }: Record<string, unknown>, block: Block): Ran {
    if (typeof to !== "string") throw new Refusal(-32602, "to is required");
    // the block that code sees may be older than the tip
    const around = aroundOf(block === this.#chain.pending ? this.#chain.head : block);
    return run(block.ledger.copy(), String(from ?? word(0n)), to, String(data ?? "0x"), around);
  }
  #estimate(transaction: Record<string, unknown>, block: Block): string {
    if (transaction.to !== undefined) given(this.#call(transaction, block));
    const ledger = block.ledger.copy();
    const created = "0x00000000000000000000000000000000000c4ea7";
    if (transaction.to !== undefined) return hex(21_000 + String(transaction.data ?? "").length * 8);
    ledger.set(created, { code: String(transaction.data ?? "0x") });
    run(ledger, bob, created, "0x", aroundOf(block));
    return hex(53_000 + (ledger.slot(created, 0n) === word(0n) ? 0 : 22_100));
  }
  #logs(filter: Record<string, unknown>): unknown {
    const chain = this.#chain;
    const { fromBlock = "latest", toBlock = "latest", blockHash: hash, address, topics } = filter;
    const [first, last] = hash === undefined ? [chain.at(fromBlock), chain.at(toBlock)] : this.#byHash(String(hash));
    if (last.number - first.number >= 2000) {
      if (this.#options.isSilentOnWideRanges) return undefined;
      throw new Refusal(-32000, "the query was rejected, its block range is too large");
    }
    const blocks: Block[] = [];
    for (let at = first.number; at <= last.number; at++)
      blocks.push(at > chain.head.number ? chain.pending : chain.block(at));
    const addresses = address === undefined ? undefined : [address].flat().map((one) => String(one).toLowerCase());
    const wanted = (topics ?? []) as readonly (null | string | readonly string[])[]; // as the document says
    return blocks
      .flatMap((block) => logsOf(block, block === chain.pending && !this.#options.hashesPending))
      .filter(
        (log) =>
          addresses?.includes(log.address) !== false &&
          wanted.every((one, at) => one === null || [one].flat().includes(log.topics[at] ?? "")),
      );
  }
  #byHash(hash: string): readonly [Block, Block] {
    for (let at = this.#chain.head.number; at >= 0; at--)
      if (blockHash(at) === hash) return [this.#chain.block(at), this.#chain.block(at)];
    throw new Refusal(-32000, "header not found");
  }
  #simulate({ blockStateCalls, traceTransfers }: Record<string, unknown>, base: Block): unknown {
    if (!Array.isArray(blockStateCalls)) throw new Refusal(-32602, "blockStateCalls is required");
    const ledger = base.ledger.copy();
    let { number, timestamp } = base;
    return blockStateCalls.map((entry: Record<string, unknown>) => {
      const overrides = (entry.blockOverrides ?? {}) as Record<string, unknown>; // as the document says
      const parentHash = blockHash(number);
      number = Number(overrides.number ?? number + 1);
      timestamp = Number(overrides.timestamp ?? timestamp + 2);
      for (const [address, change] of Object.entries(entry.stateOverrides ?? {})) override(ledger, address, change);
      const calls = ((entry.calls ?? []) as readonly Record<string, unknown>[]).map((call) =>
        simulated(ledger, call, { number: BigInt(number), timestamp: BigInt(timestamp) }, traceTransfers === true),
      );
      const block = { number: hex(number), hash: hashOf(`simulated ${number}`), parentHash };
      const gas = { gasLimit: hex(30_000_000), gasUsed: hex(21_000 * calls.length), baseFeePerGas: "0x0" };
      return { ...block, timestamp: hex(timestamp), ...gas, stateRoot: word(0n), calls };
    });
  }
}

function unknown(method: string): Refusal {
  return new Refusal(-32601, `the method ${method} does not exist/is not available`);
}

function given({ data, reverted }: Ran): string {
  if (reverted) throw new Refusal(-32000, "execution reverted", { data });
  return data;
}

function override(ledger: Ledger, address: string, change: Record<string, unknown>): void {
  if (change.balance !== undefined) ledger.set(address, { balance: BigInt(String(change.balance)) });
  if (change.nonce !== undefined) ledger.set(address, { nonce: Number(change.nonce) });
  if (change.code !== undefined) ledger.set(address, { code: String(change.code) });
}

function simulated(ledger: Ledger, call: Record<string, unknown>, around: Around, traces: boolean): unknown {
  const [from, to, value] = [
    String(call.from ?? `0x${"0".repeat(40)}`),
    String(call.to),
    BigInt(String(call.value ?? 0)),
  ];
  const { data, reverted, logs } = run(ledger, from, to, String(call.data ?? "0x"), around);
  const moved = traces && value > 0n && !reverted ? [transferLog(`0x${"e".repeat(40)}`, from, to, value)] : [];
  const status = reverted ? { status: "0x0", error: "execution reverted" } : { status: "0x1" };
  return { ...status, gasUsed: hex(21_000), returnData: data, logs: reverted ? [] : [...moved, ...logs] };
}

function logsOf({ number, timestamp, transactions }: Block, isPending: boolean) {
  return transactions
    .flatMap(({ hash, logs }, at) => logs.map((log) => ({ ...log, transactionHash: hash, transactionIndex: hex(at) })))
    .map((log, index) => ({
      ...log,
      blockNumber: hex(number),
      blockTimestamp: hex(timestamp),
      blockHash: isPending ? word(0n) : blockHash(number),
      logIndex: hex(index),
      removed: false,
    }));
}

/** Starts the service on loopback, with HTTP and WebSocket. */
export async function nineMethods(options: NineOptions = {}): Promise<NineMethods> {
  const chain = new Chain();
  const methods = new Methods(chain, options);
  if (options.hashesPending) chain.send();
  const asked: { method: string; params: readonly unknown[] }[] = [];
  const answer = (request: Record<string, unknown>): { status: number; body: unknown } | undefined => {
    const { id = null, method, params = [] } = request;
    if (typeof method !== "string" || !Array.isArray(params))
      return refused(id, new Refusal(-32600, "invalid request"));
    asked.push({ method, params });
    try {
      const result = methods.answer(method, params);
      return result === undefined ? undefined : { status: 200, body: { jsonrpc: "2.0", id, result } };
    } catch (error) {
      return refused(id, error);
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      if (Array.isArray(body) && !options.takesBatches)
        return end(refused(null, new Refusal(-32600, "the request is not an object")));
      if (!Array.isArray(body)) return end(answer(body));
      const all = body.map(answer);
      // a member that is forbidden forbids the whole body
      const forbidden = all.find((one) => one !== undefined && one.status !== 200);
      if (forbidden || all.every((one) => one !== undefined))
        end(forbidden ?? { status: 200, body: all.map((one) => one?.body) });
    });
    const end = (reply: { status: number; body: unknown } | undefined): void => {
      if (!reply) return; // never
      response.writeHead(reply.status, { "content-type": "application/json" });
      response.end(reply.body === undefined ? "" : JSON.stringify(reply.body));
    };
  });
  const sockets = new WebSocketServer({ server });
  const subscribers = subscriptions(sockets);
  let states = 0;
  const advance = (): void => {
    if (++states % statesOfBlock === 0) chain.seal();
    chain.send();
    const newest = logsOf(chain.pending, true).slice(-1);
    for (const tell of subscribers) tell(newest);
  };
  const timer = setInterval(advance, options.stateMs ?? 200);
  server.keepAliveTimeout = 60_000; // on a busy machine, a client may be silent for longer than the 5 s of Node
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return {
    url: `http://${host}`,
    socketUrl: `ws://${host}`,
    host,
    get head() {
      return chain.head.number;
    },
    asked,
    token,
    alice,
    bob,
    async close() {
      clearInterval(timer);
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function refused(id: unknown, error: unknown): { status: number; body: unknown } {
  if (!(error instanceof Refusal)) throw error;
  const { code, message, data, status } = error;
  return { status, body: status === 200 ? { jsonrpc: "2.0", id, error: { code, message, data } } : undefined };
}

type Tell = (logs: readonly unknown[]) => void;

/** The WebSocket serves one subscription: `pendingLogs`. */
function subscriptions(sockets: WebSocketServer): ReadonlySet<Tell> {
  const all = new Set<Tell>();
  sockets.on("connection", (socket: WebSocket) => {
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      const { id, method, params } = JSON.parse(String(data));
      const send = (message: unknown): void => socket.send(JSON.stringify(message));
      if (method !== "eth_subscribe" || params[0] !== "pendingLogs") {
        const { body } = refused(id, unknown(method === "eth_subscribe" ? String(params[0]) : String(method)));
        return send(body);
      }
      const subscription = hex(all.size + 1);
      const tell: Tell = (logs) => {
        for (const result of logs)
          send({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } });
      };
      all.add(tell);
      socket.on("close", () => all.delete(tell));
      return send({ jsonrpc: "2.0", id, result: subscription });
    });
  });
  return all;
}
