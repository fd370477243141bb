import assert from "node:assert/strict";
import fc from "fast-check";
import { together } from "../../../server/src/editor/cellQueries.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { NotebookCellText } from "../../../server/src/workspace/documents.ts";
import { times } from "../../support/depth.ts";
import { testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";

const uri = "file:///w/a.rpc.json";

/** Cells that see each other: names, some of them twice, references, rings, and text that is broken. */
const cellTexts = [
  `{ "name": "a", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
  `{ "name": "a", "method": "eth_blockNumber" }`,
  `{ "name": "b", "method": "eth_getBlockByNumber", "params": ["{{a.result}}", false] }`,
  `{ "name": "b", "method": "eth_getBlockByNumber", "params": ["{{b.result.number}}", true] }`,
  `{ "name": "alice", "method": "eth_chainId" }`,
  `{ "method": "eth_getBlockByNumber", "params": ["{{b.result.number}}", "{{a.result}}"], "endpoint": "local" }`,
  `{ "name": "a", "method": "eth_call", "params": [{ "to": "{{alice}}", "data": "{{b.result.hash}}" }, "pending"] }`,
  `{ "batch": [{ "name": "c", "method": "eth_chainId" }, { "method": "eth_getCode", "params": ["{{c.result}}"] }] }`,
  `{\n  "name": "d",\n  "method": "eth_getLogs",\n  "params": [{ "fromBlock": "0x1", "toBlock": "0xffff" }]\n}`,
  `{ "name": "e", "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }], "save": "t.csv" }`,
  `{ "name": "e", "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }], "save": "u.csv" }`,
  `{ "method": "eth_getBalance", "params": ["{{row.to}}", "latest"], "each": { "row": "./t.csv" } }`,
  `{ "markdown": ["# Title", "{{a}}"] }`,
  `{ "name": "a", "method": "eth_`,
  `{ "text": ["not yet"] }`,
  "",
];
const headerTexts = [
  `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" } }`,
  `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "c": 1 }, "endpoint": "nowhere" }`,
  `{ "labels": { "0x70997970C51812dc3A010C7d01b50e0d17dc79C8": "treasury" }, "chainId": "0x1" }`,
];

/** All that the service says of whole documents, and of some places in them. */
function said(
  service: Service,
  uris: readonly string[],
  looks: number,
  textOf: (uri: string) => string,
): readonly unknown[] {
  return uris.map((uri) => {
    const length = textOf(uri).length;
    const offsets = Array.from({ length: looks }, (_, at) => Math.floor((length * (at + 0.5)) / looks));
    return {
      uri,
      diagnostics: service.diagnostics(uri),
      lenses: service.codeLenses(uri),
      tokens: service.semanticTokens(uri),
      hints: service.inlayHints(uri, { start: 0, end: length }),
      symbols: service.symbols(uri),
      folds: service.foldingRanges(uri),
      links: service.links(uri),
      hovers: offsets.map((offset) => service.hover(uri, offset)),
      definitions: offsets.map((offset) => service.definition(uri, offset)),
      references: offsets.map((offset) => service.references(uri, offset, true)),
      places: offsets.map((offset) => service.cellAt(uri, offset)),
    };
  });
}

const byCode = (service: Service, uri: string): readonly string[] => service.diagnostics(uri).map(({ code }) => code);
const cellUri = (id: number): string => `vscode-notebook-cell:/w/a.rpc.json#${id}`;

describe("the service, while a notebook is edited", () => {
  it("answers for an edited text as for the same text opened again", () => {
    const text = `{ "endpoint": "local", "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "cells": [\n${cellTexts.slice(0, 10).join(",\n")}\n] }`;
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("x", "0", "a", " ", "\n", "") },
      { weight: 2, arbitrary: fc.constantFrom('"', ",", "{", "}", "[", "]", "{{a.result}}", '"name": "b",') },
      { weight: 1, arbitrary: fc.constantFrom(...cellTexts.map((cell) => `${cell},`)) },
    );
    const edit = fc.record({ at: fc.nat({ max: 999 }), remove: fc.nat({ max: 4 }), insert: piece });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const service = createService(testHost());
        let now = text;
        service.openText(uri, now);
        said(service, [uri], 8, () => now);
        for (const { at, remove, insert } of edits) {
          const start = Math.floor((now.length * at) / 1000);
          now = now.slice(0, start) + insert + now.slice(start + remove);
          service.changeText(uri, now);
          const fresh = createService(testHost());
          fresh.openText(uri, now);
          assert.deepEqual(
            said(service, [uri], 8, () => now),
            said(fresh, [uri], 8, () => now),
          );
        }
      }),
      { numRuns: times(25, 3) },
    );
  });

  it("answers for edited cells as for the same cells opened again, however they change, are added, removed and moved", () => {
    const cell = fc.oneof(fc.constantFrom(...cellTexts), fc.constantFrom(...headerTexts));
    const kind = <Kind extends string>(weight: number, kind: Kind, text: fc.Arbitrary<string> = fc.constant("")) => ({
      weight,
      arbitrary: fc.record({ kind: fc.constant(kind), at: fc.nat(), text }),
    });
    const change = fc.oneof(
      kind(4, "type", fc.constantFrom("x", " ", '"')),
      kind(3, "replace", cell),
      kind(1, "insert", cell),
      kind(1, "remove"),
      kind(2, "swap"),
      kind(1, "mark"),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const service = createService(testHost());
        let ids = 0;
        const made = (text: string): NotebookCellText => ({ uri: cellUri(ids++), kind: "code", text });
        let cells = [headerTexts[0] ?? "", ...cellTexts].map(made);
        const check = (): void => {
          const fresh = createService(testHost());
          // What is known of the header by its text is not known to one who opens the notebook; marks are.
          const header = cells.findIndex(({ uri }) => service.cellAt(uri, 0) === undefined);
          fresh.openNotebook(
            uri,
            cells.map((one, at) => ({ ...one, header: at === header })),
          );
          const uris = cells.map((one) => one.uri);
          const textOf = (uri: string): string => cells.find((one) => one.uri === uri)?.text ?? "";
          assert.deepEqual(said(service, uris, 2, textOf), said(fresh, uris, 2, textOf));
          assert.deepEqual(service.siblings(uri), uris);
        };
        service.openNotebook(uri, cells);
        check();
        for (const { kind, at, text } of changes) {
          const place = cells.length === 0 ? 0 : at % cells.length;
          const old = cells[place];
          if (kind === "insert") cells = cells.toSpliced(place, 0, made(text));
          else if (kind === "remove") cells = cells.toSpliced(place, 1);
          else if (!old) continue;
          else if (kind === "swap") cells = cells.toSpliced(place, 1).toSpliced((place * 7) % cells.length, 0, old);
          else if (kind === "replace") cells = cells.with(place, { ...old, text });
          else if (kind === "mark")
            cells = cells.with(place, { ...old, kind: old.kind === "code" ? "markdown" : "code" });
          else {
            const offset = at % (old.text.length + 1);
            cells = cells.with(place, { ...old, text: old.text.slice(0, offset) + text + old.text.slice(offset) });
          }
          service.changeNotebook(uri, cells);
          check();
        }
      }),
      { numRuns: times(25, 3) },
    );
  });

  describe("shows in other cells", () => {
    const texts = [
      `{ "name": "head", "method": "eth_blockNumber" }`,
      `{ "name": "other", "method": "eth_getBlockByNumber", "params": ["{{head.result}}", false] }`,
      `{ "name": "third", "method": "eth_getBalance", "params": ["{{other.result.miner}}", "latest"] }`,
    ];
    /** Codes of the problems, cell by cell, in both views, after a change that follows a first look. */
    function codesAfter(change: readonly [from: string, to: string]): readonly (readonly string[])[] {
      const service = createService(testHost());
      const cells = texts.map((text, at): NotebookCellText => ({ uri: cellUri(at), kind: "code", text }));
      const changed = cells.map((one) =>
        one.text.includes(change[0]) ? { ...one, text: one.text.replace(...change) } : one,
      );
      const textOf = (all: readonly NotebookCellText[]): string => `[${all.map(({ text }) => text).join(",")}]`;
      const file = "file:///w/b.rpc.json";
      service.openNotebook(uri, cells);
      service.openText(file, textOf(cells));
      for (const { uri } of [...cells, { uri: file }]) assert.deepEqual(byCode(service, uri), []);
      service.changeNotebook(uri, changed);
      service.changeText(file, textOf(changed));
      const inCells = cells.map(({ uri }) => byCode(service, uri));
      assert.deepEqual(byCode(service, file), inCells.flat());
      return inCells;
    }

    it("that a name was removed", () =>
      assert.deepEqual(codesAfter([`"head"`, `"tail"`]), [[], ["unresolved-placeholder"], []]));
    it("that a name occurs twice", () =>
      assert.deepEqual(codesAfter([`"other"`, `"third"`]), [[], [], ["duplicate-name", "unresolved-placeholder"]]));
    it("that references form a cycle, also through a third cell", () =>
      assert.deepEqual(
        codesAfter([`"eth_blockNumber"`, `"eth_estimateGas", "params": [{ "input": "{{third.result}}" }, "latest"]`]),
        [["reference-cycle"], ["reference-cycle"], ["reference-cycle"]],
      ));
    it("that a result has another shape", () =>
      assert.deepEqual(
        codesAfter([
          `"eth_getBlockByNumber", "params": ["{{head.result}}", false]`,
          `"eth_getBlockTransactionCountByNumber", "params": ["{{head.result}}"]`,
        ]),
        [[], [], ["unknown-path"]],
      ));
    it("nothing about an edit that they cannot see", () =>
      assert.deepEqual(codesAfter([`"eth_getBalance"`, `"eth_getBalanc"`]), [[], [], ["unknown-method"]]));
  });

  it("notices that two cells with the same name were swapped", () => {
    const service = createService(testHost());
    const cells = ["eth_chainId", "eth_blockNumber"].map(
      (method, at): NotebookCellText => ({
        uri: cellUri(at),
        kind: "code",
        text: `{ "name": "same", "method": "${method}" }`,
      }),
    );
    const second = (): readonly string[] =>
      cells.filter(({ uri }) => byCode(service, uri).length > 0).map(({ uri }) => uri);
    service.openNotebook(uri, cells);
    assert.deepEqual(second(), [cellUri(1)]);
    service.changeNotebook(uri, cells.toReversed());
    assert.deepEqual(second(), [cellUri(0)]);
  });

  it("returns the same object for a cell until its answer changes", () => {
    const service = createService(testHost());
    const cells = cellTexts.map((text, at): NotebookCellText => ({ uri: cellUri(at), kind: "code", text }));
    service.openNotebook(uri, cells);
    const before = cells.map((one) => service.diagnostics(one.uri));
    const at = 8; // neither its name nor what it refers to is touched, and nothing refers to it
    service.changeNotebook(uri, cells.with(at, { uri: cellUri(at), kind: "code", text: `${cellTexts[at]} ` }));
    const changed = cells.flatMap((one, index) => (service.diagnostics(one.uri) === before[index] ? [] : index));
    assert.deepEqual(changed, [at]);
  });

  it("moves a result to the cell that now has its key", async () => {
    const node = await hostileServer(({ body }, response) =>
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: "0x1" })),
    );
    try {
      const service = createService(testHost());
      const same = `{ "method": "eth_chainId" }`;
      const shown = (): readonly string[] =>
        together(service.codeLenses(uri)).flatMap(({ action, index, title }) =>
          action === "show-result" ? `${index}: ${title}` : [],
        );
      service.openText(uri, `[${same}, ${same}]`);
      const params = { uri, endpoint: node.url, cells: [{ index: 0 }] };
      await service.run(params, { started: () => {}, finished: () => {} }, new AbortController().signal);
      assert.deepEqual(shown(), ["0: ✓ 1, Ethereum"]);
      service.changeText(uri, `[{ "method": "eth_gasPrice" }, ${same}]`);
      assert.deepEqual(shown(), ["1: ✓ 1, Ethereum"]);
    } finally {
      await node.close();
    }
  });
  it("says of rows of a file whether a cell writes it, also after that cell has changed", () => {
    const service = createService(testHost());
    const rows = `{ "method": "eth_getBalance", "params": ["{{row.to}}", "0x1"], "each": { "row": "./t.csv" } }`;
    const saving = (path: string) =>
      `[{ "name": "e", "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "0x2" }], "save": "${path}" }, ${rows}]`;
    service.openText(uri, saving("u.csv"));
    assert.deepEqual(byCode(service, uri), []);
    service.changeText(uri, saving("t.csv"));
    assert.deepEqual(byCode(service, uri), ["saved-by-cell"]);
    service.changeText(uri, saving("v.csv"));
    assert.deepEqual(byCode(service, uri), []);
  });
});
