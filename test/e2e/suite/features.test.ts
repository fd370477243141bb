import assert from "node:assert/strict";
import {
  type CodeAction,
  type CodeLens,
  type CompletionList,
  commands,
  type DocumentLink,
  type DocumentSymbol,
  env,
  type FoldingRange,
  type Hover,
  type InlayHint,
  type Location,
  languages,
  type Position,
  Range,
  type SelectionRange,
  type SemanticTokens,
  type SemanticTokensLegend,
  type SignatureHelp,
  type TextDocument,
  type TextEdit,
  Uri,
  type WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { chainNotebook, exampleUri, shownResult, until } from "./workspaceFile.ts";

/** The same requests, seen in both ways. */
const requests = [
  { name: "balance", method: "eth_getBalance", params: ["{{alice}}", "pending"] },
  { method: "eth_getBalanc", params: ["{{alice}}", "latest"] },
  { method: "eth_sendTransaction", params: [{ from: "{{alice}}", value: "0xde0b6b3a7640000" }] },
];

/** Asks the providers of all extensions. */
const ask = <Answer>(what: string, ...args: readonly unknown[]): Thenable<Answer> =>
  commands.executeCommand(`vscode.execute${what}Provider`, ...args);

interface View {
  readonly name: string;
  open(): Promise<readonly TextDocument[]>;
}

const views: readonly View[] = [
  {
    name: "the notebook",
    async open() {
      const notebook = await workspace.openNotebookDocument(await chainNotebook("features.rpc.json", requests));
      await window.showNotebookDocument(notebook);
      return notebook.getCells().map(({ document }) => document);
    },
  },
  {
    name: "the text",
    async open() {
      const uri = await chainNotebook("featuresAsText.rpc.json", requests);
      const document = await workspace.openTextDocument(uri);
      await window.showTextDocument(document);
      return [document];
    },
  },
];

for (const { name, open } of views)
  describe(`the features, in ${name}`, () => {
    let documents: readonly TextDocument[];

    const at = (needle: string, ahead = 2): readonly [Uri, Position] => {
      const document = documents.find((one) => one.getText().includes(needle));
      assert.ok(document, needle);
      return [document.uri, document.positionAt(document.getText().indexOf(needle) + ahead)];
    };
    const rangeOf = (needle: string): readonly [Uri, Range] => {
      const [uri, start] = at(needle, 0);
      return [uri, new Range(start, at(needle, needle.length)[1])];
    };
    const slice = (uri: Uri, range: Range): string => documentOf(uri).getText(range);
    const documentOf = (uri: Uri): TextDocument => {
      const found = documents.find((one) => one.uri.toString() === uri.toString());
      assert.ok(found, uri.toString());
      return found;
    };

    before(async () => {
      documents = await open();
      await until(() => languages.getDiagnostics(at('"eth_getBalanc"')[0]).length > 0); // the server has started
    });

    after(() => workspace.saveAll());

    it("complete", async () => {
      const { items } = await ask<CompletionList>("CompletionItem", ...at('"pending"'));
      const item = items.find(({ label }) => (typeof label === "string" ? label : label.label) === "finalized");
      assert.ok(item);
    });

    it("hover", async () => {
      const [hover] = await ask<Hover[]>("Hover", ...at('"eth_getBalance"'));
      assert.equal(hover?.range && slice(at('"eth_getBalance"')[0], hover.range), '"eth_getBalance"');
    });

    it("help with signatures", async () => {
      const help = await ask<SignatureHelp>("SignatureHelp", ...at('"pending"'));
      assert.match(help.signatures[0]?.label ?? "", /^eth_getBalance\(address, block/);
      assert.equal(help.activeParameter, 1);
    });

    it("offer fixes at the press of a key", async () => {
      const [uri, range] = rangeOf('"eth_getBalanc"');
      const actions = await ask<CodeAction[]>("CodeAction", uri, range);
      const fix = actions.find(({ isPreferred }) => isPreferred === true);
      const [edit] = fix?.edit?.get(uri) ?? [];
      assert.deepEqual([edit && slice(uri, edit.range), edit?.newText], ['"eth_getBalanc"', '"eth_getBalance"']);
      const fixes = await ask<CodeAction[]>("CodeAction", uri, range, "source.fixAll");
      assert.deepEqual(
        fixes.map(({ kind }) => kind?.value),
        ["source.fixAll.rpcNotebook"],
      );
    });

    it("outline", async () => {
      const [uri] = at('"balance"');
      const symbols = await ask<DocumentSymbol[]>("DocumentSymbol", uri);
      assert.ok(symbols.some((symbol) => symbol.name === "balance"));
    });

    it("colour tokens by their meaning", async () => {
      const [uri] = at('"eth_getBalance"');
      const legend = await commands.executeCommand<SemanticTokensLegend>(
        "vscode.provideDocumentSemanticTokensLegend",
        uri,
      );
      const { data } = await commands.executeCommand<SemanticTokens>("vscode.provideDocumentSemanticTokens", uri);
      const types = new Set([...data].flatMap((type, index) => (index % 5 === 3 ? legend.tokenTypes[type] : [])));
      assert.ok(types.has("method"), [...types].join());
    });

    it("show inlay hints for values", async () => {
      const [uri, range] = rangeOf('"0xde0b6b3a7640000"');
      const hints = await ask<InlayHint[]>("InlayHint", uri, range);
      const labels = hints.map(({ label }) =>
        typeof label === "string" ? label : label.map(({ value }) => value).join(),
      );
      assert.match(labels.join(), /1 ether/);
    });

    it("fold and select", async () => {
      const [uri, position] = at('"balance"');
      const folds = await ask<FoldingRange[]>("FoldingRange", uri);
      assert.ok(folds.length > 0);
      const [selection] = await ask<SelectionRange[]>("SelectionRange", uri, [position]);
      assert.equal(selection && slice(uri, selection.range), "balance");
    });

    it("format", async () => {
      const [uri] = at('"eth_getBalance"');
      const options = { tabSize: 4, insertSpaces: true };
      const edits = await ask<TextEdit[]>("FormatDocument", uri, options);
      assert.ok(edits.length > 0 && edits.every(({ newText }) => /^[\s,]*$/.test(newText)));
    });

    it("find declarations and uses", async () => {
      const [found] = await ask<Location[]>("Definition", ...at("{{alice}}", 4));
      assert.match(found ? slice(found.uri, found.range) : "", /^"?alice"?$/);
      const uses = await ask<Location[]>("Reference", ...at("{{alice}}", 4));
      assert.equal(uses.length, 4);
    });

    it("link nothing that leads nowhere", async () => {
      const [uri] = at('"eth_getBalance"');
      const links = await ask<DocumentLink[]>("Link", uri);
      assert.ok(links.every(({ target }) => target === undefined || /^(https?|file):/.test(target.toString())));
    });

    it("show the wire form, and copy it", async () => {
      const [uri] = at('"eth_getBalance"');
      const lenses = await until(async () => {
        const all = await ask<CodeLens[]>("CodeLens", uri, 20);
        const found = all.filter(({ command }) => command?.command === "rpcNotebook.wireForm");
        return found.length > 0 && found;
      });
      await commands.executeCommand("rpcNotebook.wireForm", ...(lenses[0]?.command?.arguments ?? []));
      await shownResult(/"eth_getBalance"[\s\S]*0x70997970C5/i);
      await env.clipboard.writeText("");
      await commands.executeCommand("rpcNotebook.copyWireForm", ...(lenses[0]?.command?.arguments ?? []));
      const copied = await env.clipboard.readText();
      assert.equal((JSON.parse(copied) as { method: string }).method, "eth_getBalance");
    });

    it("rename over all cells", async () => {
      const renamed = await ask<WorkspaceEdit>("DocumentRename", ...at("{{alice}}", 4), "bob");
      assert.equal(renamed.entries().flatMap(([, edits]) => edits).length, 4);
      assert.ok(await workspace.applyEdit(renamed));
      const text = documents.map((document) => document.getText()).join("\n");
      assert.deepEqual([text.match(/alice/g), text.match(/\{\{bob}}|"bob":/g)?.length], [null, 4]);
    });
  });

describe("the lenses of a text", () => {
  it("run all cells up to one", async () => {
    const uri = Uri.joinPath(exampleUri("quickstart.rpc.json"), "../above.rpc.json");
    await chainNotebook("above.rpc.json", [
      { method: "eth_chainId", params: [] },
      { method: "eth_blockNumber", params: [] },
      { method: "eth_gasPrice", params: [] },
    ]);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    const lens = await until(async () => {
      const all = await ask<CodeLens[]>("CodeLens", uri, 20);
      return all.find(({ command }) => command?.command === "rpcNotebook.runAbove");
    });
    await commands.executeCommand("rpcNotebook.runAbove", ...(lens.command?.arguments ?? []));
    const result = await shownResult(/eth_blockNumber/);
    assert.match(result, /31337/);
    assert.doesNotMatch(result, /eth_gasPrice/);
  });
  it("run a cell with the calls inside its call", async () => {
    const uri = Uri.joinPath(exampleUri("quickstart.rpc.json"), "../inside.rpc.json");
    const code = "0x602a60005260206000f3"; // returns 42
    const to = `0x${"c0de".repeat(10)}`;
    await chainNotebook("inside.rpc.json", [{ method: "eth_call", params: [{ to }, "latest", { [to]: { code } }] }]);
    await window.showTextDocument(await workspace.openTextDocument(uri));
    const lens = await until(async () => {
      const all = await ask<CodeLens[]>("CodeLens", uri, 20);
      return all.find(({ command }) => command?.command === "rpcNotebook.traceCell");
    });
    await commands.executeCommand("rpcNotebook.traceCell", ...(lens.command?.arguments ?? []));
    await shownResult(/calls (are the trace|were computed)/i);
  });
});
