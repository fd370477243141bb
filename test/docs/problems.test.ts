import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check } from "../../server/src/analysis/check.ts";
import type { ProblemCode } from "../../server/src/analysis/problem.ts";
import { severity } from "../../server/src/analysis/severity.ts";
import type { Transport } from "../../server/src/base/ports.ts";
import { type EndpointProblemCode, endpointSeverity } from "../../server/src/endpoints/problem.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { scopeOf } from "../support/cell.ts";
import { runText } from "../support/host.ts";

const page = readFileSync(new URL("../../docs/problems.md", import.meta.url), "utf8");
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Every code with the severities that it can have. The compiler finds a code that is missing here. */
const cellCodes: Readonly<Record<ProblemCode, string>> = {
  "json-syntax": "Error",
  "not-a-notebook": "Error",
  "too-deep": "Error",
  "conflict-marker": "Error",
  "missing-method": "Error",
  "unknown-member": "Warning",
  "duplicate-key": "Error or warning",
  "unknown-method": "Error or information",
  "named-params": "Error",
  "missing-param": "Error or warning",
  "missing-block": "Warning",
  "extra-param": "Error or warning",
  "wrong-type": "Error",
  "swapped-params": "Error",
  "bad-quantity": "Error",
  "bad-hex": "Error or warning",
  "bad-block": "Error or warning",
  "unknown-value": "Error",
  "sample-placeholder": "Error",
  "unknown-field": "Warning",
  "missing-field": "Error or warning",
  "exclusive-fields": "Error or warning",
  "too-many-items": "Error",
  "filter-without-criterion": "Information",
  "inverted-range": "Error or warning",
  "log-range-over-limit": "Warning",
  "duplicate-name": "Error",
  "unresolved-placeholder": "Error",
  "reference-cycle": "Error",
  "not-ahead": "Information",
  "refused-method": "Warning",
  "unknown-endpoint": "Error",
  "unusable-endpoint": "Warning",
  "bidi-character": "Warning",
  "unknown-function": "Error",
  "ambiguous-function": "Error",
  "unknown-event": "Error",
  "ambiguous-event": "Error",
  "bad-argument": "Error",
  "bad-amount": "Error",
  "before-first-block": "Error",
  "decimal-number": "Hint",
  "bad-checksum": "Warning",
  "secret-in-file": "Warning",
  "unset-value": "Warning",
  "signing-method": "Information",
  "unfilled-placeholder": "Warning",
  "bad-path": "Error",
  "unknown-path": "Warning",
  "unknown-operator": "Error",
  "bad-operand": "Error",
  "bad-within": "Error",
  "misplaced-explain": "Warning",
  "bad-assumption": "Error",
  "bad-openrpc": "Warning",
  "bad-abi": "Warning",
  "unread-abi": "Hint",
};

const endpointCodes: Readonly<Record<EndpointProblemCode, string>> = {
  "bad-endpoint-file": "Error",
  "bad-endpoint": "Error",
  "bad-endpoint-address": "Error",
  "unknown-endpoint-key": "Warning",
  "unset-endpoint-value": "Information",
  "secret-in-endpoint-file": "Warning",
};

describe("docs/problems.md", () => {
  it("explains every code with its severity, and no other", () => {
    const sections = [...page.matchAll(/^## (.+)\n\n_(.+)\._ /gm)].map(([, code = "", severities]) => [
      code,
      severities,
    ]);
    assert.deepEqual(Object.fromEntries(sections), { ...cellCodes, ...endpointCodes });
    assert.equal(
      sections.length,
      page.match(/^## /gm)?.length,
      "each section has its own code and begins with its severity",
    );
    for (const [code, said] of Object.entries(endpointCodes))
      assert.equal(said.toLowerCase(), endpointSeverity(code as EndpointProblemCode), code); // the keys of that record
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
  await runText(`${header.slice(0, -2)}, "cells": [${text}] }`, {
    host: { transport },
    ...endpoint,
  });
  return { codes: [...new Set(codes)], sent: wasSent };
}
