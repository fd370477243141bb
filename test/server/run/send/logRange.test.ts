import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../../server/src/base/json.ts";
import { openMask } from "../../../../server/src/base/mask.ts";
import { readEndpoint } from "../../../../server/src/endpoints/endpoint.ts";
import { Approvals } from "../../../../server/src/gate/approvals.ts";
import {
  EndpointQueue,
  type PartProgress,
  type SendProgress,
  type SendRoutes,
} from "../../../../server/src/gate/endpointQueue.ts";
import { clock } from "../../../../server/src/node/environment.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";
import type { Outcome } from "../../../../server/src/rpc/outcome.ts";
import type { EndpointMemory } from "../../../../server/src/rpc/send.ts";
import { requestLogs } from "../../../../server/src/run/send/logRange.ts";
import { thorough, times } from "../../../support/depth.ts";
import { gatedHost } from "../../../support/host.ts";
import { type Asked, type LogProvider, logProvider, type Refusing } from "../../../support/logProvider.ts";

interface Settings {
  readonly logRange?: bigint;
  readonly maxBytes?: number;
  readonly memory?: EndpointMemory;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PartProgress) => void;
}

/** Asks as a run does, over a gate whose network is the provider. */
function ask(provider: LogProvider, filter: string, settings: Settings = {}): Promise<Outcome> {
  const { logRange, maxBytes = 1e9, memory = {}, signal = new AbortController().signal } = settings;
  const quick = { ...clock, sleep: async () => {} };
  const host = gatedHost({ transport: provider, clock: quick });
  const { endpoint } = readEndpoint("test", {
    url: "http://localhost/",
    ...(logRange && { logRange: Number(logRange) }),
  });
  assert.ok(endpoint);
  const resolved = { endpoint, chosenBy: "cli", why: "", origin: "", namedBy: "cli", values: [] } as const;
  const routes: SendRoutes = {
    gate: host.gate,
    clock: quick,
    approvals: new Approvals(host, openMask()),
    timeoutMs: 1000,
    maxBytes,
    header: { chainId: undefined, statedChain: undefined },
    endpointOf: () => resolved,
    refusalsOf: async () => new Map(),
    memoryOf: () => memory,
    onHead: () => {},
  };
  const progress: SendProgress = {
    onRetry: () => {},
    onQuestion: () => {},
    onDelay: () => {},
    onPart: (_cell, current) => settings.onProgress?.(current),
    logSinkOf: () => undefined,
  };
  const text = `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[${filter}]}`;
  const request = { id: 1, method: "eth_getLogs", text, params: undefined, returns: undefined };
  const queue = new EndpointQueue(resolved, routes, progress, signal);
  return requestLogs({ queue, cell: readCell(text), request });
}

function logsOf(outcome: Outcome): JsonValue {
  assert.equal(outcome.kind, "answered", outcome.kind === "refused" ? outcome.message : "");
  return outcome.kind === "answered" ? outcome.result.value : null;
}

const rangeOf = (from: number, to: number | string): string =>
  `{"fromBlock":"0x${from.toString(16)}","toBlock":"${typeof to === "number" ? `0x${to.toString(16)}` : to}"}`;

const h = (block: number): string => `0x${block.toString(16)}`;

/** The widest range from the beginning that holds no more logs. */
function suggestion({ from, to }: Asked, results: number): [number, number] {
  let [count, end] = [logsIn(from), from];
  while (end < to && count + logsIn(end + 1) <= results) count += logsIn(++end);
  return [from, end];
}

/** One log in fifty blocks, and places where they are dense. */
function logsIn(block: number): number {
  const dense = block % 200_000 < 4_000 && block % 4 === 0 ? 1 : 0;
  return dense + (block % 50 === 0 ? 1 : 0);
}

const refusing = (code: number, message: string, more: Partial<Refusing> = {}): Refusing => ({
  code,
  message,
  ...more,
});

/**
 * How providers refuse a range: what they limit, the requests made by those that must be made at most, the code with the
 * status, the message, and `data` of the error. FROM and TO are the refused range, FIRST and LAST the one that is suggested.
 */
const styles = `
infura: range in hex            | 1000 logs    | 2.7 | -32005     | query returned more than 1000 results. Try with this block range [0xFIRST, 0xLAST]. | {"from":"0xFIRST","to":"0xLAST","limit":1000}
infura 2026: cap                | 10000 blocks | 1.1 | -32602     | range WIDTH exceeds limit of 10000
nethermind: only in data        | 5000 logs    | 2.7 | -32602     | invalid params | Query returned more than 5000 results. Try with this block range [0xFIRST, 0xLAST].
alchemy: 2K blocks or 10K logs  | 1000 logs    | 2.7 | -32602     | Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 1K logs in the response. Based on your parameters and the response size limit, this block range should work: [0xFIRST, 0xLAST]
alchemy free: 500 blocks        | 500 blocks   | 1.1 | -32600     | You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0xFROM, 0xFROM+499]
blast paid: data.range          | 2001 blocks  | 1.1 | -32602     | Invalid params | {"range":"the range FROM - TO exceeds the range allowed for your plan (WIDTH > 2000)."}
quicknode, base: 413            | 2000 blocks  | 1.1 | -32614 413 | eth_getLogs is limited to a 2,000 range
ankr: nothing stated            | 3000 blocks  | 1.3 | -32062     | Block range is too large
ankr: nothing stated, wider     | 10000 blocks | 1.3 | -32600     | block range is too wide
besu: nothing stated            | 1000 blocks  | 1.3 | -32005     | Requested range exceeds maximum RPC range limit
cronos: [from, to] as words     | 2000 blocks  | 1.1 | -32000     | maximum [from, to] blocks distance: 2000
drpc free                       | 10000 blocks | 1.1 | 35 400     | ranges over 10000 blocks are not supported on free plan
reth: decimal range             | 2000 logs    | 2.7 | -32602     | query exceeds max results 2000, retry with the range FIRST-LAST
a suggestion one block too long | 2000 logs    | 2.7 | -32602     | query exceeds max results 2000, retry with the range FIRST-LAST+1
reth: suggests the request      | 2000 logs    | 2.7 | -32602     | query exceeds max results 2000, retry with the range FROM-TO
reth: blocks                    | 5000 blocks  | 1.1 | -32602     | query exceeds max block range 5000
erigon: results                 | 2000 logs    | 2.7 | -32000     | query returns too many logs, narrow your filter: 2000
erigon: blocks                  | 1000 blocks  | 1.1 | -32000     | query block range exceeds server limit, narrow your filter: 1000
cloudflare                      | 800 blocks   | 1.1 | -32047     | Block range: 'fromBlock'-'toBlock' range too large. Max range: 800
1rpc: 0 - 500                   | 500 blocks   | 1.1 | -32602     | eth_getLogs is limited to 0 - 500 blocks range
proxyd                          | 10000 blocks | 1.1 | -32602 400 | block range greater than 10000 max
avalanche: refused numbers first| 2048 blocks  | 1.1 | -32000     | requested too many blocks from FROM to TO, maximum is set to 2048
celo: cap, then what it got     | 5000 blocks  | 1.1 | -32602     | query exceeds range, retry smaller (max block range 5000, got WIDTH)
arbitrum: results, no range     | 1000 logs    | 3   | -32000     | logs matched by query exceeds limit of 1000
geth: timeouts                  | 15000 blocks | 1.4 | -32002     | request timed out
size of the answer, no number   | 800 logs     | 2.7 | -32008     | Response is too big | Exceeded max limit of 10485760
chainstack: no number           | 1000 blocks  | 1.3 | -32000     | Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits
`;

/** Writes numbers for the names of blocks in a message. */
function filledIn(text: string, asked: Asked, results: number): string {
  if (!/[A-Z]{2}/.test(text)) return text;
  const [first, last] = text.includes("LAST") ? suggestion(asked, results) : [asked.from, asked.to];
  const numbers = { FROM: asked.from, TO: asked.to, WIDTH: asked.to - asked.from, FIRST: first, LAST: last };
  return text.replace(
    /\b(0x)?(FROM|TO|WIDTH|FIRST|LAST)(?:\+(\d+))?\b/g,
    (_, isHex, name: keyof typeof numbers, more) => {
      const number = numbers[name] + Number(more ?? 0);
      return isHex ? h(number) : String(number);
    },
  );
}

describe("logs of very many blocks", function () {
  this.timeout(300_000);
  const [first, last] = thorough ? [5_000_000, 5_999_999] : [5_195_000, 5_254_999];
  const sums = new Uint32Array(last - first + 2);
  let whole = "";
  before(() => {
    for (let block = first; block <= last; block++)
      sums[block - first + 1] = (sums[block - first] ?? 0) + logsIn(block);
    whole = JSON.stringify(logProvider({ head: last, logsIn, refuse: () => undefined }).all(first, last));
  });
  const countIn = (from: number, to: number): number => (sums[to - first + 1] ?? 0) - (sums[from - first] ?? 0);

  for (const style of styles.trim().split("\n")) {
    const [name = "", limit = "", ratio, codes = "", message = "", data] = style.split(/ *\| */);
    it(name, async () => {
      const [most, unit] = [Number.parseInt(limit, 10), limit.replace(/.* /, "")];
      const [blocks, results] = unit === "blocks" ? [most, Number.POSITIVE_INFINITY] : [Number.POSITIVE_INFINITY, most];
      const [code, status] = codes.split(" ").map(Number);
      const say = (asked: Asked): Refusing => {
        const filled = data === undefined ? undefined : filledIn(data, asked, results);
        return refusing(code ?? 0, filledIn(message, asked, results), {
          ...(filled !== undefined && { data: filled.startsWith("{") ? JSON.parse(filled) : filled }),
          ...(status !== undefined && { status }),
        });
      };
      const provider = logProvider({
        head: 6_000_000,
        logsIn,
        countIn,
        refuse: (asked) => (asked.to - asked.from + 1 > blocks || asked.count > results ? say(asked) : undefined),
      });
      const logs = logsOf(await ask(provider, rangeOf(first, last)));
      assert.ok(JSON.stringify(logs) === whole, "complete, in order, nothing twice");
      const least = provider.least(first, last, blocks, results);
      assert.ok(
        provider.asked.length <= least * Number(ratio) + 14,
        `${provider.asked.length} requests, least ${least}`,
      );
    });
  }
});

describe("logs in parts", () => {
  const quiet = (block: number): number => (block % 7 === 0 ? 1 : 0);
  const capped =
    (blocks: number) =>
    ({ from, to }: Asked): Refusing | undefined =>
      to - from + 1 > blocks
        ? refusing(-32614, `eth_getLogs is limited to a ${blocks} range`, { status: 413 })
        : undefined;
  const capped100 = { head: 10_000, logsIn: quiet, refuse: capped(100) };
  const parts = (outcome: Outcome): readonly string[] => outcome.exchange.parts?.notes ?? [];

  it("sends a request that is answered once, as it was written", async () => {
    const provider = logProvider({ head: 100, logsIn: quiet, refuse: () => undefined });
    const outcome = await ask(provider, `{ "toBlock": "0x20", "fromBlock":"earliest" }`);
    assert.deepEqual(logsOf(outcome), provider.all(0, 32));
    assert.equal(provider.asked.length, 1);
    assert.equal(outcome.exchange.parts, undefined);
  });

  it("keeps the rest of the filter, wherever the range is", async () => {
    const provider = logProvider(capped100);
    await ask(provider, `{"toBlock":"0xff","address":["0x01"],"odd":{"fromBlock":1},"fromBlock":"earliest"}`);
    assert.ok(provider.asked.length > 2);
    for (const { filter } of provider.asked) {
      assert.deepEqual([filter.address, filter.odd], [["0x01"], { fromBlock: 1 }]);
    }
  });

  it("adds a range if none is written", async () => {
    const provider = logProvider({ ...capped100, head: 250 });
    assert.deepEqual(logsOf(await ask(provider, `{"fromBlock":"0x0"}`)), provider.all(0, 250));
  });

  for (const [name, refusal] of [
    ["a plan", refusing(-32602, "Archive requests require a personal token", { status: 403 })],
    ["a key", refusing(-32000, "Unauthorized: You must authenticate your request with an API key")],
    ["a method that is off", refusing(-32601, "rpc method is not whitelisted", { status: 403 })],
    ["pruned history", refusing(4444, "pruned history unavailable")],
    ["too many addresses", refusing(-32602, "This query contains 6000 filters. The current limit is 5000.")],
    ["blocks beyond the head", refusing(-32602, "block range extends beyond current head block")],
  ] as const) {
    it(`does not split what is refused for ${name}`, async () => {
      const provider = logProvider({ ...capped100, refuse: () => refusal });
      const outcome = await ask(provider, rangeOf(0, 5000));
      assert.equal(outcome.kind, "refused");
      assert.equal(provider.asked.length, 1);
    });
  }

  it("asks again for a piece at which a node fails by itself, and for no other", async () => {
    for (const [message, failures, kind] of [
      ["internal server error", 2, "answered"],
      ["internal server error", 30, "refused"],
      ["the method is disabled", 1, "refused"],
    ] as const) {
      let left: number = failures;
      const { refuse } = capped100;
      const provider = logProvider({
        ...capped100,
        refuse: (asked) => refuse(asked) ?? (asked.from > 200 && left-- > 0 ? refusing(-32000, message) : undefined),
      });
      const outcome = await ask(provider, rangeOf(0, 500));
      assert.equal(outcome.kind, kind, `${message} ${failures}`);
    }
  });

  it("never splits the logs of one block by its hash", async () => {
    const provider = logProvider({
      ...capped100,
      refuse: () => refusing(-32005, "query returned more than 10 results"),
    });
    const outcome = await ask(provider, `{"blockHash":"0x${"1".repeat(64)}"}`, { logRange: 10n });
    assert.deepEqual([outcome.kind, provider.asked.length], ["refused", 1]);
  });

  it("goes by the configured range at once, and by a learnt one the next time", async () => {
    const provider = logProvider(capped100);
    logsOf(await ask(provider, rangeOf(0, 999), { logRange: 99n }));
    assert.equal(provider.asked.length, 10);
    const memory: EndpointMemory = {};
    logsOf(await ask(provider, rangeOf(0, 999), { memory }));
    assert.equal(provider.asked.length, 10 + 11);
    logsOf(await ask(provider, rangeOf(1000, 1999), { memory }));
    assert.equal(provider.asked.length, 10 + 11 + 10);
  });

  it("ends with the newest block if the range goes on", async () => {
    const provider = logProvider(capped100);
    const outcome = await ask(provider, `{"fromBlock":"0x2580","toBlock":"0xffffffff"}`, { logRange: 99n });
    assert.deepEqual(logsOf(outcome), provider.all(0x2580, 10_000));
    assert.match(parts(outcome).join("\n"), /Block 4,294,967,295 does not exist yet: the logs end with 10,000/);
  });

  it("takes the pre-confirmed logs in, each log once, however the head moves", async () => {
    const options = { ...capped100, head: 1_000, pending: 3, wait: async () => void options.head++ };
    const provider = logProvider(options);
    const logs = logsOf(await ask(provider, rangeOf(0, "pending"), { logRange: 99n }));
    const numbers = (logs as readonly JsonObject[]).map(({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`);
    assert.equal(new Set(numbers).size, numbers.length);
    const sealed = (logs as readonly JsonObject[]).slice(0, -3);
    const last = Number((logs as readonly JsonObject[]).at(-1)?.blockNumber);
    assert.deepEqual(sealed, provider.all(0, last - 1));
    assert.deepEqual(
      numbers.slice(-3),
      [0, 1, 2].map((index) => `${h(last)} ${h(index)}`),
    );
    assert.equal(provider.asked[0]?.filter.toBlock, "pending");
  });

  it("reports that the chain changed meanwhile", async () => {
    let asked = 0;
    const provider = logProvider({ ...capped100, hashOf: () => `0x${String(++asked).padStart(64, "0")}` });
    const outcome = await ask(provider, rangeOf(0, 999), { logRange: 99n });
    assert.match(parts(outcome).join("\n"), /Block 999 was replaced while the logs were read/);
  });

  it("continues after a failure, and starts again with another filter", async () => {
    let isBroken = true;
    const refuse = (asked: Asked): Refusing | undefined =>
      capped(100)(asked) ?? (isBroken && asked.from >= 600 ? refusing(-32000, "Unauthorized: key expired") : undefined);
    const provider = logProvider({ ...capped100, refuse });
    const memory: EndpointMemory = {};
    const failed = await ask(provider, rangeOf(0, 999), { memory, logRange: 99n });
    assert.ok(failed.kind === "refused" && failed.reason === "unauthorized");
    assert.deepEqual(failed.exchange.parts?.soFar?.result.value, provider.all(0, 599));
    assert.match(
      parts(failed).join("\n"),
      /6 of 10 ranges, 86 logs arrived\. They are kept .*: run the cell again to continue\./,
    );
    isBroken = false;
    const before = provider.asked.length;
    const whole = await ask(provider, rangeOf(0, 999), { memory, logRange: 99n });
    assert.deepEqual(logsOf(whole), provider.all(0, 999));
    assert.equal(provider.asked.length - before, 4);
    assert.deepEqual(JSON.parse(whole.kind === "answered" ? whole.result.text : ""), provider.all(0, 999));
    isBroken = true;
    await ask(provider, rangeOf(0, 999), { memory, logRange: 99n });
    isBroken = false;
    const again = provider.asked.length;
    logsOf(await ask(provider, `{"address":"0x01","fromBlock":"0x0","toBlock":"0x3e7"}`, { memory, logRange: 99n }));
    assert.equal(provider.asked.length - again, 10);
  });

  it("reads logs again that were kept of a chain that has changed", async () => {
    let [isBroken, chain] = [true, 1];
    const refuse = (asked: Asked): Refusing | undefined =>
      isBroken && asked.from >= 600 ? refusing(-32000, "Unauthorized: key expired") : undefined;
    const provider = logProvider({ ...capped100, refuse, hashOf: () => `0x${String(chain).padStart(64, "0")}` });
    const memory: EndpointMemory = {};
    await ask(provider, rangeOf(0, 999), { memory, logRange: 99n });
    [isBroken, chain] = [false, 2];
    const before = provider.asked.length;
    const outcome = await ask(provider, rangeOf(0, 999), { memory, logRange: 99n });
    assert.equal(provider.asked.length - before, 10);
    assert.match(parts(outcome).join("\n"), /The chain has changed since the previous run/);
  });

  it("stops when the logs get too large, and keeps those that arrived", async () => {
    const provider = logProvider(capped100);
    const outcome = await ask(provider, rangeOf(0, 4999), { logRange: 99n, maxBytes: 10_000 });
    assert.ok(outcome.kind === "unreachable" && outcome.reason === "too-large");
    assert.equal(outcome.message, "The logs are larger than 10 kB in total, so reading stopped.");
    assert.match(parts(outcome).join("\n"), /of 50 ranges, .* logs arrived/);
    assert.ok(provider.asked.length < 10);
  });

  it("cannot cut a single block, and says so", async () => {
    const provider = logProvider({
      ...capped100,
      refuse: () => refusing(-32000, "query returns too many logs, narrow your filter: 20"),
    });
    const outcome = await ask(provider, rangeOf(0, 4999));
    assert.ok(outcome.kind === "refused" && outcome.reason === "result-limit");
    assert.match(parts(outcome).join("\n"), /Not even a single block was answered/);
    assert.ok(provider.asked.length < 30);
  });

  it("ends when it is cancelled, with the logs that arrived", async () => {
    const controller = new AbortController();
    const provider = logProvider({
      ...capped100,
      wait: async (ordinal) => void (ordinal === 20 && controller.abort()),
    });
    const outcome = await ask(provider, rangeOf(0, 9999), { logRange: 99n, signal: controller.signal });
    assert.notEqual(outcome.kind, "answered");
    assert.ok(provider.asked.length < 30, `${provider.asked.length} requests`);
    assert.ok(outcome.exchange.parts?.soFar);
  });

  it("reports progress", async () => {
    const texts: string[] = [];
    const provider = logProvider(capped100);
    await ask(provider, rangeOf(0, 999), { logRange: 99n, onProgress: ({ text }) => texts.push(text) });
    assert.equal(texts[0], "1 of 10 ranges, 15 logs");
    assert.equal(texts.at(-1), "10 of 10 ranges, 143 logs");
  });

  it("leaves out logs outside the requested blocks, and treats null as no logs", async () => {
    const provider = logProvider(capped100);
    const odd: typeof provider = {
      ...provider,
      async post(request, signal) {
        const reply = await provider.post(request, signal);
        const body = JSON.parse(reply.kind === "response" ? reply.body : "");
        if (!Array.isArray(body.result)) return reply;
        const stray = { blockNumber: "0x270f", logIndex: "0x0" };
        const text = JSON.stringify({
          ...body,
          result: body.result.length === 14 ? [...body.result, stray] : body.result,
        });
        return { kind: "response", status: 200, headers: {}, body: text, bytes: text.length };
      },
    };
    const outcome = await ask(odd, rangeOf(0, 999), { logRange: 99n });
    assert.deepEqual(logsOf(outcome), provider.all(0, 999));
    assert.match(parts(outcome).join("\n"), /localhost also sent \d logs? of blocks that it was not asked for/);
  });

  it("ends after a few runs, whatever can be received at once, and never shows a gap", async () => {
    const limits = fc.record({
      seed: fc.integer({ min: 1, max: 50 }),
      dense: fc.integer({ min: 0, max: 40 }),
      blocks: fc.constantFrom(undefined, 3, 50),
      maxBytes: fc.integer({ min: 12_000, max: 60_000 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, async ({ seed, dense, blocks, maxBytes }) => {
        const provider = logProvider({
          head: 600,
          logsIn: (block) => (block % 100 < dense ? 9 : (block * seed) % 3),
          refuse: ({ from, to }) =>
            blocks !== undefined && to - from >= blocks
              ? refusing(-32000, `query exceeds max block range ${blocks}`)
              : undefined,
        });
        const bounded: typeof provider = {
          ...provider,
          async post(request, signal) {
            const reply = await provider.post(request, signal);
            return reply.kind === "response" && reply.bytes > request.maxBytes
              ? { kind: "fault", reason: "too-large", detail: "" }
              : reply;
          },
        };
        const memory: EndpointMemory = {};
        let unread = 300;
        let idle = 0;
        for (let runs = 1; ; runs++) {
          assert.ok(runs < 100, "it ends");
          const asked = provider.asked.length;
          const outcome = await ask(bounded, rangeOf(0, 299), { memory, maxBytes });
          assert.ok(provider.asked.length - asked < 150, `${provider.asked.length - asked} requests in one run`);
          if (outcome.kind === "answered") {
            assert.deepEqual(outcome.result.value, provider.all(0, 299));
            return;
          }
          assert.ok(outcome.kind === "unreachable" && outcome.reason === "too-large");
          const soFar = outcome.exchange.parts?.soFar;
          assert.ok(soFar?.blocks);
          const { asked: wanted, missing } = soFar.blocks;
          assert.deepEqual(wanted, { from: 0n, to: 299n });
          assert.ok(missing.every(({ from, to }) => from <= to));
          const left = missing.reduce((sum, { from, to }) => sum + Number(to - from) + 1, 0);
          assert.ok(left <= unread, "nothing that came is lost");
          idle = left < unread ? 0 : idle + 1; // a run may find out only how large pieces can be
          assert.ok(idle < 3, "it goes on");
          unread = left;
          const lost = missing.flatMap(({ from, to }) => provider.all(Number(from), Number(to)));
          assert.equal((soFar.result.value as readonly unknown[]).length, provider.all(0, 299).length - lost.length);
        }
      }),
      { numRuns: times(25), examples: [[{ seed: 3, dense: 27, blocks: undefined, maxBytes: 12_000 }]] },
    );
  });

  it("returns the same logs as one request without limits, whatever the provider", async () => {
    const limits = fc.record({
      blocks: fc.integer({ min: 1, max: 400 }),
      later: fc.integer({ min: 1, max: 400 }),
      changesAt: fc.integer({ min: 1, max: 30 }),
      results: fc.integer({ min: 6, max: 60 }),
      style: fc.integer({ min: 0, max: 5 }),
      seed: fc.integer({ min: 1, max: 50 }),
      to: fc.integer({ min: 0, max: 600 }),
      waits: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }),
      logRange: fc.option(fc.integer({ min: 0, max: 500 })),
    });
    await fc.assert(
      fc.asyncProperty(limits, async ({ blocks, later, changesAt, results, style, seed, to, waits, logRange }) => {
        const provider = logProvider({
          head: 600,
          logsIn: (block) => (block * seed) % 7,
          async wait(ordinal) {
            for (let turn = waits[ordinal % waits.length] ?? 0; turn > 0; turn--) await Promise.resolve();
          },
          refuse(asked, ordinal) {
            const most = ordinal < changesAt ? blocks : later;
            const tooWide = asked.to - asked.from + 1 > most;
            if (!tooWide && asked.count <= results) return undefined;
            return [
              refusing(
                -32602,
                tooWide ? `query exceeds max block range ${most}` : `query exceeds max results ${results}`,
              ),
              refusing(
                -32005,
                `query returned more than ${results} results. Try with this block range [${h(asked.from)}, ${h(asked.from + 3)}].`,
              ),
              refusing(-32000, "block range is too wide"),
              refusing(-32000, "query returns too many logs"),
              refusing(-32002, "request timed out"),
              refusing(-32602, `query exceeds max results ${results}, retry with the range ${asked.to}-${asked.from}`),
            ][style];
          },
        });
        const filter = rangeOf(1, to + 1 > 600 ? 600 : Math.max(1, to));
        const outcome = await ask(provider, filter, logRange === null ? {} : { logRange: BigInt(logRange) });
        assert.deepEqual(logsOf(outcome), provider.all(1, to + 1 > 600 ? 600 : Math.max(1, to)));
        assert.deepEqual(JSON.parse(outcome.kind === "answered" ? outcome.result.text : ""), logsOf(outcome));
      }),
      { numRuns: times(60) },
    );
  });
});
