import assert from "node:assert/strict";
import { call } from "../../../devchain/contracts.ts";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import type { Clock } from "../../../server/src/base/ports.ts";
import type { Question } from "../../../server/src/gate/backgroundClient.ts";
import { type LogReach, logReach } from "../../../server/src/inspect/probe.ts";
import { blockTime } from "../../../server/src/inspect/probeHeads.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy, replacing } from "../../support/countingProxy.ts";
import { thorough } from "../../support/depth.ts";
import { fastClock } from "../../support/fastClock.ts";
import { clientTo, person, testHost } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";
import { socketServer } from "../../support/socketServer.ts";

const uri = "file:///nowhere/a.rpc.json";
const signal = new AbortController().signal;

interface Told {
  readonly ok: boolean;
  readonly chainId: string;
  readonly batch: number | false;
  readonly blockMs: number;
  readonly simulate: { readonly is: boolean };
  readonly stateOverrides: { readonly is: boolean };
  readonly blockOverrides: { readonly is: boolean };
  readonly blockReceipts: { readonly is: boolean };
  readonly logs: { readonly limit: string | null; readonly took: string | null };
  readonly pending: Readonly<Record<string, { readonly standing: string; readonly how: string }>>;
  readonly subscriptions: readonly string[] | null;
  readonly context: { readonly seen: string; readonly pending: string } | null;
}

describe("the probe", () => {
  let chain: Devchain;
  before(async () => {
    chain = await startDevchain({ sealEveryMs: 0, refreshEveryMs: 20, traffic: false, logRange: 10 });
  });
  after(() => chain.stop());

  const serviceOf = (over: Parameters<typeof testHost>[0] = {}): Service =>
    createService(testHost({ clock: fastClock(), ...over }));
  /** A fast clock on which an endpoint may take ten times as long: what it serves counts, on any machine. */
  const withTime = (): Clock => {
    const fast = fastClock();
    return { ...fast, sleep: (ms, over, isLimit) => fast.sleep(isLimit ? ms * 10 : ms, over, isLimit) };
  };
  /** Runs until the head came in time: this clock gives it none, so a busy machine can lose it. */
  const shownWithHead = async (service: Service): Promise<string> => {
    let shown = "";
    const finished = ({ output }: CellResult): void => {
      shown = output.text;
    };
    for (let run = 0; run < 50 && !shown.includes("head"); run++)
      await service.run({ uri }, { started: () => {}, finished }, signal);
    return shown;
  };
  const probed = async (url: string, service = serviceOf(), text = "[]"): Promise<Told> => {
    service.openText(uri, text);
    const output = await service.probe(uri, url, signal);
    return JSON.parse(output?.json ?? assert.fail("there is a document"));
  };
  const standings = ({ pending }: Told): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(pending).map(([method, { standing }]) => [method, standing]));
  /** Something pending that changes balances, storage and logs. */
  const transfer = (): Promise<unknown> =>
    chain.rpc("eth_sendTransaction", [
      call(chain.accounts.erin.address, "token", "transfer", [chain.accounts.alice.address, 5n]),
    ]);

  it("knows nothing about pending state while nothing is pending", async () => {
    await chain.seal();
    const told = await probed(chain.url);
    assert.deepEqual(new Set(Object.values(standings(told))), new Set(["unknown"]));
  });

  it("measures pending state method by method", async () => {
    await transfer();
    const told = await probed(chain.url, serviceOf({ clock: withTime() }));
    assert.deepEqual(standings(told), {
      eth_getBalance: "ahead",
      eth_getTransactionCount: "ahead",
      eth_call: "ahead",
      eth_estimateGas: "ahead",
      eth_simulateV1: "ahead",
      eth_getStorageAt: "ahead",
      eth_getCode: "unknown",
      eth_getLogs: "ahead",
      eth_getBlockReceipts: "ahead",
    });
    assert.equal(told.pending.eth_getCode?.how, "no contract was being created");
    assert.equal(told.chainId, "31337");
    assert.equal(told.batch, 100);
    assert.ok(told.blockMs > 0 && told.blockMs < 2100, `${told.blockMs} ms`); // the history has a block every 2 s
    for (const { is } of [told.simulate, told.stateOverrides, told.blockOverrides, told.blockReceipts])
      assert.equal(is, true);
    assert.deepEqual(told.context?.seen, told.context?.pending);
    assert.deepEqual(told.subscriptions, [
      "newHeads",
      "logs",
      "newPendingTransactions",
      "pendingLogs",
      "newFlashblocks",
      "newFlashblockTransactions",
    ]);
  });

  it("sends about as many requests as it says before", async () => {
    await transfer();
    for (const endpoint of [{ url: chain.url }, { url: chain.url, rate: 40 }]) {
      const service = serviceOf({ settings: { rpcNotebook: { endpoint: "chain", endpoints: { chain: endpoint } } } });
      service.openText(uri, "[]");
      const { probe } = (await service.endpoints(uri)).current ?? {};
      const expected = Number(/^This sends about (\d+) requests to 127/.exec(probe?.detail[0] ?? "")?.[1]);
      const output = await service.probe(uri, undefined, signal);
      const { requests } = JSON.parse(output?.json ?? "{}");
      assert.ok(Math.abs(requests - expected) < expected / 4, `${requests} and not about ${expected}`);
    }
  });

  it("reports an endpoint without a WebSocket", async () => {
    const proxy = await countingProxy(chain.url);
    assert.deepEqual((await probed(proxy.url)).subscriptions, []);
    await proxy.close();
  });

  it("does not know the subscriptions of an endpoint whose WebSocket closes without an answer", async () => {
    const silent = await socketServer((_frame, socket) => socket.terminate());
    const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: { url: chain.url, ws: silent.url } } } };
    const service = serviceOf({ settings });
    service.openText(uri, "[]");
    const output = await service.probe(uri, undefined, signal);
    assert.equal(JSON.parse(output?.json ?? "{}").subscriptions, null);
    assert.ok(silent.frames.length > 0);
  });

  it("tells pre-confirmed state from a guess, and from the same state", async () => {
    for (const [change, summary] of [
      [{ kind: "native" }, "`pending` is the same as `latest`"],
      [{ kind: "ordinary" }, "`pending` is the node's own guess"],
      [{ nodes: [{ behind: 0 }, { behind: 3 }] }, "`latest` went back by 3 blocks"],
      [{ kind: "preconfirmed" }, "`pending` is ahead of `latest` in 8 methods"],
    ] as const) {
      await chain.play(change);
      await transfer();
      const service = serviceOf();
      service.openText(uri, "[]");
      const output = await service.probe(uri, chain.url, signal);
      assert.ok(output?.text.includes(summary), output?.text);
    }
  });

  it("learns the range of logs from a refusal, and reports the refusals of a public endpoint", async () => {
    await transfer();
    const told = await probed(chain.publicUrl);
    assert.deepEqual(told.logs.limit, "9");
    assert.equal(told.blockReceipts.is, false);
    assert.equal(told.pending.eth_getBlockReceipts?.standing, "refused");
    assert.equal(told.pending.eth_getBalance?.standing, "ahead");
  });

  it("changes warnings and drafts", async () => {
    const service = serviceOf();
    const text = `[{ "method": "eth_getBlockReceipts", "params": ["latest"] }, { "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "0x20" }] }]`;
    service.openText(uri, text);
    service.pickEndpoint(uri, chain.publicUrl);
    const codes = (): readonly string[] => service.diagnostics(uri).map(({ code }) => code);
    await service.settled(uri);
    assert.ok(!codes().includes("refused-method") && !codes().includes("log-range-over-limit"), String(codes()));
    await transfer();
    await service.probe(uri, undefined, signal);
    await service.settled(uri);
    assert.deepEqual(
      codes()
        .filter((code) => code.includes("refused") || code.includes("range"))
        .sort(),
      ["log-range-over-limit", "refused-method"],
    );
  });

  describe("of a node", () => {
    let proxy: CountingProxy;
    const behind = async (holds: Parameters<typeof countingProxy>[1]): Promise<string> => {
      proxy = await countingProxy(chain.url, holds);
      return proxy.url;
    };
    beforeEach(transfer);
    afterEach(() => proxy.close());

    it("that answers with latest under the name of pending, says so", async () => {
      const ask = (body: string) => replacing(chain.url, () => undefined)(body);
      const url = await behind((body) =>
        ask(body.includes("eth_getBlockByNumber") ? body : body.replaceAll('"pending"', '"latest"')),
      );
      const told = standings(await probed(url));
      for (const method of ["eth_getBalance", "eth_getTransactionCount", "eth_call", "eth_simulateV1"])
        assert.equal(told[method], "same", method);
    });

    it("that takes no batches, asks singly and says so", async () => {
      const error = { code: -32600, message: "batch requests are not supported" };
      const url = await behind((body) => body.startsWith("[") && JSON.stringify({ jsonrpc: "2.0", id: null, error }));
      const told = await probed(url);
      assert.equal(told.batch, false);
      assert.equal(told.pending.eth_getBalance?.standing, "ahead");
    });

    it("that requires `to` in an `eth_call`, and takes no overrides, is ahead for calls too", async () => {
      const url = await behind(
        replacing(chain.url, ({ method, params: [call, , ...overrides] }) =>
          method === "eth_call" && (!("to" in Object(call)) || overrides.length > 0)
            ? { error: { code: -32602, message: "missing field `to`, or too many" } }
            : undefined,
        ),
      );
      const service = serviceOf();
      const told = await probed(url, service);
      assert.deepEqual(told.pending.eth_call, { standing: "ahead", how: "by what a sender can pay" });
      service.openText(
        uri,
        JSON.stringify([{ method: "eth_call", params: [{ to: `0x${"1".repeat(40)}` }, "pending"] }]),
      );
      service.pickEndpoint(uri, url);
      assert.match(await shownWithHead(service), /pre-confirmed/);
    });
  });

  it("gives no warning about `pending` without evidence", async () => {
    const entry = { url: chain.url, preconfirmed: true };
    const host = serviceOf({ settings: { rpcNotebook: { endpoints: { mine: entry } } } });
    host.openText(uri, JSON.stringify([{ method: "eth_getCode", params: [`0x${"1".repeat(40)}`, "pending"] }]));
    host.pickEndpoint(uri, "mine");
    await host.probe(uri, "mine", signal);
    assert.match(await shownWithHead(host), /pre-confirmed/);
  });

  it("learns the head from a run, and warns of ranges up to it", async () => {
    const endpoints = { mine: { url: chain.url, logRange: 4 } };
    const service = serviceOf({ settings: { rpcNotebook: { endpoint: "mine", endpoints } } });
    const [address, toBlock] = [`0x${"1".repeat(40)}`, "latest"];
    const range = { method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock, address }] };
    service.openText(uri, JSON.stringify([range, { method: "eth_getBalance", params: [address, toBlock] }]));
    await service.settled(uri);
    const codes = (): readonly string[] => service.diagnostics(uri).map(({ code }) => code);
    assert.deepEqual(codes(), []);
    await service.run({ uri, cells: [{ index: 1 }] }, { started: () => {}, finished: () => {} }, signal);
    while (codes().length === 0) await new Promise(setImmediate); // the head may come after the answer
    assert.deepEqual(codes(), ["log-range-over-limit"]);
  });

  describe("keeps to the rules of a run", () => {
    let proxy: CountingProxy;
    beforeEach(async () => {
      proxy = await countingProxy(chain.url);
    });
    afterEach(() => proxy.close());

    it("sends nothing to a host that nobody has approved, or in a workspace that is not trusted", async () => {
      for (const trusted of [true, false]) {
        const service = serviceOf({ trusted });
        service.openText(uri, JSON.stringify({ endpoint: `${proxy.url}/node`, cells: [] }));
        const output = await service.probe(uri, undefined, signal);
        assert.equal(output?.ok, false);
        assert.match(output.text, /not sent: /);
      }
      assert.deepEqual(proxy.bodies, []);
    });

    it("hides a key in the address, whatever the node says", async () => {
      const key = "0123456789abcdef";
      const node = await hostileServer(
        answering((method) => (method === "web3_clientVersion" ? `geth/${key}` : "0x1")),
      );
      const service = serviceOf({ consent: person({ allowHost: async () => true }) });
      service.openText(uri, "[]");
      const output = await service.probe(uri, `${node.url}v2/${key}`, signal);
      assert.match(output?.json ?? "", /geth\/‹hidden›/);
      assert.doesNotMatch(JSON.stringify(output), new RegExp(key));
    });

    it("says in one line that nothing answers", async () => {
      await proxy.close();
      const service = serviceOf();
      service.openText(uri, "[]");
      const output = await service.probe(uri, proxy.url, signal);
      assert.match(output?.text ?? "", /^✗ probe of 127\.0\.0\.1:\d+: Nothing answers at 127\.0\.0\.1:\d+/);
      proxy = await countingProxy(chain.url);
    });
  });
});

describe("the time between blocks", () => {
  const measured = (timeOf: (block: number) => number, head: number): Promise<number | undefined> => {
    const ask = async (questions: readonly Question[]) =>
      questions.map(({ params }) => {
        const number = String(params[0]);
        const value = {
          number,
          hash: `0x${"1".repeat(64)}`,
          timestamp: `0x${Math.floor(timeOf(Number(number))).toString(16)}`,
        };
        return { kind: "answered", result: { value } };
      });
    return blockTime({ ask, memory: {} } as never, BigInt(head), signal); // what it uses of a client
  };

  for (const [what, timeOf, head, expected] of [
    [
      "of a young chain, without the age of its first block",
      (block: number) => (block === 0 ? 0 : 1000 + block * 0.2),
      45,
      200,
    ],
    ["after a chain stood still", (block: number) => block * 0.2 + (block > 60 ? 100 : 0), 101, 200],
    [
      "of a chain that became faster",
      (block: number) => (block > 960 ? 1920 + (block - 960) * 0.2 : block * 2),
      1000,
      200,
    ],
    ["of a steady chain", (block: number) => block * 0.25, 5000, 250],
    [
      "of slow blocks, some of which are missing",
      (block: number) => 12 * (block + Math.floor(block / 40)),
      1000,
      12_240,
    ],
  ] as const)
    it(`is that of the newest blocks ${what}`, async () => {
      const found = (await measured(timeOf, head)) ?? 0;
      assert.ok(Math.abs(found - expected) <= expected / 5, String(found));
    });
});

/** How an endpoint answers a range of more than 2,000 blocks. */
type Refusing = { readonly code: number; readonly message: string; readonly status?: number } | "silence";

async function reach(refusing: Refusing, most = 1999): Promise<LogReach> {
  const server = await hostileServer(({ body }, response) => {
    const asked = [JSON.parse(body)].flat() as { id: number; params: { fromBlock: string; toBlock: string }[] }[];
    const isWide = asked.some(({ params: [range] }) => range && Number(range.toBlock) - Number(range.fromBlock) > most);
    if (isWide && refusing === "silence") return;
    const answers = asked.map(({ id }) =>
      isWide && refusing !== "silence" ? { jsonrpc: "2.0", id, error: refusing } : { jsonrpc: "2.0", id, result: [] },
    );
    response.writeHead(isWide && refusing !== "silence" ? (refusing.status ?? 200) : 200);
    response.end(JSON.stringify(body.startsWith("[") ? answers : answers[0]));
  });
  try {
    return await logReach(clientTo(server.url), 5_000_000n, new AbortController().signal);
  } finally {
    await server.close();
  }
}

describe("how many blocks a probe finds that eth_getLogs takes", () => {
  const refusals: readonly (readonly [what: string, refusing: Refusing, limit: bigint])[] = [
    ["a number in words", { code: -32614, message: "eth_getLogs is limited to a 2,000 range" }, 1999n],
    [
      "a number, with HTTP 413",
      { code: -32614, message: "eth_getLogs is limited to a 2,000 range", status: 413 },
      1999n,
    ],
    ["a number under a code of its own", { code: -32000, message: "10001 > 2000" }, 1999n],
    ["no number", { code: -32062, message: "Block range is too large" }, 1999n],
    ["unknown words", { code: -31999, message: "computer says no" }, 1999n],
    ["a greater number than was taken", { code: -32602, message: "query exceeds max block range 5000" }, 4999n],
    // the client gives an endpoint four seconds
    ...(thorough ? ([["silence", "silence", 1999n]] as const) : []),
  ];
  for (const [what, refusing, limit] of refusals) {
    it(`is known if wider ranges meet ${what}`, async () => {
      const found = await reach(refusing);
      assert.deepEqual([found.limit, found.took], [limit, 1999n]);
      assert.ok(found.refusal);
    });
  }

  it("is unknown if all ranges are accepted, or all are refused for another reason", async () => {
    assert.deepEqual(await reach("silence", 1_000_000), { limit: undefined, took: 100_000n, refusal: undefined });
    const denied = await reach({ code: -32601, message: "the method eth_getLogs does not exist" }, 0);
    assert.deepEqual(denied, { limit: undefined, took: undefined, refusal: undefined });
  });
});
