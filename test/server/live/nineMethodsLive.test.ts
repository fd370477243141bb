import assert from "node:assert/strict";
import { noKeys } from "../../../server/src/abi/storageKey.ts";
import { storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import { readStorage } from "../../../server/src/inspect/readStorage.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { readCase } from "../../support/cases.ts";
import { cursor } from "../../support/cell.ts";
import { fastClock } from "../../support/fastClock.ts";
import { clientTo, testHost } from "../../support/host.ts";
import { type NineMethods, nineMethods } from "../../support/nineMethods.ts";

const uri = "file:///nowhere/a.rpc.json";
const signal = new AbortController().signal;

/** The service and the clock of the client are faster by this factor. */
const factor = 2;

describe("live features with nothing but the nine methods", () => {
  let nine: NineMethods;
  let service: Service;
  const ticks: WatchesChanged[] = [];
  let wake = (): void => {};
  before(async () => {
    nine = await nineMethods({ stateMs: 200 / factor });
    const endpoints = { nine: { url: nine.url, ws: nine.socketUrl } };
    const watchesChanged = (tick: WatchesChanged): void => {
      ticks.push(tick);
      wake();
    };
    const settings = { rpcNotebook: { endpoint: "nine", endpoints } };
    service = createService(testHost({ settings, watchesChanged, clock: fastClock(factor) }));
  });
  after(async () => {
    service.showWatches(false);
    service.close(uri);
    await nine.close();
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const hovered = async (marked: string): Promise<string> => {
    const { text, offset } = cursor(marked);
    service.openText(uri, text);
    await service.settled(uri);
    return (await service.liveHover(uri, offset, signal)) ?? "";
  };

  it("a probe reports the chain, the head, the limit of logs, and what is ahead", async () => {
    service.openText(uri, "[]");
    const probed = async () => {
      const output = await service.probe(uri, undefined, signal);
      assert.equal(output?.ok, true);
      return JSON.parse(output.json);
    };
    let told = await probed();
    // a busy machine sees too few states in the time of one probe
    for (let more = 0; told.cadenceMs === null && more < 4; more++) told = await probed();
    assert.deepEqual([told.chainId, told.logs.limit, told.preconfirmed.is], ["31337", "19", true]);
    assert.deepEqual(told.subscriptions, ["pendingLogs"]);
    assert.ok(told.cadenceMs > 100 && told.cadenceMs < 1500, String(told.cadenceMs));
    const standings = Object.fromEntries(
      Object.entries(told.pending as Record<string, { standing: string }>).map(([name, one]) => [name, one.standing]),
    );
    const { eth_getStorageAt, eth_getCode, ...others } = standings;
    assert.deepEqual([eth_getStorageAt, eth_getCode], ["unknown", "unknown"], "no pending transaction is shown");
    assert.deepEqual(new Set(Object.values(others)), new Set(["ahead"]), JSON.stringify(told));
  });

  it("the hover of an address shows balance, nonce, block, and the difference at pending", async () => {
    const shown = await hovered(
      `{ "method": "eth_getBalance", "params": ["${nine.alice.slice(0, 9)}|${nine.alice.slice(9)}", "latest"] }`,
    );
    assert.match(shown, /ether\*\* pending/);
    assert.match(shown, /nonce \d+/);
    assert.match(shown, /block \d+/);
    assert.doesNotMatch(shown, /does not serve/);
  });

  it("the hover of a call shows what it would do", async () => {
    const data = `0xa9059cbb${nine.bob.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
    const call = `{ "from": "${nine.alice}", "to": "${nine.token}", "data": "${data}" }`;
    const shown = await hovered(`{ "method": "eth_|call", "params": [${call}, "pending"] }`);
    assert.match(shown, /\*\*Simulated\*\* at/);
    assert.match(shown, /0x3C44…93BC: \+0\\\.000005 DUSD/);
  });

  it("watches follow pending state and the head", async () => {
    service.openText(uri, "[]");
    await service.watch({ id: "alice", uri, address: nine.alice });
    const heads = (): ReadonlySet<string> => new Set(ticks.flatMap(({ head }) => (head === undefined ? [] : [head])));
    const values = (): ReadonlySet<string> =>
      new Set(ticks.flatMap(({ changed }) => changed.map(({ value, detail }) => `${value} ${detail}`)));
    await until(() => heads().size >= 2 && values().size >= 4);
    service.unwatch("alice");
    assert.match([...values()].join(), /since latest/);
    assert.notEqual(nine.asked.at(-1), "eth_blockNumber");
  });

  it("a comparison shows a request at all its states", async () => {
    service.openText(uri, `[{ "method": "eth_getTransactionCount", "params": ["${nine.alice}", "latest"] }]`);
    const output = await service.compare({ uri, index: 0 }, signal);
    assert.equal(output?.reports[0]?.summary, "the answers differ");
  });

  it("a subscription to pendingLogs streams, and one to heads is refused in words", async () => {
    const follow = (kind: string): Promise<{ readonly ok: boolean; readonly text: string }> =>
      new Promise((resolve) => {
        service.openText(uri, `[{ "method": "eth_subscribe", "params": ["${kind}"] }]`);
        const finished = ({ ok, output: { text } }: { ok: boolean; output: { text: string } }) => resolve({ ok, text });
        void service.run({ uri, stream: { rows: 3 } }, { started() {}, finished }, signal);
      });
    const { ok, text } = await follow("pendingLogs");
    assert.equal(ok, true);
    assert.match(text, /3 logs[\s\S]*Transfer/);
    const refused = await follow("newHeads");
    assert.equal(refused.ok, false);
    assert.match(refused.text, /newHeads/);
  });

  it("an audit compares pre-confirmed state by receipts", async () => {
    const quick = await nineMethods({ stateMs: 20 });
    const service = createService(testHost({ clock: fastClock() }));
    service.openText(uri, `{ "endpoint": "${quick.url}", "cells": [] }`);
    const over = new AbortController();
    const output = await service.audit(uri, { forMs: 1e12 }, over.signal, ({ transactions }) => {
      if (transactions > 0) over.abort();
    });
    await quick.close();
    assert.equal(output?.ok, true, output?.text);
  });

  it("an audit without receipts names the method that it lacks, also in a short time", async () => {
    const without = await nineMethods({ refusesReceipts: true });
    service.openText(uri, `{ "endpoint": "${without.url}", "cells": [] }`);
    const output = await service.audit(uri, { forMs: 300 }, signal);
    await without.close();
    assert.match(output?.text ?? "", /does not serve eth_getBlockByNumber .*\n.*refuse eth_getBlockReceipts/);
  });

  it("lists what a contract stores", async () => {
    const scalar = { encoding: "inplace", label: "uint256", numberOfBytes: "32" };
    const storage = [{ label: "supply", slot: "0", offset: 0, type: "t_uint256" }];
    const [layout] = storageLayouts(
      { contractName: "T", storageLayout: { storage, types: { t_uint256: scalar } } },
      "T",
    );
    assert.ok(layout);
    const client = clientTo(nine.url);
    const place = { address: nine.token, blocks: ["latest", "pending"] };
    const reading = await readStorage(client, layout, place, noKeys, signal);
    assert.equal(reading.failure, undefined);
    assert.equal(reading.rows[0]?.values.filter((one) => one?.value !== undefined).length, 2);
  });

  it("the case of a transaction says which method is needed to inspect one", async () => {
    const { text } = await readCase(nine.url, `0x${"12".repeat(32)}`);
    assert.match(text, /does not serve eth_getTransaction/);
  });
});
