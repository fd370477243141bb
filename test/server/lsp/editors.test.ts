import assert from "node:assert/strict";
import type {
  CodeAction,
  CodeLens,
  CompletionList,
  Location,
  MarkupContent,
  PublishDiagnosticsParams,
  SymbolInformation,
  WorkspaceEdit,
} from "vscode-languageserver";
import { CancellationTokenSource } from "vscode-languageserver/node";
import type { Files } from "../../../server/src/base/ports.ts";
import { type Editor, type EditorOptions, startEditor } from "../../support/editor.ts";

const uri = "file:///w/a.rpc.json";
const cells = [
  `{ "name": "one", "method": "eth_chainId" }`,
  `{ "markdown": "# Two" }`,
  `{ "name": "three", "method": "eth_getBalance", "params": ["{{alice}}", "latest"], "endpoint": "near" }`,
];
const text = `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "cells": [\n${cells.join(",\n")}\n] }\n`;

type Published = { readonly diagnostics: readonly { readonly code: string }[] };
const knowsNear = ({ diagnostics }: Published): boolean => diagnostics.every(({ code }) => code !== "unknown-endpoint");

/** Files of the workspace that the server reads. */
const filesOf = (texts: Readonly<Record<string, string>>): Files => ({
  read: async (file) => (texts[file] === undefined ? undefined : new TextEncoder().encode(texts[file])),
});

describe("the language server, for editors that can do", () => {
  const open: Editor[] = [];
  afterEach(() => {
    for (const { connection } of open.splice(0)) connection.dispose();
  });
  const start = async (options: EditorOptions): Promise<Editor> => {
    const editor = await startEditor(options);
    open.push(editor);
    await editor.open(uri, text);
    return editor;
  };
  const ask = <Answer>(editor: Editor, method: string, params?: object): Promise<Answer> =>
    editor.ask(method, uri, params);
  const at = (needle: string, ahead = 1): { readonly line: number; readonly character: number } => {
    const before = text.slice(0, text.indexOf(needle) + ahead).split("\n");
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };
  const actionsAt = (editor: Editor, needle: string): Promise<readonly CodeAction[]> =>
    ask(editor, "codeAction", { range: { start: at(needle), end: at(needle) }, context: { diagnostics: [] } });
  const execute = <Answer>({ connection }: Editor, command: string, ...given: readonly unknown[]): Promise<Answer> =>
    connection.sendRequest("workspace/executeCommand", { command, arguments: given });

  describe("little", () => {
    it("is asked for nothing that it does not serve", async () => {
      const editor = await start({ answers: { "workspace/configuration": () => [null, null] } });
      await editor.until<Published>("textDocument/publishDiagnostics", () => true);
      assert.equal(editor.count("workspace/configuration"), 0);
    });

    it("edits without versions, and names symbols in one list", async () => {
      const editor = await start({});
      const { changes } = await ask<WorkspaceEdit>(editor, "rename", { position: at("{{alice}}", 3), newName: "bob" });
      assert.deepEqual(
        changes?.[uri]?.map(({ newText }) => newText.replaceAll('"', "")),
        ["bob", "bob"],
      );
      const symbols = await ask<SymbolInformation[]>(editor, "documentSymbol");
      const alice = symbols.find(({ name }) => name === "alice");
      assert.equal(alice?.location.uri, uri);
      assert.ok(alice.containerName);
    });

    it("explains completions at once, and offers no code actions as commands", async () => {
      const editor = await start({});
      const { items } = await ask<CompletionList>(editor, "completion", { position: at('"latest"', 3) });
      assert.ok(items.find(({ label }) => label === "finalized")?.documentation);
      assert.equal(editor.capabilities.codeActionProvider, undefined);
      assert.equal(editor.capabilities.renameProvider, true);
    });

    it("explains in plain text if the editor does not read Markdown", async () => {
      const contentFormat = ["plaintext"];
      const [plain, marked] = [
        await start({ capabilities: { textDocument: { hover: { contentFormat } } } }),
        await start({}),
      ];
      const hovers = [`"eth_getBalance"`, `"latest"`, "{{alice}}"].map((needle) => at(needle, 3));
      for (const position of hovers) {
        const [{ contents }, { contents: other }] = await Promise.all([
          ask<{ contents: MarkupContent }>(plain, "hover", { position }),
          ask<{ contents: MarkupContent }>(marked, "hover", { position }),
        ]);
        assert.deepEqual([contents.kind, other.kind], ["plaintext", "markdown"]);
        assert.match(other.value, /\*\*|`|\\/);
        assert.doesNotMatch(contents.value, /\*\*|`|\\|\]\(/);
      }
    });

    it("offers the actions of lenses as code actions", async () => {
      const editor = await start({ capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: {} } } } });
      const actions = await actionsAt(editor, '"three"');
      assert.deepEqual(
        actions.flatMap(({ title, command }) =>
          command ? [[title, command.command, ...(command.arguments ?? [])]] : [],
        ),
        [
          ["Run", "rpcNotebook.run", uri, 2],
          ["Run above", "rpcNotebook.runAbove", uri, 2],
          ["Wire form", "rpcNotebook.wireForm", uri, 2],
          ["Choose endpoint", "rpcNotebook.pickEndpoint", uri],
        ],
      );
    });
  });

  describe("much", () => {
    it("leaves commands to our own client, and its cells their buttons", async () => {
      const capabilities = { textDocument: { codeLens: {}, codeAction: { codeActionLiteralSupport: {} } } };
      const editor = await start({ capabilities, initializationOptions: { runsCells: true } });
      assert.equal(editor.capabilities.executeCommandProvider, undefined);
      const lenses = await ask<CodeLens[]>(editor, "codeLens");
      assert.deepEqual(
        [...new Set(lenses.map(({ command }) => command?.command))],
        ["rpcNotebook.runCell", "rpcNotebook.wireForm", "rpcNotebook.copyAs", "rpcNotebook.runAbove"],
      );
      assert.ok((await actionsAt(editor, '"three"')).every(({ command }) => command === undefined));
      const document = "vscode-notebook-cell:/w/b.rpc.json#1";
      await editor.openCells("file:///w/b.rpc.json", [[document, cells[0] ?? ""]]);
      const inCell = await editor.ask<CodeLens[]>("codeLens", document);
      assert.deepEqual(
        inCell.map(({ command }) => command?.command),
        ["rpcNotebook.wireForm", "rpcNotebook.copyAs"],
      );
    });

    it("resolves the further ones of many lenses when they are shown", async () => {
      const editor = await start({ capabilities: { textDocument: { codeLens: {} } } });
      const uri = "file:///w/many.rpc.json";
      const text = JSON.stringify(Array.from({ length: 400 }, () => ({ method: "eth_blockNumber", params: [] })));
      await editor.open(uri, text);
      const lenses = await editor.ask<CodeLens[]>("codeLens", uri);
      const [lens] = lenses.slice(-2);
      assert.ok(lens);
      assert.equal(lenses[0]?.command?.title, "Run");
      assert.equal(lens.command, undefined);
      const told: CodeLens = await editor.connection.sendRequest("codeLens/resolve", lens);
      assert.deepEqual(told.range, lens.range);
      assert.deepEqual(told.command, { title: "Run above", command: "rpcNotebook.runAbove", arguments: [uri, 399] });
      await editor.change(uri, { text: `\n${text}` });
      const again = await editor.ask<CodeLens[]>("codeLens", uri);
      assert.equal(again.length, lenses.length);
      assert.deepEqual(await editor.connection.sendRequest("codeLens/resolve", lens), lens); // its cell has moved
    });

    it("registers once what cannot be declared in the capabilities", async () => {
      const registered: { readonly method: string; readonly registerOptions: unknown }[] = [];
      const dynamic = { dynamicRegistration: true };
      const editor = await start({
        capabilities: { workspace: { didChangeWatchedFiles: dynamic, didChangeConfiguration: dynamic } },
        answers: {
          "client/registerCapability": ({ registrations }: { readonly registrations: typeof registered }) => {
            registered.push(...registrations);
            return null;
          },
        },
      });
      await editor.until("client/registerCapability", () => registered.length === 2);
      assert.deepEqual(
        registered.map(({ method, registerOptions }) => [method, registerOptions]),
        [
          [
            "workspace/didChangeWatchedFiles",
            {
              watchers: ["**/*.{json,toml}", "**/.env", "**/hardhat.config.*"].map((globPattern) => ({ globPattern })),
            },
          ],
          ["workspace/didChangeConfiguration", { section: ["rpcNotebook", "http"] }],
        ],
      );
    });

    it("asks for settings at the start, and again when they have changed", async () => {
      let endpoints: object = {};
      const editor = await start({
        capabilities: { workspace: { configuration: true }, textDocument: {} },
        answers: { "workspace/configuration": () => [{ endpoints }, null] },
      });
      await editor.until<Published>("textDocument/publishDiagnostics", (message) => !knowsNear(message));
      endpoints = { near: "http://127.0.0.1:1" };
      await editor.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
      await editor.until<Published>("textDocument/publishDiagnostics", knowsNear);
    });

    it("tells the editor to refresh what it shows", async () => {
      const refreshSupport = true;
      const kinds = ["codeLens", "inlayHint", "semanticTokens"] as const;
      const answers = Object.fromEntries(kinds.map((kind) => [`workspace/${kind}/refresh`, () => null]));
      const workspace = Object.fromEntries(kinds.map((kind) => [kind, { refreshSupport }]));
      const editor = await start({ capabilities: { workspace }, answers });
      for (const kind of kinds) await editor.until(`workspace/${kind}/refresh`, () => true);
      const before = editor.count("workspace/inlayHint/refresh");
      await editor.connection.sendNotification("workspace/didChangeConfiguration", { settings: {} });
      await editor.until("workspace/inlayHint/refresh", () => editor.count("workspace/inlayHint/refresh") > before);
    });

    it("reads files again that it has asked for, and no others", async () => {
      const asked: string[] = [];
      let endpoints = "{}";
      const files = {
        read: async (file: string) => {
          asked.push(file);
          return file === "file:///w/rpc-endpoints.json" ? new TextEncoder().encode(endpoints) : undefined;
        },
      };
      const editor = await start({ files });
      const { connection } = editor;
      await connection.sendRequest("rpcNotebook/endpoints", { uri });
      await editor.until<Published>("textDocument/publishDiagnostics", (message) => !knowsNear(message));
      const before = asked.length;
      const change = (file: string): Promise<void> =>
        connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: file, type: 2 }] });
      await change("file:///w/package.json");
      await ask(editor, "documentSymbol"); // its turn comes after that of the change
      assert.equal(asked.length, before);
      endpoints = '{ "near": "http://127.0.0.1:1" }';
      await change("file:///w/rpc%2Dendpoints.json");
      await editor.until<Published>("textDocument/publishDiagnostics", knowsNear);
      assert.ok(asked.length > before);
    });

    it("shows the problems of endpoint files while a document uses them", async () => {
      const shared = "file:///w/rpc-endpoints.json";
      const texts: Record<string, string> = {
        [shared]: '{ "é": { "url": "near", "colour": 1 } }',
        "file:///w/foundry.toml": '[rpc_endpoints]\nmain = "htp://h"\n',
      };
      const files = filesOf(texts);
      const editor = await start({
        capabilities: { general: { positionEncodings: ["utf-8"] }, textDocument: { diagnostic: {} } },
        initializationOptions: { docs: "file:///docs/" },
        files,
      });
      const pushed = (uri: string, isRight: (found: PublishDiagnosticsParams) => boolean) =>
        editor.until<PublishDiagnosticsParams>(
          "textDocument/publishDiagnostics",
          (one) => one.uri === uri && isRight(one),
        );
      const [address, key] = (await pushed(shared, () => true)).diagnostics.toSorted(
        (a, b) => Number(a.severity) - Number(b.severity),
      );
      assert.equal(address?.range.start.character, Buffer.from('{ "é": { "url": ').length);
      assert.equal(address?.codeDescription?.href, "file:///docs/docs/problems.md#bad-endpoint-address");
      assert.deepEqual([key?.code, key?.severity], ["unknown-endpoint-key", 2]);
      const [foundry] = (await pushed("file:///w/foundry.toml", () => true)).diagnostics;
      assert.deepEqual([foundry?.code, foundry?.range.start], ["bad-endpoint-address", { line: 1, character: 0 }]);
      texts[shared] = '{ "é": "http://near" }';
      const changes = [{ uri: shared, type: 2 }];
      await editor.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
      await pushed(shared, ({ diagnostics }) => diagnostics.length === 0);
      await editor.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
      await pushed("file:///w/foundry.toml", ({ diagnostics }) => diagnostics.length === 0);
    });

    it("reads a file once for the places of all its problems", async () => {
      const file = "file:///w/rpc-endpoints.json";
      const broken = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`é${at}`, "x:"])));
      let reads = 0;
      const read = async (one: string) => {
        if (one === file) reads++;
        return one === file ? new TextEncoder().encode(broken) : undefined;
      };
      const capabilities = { general: { positionEncodings: ["utf-8"] } };
      const editor = await start({ capabilities, files: { read } });
      const { diagnostics } = await editor.until<{ diagnostics: readonly { range: { start: object } }[] }>(
        "textDocument/publishDiagnostics",
        (told) => (told as { uri?: string }).uri === file,
      );
      const character = Buffer.byteLength('{"é0":"x:","é1":');
      assert.deepEqual([diagnostics.length, diagnostics[1]?.range.start], [500, { line: 0, character }]);
      assert.ok(reads < 20, `${reads} times`);
    });

    it("finds declarations in files that are not open, in the editor's unit", async () => {
      const endpoints = '{ "é😀": "http://127.0.0.1:1", "near": "http://127.0.0.1:2" }';
      const files = filesOf({ "file:///w/rpc-endpoints.json": endpoints });
      const editor = await start({ capabilities: { general: { positionEncodings: ["utf-8"] } }, files });
      await editor.connection.sendRequest("rpcNotebook/endpoints", { uri });
      const [found] = await ask<Location[]>(editor, "definition", { position: at('"near"', 3) });
      assert.equal(found?.uri, "file:///w/rpc-endpoints.json");
      const before = Buffer.from('{ "é😀": "http://127.0.0.1:1", ').length;
      assert.ok([before, before + 1].includes(found.range.start.character), `${found.range.start.character}`);
    });
  });

  describe("commands", () => {
    const settings = {
      rpcNotebook: { endpoint: "near", endpoints: { near: "http://127.0.0.1:1", far: "http://127.0.0.1:2" } },
    };

    it("runs all cells, and all up to one, and shows the results", async () => {
      const editor = await start({ initializationOptions: { settings } });
      assert.deepEqual(await execute(editor, "rpcNotebook.run", uri), { ok: 0, failed: 2, cancelled: false });
      assert.deepEqual(await execute(editor, "rpcNotebook.runAbove", uri, 1), { ok: 0, failed: 1, cancelled: false });
      const { message } = await editor.until<{ message: string }>("window/showMessage", () => true);
      assert.match(message, /127\.0\.0\.1:1/);
    });

    it("shows the wire form, and returns it", async () => {
      const editor = await start({});
      const form = await execute<{ readonly text: string }>(editor, "rpcNotebook.wireForm", uri, 2);
      assert.match(form.text, /"0x70997970[Cc]51812dc3[Aa]010[Cc]7d01b50e0d17dc79[Cc]8", ?"latest"/);
      const { message } = await editor.until<{ message: string }>("window/showMessage", () => true);
      assert.equal(message, form.text);
      const offset = text.indexOf('"three"');
      assert.deepEqual(await editor.connection.sendRequest("rpcNotebook/wireForm", { uri, offset }), form);
    });

    it("asks which endpoint to use, and uses it", async () => {
      const editor = await start({
        initializationOptions: { settings },
        answers: {
          "window/showMessageRequest": ({ actions }: { readonly actions: readonly { readonly title: string }[] }) =>
            actions.find(({ title }) => title.startsWith("far")),
        },
      });
      assert.equal(await execute(editor, "rpcNotebook.pickEndpoint", uri), "far");
      const { message } = await editor.until<{ message: string }>("window/showMessageRequest", () => true);
      assert.equal(message, "Requests go to near (127.0.0.1:1) now. Where should they go?");
      const endpoints = await editor.connection.sendRequest<{ current: object }>("rpcNotebook/endpoints", { uri });
      assert.match(JSON.stringify(endpoints.current), /"name":"far"/);
    });
  });

  it("does not handle a request that was cancelled before its turn", async () => {
    const editor = await start({});
    const source = new CancellationTokenSource();
    const waiting = [...Array(20)].map(() => ask(editor, "documentSymbol"));
    const place = { textDocument: { uri }, position: at('"three"') };
    const last = editor.connection.sendRequest("textDocument/hover", place, source.token);
    source.cancel();
    await assert.rejects(last, { code: -32800 });
    await Promise.all(waiting);
  });
});
