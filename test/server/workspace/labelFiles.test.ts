import assert from "node:assert/strict";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const uri = "file:///p/a/one.rpc.json";

describe("labels in files around a notebook", () => {
  it("count in its hovers, and follow the file", async () => {
    let name = "alice";
    const files = {
      read: async (file: string) =>
        file === "file:///p/rpc-labels.json"
          ? new TextEncoder().encode(JSON.stringify({ [address]: name, nonsense: "x" }))
          : undefined,
    };
    const service = createService(testHost({ roots: ["file:///p"], files }));
    const cell = `{ "method": "eth_getBalance", "params": ["${address}", "pending"] }`;
    service.openText(uri, `[${cell}]`);
    await service.settled(uri);
    const shown = () => service.hover(uri, 45)?.markdown ?? "";
    assert.match(shown(), /Label: alice/);
    name = "bob";
    service.configure({});
    await service.settled(uri);
    assert.match(shown(), /Label: bob/);
    name = "0xb0b0…b0b0";
    service.configure({});
    await service.settled(uri);
    assert.doesNotMatch(shown(), /Label|b0b0/, "it could pass for an address");
  });

  it("that are no labels are left out", async () => {
    const files = { read: async () => new TextEncoder().encode("[1, 2") };
    const service = createService(testHost({ roots: ["file:///p"], files }));
    service.openText(uri, `[{ "method": "eth_getBalance", "params": ["${address}", "pending"] }]`);
    await service.settled(uri);
    assert.doesNotMatch(service.hover(uri, 45)?.markdown ?? "", /Label/);
  });
});
