import assert from "node:assert/strict";
import { startDevchain } from "../../../devchain/devchain.ts";
import type { Kind, PlayChange, SubscriptionName } from "../../../devchain/play.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import type { CellResult } from "../../../server/src/run/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";
import { sideBySide } from "../../support/sideBySide.ts";

const uri = "file:///nowhere/a.rpc.json";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const balance = `{ "method": "eth_getBalance", "params": ["${bob}", "pending"] }`;

/** The chain's periods are shorter than those that the service measures, and its clock is faster, by this factor. */
const factor = 2;

/** A chain, and a service that uses it. */
interface Setup {
  /** Changes the chain; a period is as on the clock of the service. */
  play(change: PlayChange): Promise<unknown>;
  until(holds: (last: WatchesChanged) => boolean): Promise<WatchesChanged>;
  /** Number of events so far. */
  ticked(): number;
  watch(): Promise<unknown>;
  /** The text of the first probe that learns what `pending` is: on a busy machine one may not. */
  probed(): Promise<string>;
  problems(): readonly string[];
  /** The state that a run shows. */
  badge(): Promise<string | undefined>;
  /** Runs until one shows pre-confirmed state: on a busy machine the head may come too late for the first. */
  shownAsPreconfirmed(): Promise<void>;
}

async function withChain(kind: Kind, play: PlayChange, test: (setup: Setup) => Promise<void>): Promise<void> {
  const chain = await startDevchain({ kind, sealEveryMs: 1000 / factor, refreshEveryMs: 200 / factor });
  const ticks: WatchesChanged[] = [];
  let wake = (): void => {};
  const watchesChanged = (event: WatchesChanged): void => {
    ticks.push(event);
    wake();
  };
  const settings = { rpcNotebook: { endpoint: "chain", endpoints: { chain: { url: chain.url, ws: chain.wsUrl } } } };
  const service = createService(testHost({ settings, watchesChanged, clock: fastClock(factor) }));
  const badge = async (): Promise<string | undefined> => {
    const finished: CellResult[] = [];
    const events = { started: () => {}, finished: (cell: CellResult) => void finished.push(cell) };
    await service.run({ uri }, events, new AbortController().signal);
    return finished[0]?.output.reports[0]?.facts.find(({ name }) => name === "state")?.value;
  };
  const setup: Setup = {
    badge,
    async shownAsPreconfirmed() {
      for (let run = 1; (await badge()) !== "pre-confirmed"; run++) assert.ok(run < 50, "no run shows it");
    },
    play: ({ sealEveryMs, ...rest }) =>
      chain.play({ ...rest, ...(sealEveryMs !== undefined && { sealEveryMs: sealEveryMs / factor }) }),
    async until(holds) {
      for (;;) {
        const last = ticks.at(-1);
        if (last && holds(last)) return last;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    ticked: () => ticks.length,
    watch: () => service.watch({ id: "bob", uri, address: bob }),
    async probed() {
      for (let probe = 1; ; probe++) {
        const text = (await service.probe(uri, undefined, new AbortController().signal))?.text ?? "";
        if (!text.includes("it is not known whether") || probe === 10) return text;
      }
    },
    problems: () => service.diagnostics(uri).map(({ code }) => String(code)),
  };
  try {
    await setup.play({ ...(kind === "native" && { sealEveryMs: 200 }), ...play });
    service.openText(uri, balance);
    await service.settled(uri);
    await test(setup);
  } finally {
    service.showWatches(false);
    await chain.stop();
  }
}

const byProbe = (kind: Kind, summary: RegExp, play: PlayChange = {}): Promise<void> =>
  withChain(kind, play, async ({ probed }) => assert.match(await probed(), summary));

const thoughSilent = (kind: Kind, silent: SubscriptionName): Promise<void> =>
  withChain(kind, { silent: [silent] }, async ({ watch, until, ticked }) => {
    await watch();
    await until((last) => last.silent === silent);
    const before = ticked();
    await until(() => ticked() > before + 3);
  });

describe("the kind of a chain is measured", function () {
  this.timeout(120_000);
  sideBySide({
    "as pre-confirmed, then as fast, then as ordinary, while it is watched": () =>
      withChain("preconfirmed", {}, async ({ watch, until, play, problems, badge, shownAsPreconfirmed }) => {
        await watch();
        await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
        assert.deepEqual(problems(), []);
        await shownAsPreconfirmed();

        await play({ kind: "native", sealEveryMs: 200 });
        const fast = await until(({ cadence }) => cadence === "a block every 200 ms");
        assert.equal(fast.silent, undefined);
        assert.deepEqual([problems(), await badge()], [["not-ahead"], undefined]);

        await play({ kind: "ordinary", sealEveryMs: 1000 });
        await until(({ cadence }) => cadence === "a block every 1 s");
        assert.equal(await badge(), undefined);

        await play({ kind: "preconfirmed", sealEveryMs: 1000 });
        await until(({ cadence }) => cadence === "pre-confirmed, every 200 ms");
        assert.deepEqual(problems(), []);
        await shownAsPreconfirmed();
      }),
    "in a run, which does not show a former state as pre-confirmed": () =>
      withChain("preconfirmed", {}, async ({ probed, badge, play, problems, shownAsPreconfirmed }) => {
        await probed();
        await shownAsPreconfirmed();
        await play({ kind: "native", sealEveryMs: 200 });
        assert.equal(await badge(), undefined);
        assert.deepEqual(problems(), ["not-ahead"]);
      }),
    "by a probe: preconfirmed": () => byProbe("preconfirmed", /`pending` is ahead of `latest` in \d+ methods/),
    "by a probe: native": () => byProbe("native", /`pending` is the same as `latest`/),
    "by a probe: ordinary": () => byProbe("ordinary", /`pending` is the node's own guess/),
    "by a probe, which says when several nodes answer at one address": () =>
      byProbe("ordinary", /several nodes answer at this address: `latest` went back by 3 blocks/, {
        nodes: [{ behind: 0 }, { behind: 3 }],
      }),
    "though its subscription stays silent: preconfirmed": () => thoughSilent("preconfirmed", "newFlashblocks"),
    "though its subscription stays silent: native": () => thoughSilent("native", "newHeads"),
    "though its subscription stays silent: ordinary": () => thoughSilent("ordinary", "newHeads"),
  });
});
