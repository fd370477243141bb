import assert from "node:assert/strict";
import { signatures } from "../../../server/src/node/files.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { person, runText, testHost } from "../../support/host.ts";

/** `relayMessage`, `RelayedMessage(bytes32)` of a cross-domain messenger: known to the table and to nothing else. */
const selector = "0xd764ad0b";
const topic = "0x4641df4a962071e12719d8c8c8e5ac7fc4d97b927346a3d7a335b1f7517e133c";
const uri = "file:///nowhere/a.rpc.json";

function callOf(data: string): string {
  return `{ "method": "eth_call", "params": [{ "to": "0x${"1".repeat(40)}", "data": "${data}" }, "latest"] }`;
}

describe("the table of signatures of a service", () => {
  let reads: number;
  const counted: Partial<Host> = {
    signatures: () => {
      reads++;
      return signatures();
    },
  };
  beforeEach(() => {
    reads = 0;
  });

  function open(text: string, host: Partial<Host> = counted): Service {
    const service = createService(testHost(host));
    service.openText(uri, text);
    return service;
  }
  const hoverAt = async (service: Service, text: string, at: string): Promise<string | undefined> => {
    const offset = text.indexOf(at) + 4;
    await service.prepare(uri, { offset });
    return service.hover(uri, offset)?.markdown;
  };

  it("is not read at the start, nor for bundled signatures", async () => {
    const text = callOf(`0xa9059cbb${"0".repeat(128)}`);
    const service = open(text);
    await service.settled(uri);
    assert.equal(service.prepare(uri, "cells"), undefined);
    assert.match((await hoverAt(service, text, "0xa9059cbb")) ?? "", /transfer/);
    assert.equal(reads, 0);
  });

  it("is read once, when a hover needs an unknown selector, and then answers at once", async () => {
    const text = callOf(selector);
    const service = open(text);
    const [one, two] = await Promise.all([hoverAt(service, text, selector), hoverAt(service, text, selector)]);
    assert.match(one ?? "", /relayMessage\(uint256 _nonce.*optimism.*contracts.*bedrock/);
    assert.equal(two, one);
    service.changeText(uri, callOf("0xdeadbeef"));
    assert.match((await hoverAt(service, callOf("0xdeadbeef"), "0xdeadbeef")) ?? "", /No known function/);
    assert.equal(reads, 1);
  });

  it("is read for completions, which come after the bundled ones", async () => {
    const text = `{ "method": "eth_call", "params": [{ "to": "0x${"1".repeat(40)}", "data": "relayM" }, "latest"] }`;
    const service = open(text);
    const offset = text.indexOf("relayM") + "relayM".length;
    await service.prepare(uri, { offset, completes: true });
    const labels = service.completion(uri, offset).map(({ label }) => label);
    assert.ok(labels.includes("relayMessage"), labels.join());
    assert.ok(labels.indexOf("transfer") < labels.indexOf("relayMessage"));
    assert.equal(reads, 1);
  });

  it("is read before an answer with an unknown event is shown", async () => {
    const log = { address: `0x${"1".repeat(40)}`, topics: [topic, `0x${"2".repeat(64)}`], data: "0x" };
    const text = `{ "method": "eth_getLogs", "params": [{ "address": "${log.address}" }], "expect": { "decoded[0].name": "RelayedMessage" } }`;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: [log] });
    const { cells } = await runText(text, {
      endpoint: "http://127.0.0.1:1",
      host: {
        ...counted,
        consent: person({ allowHost: async () => true, allowWrites: async () => false }),
        transport: { post: async () => ({ kind: "response", status: 200, headers: {}, body, bytes: body.length }) },
      },
    });
    assert.equal(cells[0]?.ok, true);
    assert.match(JSON.stringify(cells[0]?.output.reports), /RelayedMessage/);
    assert.equal(reads, 1);
  });

  it("is optional: it cannot be read", async () => {
    const warnings: string[] = [];
    const text = callOf(selector);
    const service = open(text, {
      signatures: () => Promise.reject(new Error("no such file")),
      log: { info: () => {}, warn: (message) => warnings.push(message), error: assert.fail },
    });
    assert.match((await hoverAt(service, text, selector)) ?? "", /No known function/);
    assert.match((await hoverAt(service, text, selector)) ?? "", /No known function/);
    assert.deepEqual(warnings, ["The table of signatures cannot be read: no such file"]);
  });

  it("is optional: the host has none", async () => {
    const text = callOf(selector);
    assert.match((await hoverAt(open(text, {}), text, selector)) ?? "", /No known function/);
  });
});
