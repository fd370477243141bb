import assert from "node:assert/strict";
import { accounts } from "../../../devchain/accounts.ts";
import type { Transport } from "../../../server/src/base/ports.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import type { StreamUpdate } from "../../../server/src/run/result/runEvents.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { caseJson, caseNotebook, sendTransaction } from "../../support/cases.ts";
import { fastClock } from "../../support/fastClock.ts";
import { expectLinear } from "../../support/growth.ts";
import { person, testHost } from "../../support/host.ts";
import { pluck } from "../../support/pluck.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const { alice, bob } = accounts;
const uri = "file:///nowhere/case.rpc.json";

interface Followed {
  readonly service: Service;
  readonly updates: readonly StreamUpdate[];
  readonly ended: Promise<CellResult>;
  /** Until there are updates of which this holds. */
  until(holds: (messages: string) => boolean): Promise<void>;
}

/** Runs a cell that explains a transaction, and follows it. */
function follow(endpoint: string, hash: string, isFollowed = true): Followed {
  const service = createService(testHost({ consent: person({ allowHost: async () => true }), clock: fastClock() }));
  service.openText(uri, caseNotebook(hash));
  const updates: StreamUpdate[] = [];
  let wake = (): void => {};
  const ended = new Promise<CellResult>((finished, fail) => {
    const streamed = (update: StreamUpdate): void => {
      updates.push(update);
      wake();
    };
    const events = { started: () => {}, streamed, finished };
    service
      .run({ uri, endpoint, cells: [{ index: 0 }], follow: isFollowed }, events, new AbortController().signal)
      .catch(fail);
  });
  const messages = (): string => updates.flatMap(({ connectionMessages }) => connectionMessages).join("\n");
  const until = async (holds: (messages: string) => boolean): Promise<void> => {
    while (updates.length === 0 || !holds(messages())) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { service, updates, ended, until };
}

describe("a transaction that is followed", function () {
  this.timeout(300_000);
  const chain = sharedChain({ kind: "ordinary" });
  const transfer = (more: { readonly gasPrice?: string; readonly nonce?: `0x${string}` } = {}) =>
    sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1", ...more });

  it("ends when another transaction takes its nonce", async () => {
    const hash = await transfer({ gasPrice: "0x77359400", nonce: "0x0" });
    const { ended, until } = follow(chain.url, hash);
    await until(() => true);
    const other = await transfer({ gasPrice: "0x12a05f2000", nonce: "0x0" });
    await chain.seal();
    const cell = await ended;
    const { status, replacedBy } = caseJson(cell);
    assert.deepEqual([status, replacedBy?.hash], ["replaced", other]);
    assert.match(cell.output.text, /Nonce 0 of alice is used by another transaction, in block \d+/);
  });

  it("stops when a person stops it, and keeps what is known", async () => {
    const { service, ended, until } = follow(chain.url, await transfer());
    await until(() => true);
    service.stream({ uri, cell: { index: 0 }, stop: true });
    assert.equal(caseJson(await ended).status, "pending");
  });

  it("is not followed unless the run says so", async () => {
    const { updates, ended } = follow(chain.url, await transfer(), false);
    await ended;
    assert.deepEqual(updates, []);
  });

  it("is not followed when it is final", async () => {
    const hash = await transfer();
    for (let blocks = 0; blocks < 4; blocks++) await chain.seal();
    const { updates, ended } = follow(chain.url, hash);
    await ended;
    assert.deepEqual(updates, []);
  });

  for (const [kind, first] of [
    ["preconfirmed", "pre-confirmed"],
    ["native", "pending"],
    ["ordinary", "pending"],
  ] as const)
    it(`is shown until it is final: ${kind}`, async () => {
      await chain.play({ kind });
      const { updates, ended, until } = follow(chain.url, await transfer());
      for (const stage of [/^/, /UTC: In block \d+/, /UTC: In block[\s\S]*UTC: Safe/]) {
        await until((messages) => stage.test(messages));
        await chain.seal();
      }
      const { life, status } = caseJson(await ended);
      assert.equal(status, "succeeded");
      assert.deepEqual(pluck(life, "stage"), [first, "block", "safe", "finalized"]);
      for (const { stage, how } of life.slice(-2)) assert.equal(how, "seen", stage);
      for (const { stage, at = 0 } of life) assert.ok(at > 0, `the time of ${stage}`);
      for (const { output } of updates) assert.equal(output.reports[0]?.live?.onlyStop, true);
    });
});

describe("cells of a run that follows a transaction", () => {
  it("cost no more in a long notebook", async () => {
    const transport: Transport = {
      async post({ body }) {
        const asked: readonly { readonly id: number }[] = [JSON.parse(body)].flat();
        const answers = asked.map(({ id }) => `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`);
        const text = answers.length === 1 ? answers.join() : `[${answers.join()}]`;
        return { kind: "response", status: 200, headers: {}, body: text, bytes: text.length };
      },
    };
    await expectLinear(16_000, async (count) => {
      const service = createService(testHost({ transport }));
      service.openText(uri, `[${Array.from({ length: count }, () => '{"method":"eth_chainId"}').join()}]`);
      const events = { started: () => {}, finished: () => {} };
      const params = { uri, endpoint: "http://127.0.0.1:1", follow: true };
      const { ok } = await service.run(params, events, new AbortController().signal);
      assert.equal(ok, count);
    });
  });
});
