import assert from "node:assert/strict";
import type { Clock } from "../../../../server/src/base/ports.ts";
import { clock } from "../../../../server/src/node/environment.ts";
import { createDownloads } from "../../../../server/src/node/transport.ts";
import { LookupQuestions } from "../../../../server/src/run/observe/lookupQuestions.ts";
import { openKnownContracts } from "../../../../server/src/workspace/knownContracts.ts";
import { lookupServer } from "../../../support/lookupServer.ts";
import { answered } from "../../report/outcomes.ts";

const chain: Readonly<Record<string, string>> = { eth_chainId: "0x2105", eth_getCode: "0x60016002" };
const client = {
  ask: async (questions: readonly { readonly method: string }[]) =>
    questions.map(({ method }) => answered(chain[method] ?? `0x${"0".repeat(64)}`)),
};

describe("questions to two lookup hosts of one run", () => {
  const downloads = createDownloads(() => ({}));
  const place = (at: number) => ({ chainId: 8453n, address: `0x${String(at).padStart(40, "1")}` });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const questions = (now: Clock = clock) =>
    new LookupQuestions(() => true, openKnownContracts(undefined, clock, log), now, new AbortController().signal);

  it("go on at one of them after the other has failed, which is said", async () => {
    const [failing, other] = [await lookupServer([], () => 500), await lookupServer([])];
    const asked = questions();
    for (const at of [1, 2, 3])
      for (const { url } of [failing, other])
        await asked.ask({ ...place(at), host: { api: url, downloads, verdict: "always" } }, client);
    assert.deepEqual([failing.paths.length, other.paths.length], [1, 3]);
    assert.equal(asked.faults.length, 1);
    assert.ok(asked.faults[0]?.includes(failing.host), asked.faults[0]);
  });

  it("go on after the endpoint has failed, which is said once and without options of a command", async () => {
    const { url, paths } = await lookupServer([]);
    const asked = questions();
    const failing = { ask: async () => [] };
    const host = { api: url, downloads, verdict: "always" } as const;
    for (const at of [1, 2]) await asked.ask({ ...place(at), host }, failing);
    await asked.ask({ ...place(3), host }, client);
    assert.equal(paths.length, 1);
    assert.equal(asked.faults.length, 1);
    assert.doesNotMatch(asked.faults.join(), /--/);
  });

  it("are limited together", async () => {
    const hosts = [await lookupServer([]), await lookupServer([])];
    const asked = questions();
    for (let at = 1; at <= 30; at++)
      for (const { url } of hosts)
        await asked.ask({ ...place(at), host: { api: url, downloads, verdict: "always" } }, client);
    assert.equal(hosts.flatMap(({ paths }) => paths).length, 40);
    assert.match(asked.faults.join(), /40 questions/);
  });

  it("end together, without blame for a host that was not asked", async () => {
    const hosts = [await lookupServer([]), await lookupServer([])];
    let passed = 0;
    const asked = questions({ ...clock, now: () => passed });
    passed = 30_000;
    let heard = 0;
    const counting: typeof client = {
      ask: (questions) => {
        heard++;
        return client.ask(questions);
      },
    };
    for (const { url } of hosts)
      await asked.ask({ ...place(1), host: { api: url, downloads, verdict: "always" } }, counting);
    assert.deepEqual([heard, ...hosts.map(({ paths }) => paths.length)], [0, 0, 0]);
    assert.equal(asked.faults.length, 1);
    for (const { host } of hosts) assert.ok(!asked.faults.join().includes(host), asked.faults.join());
  });
});
