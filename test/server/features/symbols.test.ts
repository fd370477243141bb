import assert from "node:assert/strict";
import { type DocumentSymbol, symbols } from "../../../server/src/features/symbols.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { createService } from "../../../server/src/service/service.ts";
import { toDocument } from "../../../server/src/workspace/documents.ts";
import { type Around, scopeOf } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";

/** An outline as lines: name, detail, kind, and what is selected. */
function lines(text: string, all: readonly DocumentSymbol[], indent = ""): readonly string[] {
  return all.flatMap(({ name, detail, kind, span, selection, children }) => {
    assert.ok(span.start <= selection.start && selection.end <= span.end && span.end <= text.length);
    const selected = text.slice(selection.start, selection.end);
    return [`${indent}${name} | ${detail} | ${kind} | ${selected}`, ...lines(text, children, `${indent}  `)];
  });
}

function check(text: string, expected: readonly string[], around: Around = {}, kind?: "header" | "markdown"): void {
  const cell = readCell(text, kind);
  const number = kind === "header" ? undefined : 3;
  assert.deepEqual(lines(text, symbols(cell, number, scopeOf(cell, around))), expected);
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("symbols", () => {
  it("names a cell by its name, else by number and method", () => {
    const request = `"method": "eth_getBalance", "params": ["{{alice}}", "latest"]`;
    check(`{ "name": "balance", ${request} }`, [`balance | eth_getBalance {{alice}} | request | "balance"`]);
    check(`{ ${request} }`, [`3: eth_getBalance | {{alice}} | request | "eth_getBalance"`]);
    check(`{ "method": "eth_chainId" }`, [`3: eth_chainId |  | request | "eth_chainId"`]);
    check(`{ "params": [1] }`, [`3: no method | 1 | request | `]);
  });

  it("tells what a request is about: an address by its name, a contract that is called, a block", () => {
    const header = `{ "labels": { "${alice}": "Alice" } }`;
    const about = (params: string, detail: string): void =>
      check(`{ "method": "m", "params": ${params} }`, [`3: m | ${detail} | request | "m"`], { header });
    about(`["${alice.toLowerCase()}"]`, "Alice");
    about(`["0x12340000000000000000000000000000000056Ef"]`, "0x1234…56Ef");
    about(`[{ "from": "0x1", "to": "{{token}}" }, "latest"]`, "{{token}}");
    about(`[{ "fromBlock": "0x1", "address": ["{{token}}", "x"] }]`, "{{token}}");
    about(`["0x1e8480", true]`, "0x1e8480");
    about(`[12345678901234567890]`, "12345678901234567890");
    about(`[{}, "pending"]`, "pending");
    about(`{ "to": 1 }`, "");
  });

  it("shows the requests of a batch", () => {
    const items = `[{ "name": "one", "method": "a" }, 7, { "method": "b", "params": ["x"] }]`;
    const children = [`  one | a | request | "one"`, `  2: b | x | request | "b"`];
    check(items, ["3: batch | 2 requests | batch | ", ...children]);
    check(`{ "name": "all", "batch": ${items} }`, [`all | 2 requests | batch | "all"`, ...children]);
  });

  it("shows what a header holds", () =>
    check(
      `{ "$schema": "x", "endpoint": "main", "variables": { "alice": "${alice}", "n": [1, 2], "": 0 }, "labels": { "${alice}": "Alice" }, "abi": ["event A()"] }`,
      [
        `endpoint | main | header | "endpoint"`,
        `variables | 3 entries | header | "variables"`,
        `  alice | ${alice} | variable | "alice"`,
        `  n | 2 entries | variable | "n"`,
        `  … | 0 | variable | ""`,
        `labels | 1 entry | header | "labels"`,
        `  Alice | 0x7099…79C8 | label | "${alice}"`,
        `abi | 1 entry | header | "abi"`,
      ],
      {},
      "header",
    ));

  it("names Markdown by its first heading, else by its first line", () => {
    const named = (markdown: string, name: string): void => {
      check(markdown, [`${name} |  | markdown | ${markdown}`], {}, "markdown");
      const written = JSON.stringify({ markdown: markdown.split("\n") });
      check(written, [`${name} |  | markdown | ${written}`]);
    };
    named("intro\n\n## The *balances* ##\nmore", "The *balances*");
    named("\n  #no heading", "#no heading");
    named("", "Markdown");
    check(`{ "markdown": "# One" }`, [`One |  | markdown | { "markdown": "# One" }`]);
  });

  it("shows what cannot be read yet, and nothing for an empty cell", () => {
    check(`eth_call "`, [`3: unfinished | eth_call " | request | eth_call "`]);
    const deep = "[".repeat(600);
    check(deep, [`3: nested too deeply to read |  | request | ${deep}`]);
    check(" \n", []);
  });

  it("keeps hidden characters and long names from the outline", () => {
    check(`{ "name": "a\u202eb\\nc", "method": "m" }`, [`a\\u202eb c | m | request | "a\u202eb\\nc"`]);
    check(`{ "method": "${"x".repeat(99)}" }`, [`3: ${"x".repeat(59)}… |  | request | "${"x".repeat(99)}"`]);
  });

  it("follows a file, with no line around others but their own batch", () => {
    const text = `{ "endpoint": "main", "cells": [{ "method": "a" }, [{ "method": "b" }]], "variables": { "x": 1 } }`;
    const service = createService(testHost());
    service.openText("file:///w/a.rpc.json", text);
    const found = service.symbols("file:///w/a.rpc.json").flatMap((placed) => {
      const inFile = (symbol: DocumentSymbol): DocumentSymbol => ({
        ...symbol,
        span: toDocument(placed, symbol.span),
        selection: toDocument(placed, symbol.selection),
        children: symbol.children.map(inFile),
      });
      return placed.items.map(inFile);
    });
    assert.deepEqual(lines(text, found), [
      `endpoint | main | header | "endpoint"`,
      `1: a |  | request | "a"`,
      "2: batch | 1 request | batch | ",
      `  1: b |  | request | "b"`,
      `variables | 1 entry | header | "variables"`,
      `  x | 1 | variable | "x"`,
    ]);
    for (const [at, one] of found.entries()) assert.ok(one.span.start >= (found[at - 1]?.span.end ?? 0));
  });
});
