import assert from "node:assert/strict";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";

const only = { dev: "http://127.0.0.1:1", keyed: "http://127.0.0.1:1/{{$secret.KEY}}" };

/** What a client may use for a notebook whose header is this, beside two endpoints of which one is usable. */
async function endpointsOf(header: string, pick?: string) {
  const settings = { rpcNotebook: { endpoints: only } };
  const service = createService({ ...testHost(), settings });
  const uri = "file:///w/a.rpc.json";
  service.openText(uri, `{ ${header}"cells": [] }`);
  if (pick !== undefined) service.pickEndpoint(uri, pick);
  const { current, usual, unusable } = await service.endpoints(uri);
  return { current: current?.name, usual, unusable: unusable && [unusable.name, unusable.isPicked] };
}

describe("an endpoint that is named", () => {
  for (const [name, header, pick, expected] of [
    ["nowhere: another one is offered", "", undefined, { usual: "dev" }],
    ["and usable", `"endpoint": "dev", `, undefined, { current: "dev", usual: undefined }],
    ["but unknown is not replaced", `"endpoint": "mian", `, undefined, { unusable: ["mian", false] }],
    ["but no text is not replaced", `"endpoint": 5, `, undefined, { unusable: ["5", false] }],
    ["but lacks its secret is not replaced", `"endpoint": "keyed", `, undefined, { unusable: ["keyed", false] }],
    ["by a person but unknown is not replaced", "", "gone", { unusable: ["gone", true] }],
  ] as const)
    it(name, async () => {
      const found = await endpointsOf(header, pick);
      assert.deepEqual(
        { ...found, ...("current" in expected && { usual: undefined }) },
        { current: undefined, usual: undefined, unusable: undefined, ...expected },
      );
    });
});

it("a file that is no notebook has the endpoint that was picked for it, else that of the notebook opened last", async () => {
  const settings = { rpcNotebook: { endpoints: { ...only, other: "http://127.0.0.1:2" } } };
  const service = createService({ ...testHost(), settings });
  service.openText("file:///w/a.rpc.json", `{ "endpoint": "dev", "cells": [] }`);
  const current = async () => (await service.endpoints("file:///w/Other.sol")).current?.name;
  assert.equal(await current(), "dev");
  service.pickEndpoint("file:///w/Other.sol", "other");
  assert.equal(await current(), "other");
});

describe("a run whose header has a value of another type", () => {
  for (const [header, says] of [
    [`"endpoint": 5`, /Unknown endpoint `5`, named by the header/],
    [`"endpoint": ["dev"]`, /Unknown endpoint/],
    [`"recording": 5`, /`5` is not a relative path/],
    [`"recording": null`, /`null` is not a relative path/],
  ] as const)
    it(`sends nothing elsewhere: ${header}`, async () => {
      const settings = { rpcNotebook: { endpoints: only, endpoint: "dev" } };
      const service = createService({ ...testHost(), settings });
      const uri = "file:///w/a.rpc.json";
      service.openText(uri, `{ ${header}, "cells": [{ "method": "eth_chainId" }] }`);
      let text = "";
      const events = { started: () => {}, finished: ({ output }: CellResult) => (text = output.text) };
      assert.equal((await service.run({ uri }, events, new AbortController().signal)).failed, 1);
      assert.match(text, says);
    });
});

describe("an endpoint that is named but cannot be used", () => {
  const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const cell = `{ "method": "eth_getBalance", "params": ["${address}", "latest"] }`;
  const { signal } = new AbortController();
  const uri = "file:///w/a.rpc.json";

  for (const [who, header, setting, one] of [
    ["the header", `"endpoint": "mian", `, undefined, cell],
    ["a cell", "", undefined, cell.replace("}", `, "endpoint": "mian" }`)],
    ["a cell, but not as a text", `"endpoint": "dev", `, undefined, cell.replace("}", `, "endpoint": 5 }`)],
    ["the settings", "", "mian", cell],
  ] as const)
    it(`by ${who}: whoever asks, nothing goes to another one`, async () => {
      const dev = await hostileServer(answering(() => "0x1"));
      const named = setting === undefined ? {} : { endpoint: setting };
      const settings = { rpcNotebook: { endpoints: { dev: dev.url }, ...named } };
      const service = createService({ ...testHost(), settings });
      const text = `{ ${header}"cells": [${one}] }`;
      service.openText(uri, text);
      service.pickEndpoint("file:///w/Other.sol", "dev");
      await service.settled(uri);
      const hover = await service.liveHover(uri, text.indexOf(address) + 5, signal);
      const watched = await service.watch({ id: "1", uri, index: 0 });
      const runs = [
        await service.run({ uri }, { started() {}, finished() {} }, signal),
        await service.compare({ uri, index: 0, tags: ["latest", "pending"] }, signal),
      ];
      // a cell's endpoint is not that of the notebook, which these ask
      const asked = who.startsWith("a cell")
        ? []
        : [await service.probe(uri, undefined, signal), await service.audit(uri, { forMs: 10 }, signal)];
      assert.equal(hover, undefined);
      assert.ok("refused" in watched, JSON.stringify(watched));
      assert.deepEqual(
        [runs[0] && "failed" in runs[0] && runs[0].failed, asked.some((output) => output?.ok)],
        [1, false],
      );
      assert.equal(dev.seen.length, 0);
      await dev.close();
    });
});
