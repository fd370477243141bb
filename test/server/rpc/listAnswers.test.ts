import assert from "node:assert/strict";
import fc from "fast-check";
import { BodyText } from "../../../server/src/base/bodyText.ts";
import { itemTexts } from "../../../server/src/base/lazyList.ts";
import type { HttpResponse } from "../../../server/src/base/ports.ts";
import type { Exchange, Outcome } from "../../../server/src/rpc/outcome.ts";
import { parseResponse } from "../../../server/src/rpc/parseResponse.ts";
import { times } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";

describe("long lists in answers", () => {
  const log = '{"address":"0x01","topics":["0x02","0x03"],"data":"0x","logIndex":"0x0","removed":false}';
  const isLazy = (body: string) => itemTexts(resultOf(answerTo(body, [body.length]))) !== undefined;

  it("are read an item at a time", () => {
    assert.ok(isLazy(`{"jsonrpc":"2.0","id":1,"result":[${log},${log}]}`));
    assert.ok(isLazy(`{"result":[${log}],"id":1,"jsonrpc":"2.0"}`));
    assert.ok(isLazy(`[{"jsonrpc":"2.0","id":1,"result":[${log}]},{"jsonrpc":"2.0","id":2,"result":"0x1"}]`));
  });
  it("are read as a whole if they are not as an encoder writes them", () => {
    for (const item of [
      `{"a": 1}`,
      `{"a":"\\u0041"}`,
      `{"a":1.0}`,
      `{"a":9007199254740993}`,
      `{"a":"é"}`,
      `{"a":01}`,
      `{"a":1,"1":1}`,
    ])
      assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[${log},${item}]}`), item);
  });
  it("are read as a whole if they are not logs", () => {
    assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[{"logs":[${log}]},${log}]}`));
  });
  it("are read as a whole if a member is named twice, or if there are many sorts of items", () => {
    const twice = log.replace("}", ',"data":"0x01"}');
    assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[${log},${twice}]}`));
    assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[${twice},${log}]}`));
    const sorts = Array.from({ length: 9 }, (_, at) => `{"topics":[],"a${at}":1}`);
    assert.ok(isLazy(`{"jsonrpc":"2.0","id":1,"result":[${sorts.slice(0, 8)}]}`));
    assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[${sorts}]}`));
    assert.ok(!isLazy(`{"jsonrpc":"2.0","id":1,"result":[{"topics":[]${',"a":1'.repeat(100_000)}}]}`));
  });
  it("are arrays for whoever looks at them", () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":[{"topics":[]},{"a":["2"]},{"b":"c"}]}`;
    const list = resultOf(answerTo(body, [40]));
    const plain = [{ topics: [] }, { a: ["2"] }, { b: "c" }];
    assert.ok(Array.isArray(list) && itemTexts(list));
    assert.deepEqual([...list], plain);
    assert.deepEqual(list.slice(1), plain.slice(1));
    assert.deepEqual(list.at(-1), plain[2]);
    assert.equal(list.length, 3);
    assert.ok("2" in list && !("3" in list));
    assert.deepEqual(Object.keys(list), ["0", "1", "2"]);
    assert.deepEqual(Object.entries(list), Object.entries(plain));
    assert.equal(JSON.stringify(list), JSON.stringify(plain));
    assert.deepEqual([0].concat(list), [0, ...plain]);
    assert.throws(() => list.push(1));
  });
  it("say the same as when they are read as a whole, also if they are torn or not JSON", () => {
    let lazy = 0;
    const check = (body: string, cuts: readonly number[]): void => {
      const response = answerTo(body, cuts);
      const whole = parsed({ kind: "response", status: 200, headers: {}, body, bytes: body.length });
      if (response.list) lazy++;
      assert.deepEqual(plainly(parsed(response)), plainly(whole), body);
    };
    const chars = fc.constantFrom(
      ...'{}[],:"0e-.+ \\ntfé\u0001\ufeff'.split(""),
      "true",
      "null",
      '"result":[{',
      log,
      "}]",
    );
    fc.assert(
      fc.property(
        bodies,
        fc.array(fc.nat(400), { maxLength: 4 }),
        fc.nat(),
        chars,
        fc.nat(3),
        (body, cuts, at, put, less) => {
          check(body, cuts);
          const place = at % (body.length + 1);
          check(body.slice(0, place) + put + body.slice(place + less), cuts);
          check(body.slice(0, place), cuts);
        },
      ),
      { numRuns: times(6_000, 500) },
    );
    assert.ok(lazy > 10);
  });
  it("are found in a time that grows with the body, also if it comes in the smallest pieces", () =>
    expectLinear(50_000, (size) => {
      const text = new BodyText(1);
      for (const byte of new TextEncoder().encode(`{"result":[{"topics":[],"data":"${"0".repeat(size)}`))
        text.push(Uint8Array.of(byte));
      text.response(200, {});
    }));

  const items = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(log) },
      fc.json({ maxDepth: 3 }),
      fc
        .record({ a: fc.oneof(fc.nat(), fc.boolean(), fc.stringMatching(/^[\da-f]{0,8}$/), fc.constant(null)) })
        .map((one) => JSON.stringify(one)),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const bodies = fc
    .record({
      items,
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      batch: fc.boolean(),
      id: fc.constantFrom("1", "2", '"1"'),
    })
    .map(({ items, order, batch, id }) => {
      const members = ['"jsonrpc":"2.0"', `"id":${id}`, `"result":[${items.join(",")}]`];
      const one = `{${order.map((at) => members[at]).join(",")}}`;
      return batch ? `[${one},{"jsonrpc":"2.0","id":2,"result":[${items[0]}]}]` : one;
    });
});

/** @param cuts - Where the body is divided when it arrives. */
function answerTo(body: string, cuts: readonly number[]): HttpResponse {
  const bytes = new TextEncoder().encode(body);
  const text = new BodyText(1);
  let start = 0;
  for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    text.push(bytes.subarray(start, cut));
    start = Math.min(cut, bytes.length);
  }
  return text.response(200, {});
}

function parsed(response: HttpResponse): readonly Outcome[] {
  const requests = [1, 2].map((id) => ({ id, method: "eth_getLogs", text: "{}" }));
  const exchanges = requests.map((): Exchange => exchange);
  return parseResponse(response, requests, exchanges, { maxBytes: 1e9, timeoutMs: 1 }).outcomes;
}

const exchange = {
  endpoint: "e",
  host: "h",
  status: 200,
  headers: {},
  startedAt: 0,
  durationMs: 0,
  bytes: 0,
  batch: 2,
  attempts: 1,
};

function resultOf(response: HttpResponse): object {
  const [first] = parsed(response);
  const value = first?.kind === "answered" ? first.result.value : undefined;
  return typeof value === "object" && value !== null ? value : {};
}

/** What an outcome holds, without what makes it. */
function plainly(outcomes: readonly Outcome[]): unknown {
  return outcomes.map((one) =>
    one.kind === "answered" ? { ...one, result: { value: copied(one.result.value), text: one.result.text } } : one,
  );
}

function copied(value: unknown): unknown {
  return Array.isArray(value) ? Array.from(value) : value;
}
