import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check } from "../../server/src/analysis/check.ts";
import { problemCodes, severity } from "../../server/src/analysis/severity.ts";
import type { Transport } from "../../server/src/base/ports.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { scopeOf } from "../support/cell.ts";
import { runText } from "../support/host.ts";

const page = readFileSync(new URL("../../docs/problems.md", import.meta.url), "utf8");
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("docs/problems.md", () => {
  it("explains every code, and no other", () => {
    const source = readFileSync(new URL("../../server/src/endpoints/problem.ts", import.meta.url), "utf8");
    const switched = source.slice(source.search(/export function endpointSeverity/));
    const ofEndpoints = [...switched.matchAll(/case "([a-z-]+)":/g)].map(([, code]) => code);
    assert.ok(ofEndpoints.length > 0, "the codes of endpoints were found");
    const codes = [...problemCodes, ...ofEndpoints];
    assert.deepEqual([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title).sort(), codes.sort());
  });

  describe("tells which cells a run keeps back", () => {
    const call = (data: string): string =>
      `{ "method": "eth_call", "params": [{ "to": "${address}", "data": ${data} }, "latest"] }`;
    const value = (amount: string): string =>
      `{ "method": "eth_call", "params": [{ "to": "${address}", "value": "${amount}" }, "latest"] }`;
    const logs = (filter: string): string => `{ "method": "eth_getLogs", "params": [{ ${filter} }] }`;
    const block = (written: string): string => `{ "method": "eth_getBlockReceipts", "params": ["${written}"] }`;

    const kept: Readonly<Record<string, readonly string[]>> = {
      "json-syntax": [`{ "method": "eth_chainId", }`],
      "missing-method": [`{ "params": [] }`, "[]"],
      "wrong-type": [
        `{ "method": 5 }`,
        `{ "method": "eth_chainId", "id": {} }`,
        `{ "batch": [{ "method": "eth_chainId" }, 3] }`,
      ],
      "unresolved-placeholder": [block("{{nobody}}")],
      "reference-cycle": [block("{{me.result}}").replace("{", '{ "name": "me", ')],
      "unknown-path": [block("{{known.nosuch}}")],
      "unknown-function": [call(`{ "function": "nosuch" }`)],
      "ambiguous-function": [call(`{ "function": "f", "args": [1] }`)],
      "unknown-event": [logs(`"event": "NoSuch"`)],
      "ambiguous-event": [logs(`"event": "PaymentCaptured"`)],
      "bad-argument": [call(`{ "function": "balanceOf", "args": ["0x12"] }`)],
      "bad-amount": [value("1.5")],
      "exclusive-fields": [logs(`"event": "Transfer", "topics": []`)],
      "unknown-endpoint": [`{ "method": "eth_chainId", "endpoint": "nosuch" }`],
    };
    for (const [code, cells] of Object.entries(kept)) {
      for (const cell of cells) {
        it(`${code}: ${cell}`, async () => {
          assert.deepEqual(await sent(cell), { codes: [code], sent: false });
          assert.ok(intro().includes(`\`${code}\``));
        });
      }
    }

    for (const [code, cell] of Object.entries({
      "bad-quantity": value("0x01"),
      "bad-hex": call(`"0x123"`),
      "bad-block": block("newest"),
      "wrong-type": `{ "method": "eth_getLogs", "params": [5] }`,
      "missing-param": `{ "method": "eth_getBlockReceipts", "params": [] }`,
      "extra-param": `{ "method": "eth_chainId", "params": [1] }`,
      "named-params": `{ "method": "eth_chainId", "params": {} }`,
      "sample-placeholder": block("<block>"),
      "too-many-items": logs(`"fromBlock": "latest", "topics": [null, null, null, null, null]`),
      "exclusive-fields": logs(`"blockHash": "0x${"ab".repeat(32)}", "fromBlock": "0x1"`),
      "unknown-method": `{ "method": "eth_chainID" }`,
      "bad-within": `{ "method": "eth_chainId", "expect": {}, "within": "10" }`,
    }))
      it(`and not ${code}: ${cell}`, async () => assert.deepEqual(await sent(cell), { codes: [code], sent: true }));
  });
});

/** What stands in front of the first section. */
function intro(): string {
  return page.slice(0, page.indexOf("\n## "));
}

const header = `{ "variables": { "known": { "block": "0x1" } }, "abi": ["function f(uint8)", "function f(uint16)"] }`;

/** The codes of a cell's errors and warnings, and whether a run would send it: then this transport throws. */
async function sent(text: string): Promise<{ readonly codes: readonly string[]; readonly sent: boolean }> {
  const cell = readCell(text);
  const problems = check(cell, scopeOf(cell, { header }));
  const codes = problems.filter((problem) => /error|warning/.test(severity(problem))).map(({ code }) => code);
  const transport: Transport = {
    post: () => {
      throw new Error("sent");
    },
  };
  const endpoint = text.includes(`"endpoint"`) ? {} : { endpoint: "http://127.0.0.1:1" };
  const run = runText(`${header.slice(0, -2)}, "cells": [${text}] }`, {
    host: { transport },
    ...endpoint,
  });
  const wasSent = await run.then(
    () => false,
    (cause: unknown) => cause instanceof Error && cause.message === "sent",
  );
  return { codes: [...new Set(codes)], sent: wasSent };
}
