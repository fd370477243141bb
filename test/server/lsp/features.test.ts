import assert from "node:assert/strict";
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Position,
  Range,
  SelectionRange,
  SemanticTokens,
  SemanticTokensDelta,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import type { Encoding } from "../../../server/src/lsp/positions.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { pluck } from "../../support/pluck.ts";

const header = `{ "id": "é😀", "endpoint": "test", "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "abi": ["./é/Token.json"] }`;
const cells = [
  `{ "id": "é😀", "name": "balance", "method": "eth_getBalance", "params": ["{{alice}}", "pending"] }`,
  `{ "id": "é😀", "method": "eth_getBalanc",   "params": ["{{alice}}", "latest"] }`,
  `{ "id": "é😀", "method": "eth_sendTransaction", "params": [{
    "from": "{{alice}}", "value": "0xde0b6b3a7640000" }] }`,
];
const file = "file:///w/é/a.rpc.json";
const notebook = "file:///w/é/b.rpc.json";

/** Everything that changes what the server says by what the client can do. */
const capabilities = (encoding: Encoding) => ({
  general: { positionEncodings: ["utf-9", encoding, "utf-16"] },
  workspace: { workspaceEdit: { documentChanges: true } },
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
    codeLens: {},
    completion: { completionItem: { resolveSupport: { properties: ["documentation"] } } },
    diagnostic: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    signatureHelp: { signatureInformation: { parameterInformation: { labelOffsetSupport: true } } },
  },
});

/** The documents that an editor shows, with positions in its own unit. */
class Screen {
  readonly editor: Editor;
  readonly encoding: Encoding;
  readonly texts: ReadonlyMap<string, string>;

  constructor(editor: Editor, encoding: Encoding, texts: ReadonlyMap<string, string>) {
    this.editor = editor;
    this.encoding = encoding;
    this.texts = texts;
  }

  /** Where a text stands that is there once: its document and the position `ahead` of its start. */
  at(needle: string, ahead = 1): { readonly textDocument: { readonly uri: string }; readonly position: Position } {
    for (const [uri, text] of this.texts) {
      const found = text.indexOf(needle);
      if (found >= 0) return { textDocument: { uri }, position: this.positionAt(text, found + ahead) };
    }
    throw new Error(`There is no ${needle}.`);
  }

  range(needle: string): { readonly textDocument: { readonly uri: string }; readonly range: Range } {
    const { textDocument, position } = this.at(needle, 0);
    return { textDocument, range: { start: position, end: this.at(needle, needle.length).position } };
  }

  slice(uri: string, { start, end }: Range): string {
    const text = this.texts.get(uri) ?? "";
    return text.slice(this.offsetAt(text, start), this.offsetAt(text, end));
  }

  /** The documents after edits, one after the other. */
  after(edits: ReadonlyMap<string, readonly TextEdit[]>): string {
    return [...this.texts].map(([uri, text]) => this.edited(text, edits.get(uri) ?? [])).join("\n");
  }

  afterAll({ documentChanges = [] }: WorkspaceEdit): string {
    const edits = documentChanges.flatMap((change) => {
      assert.ok("edits" in change && change.textDocument.version === 1);
      return [[change.textDocument.uri, change.edits as TextEdit[]] as const]; // no annotations were offered
    });
    return this.after(new Map(edits));
  }

  ask<Answer>(method: string, params: object): Promise<Answer> {
    return this.editor.connection.sendRequest(`textDocument/${method}`, params);
  }

  private edited(text: string, edits: readonly TextEdit[]): string {
    const places = edits.map(({ range, newText }) => ({
      start: this.offsetAt(text, range.start),
      end: this.offsetAt(text, range.end),
      newText,
    }));
    return places
      .sort((a, b) => b.start - a.start)
      .reduce((text, { start, end, newText }) => text.slice(0, start) + newText + text.slice(end), text);
  }

  private positionAt(text: string, offset: number): Position {
    const lines = text.slice(0, offset).split("\n");
    return { line: lines.length - 1, character: this.units(lines.at(-1) ?? "") };
  }

  private offsetAt(text: string, { line, character }: Position): number {
    const lines = text.split("\n");
    const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    let column = 0;
    for (const each of lines[line] ?? "") {
      if (this.units((lines[line] ?? "").slice(0, column)) >= character) break;
      column += each.length;
    }
    return before + column;
  }

  private units(text: string): number {
    return { "utf-16": text.length, "utf-8": Buffer.byteLength(text), "utf-32": [...text].length }[this.encoding];
  }
}

async function openAsText(editor: Editor): Promise<ReadonlyMap<string, string>> {
  const text = `${header.slice(0, -2)}, "cells": [\n  ${cells.join(",\n  ")}\n] }\n`;
  await editor.open(file, text);
  return new Map([[file, text]]);
}

async function openAsNotebook(editor: Editor): Promise<ReadonlyMap<string, string>> {
  const texts = [header, ...cells].map(
    (text, index) => [`vscode-notebook-cell:/w/b.rpc.json#${index}`, text, { header: index === 0 }] as const,
  );
  await editor.openCells(notebook, texts);
  return new Map(texts.map(([uri, text]) => [uri, text]));
}

for (const [view, open] of [
  ["a text", openAsText],
  ["a notebook", openAsNotebook],
] as const)
  for (const encoding of ["utf-16", "utf-8", "utf-32"] as const)
    describe(`the features in ${view}, in ${encoding}`, () => {
      let screen: Screen;
      before(async () => {
        const editor = await startEditor({
          capabilities: capabilities(encoding),
          initializationOptions: {
            docs: "https://docs.invalid/x/",
            settings: { rpcNotebook: { endpoints: { test: "http://127.0.0.1:1" } } },
          },
        });
        screen = new Screen(editor, encoding, await open(editor));
      });
      after(() => screen.editor.connection.dispose());

      it("count in the unit that was offered first", () =>
        assert.equal(screen.editor.capabilities.positionEncoding, encoding));

      it("complete, and explain on demand", async () => {
        const { items } = await screen.ask<CompletionList>("completion", screen.at('"pending"', 3));
        const item = items.find(({ label }) => label === "finalized");
        assert.ok(item?.textEdit && "range" in item.textEdit);
        assert.equal(item.documentation, undefined);
        const { uri } = screen.at('"pending"').textDocument;
        assert.match(screen.after(new Map([[uri, [item.textEdit]]])), /"params": \["\{\{alice}}", "finalized"\] }/);
        const resolved: CompletionItem = await screen.editor.connection.sendRequest("completionItem/resolve", item);
        assert.match(JSON.stringify(resolved.documentation), /markdown.*block/);
      });

      it("hover", async () => {
        const place = screen.at('"eth_getBalance"');
        const hover = await screen.ask<Hover>("hover", place);
        assert.ok(hover.range && typeof hover.contents === "object" && "value" in hover.contents);
        assert.equal(screen.slice(place.textDocument.uri, hover.range), '"eth_getBalance"');
        assert.match(hover.contents.value, /balance of an account/);
      });

      it("help with signatures", async () => {
        const help = await screen.ask<SignatureHelp>("signatureHelp", screen.at('"pending"', 3));
        const [signature] = help.signatures;
        const label = signature?.parameters?.[help.activeParameter ?? 0]?.label;
        assert.ok(Array.isArray(label));
        assert.match(signature?.label.slice(...label) ?? "", /^block/);
      });

      it("find problems, and fix them", async () => {
        const { textDocument, range } = screen.range('"eth_getBalanc"');
        const { items } = await screen.ask<{ items: { code: string; range: Range; codeDescription: unknown }[] }>(
          "diagnostic",
          { textDocument },
        );
        const found = items.find(({ code }) => code === "unknown-method");
        assert.deepEqual(found?.range, range);
        assert.deepEqual(found.codeDescription, { href: "https://docs.invalid/x/docs/problems.md#unknown-method" });
        const actions = (only: readonly string[] | undefined, range: Range) => {
          const context = { diagnostics: [found], ...(only && { only }) };
          return screen.ask<CodeAction[]>("codeAction", { textDocument, range, context });
        };
        const place = { line: range.start.line, character: 2 };
        const start = { start: place, end: place };
        for (const [fix] of [await actions(["quickfix"], range), await actions(undefined, start)]) {
          assert.deepEqual([fix?.kind, fix?.isPreferred, fix?.diagnostics?.length], ["quickfix", true, 1]);
          assert.match(screen.afterAll(fix?.edit ?? {}), /"method": "eth_getBalance", {3}"params"/);
        }
        assert.deepEqual(await actions(["refactor.inline"], range), []);
        const all = await actions(["source.fixAll"], start);
        assert.deepEqual(pluck(all, "kind"), ["source.fixAll.rpcNotebook"]);
        assert.match(screen.afterAll(all[0]?.edit ?? {}), /"method": "eth_getBalance", {3}"params"/);
      });

      it("show lenses", async () => {
        const { textDocument } = screen.at('"balance"');
        const lenses = await screen.ask<CodeLens[]>("codeLens", { textDocument });
        const [first] = lenses;
        assert.deepEqual(first?.command?.arguments, [textDocument.uri, 0]);
        assert.equal(first && screen.slice(textDocument.uri, first.range), "{");
      });

      it("show hints behind values", async () => {
        const { textDocument, range } = screen.range('"0xde0b6b3a7640000"');
        const hints = await screen.ask<InlayHint[]>("inlayHint", { textDocument, range });
        const hint = hints.find(({ label }) => /1 ether/.test(String(label)));
        assert.deepEqual(hint?.position, range.end);
      });

      it("classify words, and then only those that have changed", async () => {
        const { textDocument, range } = screen.range('"eth_getBalance"');
        const tokens = await screen.ask<SemanticTokens>("semanticTokens/full", { textDocument });
        assert.ok(tokensOf(tokens, screen, textDocument.uri).some((text) => /^"?eth_getBalance"?$/.test(text)));
        const part = await screen.ask<SemanticTokens>("semanticTokens/range", { textDocument, range });
        assert.ok(tokensOf(part, screen, textDocument.uri).some((text) => /^"?eth_getBalance"?$/.test(text)));
        const since = (previousResultId = ""): Promise<SemanticTokens & SemanticTokensDelta> =>
          screen.ask("semanticTokens/full/delta", { textDocument, previousResultId });
        assert.deepEqual((await since(tokens.resultId)).edits, []);
        assert.deepEqual((await since("?")).data, tokens.data);
      });

      it("outline, fold and select", async () => {
        const { textDocument, position } = screen.at('"balance"', 3);
        const symbols = await screen.ask<DocumentSymbol[]>("documentSymbol", { textDocument });
        const symbol = symbols.find(({ name }) => name === "balance");
        assert.equal(symbol && screen.slice(textDocument.uri, symbol.range), cells[0]);
        const folded = screen.at('"from"').textDocument;
        const folds = await screen.ask<FoldingRange[]>("foldingRange", { textDocument: folded });
        assert.ok(folds.some(({ startLine }) => startLine === screen.at("eth_sendTransaction").position.line));
        const positions = [position];
        const [selection] = await screen.ask<SelectionRange[]>("selectionRange", { textDocument, positions });
        assert.equal(selection && screen.slice(textDocument.uri, selection.range), "balance");
        assert.ok(selection?.parent);
      });

      it("link to files", async () => {
        const { textDocument } = screen.at("./é/Token.json");
        const links = await screen.ask<DocumentLink[]>("documentLink", { textDocument });
        const link = links.find(({ target }) => target === "file:///w/%C3%A9/%C3%A9/Token.json");
        assert.match(link ? screen.slice(textDocument.uri, link.range) : "", /^"?\.\/é\/Token\.json"?$/);
      });

      it("find and rename names", async () => {
        const use = screen.at("{{alice}}", 3);
        const [declaration] = await screen.ask<Location[]>("definition", use);
        assert.match(declaration ? screen.slice(declaration.uri, declaration.range) : "", /^"?alice"?$/);
        for (const includeDeclaration of [true, false]) {
          const found = await screen.ask<Location[]>("references", { ...use, context: { includeDeclaration } });
          assert.equal(found.length, includeDeclaration ? 4 : 3);
          for (const { uri, range } of found) assert.match(screen.slice(uri, range), /^"?alice"?$/);
        }
        const highlights = await screen.ask<DocumentHighlight[]>("documentHighlight", use);
        assert.equal(highlights.length, screen.texts.size === 1 ? 4 : 1);
        const renameable = await screen.ask<{ range: Range; placeholder: string }>("prepareRename", use);
        assert.deepEqual(
          [screen.slice(use.textDocument.uri, renameable.range), renameable.placeholder],
          ["alice", "alice"],
        );
        const renamed = screen.afterAll(await screen.ask<WorkspaceEdit>("rename", { ...use, newName: "bob" }));
        assert.deepEqual([renamed.match(/alice/g), renamed.match(/\{\{bob}}|"bob":/g)?.length], [null, 4]);
        await assert.rejects(screen.ask("rename", { ...use, newName: "balance" }), { code: -32803 });
      });

      it("format a document, and a range", async () => {
        const options = { tabSize: 2, insertSpaces: true };
        const { textDocument, range } = screen.range('"eth_getBalanc"');
        const edits = await screen.ask<TextEdit[]>("formatting", { textDocument, options });
        assert.match(screen.after(new Map([[textDocument.uri, edits]])), /"eth_getBalanc", "params"/);
        const part = await screen.ask<TextEdit[]>("rangeFormatting", { textDocument, range, options });
        const text = screen.after(new Map([[textDocument.uri, part]]));
        assert.match(text, /"eth_getBalanc", "params"/);
        assert.match(text, /"params": \[\{\n {4}"from"/, "the other cells stay");
        const other = screen.range('"eth_getBalance"');
        const none = await screen.ask<TextEdit[]>("rangeFormatting", { ...other, options });
        assert.doesNotMatch(screen.after(new Map([[other.textDocument.uri, none]])), /"eth_getBalanc", "params"/);
      });
    });

function tokensOf({ data }: SemanticTokens, screen: Screen, uri: string): readonly string[] {
  let [line, character] = [0, 0];
  const found: string[] = [];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, ahead = 0, length = 0] = data.slice(at);
    character = lines === 0 ? character + ahead : ahead;
    line += lines;
    found.push(screen.slice(uri, { start: { line, character }, end: { line, character: character + length } }));
  }
  return found;
}
