import assert from "node:assert/strict";
import { sparkline } from "../../../server/src/live/watchList.ts";
import type { WatchesChanged } from "../../../server/src/protocol/background.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const uri = "file:///nowhere/a.rpc.json";
const [alice, bob] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];

describe("a watch", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  let service: Service;
  let ticks: WatchesChanged[];
  let wake: () => void;
  const open = (): void => {
    const endpoints = { chain: { url: proxy.url, preconfirmed: true } };
    const watchesChanged = (event: WatchesChanged): void => {
      ticks.push(event);
      wake();
    };
    service = createService(
      testHost({ settings: { rpcNotebook: { endpoint: "chain", endpoints } }, watchesChanged, clock: fastClock(4) }),
    );
  };
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
    ticks = [];
    wake = () => {};
    open();
  });
  afterEach(async () => {
    service.showWatches(false);
    await proxy.close();
  });

  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const shown = (id: string) => ticks.flatMap(({ changed }) => changed).findLast((one) => one.id === id);
  it("sends nothing if it was removed before it started", async () => {
    const beginning = service.watch({ id: "bob", uri, address: String(bob) });
    service.unwatch("bob");
    await beginning;
    await service.watch({ id: "alice", uri, address: String(alice) });
    await until(() => shown("alice") !== undefined);
    assert.equal(shown("bob"), undefined);
    for (const methods of proxy.methods()) assert.equal(methods.length, 3, "the head, and one address");
  });

  it("reports the difference at pending, and again only when it changes", async () => {
    await chain.rpc("anvil_setBalance", [bob, "0xde0b6b3a7640000"]);
    assert.deepEqual(await service.watch({ id: "bob", uri, address: String(bob) }), { endpoint: "chain" });
    await until(() => shown("bob") !== undefined);
    assert.deepEqual(shown("bob"), { id: "bob", value: "1 ether", ok: true, spark: "" });
    await chain.rpc("eth_sendTransaction", [{ from: alice, to: bob, value: "0x16345785d8a0000" }]);
    await until(() => shown("bob")?.value === "1.1 ether");
    assert.equal(shown("bob")?.detail, "+0.1 ether since latest");
    assert.equal(shown("bob")?.spark, "▁█");
    const told = ticks.length;
    await until(() => ticks.length > told + 1);
    assert.deepEqual(
      ticks.slice(told + 1).flatMap(({ changed }) => changed),
      [],
    );
    await chain.seal();
    await until(() => shown("bob")?.detail === undefined);
  });

  it("begins its course anew when it is added again", async () => {
    await service.watch({ id: "bob", uri, address: String(bob) });
    for (const value of ["0x1", "0x2"]) {
      await chain.rpc("anvil_setBalance", [bob, value]);
      await until(() => shown("bob")?.value === `${Number(value)} wei`);
    }
    assert.notEqual(shown("bob")?.spark, "");
    await service.watch({ id: "bob", uri, address: String(bob) });
    const told = ticks.length;
    await until(() => ticks.slice(told).some(({ changed }) => changed.length > 0));
    assert.deepEqual(shown("bob"), { id: "bob", value: "2 wei", ok: true, spark: "" });
  });

  it("is the one that was added last, also if an earlier one takes longer to begin", async () => {
    const { address } = chain.contracts.token;
    const data = { function: "balanceOf(address owner) returns (uint256)", args: [bob] };
    service.openText(uri, JSON.stringify([{ method: "eth_call", params: [{ to: address, data }, "pending"] }]));
    await service.settled(uri);
    await Promise.all([
      service.watch({ id: "x", uri, index: 0 }), // asks for the name of the token first
      service.watch({ id: "x", uri, address: String(bob) }),
    ]);
    await until(() => shown("x") !== undefined);
    assert.match(shown("x")?.value ?? "", /ether|wei/);
  });

  it("is in six digits beside the exact amount, and changes with its last digit", async () => {
    const text = JSON.stringify([{ method: "eth_getBalance", params: [bob, "pending"] }]);
    service.openText(uri, text);
    await service.settled(uri);
    await Promise.all([
      service.watch({ id: "bob", uri, address: String(bob) }),
      service.watch({ id: "cell", uri, index: 0 }),
    ]);
    for (const digit of ["7", "8"]) {
      const wei = BigInt(`12345678901234567${digit}0`);
      await chain.rpc("anvil_setBalance", [bob, `0x${wei.toString(16)}`]);
      for (const id of ["bob", "cell"]) await until(() => shown(id)?.exact === `1.2345678901234567${digit} ether`);
      for (const id of ["bob", "cell"]) assert.equal(shown(id)?.value, "1.23457 ether");
    }
  });

  it("is an amount of a token in its unit, as its contract says it", async () => {
    const { address } = chain.contracts.token;
    const data = { function: "balanceOf(address owner) returns (uint256)", args: [bob] };
    service.openText(uri, JSON.stringify([{ method: "eth_call", params: [{ to: address, data }, "pending"] }]));
    await service.settled(uri);
    assert.deepEqual(await service.watch({ id: "tokens", uri, index: 0 }), { endpoint: "chain" });
    await until(() => shown("tokens") !== undefined);
    assert.match(shown("tokens")?.value ?? "", /^[\d.,]+ DUSD$/);
    const asked = proxy.methods().filter((methods) => methods.join() === "eth_call,eth_call");
    assert.equal(asked.length, 1, "its name is asked for once");
  });

  it("travels as one body a tick, whatever there is to watch", async () => {
    service.openText(uri, `[{ "method": "eth_getTransactionCount", "params": ["${alice}", "pending"] }]`);
    await service.settled(uri);
    for (let n = 0; n < 200; n++) {
      const address = `0x${n.toString(16).padStart(40, "1")}`;
      assert.ok("endpoint" in (await service.watch({ id: String(n), uri, address })));
    }
    assert.ok("endpoint" in (await service.watch({ id: "nonce", uri, index: 0 })));
    await until(() => shown("199") !== undefined && shown("nonce") !== undefined);
    const [bodies, told] = [proxy.bodies.length, ticks.length];
    await until(() => ticks.length >= told + 3);
    assert.ok(proxy.bodies.length - bodies <= 4, "one body a tick");
    assert.equal(proxy.methods().at(-1)?.length, 1 + 200 * 2 + 1);
  });

  it("is polled only while it is visible", async () => {
    await service.watch({ id: "bob", uri, address: String(bob) });
    await until(() => ticks.length > 0);
    service.showWatches(false);
    const bodies = proxy.bodies.length;
    await service.watch({ id: "alice", uri, address: String(alice) });
    assert.equal(shown("alice"), undefined);
    assert.ok(proxy.bodies.length <= bodies + 1, "what was under way ends");
    service.showWatches(true);
    await until(() => shown("alice") !== undefined);
  });

  it("has the name that a notebook beside it gives", async () => {
    service.openText(uri, `{ "labels": { "${bob}": "bob" }, "cells": [] }`);
    await service.settled(uri);
    const file = "file:///nowhere/A.sol";
    assert.deepEqual(await service.watch({ id: "bob", uri: file, address: String(bob) }), {
      endpoint: "chain",
      name: "bob",
    });
  });

  it("ends with the last watch", async () => {
    await service.watch({ id: "bob", uri, address: String(bob) });
    await until(() => ticks.length > 0);
    service.unwatch("bob");
    assert.ok("endpoint" in (await service.watch({ id: "bob", uri, address: String(bob) })), "and can begin again");
  });

  it("is refused for methods that do not only read", async () => {
    service.openText(
      uri,
      `[{ "method": "eth_sendRawTransaction", "params": ["0x00"] }, [{ "method": "eth_chainId" }, { "method": "eth_chainId" }]]`,
    );
    assert.deepEqual(await service.watch({ id: "a", uri, index: 0 }), {
      refused: "Only requests that read or simulate can be watched.",
    });
    assert.deepEqual(await service.watch({ id: "a", uri, index: 1 }), {
      refused: "One request can be watched, not a batch.",
    });
    assert.deepEqual(await service.watch({ id: "a", uri, index: 7 }), { refused: "There is no request here." });
    assert.deepEqual(await service.watch({ id: "a", uri, address: "0x12" }), { refused: "Not an address." });
    assert.equal(proxy.bodies.length, 0);
  });

  it("shows its course in bars", () => {
    assert.equal(sparkline([1n, 8n, 4n]), "▁█▄");
    assert.equal(sparkline([5n, 5n]), "");
    assert.equal(sparkline([]), "");
  });
});
