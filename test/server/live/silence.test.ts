import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { testHost } from "../../support/host.ts";
import { patientClock } from "../../support/patientClock.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const cell = `{ "method": "eth_call", "params": [{ "to": "${alice}" }, "pending"] }`;
const { signal } = new AbortController();

/** Everything that asks without a run. */
const asks: Readonly<Record<string, (service: Service, uri: string) => Promise<unknown>>> = {
  "an address in a notebook": (service, uri) => service.liveHover(uri, textOf().indexOf(alice) + 3, signal),
  "an address in a file": (service, uri) =>
    service.addressHover({ uri: uri.replace("a.rpc.json", "A.sol"), text: alice, offset: 3 }, signal),
  "a request": (service, uri) => service.liveHover(uri, textOf().indexOf("eth_call") + 3, signal),
  "a watch": (service, uri) => service.watch({ id: "a", uri, address: alice }),
  "a watched request": (service, uri) => service.watch({ id: "a", uri, index: 0 }),
  "a hint": async (service, uri) => service.inlayHints(uri, { start: 0, end: 1000 }),
};

function textOf(endpoint = `"endpoint": "ours"`): string {
  return `{ ${endpoint}, "cells": [${cell}] }`;
}

describe("a request without a run", () => {
  let folder: string;
  let uri: string;
  let proxy: CountingProxy;
  beforeEach(async () => {
    folder = temporaryFolder();
    uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    proxy = await countingProxy("http://127.0.0.1:1", () => `{"jsonrpc":"2.0","id":1,"result":"0x0"}`);
    writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ ours: proxy.url }));
  });
  afterEach(() => proxy.close());

  const open = async (over: Partial<Host>, text = textOf()): Promise<Service> => {
    const roots = [pathToFileURL(`${folder}/`).href];
    const settings = { rpcNotebook: { liveHints: "always" } } as const;
    const service = createService(testHost({ roots, settings, ...over }));
    service.openText(uri, text);
    await service.settled(uri);
    return service;
  };
  /** Until an answer to a request of ours would have come, had one been sent. */
  const settled = async (): Promise<void> => {
    const before = proxy.bodies.length;
    await fetch(proxy.url, { method: "POST", body: "ours" });
    assert.equal(proxy.bodies.length, before + 1);
  };

  for (const [name, ask] of Object.entries(asks)) {
    // a hint is asked when the typing rests
    const clock = name === "a hint" ? { clock: patientClock() } : {};
    it(`is not sent to an endpoint that is not approved: ${name}`, async () => {
      await ask(await open(clock), uri);
      await settled();
      assert.deepEqual(proxy.bodies, ["ours"]);
    });

    it(`is not sent without a chosen endpoint: ${name}`, async () => {
      await ask(await open({ ...clock, approvedHosts: [new URL(proxy.url).host] }, textOf(`"labels": {}`)), uri);
      await settled();
      assert.deepEqual(proxy.bodies, ["ours"]);
    });

    it(`is nothing in a workspace that is not trusted: ${name}`, async () => {
      await ask(await open({ ...clock, trusted: false, approvedHosts: [new URL(proxy.url).host] }), uri);
      await settled();
      assert.deepEqual(proxy.bodies, ["ours"]);
    });
  }

  for (const [name, bodies] of [
    ["an address in a notebook", 1],
    ["an address in a file", 1],
    ["a request", 1],
    ["a hint", 0],
  ] as const)
    it(`is ${bodies === 0 ? "not sent yet" : "one body"} to an approved endpoint: ${name}`, async () => {
      const service = await open({ approvedHosts: [new URL(proxy.url).host] });
      await asks[name]?.(service, uri);
      await settled();
      assert.equal(proxy.bodies.filter((body) => body !== "ours").length, bodies);
    });
});
