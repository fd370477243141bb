import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { accounts } from "../../../devchain/accounts.ts";
import { type Devchain, startDevchain } from "../../../devchain/devchain.ts";
import type { Kind } from "../../../devchain/play.ts";
import type { StreamUpdate } from "../../../server/src/execution/streams.ts";
import type { CellResult } from "../../../server/src/run/cellResult.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { caseJson, caseNotebook, sendTransaction } from "../../support/cases.ts";
import { person, testHost } from "../../support/host.ts";

const { alice, bob } = accounts;
const uri = "file:///nowhere/case.rpc.json";

interface Followed {
  readonly service: Service;
  readonly updates: readonly StreamUpdate[];
  readonly ended: Promise<CellResult>;
}

/** Runs a cell that explains a transaction, and follows it. */
function follow(endpoint: string, hash: string, isFollowed = true): Followed {
  const service = createService(testHost({ consent: person({ allowHost: async () => true }) }));
  service.openText(uri, caseNotebook(hash));
  const updates: StreamUpdate[] = [];
  const ended = new Promise<CellResult>((finished, fail) => {
    const events = {
      started: () => {},
      streamed: (update: StreamUpdate) => void updates.push(update),
      finished,
    };
    service
      .run({ uri, endpoint, cells: [{ index: 0 }], follow: isFollowed }, events, new AbortController().signal)
      .catch(fail);
  });
  return { service, updates, ended };
}

function transfer(chain: Devchain, more: { readonly gasPrice?: string; readonly nonce?: `0x${string}` } = {}) {
  return sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1", ...more });
}

describe("a transaction that is followed", function () {
  this.timeout(60_000);
  const kinds: readonly (readonly [Kind, number, string])[] = [
    ["preconfirmed", 1000, "pre-confirmed"],
    ["native", 200, "pending"],
    ["ordinary", 1000, "pending"],
  ];
  for (const [kind, sealEveryMs, first] of kinds)
    it(`is shown until it is final: ${kind}`, async () => {
      const chain = await startDevchain({ kind, sealEveryMs, traffic: false });
      try {
        const { updates, ended } = follow(chain.url, await transfer(chain));
        const cell = await ended;
        const { life, status } = caseJson(cell);
        assert.equal(status, "succeeded");
        assert.deepEqual(
          life.map(({ stage }) => stage).filter((stage) => stage !== first || kind !== "native"),
          kind === "native" ? ["block", "safe", "finalized"] : [first, "block", "safe", "finalized"],
        );
        for (const { stage, how } of life.slice(-2)) assert.equal(how, "seen", stage);
        const times = life.map(({ at }) => at ?? 0);
        assert.ok(
          times.every((at) => at > 0),
          "each stage has its time",
        );
        assert.ok(updates.length >= 2, `${updates.length} updates`);
        const messages = updates.flatMap(({ connectionMessages }) => connectionMessages).join("\n");
        assert.match(messages, /UTC: In block \d+[\s\S]*UTC: Safe[\s\S]*UTC: Finalized/);
        for (const { output } of updates) assert.equal(output.reports[0]?.live?.onlyStop, true);
      } finally {
        await chain.stop();
      }
    });

  describe("where blocks are made by hand", () => {
    let chain: Devchain;
    before(async () => {
      chain = await startDevchain({ kind: "ordinary", sealEveryMs: 0, traffic: false });
    });
    after(() => chain.stop());

    it("ends when another transaction takes its nonce", async () => {
      const hash = await transfer(chain, { gasPrice: "0x77359400", nonce: "0x0" });
      const { updates, ended } = follow(chain.url, hash);
      await until(() => updates.length > 0);
      const other = await transfer(chain, { gasPrice: "0x12a05f2000", nonce: "0x0" });
      await chain.seal();
      const cell = await ended;
      const { status, replacedBy } = caseJson(cell);
      assert.equal(status, "replaced");
      assert.equal(replacedBy?.hash, other);
      assert.match(
        cell.output.text,
        /Nonce 0 of alice is used by another transaction, in block \d+: this one can no longer be executed\./,
      );
    });
    it("stops when a person stops it, and keeps what is known", async () => {
      const { service, updates, ended } = follow(chain.url, await transfer(chain));
      await until(() => updates.length > 0);
      service.stream({ uri, cell: { index: 0 }, stop: true });
      assert.equal(caseJson(await ended).status, "pending");
    });
    it("is not followed unless the run says so", async () => {
      const { updates, ended } = follow(chain.url, await transfer(chain), false);
      await ended;
      assert.deepEqual(updates, []);
    });
    it("is not followed when it is final", async () => {
      const hash = await transfer(chain);
      for (let blocks = 0; blocks < 4; blocks++) await chain.seal();
      const { updates, ended } = follow(chain.url, hash);
      await ended;
      assert.deepEqual(updates, []);
    });
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}
