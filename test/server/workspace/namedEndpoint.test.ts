import assert from "node:assert/strict";
import type { CellResult } from "../../../server/src/run/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";

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
