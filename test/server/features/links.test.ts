import assert from "node:assert/strict";
import { links } from "../../../server/src/features/links.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { createService } from "../../../server/src/service/service.ts";
import { type Around, scopeOf } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";

/** Checks the links of a cell, as `text → target`. */
function check(text: string, expected: readonly string[], around: Around = {}, kind?: "header"): void {
  const cell = readCell(text, kind);
  const found = links(cell, scopeOf(cell, around)).map(
    ({ span, target }) => `${text.slice(span.start, span.end)} → ${"url" in target ? target.url : target.path}`,
  );
  assert.deepEqual(found, expected);
}

const explorer: Around = { endpoint: { explorer: "https://scan.example/" } };
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const hash = `0x${"ab".repeat(32)}`;

describe("links", () => {
  it("open the files that a header and a request name", () => {
    check(
      `{ "$schema": "./a.schema.json", "openrpc": "api/openrpc.json", "abi": ["./abi/Token.json", "event A(uint256)", "Token.json", "transfer"] }`,
      ["./a.schema.json", "api/openrpc.json", "./abi/Token.json", "Token.json"].map((path) => `${path} → ${path}`),
      {},
      "header",
    );
    check(`{ "method": "eth_call", "abi": "../a/B.json" }`, ["../a/B.json → ../a/B.json"]);
    check(`{ "batch": [{ "method": "a", "abi": ["./C.json"] }], "abi": ["./D.json"] }`, [
      "./C.json → ./C.json",
      "./D.json → ./D.json",
    ]);
  });

  it("encode what a URL would read as something else", () =>
    check(`{ "method": "a", "abi": ["./a b#c?d%2e.json", "./\\ud800.json"] }`, [
      "./a b#c?d%2e.json → ./a%20b%23c%3Fd%252e.json",
      "./\\ud800.json → ./%EF%BF%BD.json",
    ]));

  it("lead to no other machine, no program and no place without TLS", () => {
    const places = [
      "//evil.example/x.json",
      "\\\\\\\\evil\\\\x.json",
      "/etc/x.json",
      "file:///x.json",
      "command:x.json",
    ];
    for (const place of [...places, "C:/x.json", "http://x.example/x.json", "javascript:alert.json"]) {
      check(`{ "abi": ["${place}"], "$schema": "${place}" }`, [], {}, "header");
    }
    const schema = "https://x.example/s.json";
    check(`{ "$schema": "${schema}" }`, [`${schema} → ${schema}`], {}, "header");
    for (const unsafe of ["http://scan.example", "javascript:1", "no address"]) {
      check(`{ "labels": { "${alice}": "a" } }`, [], { endpoint: { explorer: unsafe } }, "header");
    }
  });

  it("open addresses, transactions and blocks in the explorer of the endpoint", () => {
    const on = (text: string, ...expected: readonly string[]): void => check(text, expected, explorer);
    const account = `${alice} → https://scan.example/address/${alice}`;
    const transaction = `${hash} → https://scan.example/tx/${hash}`;
    const block = `${hash} → https://scan.example/block/${hash}`;
    on(
      `{ "method": "eth_getBalance", "params": ["${alice}", "0x10"] }`,
      account,
      "0x10 → https://scan.example/block/16",
    );
    on(`{ "method": "eth_getBalance", "params": ["${alice}", "pending"] }`, account);
    on(`{ "method": "eth_getTransactionReceipt", "params": ["${hash}"] }`, transaction);
    on(`{ "method": "eth_getTransactionByHash", "params": ["${hash}"] }`, transaction);
    on(`{ "method": "eth_getBlockByHash", "params": ["${hash}", false] }`, block);
    on(`{ "method": "eth_getBlockReceipts", "params": ["${hash}"] }`, block);
    on(`{ "method": "eth_getLogs", "params": [{ "blockHash": "${hash}", "topics": ["${hash}"] }] }`, block);
    on(
      `{ "method": "eth_call", "params": [{ "to": "${alice}", "data": "0x" }, 16, { "${alice}": { "balance": "0x10" } }] }`,
      account,
      "16 → https://scan.example/block/16",
      account,
    );
    on(`{ "method": "unknown", "params": ["${alice}"] }`);
  });

  it("open the addresses of a header", () =>
    check(
      `{ "variables": { "a": "${alice}", "b": "${hash}" }, "labels": { "${alice}": "x", "0x1": "y" } }`,
      Array<string>(2).fill(`${alice} → https://scan.example/base/address/${alice}`),
      { endpoint: { explorer: "https://scan.example/base?x#y" } },
      "header",
    ));

  it("say nothing of a cell that goes elsewhere, of whose explorer nothing is known", () => {
    const request = (endpoint: string): string =>
      `{ "endpoint": "${endpoint}", "method": "eth_getBalance", "params": ["${alice}"] }`;
    check(request("other"), [], explorer);
    check(request("local"), [`${alice} → https://scan.example/address/${alice}`], explorer);
    check(`{ "endpoint": "other", "batch": [{ "method": "eth_getBalance", "params": ["${alice}"] }] }`, [], explorer);
  });

  it("count from the folder of the notebook", () => {
    const service = createService(testHost());
    service.openText("file:///w/n/a.rpc.json", `{ "abi": ["../abi/A.json", "../../../../B.json"], "cells": [] }`);
    service.openText("untitled:Untitled-1", `{ "abi": ["../abi/A.json"], "cells": [] }`);
    const targets = (uri: string): readonly string[] => service.links(uri).map(({ target }) => target);
    assert.deepEqual(targets("file:///w/n/a.rpc.json"), ["file:///w/abi/A.json", "file:///B.json"]);
    assert.deepEqual(targets("untitled:Untitled-1"), []);
  });
});
