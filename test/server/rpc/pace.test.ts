import assert from "node:assert/strict";
import type { Clock, HttpResponse, Transport } from "../../../server/src/base/ports.ts";
import { notePace, noteSent, type PaceMemory, paceSlot } from "../../../server/src/rpc/pace.ts";
import { type SendOptions, send } from "../../../server/src/rpc/send.ts";
import type { RawRequest } from "../../../server/src/rpc/wire.ts";
import { steppedClock } from "../../support/steppedClock.ts";

/** Returns how many of `count` requests a provider accepts now. */
type Quota = (count: number, now: number) => number;

/** Accepts so many requests in each second of its own. */
function perSecond(most: number): Quota {
  const used = new Map<number, number>();
  return (count, now) => {
    const second = Math.floor(now / 1000);
    const before = used.get(second) ?? 0;
    const taken = Math.min(count, most - before);
    used.set(second, before + taken);
    return taken;
  };
}

/** Accepts so many requests in any second. */
function sliding(most: number): Quota {
  let times: readonly number[] = [];
  return (count, now) => {
    times = times.filter((at) => now - at < 1000);
    const taken = Math.min(count, most - times.length);
    times = [...times, ...Array<number>(taken).fill(now)];
    return taken;
  };
}

/** Accepts a request for each token; so many come in a second, and as many are kept. */
function bucket(most: number, kept = most): Quota {
  let [tokens, last] = [kept, 0];
  return (count, now) => {
    tokens = Math.min(kept, tokens + ((now - last) * most) / 1000);
    last = now;
    const taken = Math.min(count, Math.floor(tokens));
    tokens -= taken;
    return taken;
  };
}

/** Accepts a message as a whole or not at all. */
function whole(inner: Quota): Quota {
  return (count, now) => (inner(count, now) === count ? count : 0);
}

interface Refusal {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly message?: string;
}

/** A provider with a quota, 20 ms away. */
function provider(clock: Clock, quota: Quota, { status = 200, headers = {}, code, message = "slow down" }: Refusal) {
  let count = 0;
  const transport: Transport = {
    async post({ body }, signal) {
      await clock.sleep(10, signal);
      const asked: unknown = JSON.parse(body);
      const all = [asked].flat() as readonly { readonly id: number }[];
      const taken = quota(all.length, clock.now());
      count += all.length;
      const answers = all.map(({ id }, at) =>
        at < taken ? { jsonrpc: "2.0", id, result: id } : { jsonrpc: "2.0", id, error: { code, message } },
      );
      await clock.sleep(10, signal);
      const content = JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
      const isRefused = taken === 0;
      return {
        kind: "response",
        status: isRefused ? status : 200,
        headers: isRefused ? headers : {},
        body: content,
        bytes: content.length,
      } satisfies HttpResponse;
    },
  };
  return { transport, asked: () => count };
}

/** Sends 70 requests twice, and returns how many failed. */
async function failures(quota: Quota, refusal: Refusal, batch: SendOptions["batch"]): Promise<number> {
  const clock = steppedClock();
  const { transport, asked } = provider(clock, quota, refusal);
  const target = { name: "main", url: "https://rpc.example", host: "rpc.example", headers: {} };
  const options = { timeoutMs: 5000, maxBytes: 1_000_000, idempotent: true, batch, clock, memory: {} };
  const requests = Array.from({ length: 70 }, (_, id): RawRequest => {
    return { id, method: "eth_gasPrice", text: `{"jsonrpc":"2.0","id":${id},"method":"eth_gasPrice","params":[]}` };
  });
  let failed = 0;
  for (let run = 0; run < 2; run++) {
    const sending = send(transport, target, requests, options, new AbortController().signal);
    await clock.run();
    failed += (await sending).filter(({ kind }) => kind !== "answered").length;
  }
  assert.ok(asked() < 400, `${asked()} requests for 140`);
  return failed;
}

const quotas: readonly (readonly [name: string, quota: () => Quota])[] = [
  ["5 in each second", () => perSecond(5)],
  ["5 in any second", () => sliding(5)],
  ["5 a second from a bucket", () => bucket(5)],
  ["5 a second from a bucket of 40", () => bucket(5, 40)],
  ["5 a second, evenly", () => bucket(5, 1)],
  ["messages of 5 in a second", () => whole(sliding(5))],
  ["messages of 50 in a second", () => whole(perSecond(50))],
  ["1 in three seconds", () => bucket(1 / 3, 1)],
];
const refusals: readonly (readonly [name: string, refusal: Refusal])[] = [
  ["HTTP 429", { status: 429, code: 429 }],
  ["Retry-After", { status: 429, headers: { "retry-after": "1" }, code: -32005 }],
  ["-32016 under HTTP 200", { code: -32016 }],
  [
    "HTTP 503 and Retry-After",
    { status: 503, headers: { "retry-after": "1" }, code: -32000, message: "Service Unavailable" },
  ],
];

describe("the pace of an endpoint", () => {
  for (const [accepts, quota] of quotas)
    for (const [refuses, refusal] of refusals)
      it(`that accepts ${accepts} and refuses others with ${refuses}: nothing fails, alone or in batches`, async () => {
        // an HTTP status is of the whole message, and 503 is never of a part
        const quotaOf: readonly ((own: Quota) => Quota)[] = refusal.status === 503 ? [whole] : [(own) => own, whole];
        for (const of of quotaOf)
          for (const batch of [false, undefined] as const) assert.equal(await failures(of(quota()), refusal, batch), 0);
      });

  it("rises again after a single refusal, until it is none", () => {
    const memory: PaceMemory = {};
    notePace(memory, noteSent(memory, 1, 0), 1);
    assert.deepEqual(paceSlot(memory, 1, 10), 1100);
    let [now, messages] = [0, 0];
    for (; memory.pace; messages++) {
      now = paceSlot(memory, 1, now);
      notePace(memory, noteSent(memory, 1, now), 0);
    }
    assert.ok(now < 15_000, `${messages} messages in ${now} ms`);
  });
});
