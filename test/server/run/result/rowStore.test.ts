import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLog } from "../../../../server/src/abi/decodeLog.ts";
import type { JsonValue } from "../../../../server/src/base/json.ts";
import { clock } from "../../../../server/src/node/environment.ts";
import type { TableSection } from "../../../../server/src/report/report.ts";
import { reportOf } from "../../../../server/src/report/reportOf.ts";
import { RowStore } from "../../../../server/src/run/result/rowStore.ts";
import { pluck } from "../../../support/pluck.ts";
import { alice, answered, bob, topic, transferTopic } from "../../report/outcomes.ts";

const calm = new AbortController().signal;

function transfer(value: number): JsonValue {
  const data = `0x${value.toString(16).padStart(64, "0")}`;
  return { address: bob, topics: [transferTopic, topic(alice), topic(bob)], data, logIndex: `0x${value.toString(16)}` };
}

function reportOn(logs: readonly JsonValue[]) {
  return reportOf({ title: "logs", method: "eth_getLogs", params: [], outcome: answered(logs, "[]") });
}

/** Keeps an output with these logs, and gives the table in it. */
function kept(rows: RowStore, logs: readonly JsonValue[], key = "a", size = 1000): TableSection {
  const output = { ok: true, reports: [reportOn(logs)], text: "", json: "", startedAt: 0, durationMs: 0 };
  return tableIn(rows.keep("file:///a.rpc.json", key, output, { size }));
}

function tableIn({ reports }: { readonly reports: readonly ReturnType<typeof reportOn>[] }): TableSection {
  const table = reports[0]?.sections.find((section) => section.kind === "table");
  assert.ok(table?.kind === "table");
  return table;
}

async function allOf(rows: RowStore, { rest = "", rows: first }: TableSection, filter?: string) {
  const all = filter === undefined ? [...first] : [];
  for (let from: number | null = all.length; from !== null; ) {
    const page = await rows.page({ rest, from, count: 70, ...(filter !== undefined && { filter }) }, calm);
    assert.ok(page, "the rows are stored");
    all.push(...page.rows);
    from = all.length < page.total ? all.length : null;
  }
  return all;
}

describe("rows beyond an output", () => {
  const thousand = Array.from({ length: 1000 }, (_, at) => transfer(at));

  it("come page by page, each once and in order", async () => {
    const rows = new RowStore(clock);
    const table = kept(rows, thousand);
    assert.deepEqual([table.rows.length, table.total], [200, 1000]);
    const all = await allOf(rows, table);
    const [texts, numbers] = [all.map((row) => row[0]?.text), thousand.map((_, at) => String(at))];
    assert.deepEqual(texts, numbers);
  });
  it("are stored too if the output has them all, but not for one row", () => {
    assert.notEqual(kept(new RowStore(clock), thousand.slice(0, 200)).rest, undefined);
    assert.equal(kept(new RowStore(clock), thousand.slice(0, 1)).rest, undefined);
  });
  it("are stored for as many outputs as have 256 MB, the newest ones", () => {
    const rows = new RowStore(clock);
    const tables = ["a", "b", "c"].map((key) => kept(rows, thousand.slice(0, 2), key, 100_000_000));
    assert.deepEqual(
      tables.map(({ rest = "" }) => rows.table(rest) !== undefined),
      [false, true, true],
    );
  });
  it("are filtered by a text in them, in any case and in the wire form", async () => {
    const rows = new RowStore(clock);
    const table = kept(rows, [...thousand, { ...(transfer(7) as object), address: alice.toLowerCase() }]);
    assert.equal((await allOf(rows, table, alice.toUpperCase().replace("X", "x"))).length, 1001);
    assert.equal((await allOf(rows, table, "999")).length, 1);
    assert.equal((await allOf(rows, table, "nowhere")).length, 0);
  });
  it("are found by all that is shown of an address, in its column and among the arguments of several kinds", async () => {
    const approval = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    const other = { ...(transfer(7) as object), topics: [approval, topic(alice), topic(bob)] };
    for (const logs of [thousand, [...thousand, other]]) {
      const rows = new RowStore(clock);
      const table = kept(rows, logs);
      for (const text of [alice, alice.toLowerCase(), bob.slice(20)])
        assert.equal((await allOf(rows, table, text)).length, logs.length);
    }
  });
  it("are sorted by their values, not by their texts", async () => {
    const rows = new RowStore(clock);
    const { rest = "", columns } = kept(rows, thousand);
    const column = columns.findIndex(({ name }) => name === "value");
    const texts = async (descending: boolean, filter = "") => {
      const page = await rows.page({ rest, from: 0, count: 3, filter, sort: { column, descending } }, calm);
      return [page?.total, ...(page?.rows.map((row) => row[column]?.text) ?? [])];
    };
    assert.deepEqual(await texts(true), [1000, "999", "998", "997"]);
    assert.deepEqual(await texts(false, "199"), [2, "199", "409"]); // 0x199 is 409
  });
  it("say once what they share, and have the part of the answer behind each", async () => {
    const rows = new RowStore(clock);
    const { rest = "", columns } = kept(rows, thousand);
    const shared = columns.flatMap(({ name, shared: value }) => (value ? [`${name} ${value.text}`] : []));
    assert.deepEqual(shared, ["Event Transfer", `Contract ${bob}`]);
    const page = await rows.page({ rest, from: 500, count: 1, json: true }, calm);
    assert.deepEqual(JSON.parse(page?.json?.[0] ?? ""), transfer(500));
  });
  it("are had by kind, with the columns of that kind", async () => {
    const rows = new RowStore(clock);
    const other = { address: bob, topics: [`0x${"12".repeat(32)}`], data: "0x", logIndex: "0x0" };
    const { kinds = [], columns } = kept(rows, [...thousand, other]);
    assert.deepEqual(
      [pluck(kinds, "name"), pluck(kinds, "count")],
      [
        ["Transfer", "unknown"],
        [1000, 1],
      ],
    );
    const page = await rows.page({ rest: kinds[0]?.rest ?? "", from: 0, count: 1 }, calm);
    assert.ok(!pluck(columns, "name").includes("value"));
    assert.ok(page && pluck(page.columns, "name").includes("value"));
    assert.equal(page.total, 1000);
  });
  it("are gone when their cell has run again, their document is closed, or the answers are too many", async () => {
    const rows = new RowStore(clock);
    const ask = async ({ rest = "" }: TableSection) => (await rows.page({ rest, from: 200, count: 1 }, calm)) !== null;
    const [first, other] = [kept(rows, thousand), kept(rows, thousand, "b")];
    const again = kept(rows, thousand);
    assert.deepEqual(await Promise.all([first, other, again].map(ask)), [false, true, true]);
    const large = kept(rows, thousand, "c", 300_000_000);
    assert.deepEqual(await Promise.all([other, again, large].map(ask)), [false, false, true]);
    rows.forget("file:///a.rpc.json");
    assert.equal(await ask(large), false);
  });
  it("end early when the request is cancelled", async () => {
    const rows = new RowStore(clock);
    const { rest = "" } = kept(rows, thousand);
    const stop = new AbortController();
    stop.abort();
    const page = await rows.page({ rest, from: 300, count: 50, filter: "nowhere" }, stop.signal);
    assert.deepEqual([page?.rows, page?.total], [[], 0]);
  });
  it("answer requests that make no sense", async () => {
    const rows = new RowStore(clock);
    const { rest = "" } = kept(rows, thousand);
    assert.equal(await rows.page({ rest: "nothing", from: 0, count: 1 }, calm), null);
    const none = await rows.page({ rest, from: 5000, count: 1 }, calm);
    assert.deepEqual([none?.rows, none?.total], [[], 1000]);
    assert.equal((await rows.page({ rest, from: Number.NaN, count: 1 }, calm))?.rows.length, 1);
    const sort = { column: 99, descending: false };
    assert.equal((await rows.page({ rest, from: 0, count: 5, sort }, calm))?.rows.length, 5);
    const { rows: page = [] } = (await rows.page({ rest, from: -5, count: 1e9 }, calm)) ?? {};
    assert.equal(page.length, 1000);
    const { rows: least = [] } = (await rows.page({ rest, from: 0, count: Number.NaN }, calm)) ?? {};
    assert.equal(least.length, 1);
  });
});

describe("rows that are made when they are needed", () => {
  const hex = (bytes: number) => fc.stringMatching(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`));
  const anyTopic = fc.oneof(fc.constantFrom(transferTopic, topic(alice), topic(bob)), hex(32), fc.constant("0x12"));
  const anyLog: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.record(
      {
        address: fc.constantFrom(alice, bob, `0x${"e".repeat(40)}`),
        topics: fc.oneof(
          fc.array(anyTopic, { maxLength: 5 }),
          fc.tuple(fc.constant(transferTopic), anyTopic, anyTopic),
        ),
        data: fc.oneof(hex(0), hex(31), hex(32), hex(64), fc.constant("nonsense")),
        removed: fc.boolean(),
        blockNumber: fc.constantFrom(null, "0x1", "x"),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonValue>, // its members are JSON, under keys that may be absent
    fc.constantFrom<JsonValue>(null, 5, "log", [], {}),
  );

  it("equal those of decoding each log alone, at every index", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLog, { minLength: 1, maxLength: 12 }), async (logs) => {
        // The same logs once among the rows of the output, and once beyond them.
        const padded = Array.from({ length: 200 + logs.length }, (_, at) => logs[at % logs.length] ?? null);
        const rows = new RowStore(clock);
        const table = kept(rows, padded);
        const all = await allOf(rows, table);
        const event = table.columns.findIndex(({ name }) => name === "Event");
        assert.equal(all.length, padded.length);
        for (const [at, log] of padded.entries()) {
          assert.deepEqual(all[at], all[at % logs.length]);
          const found = decodeLog(log);
          const shown = all[at]?.[event]?.text ?? "";
          if (found) assert.ok(shown.startsWith(found.native ? "native transfer" : found.name), shown);
          else if (event >= 0) assert.doesNotMatch(shown, /^(native )?transfer/i);
        }
      }),
      { numRuns: 15 },
    );
  });
  it("count every log in the summary, by the event that it decodes to", () =>
    fc.assert(
      fc.property(fc.array(anyLog, { minLength: 1, maxLength: 30 }), (logs) => {
        const transfers = logs.filter((log) => decodeLog(log)?.native === false).length;
        const { summary } = reportOn(logs);
        const [, counted = 0] = /\b(\d+) Transfer\b/.exec(summary) ?? [];
        assert.equal(Number(counted), transfers, summary);
      }),
    ));
});
