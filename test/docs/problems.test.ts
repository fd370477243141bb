import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check } from "../../server/src/analysis/check.ts";
import { severity } from "../../server/src/analysis/severity.ts";
import type { Transport } from "../../server/src/base/ports.ts";
import { type EndpointProblemCode, endpointSeverity } from "../../server/src/endpoints/named.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { scopeOf } from "../support/cell.ts";
import { runText } from "../support/host.ts";

const page = readFileSync(new URL("../../docs/problems.md", import.meta.url), "utf8");
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** The codes of problems in cells, each with the severities of its messages: the compiler makes the golden file complete. */
const golden = readFileSync(new URL("../server/analysis/messages.golden.txt", import.meta.url), "utf8");
const cellCodes = new Map<string, Set<string>>();
for (const [, code = "", severity = ""] of golden.matchAll(/^([a-z-]+) \((\w+)\): /gm))
  cellCodes.set(code, (cellCodes.get(code) ?? new Set()).add(severity));

const endpointCodes: Readonly<Record<EndpointProblemCode, true>> = {
  "bad-endpoint-file": true,
  "bad-endpoint": true,
  "bad-endpoint-address": true,
  "unknown-endpoint-key": true,
  "unset-endpoint-value": true,
  "secret-in-endpoint-file": true,
};

describe("docs/problems.md", () => {
  it("explains every code with its severities, and no other", () => {
    const sections = [...page.matchAll(/^## (.+)\n\n_(.+)\._ /gm)].map(
      ([, code = "", said = ""]) => [code, new Set(said.toLowerCase().split(" or "))] as const,
    );
    const endpoints = Object.keys(endpointCodes).map(
      (code) => [code, new Set([endpointSeverity(code as EndpointProblemCode)])] as const, // the keys of that record
    );
    assert.deepEqual(new Map(sections), new Map([...cellCodes, ...endpoints]));
    assert.equal(sections.length, page.match(/^## /gm)?.length, "each section has a code of its own and its severity");
  });

  describe("says which cells a run does not send", () => {
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
      "bad-within": [`{ "method": "eth_chainId", "expect": { "result": "0x1" }, "within": "10" }`],
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
    }))
      it(`and not ${code}: ${cell}`, async () => assert.deepEqual(await sent(cell), { codes: [code], sent: true }));
  });
});

/** Returns the text before the first section. */
function intro(): string {
  return page.slice(0, page.indexOf("\n## "));
}

const header = `{ "variables": { "known": { "block": "0x1" } }, "abi": ["function f(uint8)", "function f(uint16)"] }`;

/** The codes of a cell's errors and warnings, and whether a run would send it. */
async function sent(text: string): Promise<{ readonly codes: readonly string[]; readonly sent: boolean }> {
  const cell = readCell(text);
  const problems = check(cell, scopeOf(cell, { header }));
  const codes = problems.filter((problem) => /error|warning/.test(severity(problem))).map(({ code }) => code);
  let wasSent = false;
  const transport: Transport = {
    async post() {
      wasSent = true;
      return { kind: "fault", reason: "refused", detail: "" };
    },
  };
  const endpoint = text.includes(`"endpoint"`) ? {} : { endpoint: "http://127.0.0.1:1" };
  await runText(`${header.slice(0, -2)}, "cells": [${text}] }`, { host: { transport }, ...endpoint });
  return { codes: [...new Set(codes)], sent: wasSent };
}
