import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import type { Kind, PlayChange } from "../../../devchain/play.ts";
import { clock } from "../../../server/src/node/clock.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import type { CellResult } from "../../../server/src/run/cellResult.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const balance = `{ "method": "eth_getBalance", "params": ["${bob}", "pending"] }`;

describe("the kind of a chain is measured", function () {
  this.timeout(60_000);
  let chain: Devchain;
  let service: Service;
  let ticks: WatchesChanged[];
  let wake: () => void;

  const start = async (kind: Kind, play: PlayChange = {}, entry: object = {}): Promise<void> => {
    chain = await startDevchain({ kind, sealEveryMs: 1000 });
    await chain.play({ ...(kind === "native" && { sealEveryMs: 200 }), ...play });
    [ticks, wake] = [[], () => {}];
    const watchesChanged = (event: WatchesChanged): void => {
      ticks.push(event);
      wake();
    };
    const endpoints = { chain: { url: chain.url, ws: chain.wsUrl, ...entry } };
    const settings = { rpcNotebook: { endpoint: "chain", endpoints } };
    service = createService(testHost({ settings, watchesChanged, clock }));
    service.openText(uri, balance);
    await service.settled(uri);
  };
  afterEach(async () => {
    service.showWatches(false);
    await chain.stop();
  });
  const until = async (holds: (last: WatchesChanged) => boolean): Promise<WatchesChanged> => {
    for (;;) {
      const last = ticks.at(-1);
      if (last && holds(last)) return last;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const watch = (): Promise<unknown> => service.watch({ id: "bob", uri, address: bob });
  const problems = (): readonly string[] => service.diagnostics(uri).map(({ code }) => String(code));
  const badge = async (): Promise<string | undefined> => {
    const finished: CellResult[] = [];
    const events = { started: () => {}, finished: (cell: CellResult) => void finished.push(cell) };
    await service.run({ uri }, events, new AbortController().signal);
    return finished[0]?.output.reports[0]?.facts.find(({ name }) => name === "state")?.value;
  };

  it("as pre-confirmed, then as fast, then as ordinary, while it is watched", async () => {
    await start("preconfirmed");
    await watch();
    await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
    assert.deepEqual([problems(), await badge()], [[], "pre-confirmed"]);

    await chain.play({ kind: "native", sealEveryMs: 200 });
    const fast = await until(({ cadence }) => cadence === "a block every 200 ms");
    assert.equal(fast.silent, undefined);
    assert.deepEqual([problems(), await badge()], [["not-ahead"], undefined]);

    await chain.play({ kind: "ordinary", sealEveryMs: 1000 });
    await until(({ cadence }) => cadence === "a block every 1 s");
    assert.equal(await badge(), undefined);

    await chain.play({ kind: "preconfirmed", sealEveryMs: 1000 });
    await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
    assert.deepEqual([problems(), await badge()], [[], "pre-confirmed"]);
  });

  it("in a run, which does not show a former state as pre-confirmed", async () => {
    await start("preconfirmed");
    await service.probe(uri, undefined, new AbortController().signal);
    assert.equal(await badge(), "pre-confirmed");
    await chain.play({ kind: "native", sealEveryMs: 200 });
    assert.equal(await badge(), undefined);
    assert.deepEqual(problems(), ["not-ahead"]);
  });

  for (const [kind, summary] of [
    ["preconfirmed", /`pending` is ahead of `latest` in \d+ methods/],
    ["native", /`pending` is no more than `latest`/],
    ["ordinary", /`pending` is the node's own guess/],
  ] as const) {
    it(`by a probe: ${kind}`, async () => {
      await start(kind);
      const probed = await service.probe(uri, undefined, new AbortController().signal);
      assert.match(probed?.text ?? "", summary);
    });
  }

  it("by a probe, which says when several nodes answer at one address", async () => {
    await start("ordinary", { nodes: [{ behind: 0 }, { behind: 3 }] });
    const probed = await service.probe(uri, undefined, new AbortController().signal);
    assert.match(probed?.text ?? "", /several nodes answer at this address: `latest` went back by 3 blocks/);
  });

  for (const [kind, silent] of [
    ["preconfirmed", "newFlashblocks"],
    ["native", "newHeads"],
    ["ordinary", "newHeads"],
  ] as const) {
    it(`though its subscription stays silent: ${kind}`, async () => {
      await start(kind, { silent: [silent] });
      await watch();
      await until((last) => last.silent === silent);
      const before = ticks.length;
      await until(() => ticks.length > before + 3);
    });
  }
});
