import assert from "node:assert/strict";
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
