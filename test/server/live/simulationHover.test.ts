import assert from "node:assert/strict";
import { createService } from "../../../server/src/service/service.ts";
import { cursor } from "../../support/cell.ts";
import { countedChain } from "../../support/countedChain.ts";
import { unserved } from "../../support/countingProxy.ts";
import { testHost } from "../../support/host.ts";
import { topic, transferTopic } from "../report/outcomes.ts";

const uri = "file:///nowhere/a.rpc.json";
const [alice, bob] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];

describe("the hover of a request", () => {
  const counted = countedChain();

  const hovered = async (marked: string): Promise<string | undefined> => {
    const service = createService(testHost({ settings: { rpcNotebook: { endpoint: counted.proxy.url } } }));
    const { text, offset } = cursor(marked);
    service.openText(uri, text);
    await service.settled(uri);
    return service.liveHover(uri, offset, new AbortController().signal);
  };
  const labels = `"labels": { "${alice}": "alice", "${bob}": "bob" }`;
  const cell = (method: string, ...params: readonly unknown[]): string =>
    `{ ${labels}, "cells": [{ "method": "${method.slice(0, 5)}|${method.slice(5)}", "params": ${JSON.stringify(params)} }] }`;

  it("shows movements of the native currency and of tokens, by address", async () => {
    const shown =
      (await hovered(cell("eth_sendTransaction", { from: alice, to: bob, value: "0xde0b6b3a7640000" }))) ?? "";
    assert.match(shown, /\*\*Simulated\*\* at .*; nothing was sent/);
    assert.match(shown, /- alice: −1 ether/);
    assert.match(shown, /- bob: \+1 ether/);
    assert.match(shown, /21,000 gas|21\\,000 gas/);
    assert.equal(counted.proxy.bodies.length, 1);
    assert.match(counted.proxy.bodies[0] ?? "", /eth_simulateV1.*"pending"/s);
  });

  it("decodes the data, the result and the logs of a call", async () => {
    const { address } = counted.chain.contracts.token;
    const data = { function: "transfer(address,uint256) returns (bool)", args: [bob, "5000000"] };
    const shown = (await hovered(cell("eth_call", { from: alice, to: address, data }, "pending"))) ?? "";
    assert.match(shown, /- alice: −5 DUSD/);
    assert.match(shown, /transfer/);
    assert.match(shown, /true/);
    assert.match(shown, /Transfer/);
  });

  it("shows a token that another contract moves in the unit that a run shows", async () => {
    const { address } = counted.chain.contracts.token;
    const topics = [transferTopic, topic(alice), topic(bob)];
    const log = { address, topics, data: topic("0x4c4b40"), logIndex: "0x0" };
    const result = [{ calls: [{ status: "0x1", gasUsed: "0x1", returnData: "0x", logs: [log] }] }];
    await counted.replacing(({ method }) => (method === "eth_simulateV1" ? { result } : undefined));
    const shown = (await hovered(cell("eth_call", { from: alice, to: bob, data: "0x12345678" }, "pending"))) ?? "";
    assert.match(shown, /- bob: \+5 DUSD/);
  });

  it("decodes the results of inner calls by functions that only the request declares", async () => {
    const word = (digits: string): string => digits.padStart(64, "0");
    const returnData = `0x${word("20")}${word("1")}${word("20")}${word("20")}${word("7")}`;
    const result = [{ calls: [{ status: "0x1", gasUsed: "0x1", logs: [], returnData }] }];
    await counted.replacing(() => ({ result }));
    const data = { function: "runAll(bytes[] calls) returns (bytes[])", args: [[`0x70a08231${word(alice.slice(2))}`]] };
    const shown = (await hovered(cell("eth_call", { to: bob, data }, "pending"))) ?? "";
    assert.match(shown, /1 call inside\\: balanceOf 7/);
    assert.match(shown, /Returned by the calls inside.*\| balanceOf \| 7 \|/s);
  });

  it("says why a call fails", async () => {
    const { address } = counted.chain.contracts.token;
    const data = { function: "transfer(address,uint256) returns (bool)", args: [bob, "5000000000000000000"] };
    const shown = (await hovered(cell("eth_estimateGas", { from: alice, to: address, data }))) ?? "";
    assert.match(shown, /reverted\\: ERC20InsufficientBalance/);
  });

  it("honours the state overrides of a call", async () => {
    const call = { from: bob, to: alice, value: "0x3635c9adc5dea00000000" };
    assert.match((await hovered(cell("eth_call", call, "pending"))) ?? "", /insufficient|funds|balance/i);
    const override = { [String(bob)]: { balance: "0xffffffffffffffffffffffff" } };
    assert.match((await hovered(cell("eth_call", call, "pending", override))) ?? "", /alice: \+/);
  });

  it("falls back to eth_call without eth_simulateV1, and says so", async () => {
    await counted.replacing(({ method }) => (method === "eth_simulateV1" ? unserved(method) : undefined));
    const data = { function: "balanceOf(address) returns (uint256)", args: [alice] };
    const shown =
      (await hovered(cell("eth_call", { to: counted.chain.contracts.token.address, data }, "pending"))) ?? "";
    assert.match(shown, /has no `eth_simulateV1`/);
    assert.match(shown, /\d/);
  });

  it("shows nothing for requests that cannot be simulated", async () => {
    assert.equal(await hovered(cell("eth_getBalance", alice, "pending")), undefined);
    assert.equal(await hovered(cell("eth_sendRawTransaction", "0x1234")), undefined);
    assert.equal(await hovered(cell("eth_call", { to: "{{$secret.TO}}" }, "pending")), undefined);
    assert.equal(counted.proxy.bodies.length, 0);
  });
});
