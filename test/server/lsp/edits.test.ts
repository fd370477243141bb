import assert from "node:assert/strict";
import fc from "fast-check";
import type { MessageConnection, SemanticTokens, SemanticTokensDelta } from "vscode-languageserver/node";
import { lineColumn } from "../../../server/src/base/text.ts";
import { times } from "../../support/depth.ts";
import { type Editor, startEditor } from "../../support/editor.ts";

const uri = "file:///w/a.rpc.json";
const cellTexts = [
  `{ "name": "a", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
  `{\n  "name": "é", "method": "eth_getBlockByNumber",\r\n  "params": [\n    "{{a.result}}",\n    false\n  ]\n}`,
  `{ "batch": [{ "name": "c", "method": "eth_chainId" }, { "method": "eth_getCode", "params": ["0x12"] }] }`,
  `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1", "toBlock": "0xffff" }] }, { "name": "ü", "method": "eth_chai" }`,
  `{ "markdown": ["# Title 😀", "{{a}}"] }`,
  "[ ]",
  "3",
];
const header = `"variables": {\n "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "é": 1 }`;
const texts = [
  `{ ${header}, "cells": [\n${cellTexts.join(",\n")}\n], "chainId": "0x1" }`,
  `{ "cells": [ ${cellTexts.join(", ")} ],\n ${header} }`,
  `[${cellTexts.join(",")}]`,
  cellTexts[1] ?? "",
];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("x", "é", "\n", "\r\n", "") },
  { weight: 2, arbitrary: fc.constantFrom('"', ",", "}", "[", "{{a.result}}", "  ") },
  { weight: 1, arbitrary: fc.constantFrom(...cellTexts.map((cell) => `${cell},`)) },
);
const edit = fc.record({ at: fc.nat({ max: 999 }), remove: fc.nat({ max: 3 }), insert: piece });

/** Every answer about a whole text, as an editor asks for it. */
async function answers(editor: Editor): Promise<Readonly<Record<string, unknown>>> {
  const options = { tabSize: 2, insertSpaces: true };
  const range = { start: { line: 1, character: 0 }, end: { line: 6, character: 4 } };
  return {
    lenses: await editor.ask("codeLens", uri),
    symbols: await editor.ask("documentSymbol", uri),
    folds: await editor.ask("foldingRange", uri),
    links: await editor.ask("documentLink", uri),
    edits: await editor.ask("formatting", uri, { options }),
    editsInRange: await editor.ask("rangeFormatting", uri, { options, range }),
    tokensInRange: await editor.ask("semanticTokens/range", uri, { range }),
    problems: (await editor.ask<{ readonly items: unknown }>("diagnostic", uri)).items,
  };
}

/** The tokens after an edit, from what an editor has and what has changed. */
async function changed(editor: Editor, { data, resultId }: SemanticTokens): Promise<SemanticTokens> {
  const delta = await editor.ask<SemanticTokensDelta | SemanticTokens>("semanticTokens/full/delta", uri, {
    previousResultId: resultId,
  });
  assert.ok("edits" in delta, "what has changed");
  const now = [...data];
  for (const { start, deleteCount, data: inserted = [] } of delta.edits) now.splice(start, deleteCount, ...inserted);
  return { data: now, ...(delta.resultId !== undefined && { resultId: delta.resultId }) };
}

describe("answers about a text that is edited", () => {
  const editors: MessageConnection[] = [];
  afterEach(() => {
    for (const connection of editors.splice(0)) connection.dispose();
  });

  for (const encoding of ["utf-16", "utf-8"] as const) {
    for (const hierarchicalDocumentSymbolSupport of [true, false]) {
      const symbols = hierarchicalDocumentSymbolSupport ? "nested symbols" : "a list of symbols";
      it(`are those about the same text opened again, in ${encoding} with ${symbols}`, async function () {
        this.timeout(300_000);
        const capabilities = {
          general: { positionEncodings: [encoding] },
          textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport }, codeLens: {}, diagnostic: {} },
        };
        const positionIn = (text: string, offset: number) => {
          const { line, column } = lineColumn(text, offset);
          const before = text.slice(offset - column + 1, offset);
          return { line: line - 1, character: encoding === "utf-8" ? Buffer.byteLength(before) : before.length };
        };
        const [editor, other] = [await startEditor({ capabilities }), await startEditor({ capabilities })];
        editors.push(editor.connection, other.connection);
        const close = (one: Editor) =>
          one.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
        const check = async (first: string, edits: readonly { at: number; remove: number; insert: string }[]) => {
          let text = first;
          await editor.open(uri, text);
          await answers(editor);
          let tokens = await editor.ask<SemanticTokens>("semanticTokens/full", uri);
          for (const { at, remove, insert } of edits) {
            const from = Math.floor((text.length * at) / 1000);
            const to = Math.min(text.length, from + remove);
            if ([from, to].some((offset) => /[\r\ud800-\udbff]/.test(text.charAt(offset - 1)))) continue; // positions are of whole characters
            const range = { start: positionIn(text, from), end: positionIn(text, to) };
            await editor.change(uri, { range, text: insert });
            text = text.slice(0, from) + insert + text.slice(to);
            await other.open(uri, text);
            assert.deepEqual(await answers(editor), await answers(other));
            tokens = await changed(editor, tokens);
            assert.deepEqual(tokens.data, (await other.ask<SemanticTokens>("semanticTokens/full", uri)).data);
            await close(other);
          }
          await close(editor);
        };
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 5 }), check),
          { numRuns: times(40, 4) },
        );
      });
    }
  }
});
