import assert from "node:assert/strict";
import { unreadableDirective } from "../../../server/src/analysis/directives.ts";
import { directives } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { runText, summaries } from "../../support/host.ts";
import { answering, hostileServer } from "../../support/hostileServer.ts";

const wrong: Readonly<Record<string, readonly string[]>> = {
  name: ["5"],
  endpoint: ["5"],
  abi: ["5"],
  assume: ["5"],
  each: ["5"],
  expect: ["5", `"0x1"`, "{}"],
  within: [`"abc"`, "5", "null"],
  snapshot: [`"true"`, "1"],
  save: ["true", "1", "[]"],
  explain: [`"yes"`, "1"],
};

describe("a directive that a run cannot follow", () => {
  it("is of every kind", () => assert.deepEqual(Object.keys(wrong).sort(), directives.toSorted()));

  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      for (const [where, cell] of [
        ["a request", `{ "method": "eth_chainId", "${name}": ${value} }`],
        ["a batch", `{ "batch": [{ "method": "eth_chainId" }], "${name}": ${value} }`],
        ["a request of a batch", `{ "batch": [{ "method": "eth_chainId", "${name}": ${value} }] }`],
      ] as const)
        it(`of ${where} keeps it from being sent, and is named: "${name}": ${value}`, async () => {
          const server = await hostileServer(answering(() => "0x1"));
          const done = await runText(`{ "cells": [${cell}] }`, { endpoint: server.url });
          assert.deepEqual(done.result, { ok: 0, failed: 1, cancelled: false });
          assert.match(summaries(done)[0] ?? "", name === "endpoint" ? /endpoint/i : new RegExp(`\`${name}\``));
          assert.deepEqual(server.seen, []);
          await server.close();
        });

  it("is none if its value is right", () => {
    const cell = `{ "method": "eth_chainId", "name": "a", "endpoint": "b", "abi": [], "assume": {}, "expect": { "result": "0x1" }, "within": "10 s", "snapshot": true, "explain": false }`;
    assert.equal(unreadableDirective(readCell(cell)), undefined);
  });
});
