import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import type { PlayChange } from "../../../devchain/play.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { some } from "../../support/depth.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const balance = `{ "method": "eth_getBalance", "params": ["${bob}", "pending"] }`;

/** The chain's periods are shorter than those that the service measures, and its clock is faster, by this factor. */
const factor = 4;
/** More than the milliseconds for which measurements of heads are kept. */
const measuredMs = 25_000;
const preconfirmed: PlayChange = { kind: "preconfirmed", sealEveryMs: 1000, silent: [] };

/** A chain, and a service that uses it. */
interface Setup {
  /** Changes the chain; a period is as on the clock of the service. */
  play(change: PlayChange): Promise<unknown>;
  until(holds: (last: WatchesChanged) => boolean): Promise<WatchesChanged>;
  /** Number of events so far. */
  ticked(): number;
  watch(): Promise<unknown>;
  probe(): Promise<unknown>;
  problems(): readonly string[];
  /** The state that a run shows. */
  badge(): Promise<string | undefined>;
  /** Runs until one shows pre-confirmed state: on a busy machine heads come so late that a measurement can be wrong. */
  shownAsPreconfirmed(measure?: () => Promise<unknown>): Promise<void>;
}

async function withService(chain: Devchain, play: PlayChange, test: (setup: Setup) => Promise<void>): Promise<void> {
  const clock = fastClock(factor);
  const ticks: WatchesChanged[] = [];
  let wake = (): void => {};
  const watchesChanged = (event: WatchesChanged): void => {
    ticks.push(event);
    wake();
  };
  const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: { url: chain.url, ws: chain.wsUrl } } } };
  const service = createService(testHost({ settings, watchesChanged, clock }));
  const badge = async (): Promise<string | undefined> => {
    const finished: CellResult[] = [];
    const events = { started: () => {}, finished: (cell: CellResult) => void finished.push(cell) };
    await service.run({ uri }, events, new AbortController().signal);
    return finished[0]?.output.reports[0]?.facts.find(({ name }) => name === "state")?.value;
  };
  const setup: Setup = {
    badge,
    async shownAsPreconfirmed(measure) {
      for (let run = 1; ; run++) {
        await measure?.();
        if ((await badge()) === "pre-confirmed") return;
        assert.ok(run < 50, "no run shows it");
      }
    },
    async play({ sealEveryMs, ...rest }) {
      await chain.play({ ...rest, ...(sealEveryMs !== undefined && { sealEveryMs: sealEveryMs / factor }) });
      clock.skip(measuredMs);
    },
    async until(holds) {
      for (;;) {
        const last = ticks.at(-1);
        if (last && holds(last)) return last;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    ticked: () => ticks.length,
    watch: () => service.watch({ id: "bob", uri, address: bob }),
    probe: () => service.probe(uri, undefined, new AbortController().signal),
    problems: () => service.diagnostics(uri).map(({ code }) => String(code)),
  };
  try {
    await setup.play(play);
    service.openText(uri, balance);
    await service.settled(uri);
    await test(setup);
  } finally {
    service.showWatches(false);
  }
}

describe("the kind of a chain is measured", function () {
  this.timeout(300_000);
  let chain: Devchain;
  before(async () => {
    chain = await startDevchain({ sealEveryMs: 1000 / factor, refreshEveryMs: 200 / factor });
  });
  after(() => chain.stop());

  for (const [kind, silent] of some(
    [
      ["preconfirmed", "newFlashblocks"],
      ["native", "newHeads"],
    ] as const,
    1,
  ))
    it(`though its subscription stays silent: ${kind}`, () =>
      withService(chain, { kind, silent: [silent], sealEveryMs: 1000 }, async ({ watch, until, ticked }) => {
        await watch();
        await until((last) => last.silent === silent);
        const before = ticked();
        await until(() => ticked() > before + 3);
      }));

  it("in a run, which does not show a former state as pre-confirmed", () =>
    withService(chain, preconfirmed, async ({ probe, badge, play, problems, shownAsPreconfirmed }) => {
      await shownAsPreconfirmed(probe);
      await play({ kind: "native", sealEveryMs: 200 });
      assert.equal(await badge(), undefined);
      assert.deepEqual(problems(), ["not-ahead"]);
    }));

  it("as pre-confirmed, then as fast, then as ordinary, while it is watched", () =>
    withService(chain, preconfirmed, async ({ watch, until, play, problems, badge, shownAsPreconfirmed }) => {
      await watch();
      await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
      assert.deepEqual(problems(), []);
      await shownAsPreconfirmed();

      await play({ kind: "native", sealEveryMs: 200 });
      await until(({ cadence, silent }) => /^a block every \d+ ms$/.test(cadence) && silent === undefined);
      assert.deepEqual([problems(), await badge()], [["not-ahead"], undefined]);

      await play({ kind: "ordinary", sealEveryMs: 1000 });
      await until(({ cadence }) => /^a block every \d s$/.test(cadence));
      assert.equal(await badge(), undefined);

      await play(preconfirmed);
      await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
      assert.deepEqual(problems(), []);
      await shownAsPreconfirmed();
    }));
});
