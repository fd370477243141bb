import assert from "node:assert/strict";
import type { WebSocket } from "ws";
import type { Clock } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { testHost } from "../../support/host.ts";
import { patientClock } from "../../support/patientClock.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { answer, notify, type SocketServer, socketServer } from "../../support/socketServer.ts";

const uri = "file:///nowhere/a.rpc.json";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

/** Milliseconds that a watcher waits for a beat of pre-confirmed state, by a clock that stands still. */
const beatMs = 1100;

describe("the clock of the watches", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  let sockets: SocketServer;
  let service: Service;
  let ticks: WatchesChanged[];
  let wake: () => void;
  let subscribers: { readonly socket: WebSocket; readonly kind: unknown }[];
  /** Kinds that the server of subscriptions refuses. */
  let refused: readonly string[];
  /** Settles when the client has heard that it is subscribed. */
  let subscribed: Promise<unknown>;
  /** What answers of the endpoint wait for. */
  let first: Promise<unknown> | undefined;
  /** Waits for a beat that are under way. */
  let resting: number;
  const look = (): void => wake();
  /** It stands still. Waits of less than a second end at once, others not by themselves. */
  const impatient: Clock = {
    now: () => 1_700_000_000_000,
    date: () => 1_700_000_000_000,
    async sleep(ms, signal) {
      if (ms !== beatMs) return clock.sleep(ms < 900 ? 5 : 600_000, signal);
      resting++;
      look();
      await clock.sleep(600_000, signal);
      resting--;
    },
  };
  beforeEach(async () => {
    [ticks, wake, subscribers, refused, resting] = [[], () => {}, [], [], 0];
    first = undefined;
    proxy = await countingProxy(chain.url, async () => {
      await first;
      return false;
    });
    let heard: () => void;
    subscribed = new Promise<void>((resolve) => {
      heard = resolve;
    });
    sockets = await socketServer((frame, socket) => {
      const [kind] = frame.params;
      if (frame.method === "eth_unsubscribe") return look();
      if (refused.includes(String(kind)))
        return socket.send(
          JSON.stringify({
            jsonrpc: "2.0",
            id: frame.id,
            error: { code: -32601, message: `no "${kind}" subscription` },
          }),
        );
      answer(socket, frame, "0xbea7");
      socket.once("pong", heard).ping(); // a client answers it after what came before
      subscribers.push({ socket, kind });
      look();
    });
  });
  afterEach(async () => {
    service.showWatches(false);
    await sockets.close();
    await proxy.close();
  });
  const open = (endpoint: object, clock = impatient): void => {
    const endpoints = { chain: { url: proxy.url, ws: sockets.url, preconfirmed: true, ...endpoint } };
    const watchesChanged = (event: WatchesChanged): void => {
      ticks.push(event);
      look();
    };
    const settings = { rpcNotebook: { endpoint: "chain", endpoints } };
    service = createService(testHost({ settings, watchesChanged, clock }));
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
  };
  /** Watches an account, until something is subscribed to. */
  const watched = async (endpoint: object): Promise<void> => {
    open(endpoint);
    await service.watch({ id: "bob", uri, address: bob });
    await until(() => subscribers.length > 0);
  };
  /** Until nothing is asked any more but on a beat. */
  const still = (): Promise<void> => until(() => resting > 0);
  const beat = (): void => {
    const last = subscribers.at(-1);
    if (last) notify(last.socket, "0xbea7", {});
  };

  it("is the flashblock, in place of the timer: one body for each", async () => {
    await watched({});
    assert.equal(subscribers[0]?.kind, "newFlashblocks");
    await still();
    for (let turn = 0; turn < 3; turn++) {
      const before = proxy.bodies.length;
      beat();
      await until(() => proxy.bodies.length > before && ticks.length >= proxy.bodies.length);
      await still();
      assert.equal(proxy.bodies.length, before + 1);
    }
  });

  it("is the head of a chain without flashblocks", async () => {
    first = subscribed; // else the first round may end without a subscription, and then waits for its timer
    await watched({ preconfirmed: false });
    assert.equal(subscribers[0]?.kind, "newHeads");
    const before = ticks.length;
    beat();
    await until(() => ticks.length > before);
  });

  it("is a timer if there are only heads for pre-confirmed state, and they are rare", async () => {
    refused = ["newFlashblocks"];
    await watched({});
    assert.equal(subscribers[0]?.kind, "newHeads");
    const before = ticks.length;
    await until(() => ticks.length > before + 5);
  });

  it("is the timer again when the socket is gone, and the socket when it is back", async () => {
    await watched({});
    await still();
    const [before, known] = [ticks.length, subscribers.length];
    sockets.drop();
    await until(() => ticks.length > before + 1 && subscribers.length > known);
    await still();
  });

  it("is a timer without a socket", async () => {
    await sockets.close();
    open({});
    await service.watch({ id: "bob", uri, address: bob });
    await until(() => ticks.length > 5);
    sockets = await socketServer(() => {});
  });

  it("stops while watches are hidden", async () => {
    await watched({});
    await still();
    service.showWatches(false);
    const bodies = proxy.bodies.length;
    await until(() => sockets.frames.some(({ method }) => method === "eth_unsubscribe"));
    assert.ok(proxy.bodies.length <= bodies + 1, "what was under way ends");
  });

  it("takes turns if the endpoint has a rate, and leaves half of it to runs", async () => {
    open({ rate: 50, ws: undefined, preconfirmed: false }, patientClock());
    for (let at = 0; at < 60; at++)
      await service.watch({ id: String(at), uri, address: `0x${at.toString(16).padStart(40, "1")}` });
    await until(() => new Set(ticks.flatMap(({ changed }) => changed.map(({ id }) => id))).size === 60);
    for (const methods of proxy.methods()) assert.ok(methods.length <= 50, `${methods.length} in a body`);
  });
});
