import assert from "node:assert/strict";
import { call } from "../../../devchain/contracts.ts";
import type { PlayChange } from "../../../devchain/play.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { BackgroundClient, Question } from "../../../server/src/gate/backgroundClient.ts";
import { audit } from "../../../server/src/inspect/audit.ts";
import { AuditRing, differences } from "../../../server/src/inspect/auditRing.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { createService } from "../../../server/src/service/service.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { countingProxy, replacing } from "../../support/countingProxy.ts";
import { times } from "../../support/depth.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";
import { pluck } from "../../support/pluck.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { steppedClock } from "../../support/steppedClock.ts";
import { answered } from "../report/outcomes.ts";

const uri = "file:///nowhere/a.rpc.json";

/** Divergences of each sort that are injected. */
const trials = times(12, 3);

describe("an audit of pre-confirmed state", function () {
  this.timeout(60_000 + trials * 3000);
  const chain = sharedChain();

  const pay = async (amount: number): Promise<unknown> => {
    const { alice, bob } = chain.accounts;
    const transfer = call(alice.address, "token", "transfer", [bob.address, BigInt(amount)]);
    return chain.rpc("eth_sendTransaction", [{ ...transfer, gas: "0x30000" }]);
  };
  /** Audits while something is done, and until the blocks up to then were compared. */
  async function audited(work: () => Promise<void>, endpoint: object): Promise<AuditJson> {
    let last = -1n;
    let wake = (): void => {};
    const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: endpoint } } };
    const service = createService(testHost({ settings, clock: fastClock() }));
    service.openText(uri, "[]");
    const over = new AbortController();
    const auditing = service.audit(uri, { forMs: 1e12 }, over.signal, (found) => {
      last = found.last ?? last;
      wake();
    });
    while (last < 0n) {
      await pay(1);
      await chain.seal();
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), clock.sleep(50, over.signal)]);
    }
    await work();
    const head = BigInt(String(await chain.rpc("eth_blockNumber")));
    while (last < head) await new Promise<void>((resolve) => (wake = resolve));
    over.abort();
    const output = await auditing;
    return { ok: output?.ok, ...JSON.parse(output?.json ?? "") };
  }
  const left = async (): Promise<number> =>
    Object.values((await chain.play({})).diverge).reduce((sum, count) => sum + count, 0);

  /** Plays until everything is injected, and on until it is sealed. */
  async function play(diverge: PlayChange["diverge"] = {}): Promise<void> {
    let amount = 1;
    const block = async (): Promise<void> => {
      for (let n = 0; n < 12; n++) await pay(amount++);
      await chain.seal();
    };
    for (let n = 0; n < 3; n++) await block();
    await chain.play({ diverge });
    while ((await left()) > 0) await block();
    for (let n = 0; n < 8; n++) await block();
  }

  const line = (one: Pick<Found, "sort" | "transaction" | "field">): string =>
    [one.sort, one.transaction, ...(one.field ? [one.field] : [])].join(" ");

  it("finds nothing where nothing is injected", async () => {
    const { ok, divergences } = await audited(() => play(), { url: chain.url, ws: chain.wsUrl });
    assert.deepEqual([ok, divergences, chain.divergences()], [true, [], []]);
  });

  it("finds all that were injected, and nothing else", async () => {
    const diverge = { missing: trials, extra: trials, different: trials, late: trials };
    const { ok, divergences } = await audited(() => play(diverge), { url: chain.url, ws: chain.wsUrl });
    const truth = chain.divergences();
    assert.deepEqual([ok, truth.length], [false, 4 * trials]);
    assert.deepEqual(divergences.map(line).sort(), truth.map(line).sort());
    for (const one of divergences) {
      const same = truth.find((other) => line(other) === line(one));
      assert.deepEqual([one.shown, one.sealed], [same?.shown, same?.sealed]);
    }
  });

  it("reads receipts one by one if those of a block are refused", async () => {
    const { ok, transactions } = await audited(async () => {}, { url: chain.publicUrl });
    assert.ok(ok && transactions > 0);
  });

  it("ends after its time on the command line", async () => {
    const args = ["audit", chain.url, "--for", "20s", "--json"];
    const { code, out, err } = await runCommand(args, process.cwd(), { clock: fastClock() });
    assert.equal(code, 0, err + out);
    assert.equal(JSON.parse(out).blocks, 0);
  });

  it("fails if the endpoint stops answering after some blocks", async () => {
    let isGone = false;
    const gone = { error: { code: -32603, message: "gone" } };
    const proxy = await countingProxy(
      chain.url,
      replacing(chain.url, () => (isGone ? gone : undefined)),
    );
    const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: { url: proxy.url } } } };
    const service = createService(testHost({ settings, clock: fastClock() }));
    service.openText(uri, "[]");
    const { signal } = new AbortController();
    const auditing = service.audit(uri, { forMs: 1e12 }, signal, () => (isGone = true));
    while (!isGone) {
      await pay(1);
      await chain.seal();
      await clock.sleep(50, signal);
    }
    const { ok, json = "", reports } = (await auditing) ?? {};
    assert.equal(ok, false);
    assert.ok(JSON.parse(json).blocks > 0 && JSON.parse(json).failure.message === "gone", json);
    assert.match(reports?.[0]?.summary ?? "", /of \d+ blocks?.*ended early/);
  });

  it("fails on the command line if nobody answers", async () => {
    const args = ["audit", "http://127.0.0.1:1", "--for", "100s", "--json"];
    const { code, out } = await runCommand(args, process.cwd(), { clock: fastClock() });
    assert.deepEqual([code, JSON.parse(out).blocks], [1, 0]);
  });
});

describe("a transaction that was shown", () => {
  const receipt = { transactionHash: "0xaa", status: "0x1", gasUsed: "0x5208", contractAddress: null, logs: [] };

  it("is compared by its effects, in any case of hex", () => {
    const shown = { ...receipt, cumulativeGasUsed: "0x1", logs: [{ address: "0xAB", topics: ["0x1"], data: "0x" }] };
    const sealed = { ...receipt, cumulativeGasUsed: "0x2", logs: [{ address: "0xab", topics: ["0x2"], data: "0x" }] };
    assert.deepEqual(differences(shown, sealed), [{ field: "logs[0].topics", shown: '["0x1"]', sealed: '["0x2"]' }]);
    assert.deepEqual(differences({}, receipt), [], "what was not told is not held against it");
  });

  it("is missing when five blocks have come without it, and not before", () => {
    const ring = new AuditRing();
    ring.seal(9n, [], true);
    ring.show("0xaa", 10n, receipt);
    for (let block = 10n; block < 15n; block++) assert.deepEqual(ring.seal(block, [], true), []);
    const [found] = ring.seal(15n, [], true);
    assert.deepEqual([found?.sort, found?.shownIn, ring.open], ["missing", 10n, 0]);
  });

  it("is not missing if its block was not compared", () => {
    const ring = new AuditRing();
    ring.show("0xaa", 10n, receipt);
    for (let block = 11n; block < 20n; block++) assert.deepEqual(ring.seal(block, [], true), []);
    assert.equal(ring.open, 0);
  });

  it("is late, not also different, in a later block", () => {
    const ring = new AuditRing();
    ring.show("0xaa", 10n, receipt);
    ring.show("0xaa", 11n, receipt);
    assert.deepEqual(
      ring.seal(11n, [{ ...receipt, gasUsed: "0x1" }], true).map(({ sort, shownIn }) => [sort, shownIn]),
      [["late", 10n]],
    );
  });

  it("is not extra if the audit may have missed it, or if it is a deposit", () => {
    assert.deepEqual(new AuditRing().seal(1n, [receipt], false), []);
    assert.deepEqual(new AuditRing().seal(1n, [{ ...receipt, type: "0x7e" }], true), []);
    const ring = new AuditRing();
    assert.deepEqual(ring.seal(1n, [receipt], true), []);
    assert.equal(ring.seal(2n, [], true)[0]?.sort, "extra");
  });

  it("is neither extra nor missing if the message about it comes late, and is compared then", () => {
    for (const [gasUsed, expected] of [
      ["0x5208", []],
      ["0x1", ["different"]],
    ] as const) {
      const ring = new AuditRing();
      ring.seal(9n, [], true);
      ring.seal(10n, [receipt], true);
      ring.show("0xaa", 10n, { ...receipt, gasUsed });
      const found = [...Array(10).keys()].flatMap((at) => ring.seal(11n + BigInt(at), [], true));
      assert.deepEqual(pluck(found, "sort"), expected);
      assert.deepEqual(ring.rest(), []);
    }
  });
});

interface AuditJson {
  readonly ok: boolean | undefined;
  readonly transactions: number;
  readonly divergences: readonly Found[];
}

interface Found {
  readonly sort: string;
  readonly transaction: string;
  readonly field?: string;
  readonly shown?: string;
  readonly sealed?: string;
}

describe("the end of an audit", () => {
  it("comes when what was shown in its time is sealed, whatever is shown later", async () => {
    const stepped = steppedClock();
    const begun = stepped.now();
    const blockMs = 2000;
    /** A block every two seconds, with one transaction that is shown before. */
    const receiptIn = (block: number) => ({ transactionHash: `0x${block}`, blockNumber: `0x${block.toString(16)}` });
    const answerTo = ({ method, params: [block] }: Question): JsonValue => {
      const head = 100 + Math.floor((stepped.now() - begun) / blockMs);
      if (method === "eth_blockNumber") return `0x${head.toString(16)}`;
      return [receiptIn(block === "pending" ? head + 1 : Number(block))];
    };
    const asker = {
      endpoint: { name: "chain", host: "chain" },
      memory: {},
      ask: async (questions: readonly Question[]) => questions.map((question) => answered(answerTo(question))),
    } as unknown as BackgroundClient; // an audit uses no more of it
    const auditing = audit({ asker, socket: undefined, clock: stepped }, 3000, new AbortController().signal);
    await stepped.run();
    const { blocks, counts } = await auditing;
    assert.deepEqual(counts, { missing: 0, extra: 0, different: 0, late: 0 });
    assert.equal(blocks, 2, "the one that ended in its time, and the one that was being built");
  });
});
