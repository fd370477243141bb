import assert from "node:assert/strict";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { cursor } from "../../support/cell.ts";
import { countedChain } from "../../support/countedChain.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const [alice, bob] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
] as const;
/** Answers are kept for a time, which some tests wait for. */
const clockFactor = 20;
const empty = "0x00000000000000000000000000000000000e1117";

describe("the hover of a request that assumes something", () => {
  const counted = countedChain();

  const opened = async (): Promise<{ readonly service: Service; readonly offset: number }> => {
    const service = createService(
      testHost({ settings: { rpcNotebook: { endpoint: counted.proxy.url } }, clock: fastClock(clockFactor) }),
    );
    const { address: token } = counted.chain.contracts.token;
    const data = { function: "transfer(address,uint256) returns (bool)", args: [bob, "5000000"] };
    const params = JSON.stringify([{ from: empty, to: token, data }, "latest"]);
    const assume = JSON.stringify({ token: { [token]: { empty: "5" } } });
    const { text, offset } = cursor(
      `{ "labels": { "${alice}": "alice", "${empty}": "empty", "${bob}": "bob" }, "cells": [{ "method": "eth_|call", "params": ${params}, "assume": ${assume} }] }`,
    );
    service.openText(uri, text);
    await service.settled(uri);
    return { service, offset };
  };
  const signal = new AbortController().signal;

  it("asks in three messages the first time, then in one", async () => {
    const { service, offset } = await opened();
    const shown = (await service.liveHover(uri, offset, signal)) ?? "";
    assert.match(shown, /- bob: \+5 DUSD/);
    assert.equal(counted.proxy.bodies.length, 3);
    await service.liveHover(uri, offset, signal);
    assert.ok(counted.proxy.bodies.length <= 4, "the answer of this moment may be kept");
    assert.doesNotMatch(counted.proxy.bodies.join(), /assume/);
  });

  it("is known to the wire form and the hints then, and to a run", async () => {
    const { service, offset } = await opened();
    const before = service.wireForm(uri, 0);
    assert.match(
      before && "unsent" in before ? before.unsent : "",
      /a run first asks the chain where the token stores this balance/,
    );
    await service.liveHover(uri, offset, signal);
    const form = service.wireForm(uri, 0);
    assert.match(form && "text" in form ? form.text : "", /"stateDiff":\{"0x[0-9a-f]{64}":"0x0{58}4c4b40"\}/);
    const count = counted.proxy.bodies.length;
    await service.run({ uri }, { started: () => {}, finished: ({ ok }) => assert.ok(ok) }, signal);
    const sent = counted.proxy.bodies.slice(count).join();
    assert.equal(sent.split("stateDiff").length - 1, 2, "the request, and the call that reads the balance back");
  });

  it("says that the contract has changed since it was looked at", async () => {
    const { service, offset } = await opened();
    const { address: token } = counted.chain.contracts.token;
    const hovered = async () => (await service.liveHover(uri, offset, signal)) ?? "";
    assert.match(await hovered(), /\+5 DUSD/);
    const code = await counted.chain.rpc("eth_getCode", [token, "latest"]);
    try {
      await counted.chain.rpc("anvil_setCode", [token, "0x602a60005260206000f3"]); // returns 42
      await counted.chain.seal();
      let shown = "";
      while (!shown.includes("Not simulated")) shown = await hovered();
      assert.match(
        shown,
        /Not simulated as assumed: empty has 5 of 0x\w+\. The contract is not the same as before, or it reads something else/,
      );
    } finally {
      await counted.chain.rpc("anvil_setCode", [token, code]);
    }
  });
});
