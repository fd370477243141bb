import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import type { Log } from "../../../devchain/types.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { createSockets } from "../../../server/src/node/socket.ts";
import { openSocketPool } from "../../../server/src/rpc/socketPool.ts";
import { type SubscribeOptions, type Subscription, subscribe } from "../../../server/src/rpc/subscription.ts";
import type { SubscriptionEvent } from "../../../server/src/rpc/subscriptionEvents.ts";
import { times } from "../../support/depth.ts";
import { relay } from "../../support/relay.ts";
import { answer, notify, type SocketServer, socketServer } from "../../support/socketServer.ts";

const never = new AbortController().signal;

function open(
  url: string,
  params: readonly JsonValue[],
  signal: AbortSignal,
  over: Partial<SubscribeOptions> = {},
): Subscription {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params });
  const { host } = new URL(url);
  const sockets = createSockets(() => ({}), {});
  return subscribe(
    openSocketPool(sockets, clock),
    { name: "test", url, host, headers: {} },
    { text, id: 1, method: "eth_subscribe", params },
    { timeoutMs: 60_000, maxBytes: 10_000_000, clock, backoffMs: 10, ...over },
    signal,
  );
}

/** Takes events until one is right, and gives all that came. */
async function until(
  stream: Subscription,
  isRight: (event: SubscriptionEvent) => boolean,
): Promise<readonly SubscriptionEvent[]> {
  const all: SubscriptionEvent[] = [];
  for (;;) {
    const events = await stream.next();
    all.push(...events);
    if (events.length === 0 || events.some(isRight)) return all;
  }
}

const rowsOf = (events: readonly SubscriptionEvent[]): readonly JsonValue[] =>
  events.flatMap((event) => (event.kind === "row" ? [event.value] : []));

const logAt = (block: number, index = 0, over: object = {}): object => ({
  address: `0x${"11".repeat(20)}`,
  topics: [],
  data: "0x",
  blockNumber: `0x${block.toString(16)}`,
  blockHash: `0x${block.toString(16).padStart(64, "0")}`,
  transactionHash: `0x${(block * 100 + index).toString(16).padStart(64, "0")}`,
  logIndex: `0x${index.toString(16)}`,
  removed: false,
  ...over,
});
const places = (values: readonly JsonValue[]): readonly string[] =>
  values.map((value) => {
    const { blockNumber, logIndex, removed } = value as unknown as Log; // made by logAt
    return `${Number(blockNumber)}.${Number(logIndex)}${removed ? " removed" : ""}`;
  });

describe("a subscription", () => {
  let server: SocketServer | undefined;
  let stop = new AbortController();
  beforeEach(() => {
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await server?.close();
    server = undefined;
  });

  it("reports rows, and unsubscribes when it is stopped", async () => {
    let tell: (params: unknown) => void = () => {};
    const unsubscribed = new Promise((resolve) => (tell = resolve));
    server = await socketServer((frame, socket) => {
      if (frame.method === "eth_unsubscribe") return tell(frame.params);
      notify(socket, "0x1", "early");
      answer(socket, frame, "0x1");
      return notify(socket, "0x1", "later");
    });
    const stream = open(server.url, ["newHeads"], stop.signal);
    const events = await until(stream, (event) => event.kind === "row" && event.value === "later");
    assert.deepEqual(rowsOf(events), ["early", "later"]);
    assert.equal(events[0]?.kind, "open");
    stop.abort();
    assert.deepEqual(await unsubscribed, ["0x1"]);
    assert.deepEqual(await stream.next(), []);
  });

  it("says why it cannot begin", async () => {
    server = await socketServer(({ id }, socket) =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: 'no "x" subscription' } })),
    );
    const [end] = await open(server.url, ["x"], never).next();
    assert.ok(end?.kind === "end" && end.outcome.kind === "refused");
    assert.equal(end.outcome.code, -32601);
  });

  it("reads missed logs again, passes nothing on twice, and reports logs that the chain dropped", async () => {
    const chain = [logAt(5), logAt(6)];
    let connections = 0;
    server = await socketServer((frame, socket) => {
      switch (frame.method) {
        case "eth_blockNumber":
          return answer(socket, frame, connections === 0 ? "0x4" : "0x8");
        case "eth_subscribe":
          connections++;
          answer(socket, frame, `0x${connections}`);
          if (connections > 1) {
            notify(socket, `0x${connections}`, logAt(8)); // comes while the gap is read
            return undefined;
          }
          for (const log of chain) notify(socket, "0x1", log);
          return socket.close();
        case "eth_getLogs":
          assert.deepEqual(frame.params, [{ address: "0xab", fromBlock: "0x5", toBlock: "latest" }]);
          // block 6 was replaced meanwhile
          return answer(socket, frame, [
            logAt(5),
            logAt(6, 1, { blockHash: `0x${"66".repeat(32)}` }),
            logAt(7),
            logAt(8),
          ]);
        default:
          return undefined;
      }
    });
    const stream = open(server.url, ["logs", { address: "0xab" }], stop.signal);
    const events = await until(stream, (event) => event.kind === "row" && places([event.value])[0] === "8.0");
    assert.deepEqual(places(rowsOf(events)), ["5.0", "6.0", "6.0 removed", "6.1", "7.0", "8.0"]);
    assert.deepEqual(
      events.flatMap(({ kind }) => (kind === "row" ? [] : [kind])),
      ["open", "lost", "back"],
    );
  });

  it("honours `removed`, once", async () => {
    server = await socketServer((frame, socket) => {
      if (frame.method === "eth_blockNumber") return answer(socket, frame, "0x4");
      if (frame.method !== "eth_subscribe") return undefined;
      answer(socket, frame, "0x1");
      const [log, gone] = [logAt(5), logAt(5, 0, { removed: true })];
      for (const one of [log, log, gone, log, [logAt(6), logAt(6, 1)]]) notify(socket, "0x1", one);
      return undefined;
    });
    const stream = open(server.url, ["logs"], stop.signal);
    const events = await until(stream, (event) => event.kind === "row" && places([event.value])[0] === "6.1");
    assert.deepEqual(places(rowsOf(events)), ["5.0", "5.0 removed", "5.0", "6.0", "6.1"]);
  });

  it("reads a long gap in pieces that the endpoint accepts, and says what is missing", async () => {
    const asked: string[] = [];
    let subscribed = 0;
    server = await socketServer((frame, socket) => {
      if (frame.method === "eth_blockNumber") return answer(socket, frame, subscribed === 0 ? "0x0" : "0x1388");
      if (frame.method === "eth_subscribe") {
        answer(socket, frame, "0x1");
        return ++subscribed === 1 ? socket.close() : undefined;
      }
      const [{ fromBlock, toBlock }] = frame.params as [{ fromBlock: string; toBlock: string }]; // of eth_getLogs
      const span = (toBlock === "latest" ? 5000 : Number(toBlock)) - Number(fromBlock);
      if (span <= 1000) {
        asked.push(`${Number(fromBlock)}-${toBlock === "latest" ? toBlock : Number(toBlock)}`);
        return answer(socket, frame, []);
      }
      const error = { code: -32614, message: "eth_getLogs is limited to a 1,000 range" };
      return socket.send(JSON.stringify({ jsonrpc: "2.0", id: frame.id, error }));
    });
    const stream = open(server.url, ["logs"], stop.signal);
    const back = (await until(stream, ({ kind }) => kind === "back")).at(-1);
    assert.ok(back?.kind === "back" && back.missed === undefined);
    assert.deepEqual(asked, ["1-1000", "1001-2000", "2001-3000", "3001-4000", "4001-latest"]);
  });

  it("reads a gap in smaller pieces when its logs are too large to be received, and leaves out a block only", async () => {
    let subscribed = 0;
    server = await socketServer((frame, socket) => {
      if (frame.method === "eth_blockNumber") return answer(socket, frame, subscribed === 0 ? "0x0" : "0x64");
      if (frame.method === "eth_subscribe") {
        answer(socket, frame, "0x1");
        if (++subscribed === 1) return socket.close();
        return undefined;
      }
      if (frame.method !== "eth_getLogs") return undefined;
      const [{ fromBlock, toBlock }] = frame.params as [{ fromBlock: string; toBlock: string }]; // of eth_getLogs
      const [from, to] = [Number(fromBlock), toBlock === "latest" ? 100 : Number(toBlock)];
      const blocks = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      const logs = blocks.flatMap((block) =>
        Array.from({ length: block === 50 ? 500 : 1 }, (_, at) => logAt(block, at)),
      );
      return answer(socket, frame, logs);
    });
    // about 25 logs
    const stream = open(server.url, ["logs"], stop.signal, { maxBytes: 10_000 });
    const events = await until(stream, (event) => event.kind === "row" && places([event.value])[0] === "100.0");
    const back = events.find(({ kind }) => kind === "back");
    assert.ok(back?.kind === "back");
    assert.equal(back.missed, "The logs of block 50 have more than 10 kB, so they were not read again.");
    const expected = Array.from({ length: 100 }, (_, at) => at + 1).filter((block) => block !== 50);
    assert.deepEqual(
      places(rowsOf(events)),
      expected.map((block) => `${block}.0`),
    );
  });

  it("counts rows that are not taken in time", async () => {
    let heard = (): void => {};
    const allHeard = new Promise<void>((resolve) => (heard = resolve));
    server = await socketServer((frame, socket) => {
      if (frame.method !== "eth_subscribe") return;
      answer(socket, frame, "0x1");
      for (let at = 1; at <= 1000; at++) notify(socket, "0x1", at);
      socket.once("pong", heard); // it answers in order, when all of them have come
      socket.ping();
    });
    const stream = open(server.url, ["newHeads"], stop.signal, { maxWaiting: 100 });
    const events: SubscriptionEvent[] = [];
    await allHeard;
    events.push(...(await until(stream, (event) => event.kind === "row" && event.value === 1000)));
    const dropped = events.reduce((sum, event) => sum + (event.kind === "dropped" ? event.rows : 0), 0);
    const rows = rowsOf(events);
    assert.ok(dropped > 0);
    assert.equal(dropped + rows.length, 1000);
    assert.equal(rows.at(-1), 1000);
  });

  it("notices a connection that has died in silence", async () => {
    let subscribed = 0;
    server = await socketServer((frame, socket) => {
      if (frame.method !== "eth_subscribe") return;
      answer(socket, frame, "0x1");
      if (++subscribed === 2) notify(socket, "0x1", "again");
    });
    const stream = open(server.url, ["newHeads"], stop.signal, { idleMs: 50 });
    const events = await until(stream, ({ kind }) => kind === "row");
    assert.deepEqual(
      events.map((event) => (event.kind === "lost" ? event.why : event.kind)),
      ["open", `${server.host} stopped sending.`, "back", "row"],
    );
  });
});

/** How often, and after how many milliseconds each; a longer trial is `BREAKS=60 BREAK_MS=1000`. */
const breaks = { times: Number(process.env.BREAKS ?? times(10, 4)), everyMs: Number(process.env.BREAK_MS ?? 250) };

describe("subscriptions whose connection breaks again and again", function () {
  this.timeout(60_000 + 2 * breaks.times * breaks.everyMs);
  let chain: Devchain;
  before(async () => {
    chain = await startDevchain({ sealEveryMs: 250, refreshEveryMs: 40, traffic: 40 });
  });
  after(() => chain.stop());
  const head = async (): Promise<bigint> => BigInt(String(await chain.rpc("eth_blockNumber")));
  const hex = (block: bigint): string => `0x${block.toString(16)}`;
  const name = ({ transactionHash, logIndex }: Log): string => `${transactionHash} ${logIndex}`;

  it("lose no row and give none twice", async () => {
    const kinds = ["pendingLogs", "logs"] as const;
    const way = await relay(chain.wsUrl);
    const stop = new AbortController();
    const streams = kinds.map((kind) => open(way.url, [kind], stop.signal));
    const rows = await Promise.all(
      streams.map(
        async (stream) => [...rowsOf(await until(stream, ({ kind }) => kind === "open"))] as unknown as Log[],
      ), // the chain sends no others
    );
    const first = (await head()) + 2n; // the block that is being built may have begun before
    let drops = 0;
    const timer = setInterval(() => {
      drops++;
      way.drop();
    }, breaks.everyMs);
    let last = 0n;
    const take = async (stream: Subscription, taken: Log[]): Promise<void> => {
      for (;;) {
        taken.push(...(rowsOf(await stream.next()) as unknown as readonly Log[])); // the chain sends no others
        if (drops < breaks.times) continue;
        clearInterval(timer);
        last ||= await head();
        if (taken.some(({ blockNumber }) => BigInt(blockNumber) > last + 1n)) return;
      }
    };
    await Promise.all(streams.map((stream, at) => take(stream, rows[at] ?? [])));
    stop.abort();
    const all = (await chain.rpc("eth_getLogs", [{ fromBlock: hex(first), toBlock: hex(last) }])) as Log[];
    for (const [at, taken] of rows.entries()) {
      const told = taken
        .filter(({ blockNumber }) => BigInt(blockNumber) >= first && BigInt(blockNumber) <= last)
        .map(name);
      assert.deepEqual(told.sort(), all.map(name).sort(), `no row of ${kinds[at]} is lost, given twice or invented`);
    }
    if (process.env.BREAKS) console.log(`${drops} breaks, ${all.length} logs`);
    assert.ok(all.length > 0 && way.handshakes.length > 4, `${all.length} logs, ${way.handshakes.length} connections`);
    await way.close();
  });
});
